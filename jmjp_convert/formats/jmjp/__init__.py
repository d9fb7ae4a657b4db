"""jmjp, the open text standard: keywords, reader and writer."""

from __future__ import annotations

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.format import About, Format, Option, later
from jmjp_convert.formats.jmjp.notation import DEFAULT_DIALECT, DIALECTS
from jmjp_convert.lazy_regex import regex

# White space and comments may be before any character. The quantifiers never backtrack.
_BETWEEN = r"(?:\s++|//[^\r\n]*+)*+"
_HEADER = regex(_BETWEEN.join(("", "j", "m", "j", "p", r"\[")))

FORMAT = Format(
    name="jmjp",
    suffixes=(".jmjp",),
    begins=lambda text: _HEADER.match(text) is not None,
    about=About(
        read_by="jmjp",
        keeps="The whole play (tiles by face), wins, points, names, results; the rest in comments.",
        drops="Which copy of a tile it is, when a dora is turned, the seed "
        "([more](jmjp.md#what-jmjp-cannot-hold)); three-player games.",
    ),
    read=later(f"{__name__}.reader", "read_jmjp"),
    error=JmjpError,
    write=later(f"{__name__}.writer", "write_jmjp"),
    options=(
        Option("spec", "Write this dialect of jmjp.", DEFAULT_DIALECT, choices=tuple(DIALECTS)),
        Option("compact", "Write one line, without spaces or comments."),
    ),
    several=lambda _: True,
    dora=True,
    holding=later(f"{__name__}.holding", "holding"),
)

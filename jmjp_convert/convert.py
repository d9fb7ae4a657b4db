"""Converts one file: read, judge, fill in the wall if asked, write, verify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from jmjp_convert.checks.match import check_match, numbered
from jmjp_convert.errors import FormatError, RecordError, WallError
from jmjp_convert.formats import DEFAULT, FORMATS, bounds, writable
from jmjp_convert.formats.format import Format, Lost
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.formats.requirements import check_players
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.formats.session import Loaded, Notice
from jmjp_convert.model import Match
from jmjp_convert.model.record import Record

Problem = Callable[[RecordError], None]


class Writing:
    """An output format and its options.

    :param to: the format, by name.
    :param verify: read each output back before it is written, if the format can be read.
    :param wall: fill in all dora from the wall, if its seed verifies and the format holds them.
    :param anonymous: leave out who played, when, and in which log, as :func:`anonymous` does.
    :param options: the format's own options that differ from their defaults.
    :raises FormatError: there is no such format, or it has no such option.
    """

    __slots__ = ("anonymous", "options", "to", "verify", "wall")

    def __init__(
        self,
        to: str = DEFAULT.name,
        *,
        verify: bool = True,
        wall: bool = False,
        anonymous: bool = False,
        **options: Any,
    ) -> None:
        names = [format_.name for format_ in writable()]
        if to not in names:
            raise FormatError(f"{to!r} is not an output format; choose from {', '.join(names)}")
        defaults = {option.name: option.default for option in FORMATS[to].options}
        for name in options.keys() - defaults.keys():
            raise FormatError(f"{to} has no option {name}")
        self.to = to
        self.verify = verify
        self.wall = wall
        self.anonymous = anonymous
        self.options = defaults | options

    @property
    def format(self) -> Format:
        """The format."""
        return FORMATS[self.to]

    @property
    def suffix(self) -> str:
        """The extension of file names."""
        return self.format.suffix(self.options) or self.format.suffixes[0]

    @property
    def holds_several(self) -> bool:
        """Whether a file may hold several matches."""
        return self.format.several(self.options)

    @property
    def output_options(self) -> dict[str, object]:
        """The options that affect the output."""
        return {"to": self.to, **self.options, "wall": self.wall, "anonymous": self.anonymous}

    @property
    def has_defaults(self) -> bool:
        """Whether all options that affect the output have their defaults."""
        return self.output_options == Writing(self.to).output_options


class Written(Record):
    """A file of matches: its *content*, and a function that returns what it leaves out or changes of each match, which
    not everybody wants to know."""

    __slots__ = ("content", "lost")

    def __init__(self, content: bytes, lost: Callable[[], list[Lost]]) -> None:
        self.content: Final = content
        self.lost: Final = lost


def convert(
    content: bytes,
    name: str,
    reading: Reading,
    writing: Writing,
    notice: Notice,
    *,
    problem: Problem,
    accept: Callable[[Sequence[Match]], None] | None = None,
) -> Written:
    """Convert one file.

    :param name: the name of the file, for formats that take the log ID from it.
    :param notice: called with each warning about the file, in one line.
    :param problem: as for :func:`judged`.
    :param accept: called with the matches before they are written; may raise to end the conversion.
    :raises ConvertError: the file is broken, or cannot be converted.
    """
    loaded = read_content(content, name, reading, notice)
    if accept is not None:
        accept(loaded.matches)
    return written(judged(loaded, reading, problem), writing, notice)


def judged(loaded: Loaded, reading: Reading, problem: Problem) -> list[Match]:
    """Return the matches of a file, after checking each as a whole. Every command that uses matches does so, except
    ``jmjp check``, which reports more.

    :param problem: called with each problem that ``jmjp check`` finds in a match as a whole.
    :raises RecordError: there is one, and *reading* is strict. Its cause is a :class:`MatchError`.
    """
    for (which, match), locate in zip(numbered(loaded.matches), loaded.locate, strict=True):
        for error in check_match(match, which, strict=reading.strict):
            located = locate(error)
            if reading.strict:
                raise located from error
            located.reason += " (--strict rejects it)"
            problem(located)
    return loaded.matches


def written(matches: Sequence[Match], writing: Writing, notice: Notice) -> Written:
    """Return *matches* as one file, verified by reading it back if the format can be read.

    :param notice: called with each warning: why a wall is not used.
    :raises FormatError: the format cannot hold a match, or the text does not read back as the same matches.
    """
    format_ = writing.format
    if not matches:
        raise FormatError("no matches to write")
    if len(matches) != 1 and not writing.holds_several:
        raise FormatError(
            f"{len(matches)} matches cannot go into one {writing.to} file; use a directory to write one file each"
        )
    if too_many := bounds.excess(matches):
        raise FormatError(f"{too_many} cannot go into one file; use a directory to write one file each")
    for match in matches:
        check_can_be_written(match, writing)
    whole = [_with_wall(match, notice) for match in matches] if writing.wall and format_.dora else matches
    if writing.anonymous:
        from jmjp_convert.formats.anonymous import anonymous

        matches, whole = [*map(anonymous, matches)], [*map(anonymous, whole)]
    options = writing.options
    assert format_.write is not None
    content: bytes = format_.write(whole, **options).encode()
    if writing.verify and format_.holding is not None and format_.read is not None:
        prove(
            content,
            map(format_.holding(**options).expected, whole),
            format_.read,
            partial(format_.repeats, written=whole),
        )
    return Written(content, lambda: [_lost(match, format_, options) for match in matches])


def check_can_be_written(match: Match, writing: Writing) -> None:
    """Check that *match* can be written, as far as that is known beforehand.

    :raises FormatError: it cannot.
    """
    check_players(match, writing.to, writing.format.players)


def _lost(match: Match, format_: Format, options: dict[str, Any]) -> Lost:
    if format_.holding is not None:
        return format_.holding(**options).lost(match)  # type: ignore[no-any-return]
    return Lost() if format_.lost is None else format_.lost(match, **options)


# --- the wall --------------------------------------------------------------------------------------------------------


def _with_wall(match: Match, notice: Notice) -> Match:
    """Return *match* with all ten dora of each frame, or unchanged if its walls are unknown."""
    from jmjp_convert.checks.wall import with_wall

    try:
        return with_wall(match)
    except WallError as error:
        notice(f"dora not filled in from the wall: {error}")
        return match

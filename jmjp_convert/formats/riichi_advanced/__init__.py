"""One frame, to play again in Riichi Advanced."""

from __future__ import annotations

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.format import About, Format, Option, each, later
from jmjp_convert.lazy_regex import regex

_WINDS = {"e": "E", "s": "S", "w": "W", "n": "N", "東": "E", "南": "S", "西": "W", "北": "N"}
"""By the first letter of a word for them."""
_NUMERALS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_FRAME = regex(
    r"([東南西北eswn]|east|south|west|north)\s*([1-4])\s*局?"
    r"(?:(?:\s*[-.,]\s*|\s+|(?<=局))([0-9]{1,3})(?:\s*(?:本場|honba))?)?"
)


def _frame(text: str) -> str:
    """Return the name of a frame, ``E3-1``, or of a round, ``E3``, given in one of the usual ways: ``e3``, ``E3.1``,
    ``east 3, 1 honba``, ``東3局``, ``東三局一本場``."""
    from unicodedata import normalize

    frame = _FRAME.fullmatch(normalize("NFKC", text).strip().lower().translate(_NUMERALS))
    if frame is None:
        raise ConvertError(f"invalid frame {text!r}; expected a name such as E3-1 (East 3, 1 honba)")
    wind, number, honba = frame.groups()
    round_ = f"{_WINDS[wind[0]]}{number}"
    return round_ if honba is None else f"{round_}-{int(honba)}"


_SEEN = 1000  # characters
_NO_FRAME = "--to riichi-advanced writes one hand; name it with --frame, such as --frame E3-1"

FORMAT = Format(
    name="riichi-advanced",
    suffixes=(),  # they contain the name of a frame
    begins=lambda text: "".join(text[:_SEEN].split()).startswith(('{"mods":', '{"starting_hand":')),
    about=About(
        read_by="[Riichi Advanced](https://riichiadvanced.com)",
        keeps="One hand, ready to play: hands, wall, dora, scores, honba, sticks, dice, rules.",
        drops="Everything else; three-player games.",
    ),
    write=each(later(f"{__name__}.writer", "written")),
    options=(
        Option("frame", "Write this hand: E3-1, or E3 for the first of East 3.", None, metavar="FRAME", parse=_frame),
        Option("config", "Write for a room's Config tab."),
    ),
    check=lambda options: "" if options["frame"] else _NO_FRAME,
    suffix=lambda options: f".{options['frame']}{'.config' if options['config'] else ''}.json",
    lost=later(f"{__name__}.writer", "lost"),
)

"""One frame, to play again in Riichi Advanced."""

from __future__ import annotations

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.format import About, Format, Option, Options, each, later, starts
from jmjp_convert.patterns import regex

_FRAME = regex(r"[ESWN][1-4]-[0-9]{1,3}")


def _frame(text: str) -> str:
    if not _FRAME.fullmatch(text):
        raise ConvertError(f"invalid frame {text!r}; expected a name such as E3-1 (East 3, 1 honba)")
    return text


def _check(options: Options) -> str:
    return (
        "" if options["frame"] else "--to riichi-advanced writes one hand; name it with --frame, such as --frame E3-1"
    )


FORMAT = Format(
    name="riichi-advanced",
    suffixes=(),  # they contain the name of a frame
    begins=starts('{"mods":', '{"starting_hand":'),
    about=About(
        read_by="[Riichi Advanced](https://riichiadvanced.com)",
        keeps="One hand, ready to play: hands, wall, dora, scores, honba, sticks, dice, rules.",
        drops="Everything else; three-player games.",
    ),
    write=each(later(f"{__name__}.writer", "written")),
    options=(
        Option("frame", "Write this hand, such as E3-1.", None, metavar="FRAME", parse=_frame),
        Option("config", "Write for a room's Config tab."),
    ),
    check=_check,
    suffix=lambda options: f".{options['frame']}{'.config' if options['config'] else ''}.json",
    lost=later(f"{__name__}.writer", "lost"),
)

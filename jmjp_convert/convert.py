"""The formats that are written, by their names, and how a match becomes the text of a file in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.errors import FormatError, WallError
from jmjp_convert.files.inputs import JMJP, JSON
from jmjp_convert.formats.jmjp.dialects import DEFAULT_DIALECT
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import Match, Wall

_FOUR = frozenset({4})
_ANY = frozenset({3, 4})

Notice = Callable[[str], None]


class Writing(NamedTuple):
    """What is written: the options.

    :ivar to: the format, one of :data:`FORMATS`.
    :ivar spec: the dialect of jmjp.
    :ivar compact: jmjp in one line.
    :ivar verify: whether a text that can be read back is, before it is written.
    :ivar wall: whether the wall tells the dora.
    :ivar per_frame: tenhou6 with a frame a line.
    :ivar url: tenhou6 as links.
    :ivar frame: the name of the frame for riichi-advanced.
    :ivar config: riichi-advanced for a room.
    """

    to: str = JMJP
    spec: str = DEFAULT_DIALECT
    compact: bool = False
    verify: bool = True
    wall: bool = False
    per_frame: bool = False
    url: bool = False
    frame: str | None = None
    config: bool = False

    @property
    def suffix(self) -> str:
        """The ending of the names of files."""
        if self.frame is not None:
            return f".{self.frame}.config.json" if self.config else f".{self.frame}.json"
        return f".{self.to}.txt" if self.url else f".{self.to}.jsonl" if self.per_frame else FORMATS[self.to].suffix

    @property
    def several(self) -> bool:
        """Whether a file may hold several matches."""
        return FORMATS[self.to].several or self.per_frame or self.url

    @property
    def outcome(self) -> dict[str, object]:
        """The options that tell in what is written, but for those that are as usual, the format and its dialect."""
        usual = Writing()._asdict()
        told = {"to": self.to, "spec": self.spec, "compact": self.compact, "wall": self.wall}
        rest = {name: value for name, value in self._asdict().items() if name != "verify" and value != usual[name]}
        return told | rest


class Format(NamedTuple):
    """A format.

    :ivar suffix: the usual ending of its files' names; a frame's name stands before it.
    :ivar text: makes the text of a file.
    :ivar left_out: tells what is in a match and is not written, a phrase each.
    :ivar written_otherwise: tells what is written in other words or guessed, a clause each.
    :ivar options: the names of the options in :class:`Writing` that are its own.
    :ivar players: how many there may be.
    :ivar several: whether a file may hold several matches.
    """

    suffix: str
    text: Callable[[Sequence[Match], Writing, Notice], str]
    left_out: Callable[[Match, Writing], Iterator[str]]
    written_otherwise: Callable[[Match, Writing], Iterator[str]]
    options: tuple[str, ...] = ()
    players: frozenset[int] = _FOUR
    several: bool = False


def written(matches: Sequence[Match], writing: Writing, notice: Notice) -> str:
    """Return the text of one file of *matches*.

    :param notice: called with each thing worth saying of it, a line each: why a wall is not used.
    :raises FormatError: the format cannot hold a match; or the text does not read back as what it was made from.
    """
    format_ = FORMATS[writing.to]
    if len(matches) != 1 and not writing.several:
        raise FormatError(
            f"{len(matches)} matches do not go into one file of {writing.to} (into a directory each goes into its own)"
        )
    for match in matches:
        check(match, writing)
    if writing.wall:
        from jmjp_convert.check.wall import with_wall_if_any

        matches = [with_wall_if_any(match, notice) for match in matches]
    return format_.text(matches, writing, notice)


def left_out(match: Match, writing: Writing) -> Iterator[str]:
    """Yield what is in *match* and is not written, a phrase each, fit for a list."""
    return FORMATS[writing.to].left_out(match, writing)


def written_otherwise(match: Match, writing: Writing) -> Iterator[str]:
    """Yield what of *match* is written in other words or guessed, a clause each; of jmjp, a line each."""
    return FORMATS[writing.to].written_otherwise(match, writing)


class Lost(NamedTuple):
    """What the output does not hold of a match as it is: what is *left_out*, and what is written *otherwise*."""

    left_out: tuple[str, ...]
    otherwise: tuple[str, ...]


def lost(match: Match, writing: Writing) -> Lost:
    """Return what the output does not hold of *match* as it is."""
    return Lost(tuple(left_out(match, writing)), tuple(written_otherwise(match, writing)))


class Losses:
    """What the outputs of a run do not hold as it is."""

    def __init__(self, to: str) -> None:
        self._to = to
        self._left_out: dict[str, None] = {}
        self._otherwise: dict[str, None] = {}

    def add(self, lost: Lost) -> None:
        """Add what one output does not hold."""
        self._left_out.update(dict.fromkeys(lost.left_out))
        self._otherwise.update(dict.fromkeys(lost.otherwise))

    def lines(self) -> Iterator[str]:
        """Yield what it comes to, in a few lines."""
        if self._left_out:
            yield f"{self._to} leaves out: {', '.join(self._left_out)}"
        for clause in self._otherwise:
            yield clause if self._to == JMJP else f"{self._to}: {clause}"


def check(match: Match, writing: Writing) -> None:
    """Check that *match* can be written.

    :raises FormatError: it cannot.
    """
    if match.rules.players not in FORMATS[writing.to].players:
        raise FormatError(f"a match of {match.rules.players} players: {writing.to} has four seats only")


# --- the formats, each loaded when it is asked for -------------------------------------------------------------------


def _jmjp(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.formats.jmjp.proof import written

    return written(matches, spec=writing.spec, compact=writing.compact, verify=writing.verify)


def _jmjp_otherwise(match: Match, writing: Writing) -> Iterator[str]:
    from jmjp_convert.formats.jmjp.losses import losses

    return losses(match, spec=writing.spec, compact=writing.compact)


def _json(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.formats.json.reader import read_json
    from jmjp_convert.formats.json.writer import write_json

    text = write_json(matches)
    if writing.verify:
        prove(text, matches, read_json)
    return text


def _tenhou6(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.formats.tenhou6 import write_tenhou6, write_tenhou6_frames, write_tenhou6_urls

    write = write_tenhou6_urls if writing.url else write_tenhou6_frames if writing.per_frame else write_tenhou6
    return "".join(map(_line, map(write, matches)))


def _tenhou6_left_out(match: Match, writing: Writing) -> Iterator[str]:
    from jmjp_convert.formats.tenhou6 import left_out

    return left_out(match, frames=writing.per_frame or writing.url)


def _tenhou6_otherwise(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.tenhou6 import written_otherwise

    return written_otherwise(match)


def _mjai(matches: Sequence[Match], _: Writing, __: Notice) -> str:
    from jmjp_convert.formats.mjai.writer import write_mjai

    return "".join(map(write_mjai, matches))


def _mjai_left_out(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.mjai.writer import left_out

    return left_out(match)


def _mjai_otherwise(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.mjai.writer import written_otherwise

    return written_otherwise(match)


def _majiang(matches: Sequence[Match], _: Writing, __: Notice) -> str:
    from jmjp_convert.formats.majiang.writer import write_majiang

    return "".join(map(_line, map(write_majiang, matches)))


def _majiang_left_out(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.majiang.writer import left_out

    return left_out(match)


def _majiang_otherwise(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.majiang.writer import written_otherwise

    return written_otherwise(match)


def _riichi_advanced(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.formats.riichi_advanced.writer import write_riichi_advanced

    (match,) = matches
    frame = writing.frame or ""
    wall = _wall(match, frame)[0]
    return write_riichi_advanced(match, frame, wall=wall, config=writing.config)


def _wall(match: Match, frame: str) -> tuple[Wall | None, str]:
    """Return the wall of the frame that is called so, or why it is not known."""
    from jmjp_convert.check.wall import proven_walls
    from jmjp_convert.formats.riichi_advanced.writer import frame_number

    number = frame_number(match, frame)
    try:
        return proven_walls(match)[number], ""
    except WallError as error:
        return None, f"no wall is known: {error}"


def _riichi_advanced_otherwise(match: Match, writing: Writing) -> Iterator[str]:
    from jmjp_convert.formats.riichi_advanced.writer import remarks

    frame = writing.frame or ""
    wall, why = _wall(match, frame)
    yield from filter(None, [why])
    yield from remarks(match, frame, wall=wall, config=writing.config)


def _riichi_advanced_left_out(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.formats.riichi_advanced.writer import left_out

    return left_out(match)


def _none(_: Match, __: Writing) -> Iterator[str]:
    return iter(())


def _line(text: str) -> str:
    """Return *text* with a line feed at its end."""
    return text if text.endswith("\n") else text + "\n"


FORMATS = {
    JMJP: Format(".jmjp", _jmjp, _none, _jmjp_otherwise, ("spec", "compact", "verify", "wall"), several=True),
    JSON: Format(".jsonl", _json, _none, _none, ("verify", "wall"), players=_ANY, several=True),
    "tenhou6": Format(
        ".tenhou6.json", _tenhou6, _tenhou6_left_out, _tenhou6_otherwise, ("per_frame", "url"), players=_ANY
    ),
    "mjai": Format(".mjson", _mjai, _mjai_left_out, _mjai_otherwise),
    "majiang": Format(".majiang.json", _majiang, _majiang_left_out, _majiang_otherwise),
    "riichi-advanced": Format(
        ".json", _riichi_advanced, _riichi_advanced_left_out, _riichi_advanced_otherwise, ("frame", "config")
    ),
}
"""By name, the usual one first."""

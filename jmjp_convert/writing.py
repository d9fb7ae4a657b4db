"""The formats that are written, by their names, and how a match becomes the text of a file in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.errors import FormatError, WallError
from jmjp_convert.jmjp.grammar import DEFAULT_DIALECT
from jmjp_convert.model import Match, Wall
from jmjp_convert.proof import prove
from jmjp_convert.streams import JMJP, JSON

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
    :ivar losses: tells what is not held of a match, a line each.
    :ivar options: the names of the options in :class:`Writing` that are its own.
    :ivar players: how many there may be.
    :ivar several: whether a file may hold several matches.
    """

    suffix: str
    text: Callable[[Sequence[Match], Writing, Notice], str]
    losses: Callable[[Match, Writing], Iterator[str]]
    options: tuple[str, ...] = ()
    players: frozenset[int] = _FOUR
    several: bool = False


def written(matches: Sequence[Match], writing: Writing, notice: Notice) -> str:
    """Return the text of one file of *matches*.

    :param notice: called with each thing worth saying, a line each: why a wall is not used, what is not held.
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
        from jmjp_convert.mjlog.dealt import with_wall_if_any

        matches = [with_wall_if_any(match, notice) for match in matches]
    return format_.text(matches, writing, notice)


def losses(match: Match, writing: Writing) -> Iterator[str]:
    """Yield what the output does not hold of *match*, a line each."""
    return FORMATS[writing.to].losses(match, writing)


def check(match: Match, writing: Writing) -> None:
    """Check that *match* can be written.

    :raises FormatError: it cannot.
    """
    if match.rules.players not in FORMATS[writing.to].players:
        raise FormatError(f"a match of {match.rules.players} players: {writing.to} has four seats only")


# --- the formats, each loaded when it is asked for -------------------------------------------------------------------


def _jmjp(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.jmjp.proof import written

    return written(matches, spec=writing.spec, compact=writing.compact, verify=writing.verify)


def _jmjp_losses(match: Match, writing: Writing) -> Iterator[str]:
    from jmjp_convert.jmjp.losses import losses

    return losses(match, spec=writing.spec, compact=writing.compact)


def _json(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.jsonl.reader import read_json
    from jmjp_convert.jsonl.writer import write_json

    text = write_json(matches)
    if writing.verify:
        prove(text, matches, read_json)
    return text


def _tenhou6(matches: Sequence[Match], writing: Writing, _: Notice) -> str:
    from jmjp_convert.export.tenhou6 import write_tenhou6, write_tenhou6_frames, write_tenhou6_urls

    write = write_tenhou6_urls if writing.url else write_tenhou6_frames if writing.per_frame else write_tenhou6
    return "".join(map(_line, map(write, matches)))


def _tenhou6_losses(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.export.tenhou6 import losses

    return losses(match)


def _mjai(matches: Sequence[Match], _: Writing, __: Notice) -> str:
    from jmjp_convert.export.mjai import write_mjai

    return "".join(map(write_mjai, matches))


def _mjai_losses(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.export.mjai import losses

    return losses(match)


def _majiang(matches: Sequence[Match], _: Writing, __: Notice) -> str:
    from jmjp_convert.export.majiang import write_majiang

    return "".join(map(_line, map(write_majiang, matches)))


def _majiang_losses(match: Match, _: Writing) -> Iterator[str]:
    from jmjp_convert.export.majiang import losses

    return losses(match)


def _riichi_advanced(matches: Sequence[Match], writing: Writing, notice: Notice) -> str:
    from jmjp_convert.export.riichi_advanced import frame_number, remarks, write_riichi_advanced
    from jmjp_convert.mjlog.dealt import proven_walls

    (match,) = matches
    frame, config = writing.frame or "", writing.config
    number = frame_number(match, frame)
    wall: Wall | None = None
    try:
        wall = proven_walls(match)[number]
    except WallError as error:
        notice(f"no wall is known: {error}")
    for line in remarks(match, frame, wall=wall, config=config):
        notice(line)
    return write_riichi_advanced(match, frame, wall=wall, config=config)


def _none(_: Match, __: Writing) -> Iterator[str]:
    return iter(())


def _line(text: str) -> str:
    """Return *text* with a line feed at its end."""
    return text if text.endswith("\n") else text + "\n"


FORMATS = {
    JMJP: Format(".jmjp", _jmjp, _jmjp_losses, ("spec", "compact", "verify", "wall"), several=True),
    JSON: Format(".jsonl", _json, _none, ("verify", "wall"), players=_ANY, several=True),
    "tenhou6": Format(".tenhou6.json", _tenhou6, _tenhou6_losses, ("per_frame", "url"), players=_ANY),
    "mjai": Format(".mjson", _mjai, _mjai_losses),
    "majiang": Format(".majiang.json", _majiang, _majiang_losses),
    "riichi-advanced": Format(".json", _riichi_advanced, _none, ("frame", "config")),
}
"""By name, the usual one first."""

"""The recipe of a batch: each game in another format, as a separate file or compressed for a zip."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence

from jmjp_convert.batch.survey import Skipped
from jmjp_convert.batch.worker import SKIPPED_PLAYERS, Content, Create, Recipe, Remarks, Staged, format_of, unique
from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import NoFrameError
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import Match

_HEAD = 1 << 13  # bytes of a log that include its type


class Conversion(Recipe):
    """Games in the format of *writing*; *zipped*: compressed for a zip."""

    def __init__(self, writing: Writing, *, zipped: bool = False) -> None:
        super().__init__(writing.to, writing.suffix, writing.output_options, anonymous=writing.anonymous)
        self.writing = writing
        self.zipped = zipped

    def other_options(self, before: dict[str, object]) -> str:
        """Return which options *before* differ, as they are written on the command line."""
        return f"was made with other options ({', '.join(_different(before, self.options))})"

    def expect(self, content: bytes, name: str) -> None:
        """Check that *content* is a log that the format can hold and that is not in it already."""
        source = format_of(content, name)
        players = source.peek(content[:_HEAD])
        if players is not None and players not in self.writing.format.players:
            raise Skipped(SKIPPED_PLAYERS[players])
        if source.name == self.writing.to and self.writing.has_defaults:
            raise Skipped(f"{source.name} already")

    def make(self, source: Content, reading: Reading, remarks: Remarks) -> bytes:
        """Return the game in the format."""
        self.expect(source.content, source.name)
        try:
            converted = convert(
                source.content,
                source.name,
                reading,
                self.writing,
                remarks.notices.append,
                problem=remarks.problems.append,
                accept=self._accept,
            )
        except NoFrameError as error:
            raise Skipped(f"no frame {error.frame}") from error
        remarks.lost.extend(converted.lost())
        return converted.content

    def _accept(self, matches: Sequence[Match]) -> None:
        """Check that *matches* are wanted in this run."""
        for match in matches:
            if match.rules.players not in self.writing.format.players:
                raise Skipped(SKIPPED_PLAYERS[match.rules.players])

    def stage(self, made: Sequence[bytes], create: Create) -> list[Staged]:
        """Write a file for each game, or a segment of compressed games."""
        return _segment(made, create) if self.zipped else [_file(game, create) for game in made]


def _different(before: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    """Yield the options *before* that differ from those *now*, as they are written on the command line."""
    usual = Writing(str(before["to"])).output_options | Writing(str(now["to"])).output_options
    for name in before | now:
        value = before.get(name, usual[name])
        if value != now.get(name, usual[name]):
            flag = f"--{name.replace('_', '-')}"
            yield flag if value is True else f"{flag} {value}" if value else f"no {flag}"


def _file(game: bytes, create: Create) -> Staged:
    """Write *game* as a file."""
    name = unique("output")
    mtime = create(name, game)
    return Staged(name, size=len(game), sha256=hashlib.sha256(game).digest(), mtime=mtime)


def _segment(games: Sequence[bytes], create: Create) -> list[Staged]:
    """Write *games*, each compressed, as one file."""
    name, segment, staged = unique("segment"), bytearray(), []
    for game in games:
        packed = zlib.compress(game, wbits=-15)
        digest = hashlib.sha256(game).digest()
        staged.append(Staged(name, len(segment), len(packed), len(game), zlib.crc32(game), digest))
        segment += packed
    create(name, segment)
    return staged

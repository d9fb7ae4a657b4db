"""The recipe of a batch: each game in another format, as a separate file or compressed for a zip."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence

from jmjp_convert.batch.survey import Skipped
from jmjp_convert.batch.worker import (
    FILES,
    SKIPPED_PLAYERS,
    Content,
    Create,
    Maker,
    Recipe,
    Remarks,
    Staged,
    format_of,
    other_kind,
    unique,
)
from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import NoFrameError
from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import Match

_HEAD = 1 << 13  # bytes of a log that include its type


class Conversion(Recipe):
    """Games in the format of *writing*; *zipped*: compressed for a zip."""

    def __init__(self, writing: Writing, *, zipped: bool = False) -> None:
        super().__init__(writing.to, writing.suffix, writing.output_options, anonymous=writing.anonymous)
        self.writing = writing
        self.zipped = zipped

    def others(self, before: dict[str, object]) -> str:
        """Return which options *before* differ, as they are written on the command line."""
        if other := other_kind(FILES, before):
            return other
        return f"was made with other options ({', '.join(_different(before, self.options))})"

    def expect(self, content: bytes, name: str) -> None:
        """Check that *content* is a log that the format can hold and that is not in it already."""
        source = format_of(content, name)
        players = source.peek(content[:_HEAD])
        if players is not None and players not in self.writing.format.players:
            raise Skipped(SKIPPED_PLAYERS[players])
        if source.name == self.writing.to and self.writing.has_defaults:
            raise Skipped(f"{source.name} already")

    def maker(self, reading: Reading, create: Create) -> Maker[bytes]:
        """Return what converts a chunk."""
        return (_Zipper if self.zipped else _Converter)(self, reading, create)


def _different(before: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    """Yield the options *before* that differ from those *now*, as they are written on the command line."""
    usual = Writing(str(before["to"])).output_options | Writing(str(now["to"])).output_options
    for name in before | now:
        value = before.get(name, usual[name])
        if value != now.get(name, usual[name]):
            flag = f"--{name.replace('_', '-')}"
            yield flag if value is True else f"{flag} {value}" if value else f"no {flag}"


class _Converter(Maker[bytes]):
    """Makes files."""

    def __init__(self, conversion: Conversion, reading: Reading, create: Create) -> None:
        self._conversion = conversion
        self._writing = conversion.writing
        self._reading = reading
        self._reported: set[Lost] = set()
        self._create = create

    def make(self, source: Content, remarks: Remarks) -> bytes:
        """Return the game in the format."""
        self._conversion.expect(source.content, source.name)
        try:
            converted = convert(
                source.content,
                source.name,
                self._reading,
                self._writing,
                remarks.notices.append,
                problem=remarks.problems.append,
                accept=self._accept,
            )
        except NoFrameError as error:
            raise Skipped(f"no frame {error.frame}") from error
        remarks.lost.extend(loss for loss in converted.lost() if loss not in self._reported)
        self._reported.update(remarks.lost)
        return converted.content

    def _accept(self, matches: Sequence[Match]) -> None:
        """Check that *matches* are wanted in this run."""
        for match in matches:
            if match.rules.players not in self._writing.format.players:
                raise Skipped(SKIPPED_PLAYERS[match.rules.players])

    def stage(self, made: bytes) -> Staged:
        """Write a file."""
        name = unique("output")
        mtime = self._create(name, made)
        return Staged(name, size=len(made), sha256=hashlib.sha256(made).digest(), mtime=mtime)


class _Zipper(_Converter):
    """Makes one file of compressed games, a segment."""

    def __init__(self, conversion: Conversion, reading: Reading, create: Create) -> None:
        super().__init__(conversion, reading, create)
        self._segment = bytearray()
        self._name = unique("segment")

    def stage(self, made: bytes) -> Staged:
        """Add a game to the segment."""
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(made) + packer.flush()
        offset = len(self._segment)
        self._segment += packed
        digest = hashlib.sha256(made).digest()
        return Staged(self._name, offset, len(packed), len(made), zlib.crc32(made), digest)

    def end(self) -> None:
        """Write the segment."""
        if self._segment:
            self._create(self._name, self._segment)

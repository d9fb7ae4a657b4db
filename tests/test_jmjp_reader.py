"""Reading jmjp from any source; what is read are cases (`test_jmjp_read.py`)."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from jmjp_texts import EAST, EMPTY, HEAD, MATCH, frame

from jmjp_convert.errors import FileError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model.record import replace


def test_sources(tmp_path: Path) -> None:
    """A path, a path as text, bytes and an open file give the same match, plain or gzipped; an open file stays open."""
    plain = f"jmjp[1.0]{MATCH}".encode()
    for content in (plain, gzip.compress(plain)):
        path = tmp_path / "x.jmjp"
        path.write_bytes(content)
        file = io.BytesIO(content)
        for source in (path, str(path), content, file):
            assert read_jmjp(source) == [EMPTY]
        assert not file.closed


def test_max_size() -> None:
    """A text of the maximum size is read, a larger one rejected; for gzip the decompressed size counts."""
    plain = f"jmjp[1.0]{MATCH}".encode()
    for content in (plain, gzip.compress(plain)):
        assert read_jmjp(content, max_size=len(plain)) == [EMPTY]
        with pytest.raises(FileError, match=rf"^larger than {len(plain) - 1} bytes \(--max-size\)$"):
            read_jmjp(content, max_size=len(plain) - 1)


def test_broken_gzip() -> None:
    """Truncated gzip is rejected."""
    with pytest.raises(FileError, match=r"^the gzip data is truncated or corrupt: "):
        read_jmjp(gzip.compress(f"jmjp[1.0]{MATCH}".encode())[:-9])


def test_missing(tmp_path: Path) -> None:
    """A missing file is a FileError."""
    with pytest.raises(FileError, match=r"^no such file or directory$"):
        read_jmjp(tmp_path / "none.jmjp")


def test_white_space_means_nothing() -> None:
    """White space of any kind is allowed between any two characters outside strings."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,)', e=f'{EAST},9m')})"
    for space in (" ", "\n", "\r\n", "\t", "\u3000", "\x0c", "\u00a0", "//)\n", "// tenhou\n"):
        (spaced,), (plain,) = read_jmjp(space.join(text).encode()), read_jmjp(text.encode())
        # Comments in the play are notes.
        assert replace(spaced, frames=tuple(replace(one, notes=()) for one in spaced.frames)) == plain

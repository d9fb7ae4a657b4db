"""The memory of reading jmjp, JSON and majiang: in proportion to the file, whatever is in it.

A file of the default maximum size may hold matches, frames, comments and values up to bounds of their own. Here the
files and the bounds are smaller by the same factor.
"""

from __future__ import annotations

import gc
import io
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from growing import END, FRAME, GAME, HEAD, MATCH, Growing, file, growing
from packing import PLAIN

import jmjp_convert
from jmjp_convert.api import dumps
from jmjp_convert.errors import ConvertError, FormatError, JmjpError, JsonError, MjlogError
from jmjp_convert.files.inputs import MAX_SIZE
from jmjp_convert.formats import FORMATS, bounds, json_text
from jmjp_convert.formats.jmjp import lexer
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.mjlog.reader import read_mjlog

SIZE = 1 << 16
LARGER = 5 << 14
"""For the acts of one frame: more than their bound, which is the same for files of all sizes."""
FACTOR = MAX_SIZE // SIZE
FIXED = 1 << 16
PER_BYTE = 10  # about as for mjlog

ROWS = [(name, row) for name in ("jmjp", "json", "majiang") for row in growing(name, "memory")]


@pytest.fixture(autouse=True)
def smaller_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide the bounds by the factor of the sizes."""
    for name in ("MATCHES", "FRAMES", "MATCH_FRAMES", "COMMENT"):
        monkeypatch.setattr(bounds, name, getattr(bounds, name) // FACTOR)
    monkeypatch.setattr(lexer, "_MOST", lexer._MOST // FACTOR)  # noqa: SLF001 - there is no other way to lower it
    monkeypatch.setattr(json_text, "MOST_VALUES", json_text.MOST_VALUES // FACTOR)
    monkeypatch.setattr(json_text, "_SMALL", json_text._SMALL // FACTOR)  # noqa: SLF001 - as above


def peak(read: Callable[..., object], content: bytes) -> int:
    """Return the peak memory of reading *content* from a file, without the modules that its first reading loads."""
    with suppress(ConvertError):
        read(io.BytesIO(content[: len(content) // 8]), max_size=2 * LARGER, finding=lambda _: None)
    source = io.BytesIO(content)
    tracemalloc.start()
    try:
        with suppress(ConvertError):
            read(source, max_size=2 * LARGER, finding=lambda _: None)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}: {row.name}" for name, row in ROWS])
def test_memory(name: str, row: Growing) -> None:
    """No file takes more than ten bytes of memory per byte."""
    read = FORMATS[name].read
    assert read is not None
    of_one_frame = b"(e," in row.of(1) and row.of(2).count(b"frm[") == 1
    content = row.sized(LARGER if of_one_frame else SIZE)
    assert peak(read, content) <= FIXED + PER_BYTE * len(content)


FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = {
    "mjlog": PLAIN,
    **{name: dumps(GAME, name).encode() for name in ("jmjp", "json", "tenhou6", "mjai", "majiang")},
    "Mahjong Soul": (FIXTURES / "mahjong-soul/valid/calls.rec").read_bytes(),
    "Riichi City": (FIXTURES / "riichi-city/valid/kans.riichi-city.json").read_bytes(),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_no_garbage(content: bytes) -> None:
    """Nothing of a file stays in memory once its matches are no longer used, even before garbage is collected."""
    jmjp_convert.read(content)  # loads the modules
    assert min(_garbage(content) for _ in range(3)) == 0  # pytest's other thread leaves some now and then


def _garbage(content: bytes) -> int:
    """Return how many objects reading *content* leaves behind for the garbage collector."""
    gc.collect()
    jmjp_convert.read(content)
    return gc.collect()


# --- the bounds ------------------------------------------------------------------------------------------------------

SHORT = "frm[E1-0,,,,,,,]"


def test_bounds_of_jmjp(monkeypatch: pytest.MonkeyPatch) -> None:
    """More matches, frames or recorders than any file of games has are rejected where they begin."""
    for name, bound in (("MATCHES", 3), ("FRAMES", 4), ("MATCH_FRAMES", 3), ("RECORDERS", 2)):
        monkeypatch.setattr(bounds, name, bound)
    body = HEAD.removeprefix("mtp[,,,]")
    for text, why in (
        ("jmjp[1.0]" + f"({HEAD})\n" * 4, "line 4, column 1: more than 3 matches"),
        (file(SHORT * 4), f"line 1, column {len(file(SHORT * 3))}: more than 3 frames in a match"),
        ("jmjp[1.0]" + f"({HEAD}{SHORT * 3})\n" * 2, "line 2, column 1: more than 4 frames"),
        (f"jmjp[1.0](mtp[,,,]\n{'rec[,all]' * 3}{body})", "line 2, column 19: more than 2 recorders"),
        (f"jmjp[1.0](mtp[,,,]\nrec[,{'E1-0' * 4}]{body})", "line 2, column 18: more than 3 frames of a recorder"),
    ):
        with pytest.raises(JmjpError) as rejected:
            read_jmjp(text.encode())
        assert str(rejected.value) == why


def test_bounds_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are those of JSON."""
    for name, bound in (("MATCHES", 3), ("FRAMES", 4), ("MATCH_FRAMES", 3), ("RECORDERS", 2)):
        monkeypatch.setattr(bounds, name, bound)
    for text, why in (
        ((MATCH + "}\n" + END) * 4, "line 7: more than 3 matches"),
        (MATCH + "}\n" + FRAME * 4 + END, "line 8: more than 3 frames in a match"),
        ((MATCH + "}\n" + FRAME * 3 + END) * 2, "line 12: more than 4 frames"),
        (MATCH + ',"recorders":[{},{},{}]}\n' + END, "line 1: more than 2 recorders"),
    ):
        with pytest.raises(JsonError) as rejected:
            read_json(text.encode())
        assert str(rejected.value) == why


def test_bounds_of_mjlog(monkeypatch: pytest.MonkeyPatch) -> None:
    """An mjlog has no more frames than other formats may have."""
    monkeypatch.setattr(bounds, "MATCH_FRAMES", 3)
    with pytest.raises(MjlogError, match=r"more than 3 frames in a match$"):
        read_mjlog(io.BytesIO(PLAIN))


@pytest.mark.parametrize(("name", "what"), [("MATCHES", "2 matches"), ("FRAMES", "2 frames")])
def test_bounds_of_outputs(monkeypatch: pytest.MonkeyPatch, name: str, what: str) -> None:
    """What could not be read back is not written."""
    monkeypatch.setattr(bounds, name, 2)
    for to in ("jmjp", "json"):
        with pytest.raises(FormatError, match=f"^more than {what} cannot go into one file; use a directory"):
            dumps([GAME] * 3, to)

"""Small mjlogs and parts of them, made from text, and ways to read them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = (FIXTURES / "valid" / "plain.xml").read_bytes()
ID = "2011020417gm-00a9-0000-b67fcaa3"
Read = Callable[..., Match]


HANDS = [range(player, 52, 4) for player in range(4)]
"""Every player has one of each kind from 1m to 4p; tiles from 52 on are in the wall."""


def csv(*values: object) -> str:
    """Return *values* separated by commas."""
    return ",".join(map(str, values))


def element(tag: str, attributes: dict[str, object], changes: dict[str, object]) -> str:
    """Return an element; *changes* replace or add attributes, or remove those that are None."""
    pairs = (attributes | changes).items()
    return "".join([f"<{tag}", *(f' {name}="{value}"' for name, value in pairs if value is not None), "/>"])


def init(**changes: object) -> str:
    """Return an INIT, of E1-0 by default."""
    hands: dict[str, object] = {f"hai{player}": csv(*hand) for player, hand in enumerate(HANDS)}
    return element("INIT", {"seed": "0,0,0,0,1,135", "ten": "250,250,250,250", "oya": 0, **hands}, changes)


def agari(**changes: object) -> str:
    """Return a ron of player 1 on 60, player 0's discard."""
    attributes: dict[str, object] = {
        "ba": "0,0",
        "hai": csv(*HANDS[1], 60),
        "machi": 60,
        "ten": "30,1000,0",
        "yaku": "8,1",
        "doraHai": 135,
        "who": 1,
        "fromWho": 0,
        "sc": "250,-10,250,10,250,0,250,0",
    }
    return element("AGARI", attributes, changes)


def ryuukyoku(**changes: object) -> str:
    """Return an exhaustive draw with no hands shown."""
    return element("RYUUKYOKU", {"ba": "0,0", "sc": "250,0,250,0,250,0,250,0"}, changes)


TURN = "<T60/><D60/>"
FRAME = init() + TURN + ryuukyoku()


def frame(honba: int) -> str:
    """Return a frame of *honba*."""
    return init(seed=f"0,{honba},0,0,1,135") + TURN + ryuukyoku(ba=f"{honba},0")


def log(*elements: str, root: str = 'mjloggm ver="2.3"') -> bytes:
    """Return a log of *elements*."""
    return f"<{root}>{''.join(elements)}</{root.partition(' ')[0]}>".encode()


class Dribble(io.RawIOBase):
    """A file that returns a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._rest = io.BytesIO(content)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        """Return no more than a few bytes."""
        return self._rest.read(self._size if size < 0 else min(size, self._size))


def from_bytes(content: bytes, **options: object) -> Match:
    """Read *content* from memory."""
    return read_mjlog(content, **options)  # type: ignore[arg-type]


def from_file(content: bytes, **options: object) -> Match:
    """Read *content* as an open file."""
    return read_mjlog(io.BytesIO(content), **options)  # type: ignore[arg-type]


@pytest.fixture(params=["bytes", "file", "path"])
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Read:
    """Return a function that reads bytes by one of the routes."""

    def from_path(content: bytes, **options: object) -> Match:
        path = tmp_path / "log.xml"
        path.write_bytes(content)
        return read_mjlog(path, **options)  # type: ignore[arg-type]

    route: Read = {"bytes": from_bytes, "file": from_file, "path": from_path}[request.param]
    return route


def notices(read: Read, content: bytes) -> list[str]:
    """Return the notices for a valid log."""
    said: list[str] = []
    read(content, notice=said.append)
    return said


def outcome(read: Read, content: bytes) -> object:
    """Return the match in *content*, or the error message."""
    try:
        return read(content)
    except ConvertError as error:
        return type(error), str(error)

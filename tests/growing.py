"""Content that grows with a number, each of one thing that a file may repeat: the rows of ``fixtures/growing``."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any, NamedTuple

from casefiles import FIXTURES
from packing import PLAIN
from simulator.mahjong_soul_files import encoded_field

from jmjp_convert.api import dumps
from jmjp_convert.formats import bounds
from jmjp_convert.formats.mjlog.reader import read_mjlog

GAME = read_mjlog(PLAIN)

# --- jmjp ------------------------------------------------------------------------------------------------------------

HEAD = "mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]"
DEAL = "".join(f"({seat},hnd[{'uk' * 13},,])" for seat in "eswn")
BAD = f"frm[E1-0,,,,,{DEAL}(s,uk,tg){DEAL},,]"
BYE = "// tenhou bye player=0\n"


def file(*frames: str, version: str = "1.0") -> str:
    """Return a match of *frames*."""
    return f"jmjp[{version}]({HEAD}{''.join(frames)})"


def play(acts: str) -> str:
    """Return a frame of *acts*."""
    return f"frm[E1-0,,,,,{DEAL}{acts}{DEAL},,]"


# --- the other formats -----------------------------------------------------------------------------------------------

MATCH = '{"type":"match","format":"riichi-events","version":1,"rules":{"players":4},"players":[{},{},{},{}]'
END = '{"type":"end_match"}\n'
FRAME = '{"type":"frame","round":0,"honba":0,"dealer":0}\n{"type":"end_frame"}\n'
DEALT = next(line for line in dumps(GAME, "json").splitlines() if '"frame"' in line) + "\n"

QIPAI = json.dumps(json.loads(dumps(GAME, "majiang"))["log"][0][0])


def record(log: str) -> str:
    """Return a majiang record with the frames in *log*."""
    return f'{{"title":"","player":["","","",""],"qijia":0,"log":[{log}]}}'


VERSION = b"\x10\x9b\xee\x0c"
JSON = b'{"head": {%s}, "data": {"name": ".lq.GameDetailRecords", "data": {"version": 210715, "actions": [%s]}}}'


def edited(change: Callable[[Any], None]) -> bytes:
    """Return a record of Riichi City whose ``data`` was changed."""
    answer = json.loads((FIXTURES / "riichi-city" / "valid" / "breaks-off.riichi-city.json").read_bytes())
    change(answer["data"])
    return json.dumps(answer).encode()


# --- the rows --------------------------------------------------------------------------------------------------------

NAMES = {
    **dict(HEAD=HEAD, DEAL=DEAL, BAD=BAD, BYE=BYE, file=file, play=play),  # noqa: C408 - each by its name
    **dict(GAME=GAME, MATCH=MATCH, END=END, FRAME=FRAME, DEALT=DEALT, dumps=dumps, bounds=bounds),  # noqa: C408
    **dict(QIPAI=QIPAI, record=record),  # noqa: C408
    **dict(VERSION=VERSION, JSON=JSON, b64encode=b64encode, encoded_field=encoded_field, edited=edited),  # noqa: C408
}


class Growing(NamedTuple):
    """Content that grows with a number, up to which its time grows in proportion; ``None``: without end."""

    name: str
    of: Callable[[int], bytes]
    most: int | None

    def sized(self, size: int) -> bytes:
        """Return the content with about this *size*."""
        number = 16
        while (length := len(self.of(number))) < size // 2:
            number = max(number + 1, number * size // (2 * length))
        return self.of(max(1, number * size // length))


def growing(name: str, what: str) -> list[Growing]:
    """Return the rows of the format *name* in the sections on *what*, time or memory."""
    rows, title = [], ""
    for line in (FIXTURES / "growing" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            title = line
        elif line and line[0] != "#" and what in title:
            head, _, expression = line.partition(": ")
            row, _, most = head.partition(" up to ")
            rows.append(Growing(row, _function(expression), int(most) if most else None))
    assert rows, (name, what)
    return rows


def _function(expression: str) -> Callable[[int], bytes]:
    made = eval(f"lambda n: {expression}", NAMES)  # noqa: S307 - our own
    return lambda number: value.encode() if isinstance(value := made(number), str) else value

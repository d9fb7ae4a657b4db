"""Programs of others that do what jmjp does, each as a whole process with files in and out.

As a script: `others.py WORK FOLDER FILE...` does that with each file, and writes to FOLDER what comes of it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

Work = Callable[[Path], object]
"""Returns what is made of a file; a text is written."""

JMJP, JANSOU, RIICHIENV, NODE = "jmjp", "jansou", "riichienv", "tenhou-log"
PACKAGE = "@kobalab/tenhou-log"
SCRIPT = Path(__file__).with_name("tenhou_log.js")


def _reading() -> Work:
    from jmjp_convert import read

    return read


def _jansou(read: str, to: str = "") -> Work:
    from jansou.io.mjai import dump_mjai, parse_mjai
    from jansou.io.mjlog import parse_mjlog
    from jansou.io.tenhou_json import dump_tenhou_json, parse_tenhou_json

    parse = {"mjlog": parse_mjlog, "tenhou6": parse_tenhou_json, "mjai": parse_mjai}[read]
    if not to:
        return lambda path: parse(path.read_bytes())
    if to == "mjai":
        return lambda path: dump_mjai(parse(path.read_bytes()))
    return lambda path: json.dumps(dump_tenhou_json(parse(path.read_bytes())), ensure_ascii=False)


def _riichienv(*, steps: bool) -> Work:
    from riichienv import MjaiReplay

    def read(path: Path) -> None:
        for kyoku in MjaiReplay.from_jsonl(str(path)).take_kyokus():
            if steps:
                for _ in kyoku.steps(skip_single_action=False):
                    pass

    return read


class Candidate(NamedTuple):
    """A program.

    :ivar program: whose it is.
    :ivar what: what it does.
    :ivar reads: the format of its files.
    :ivar work: what makes the work, if it is done by this script.
    :ivar options: the options of `jmjp convert`, if that does it.
    """

    program: str
    what: str
    reads: str = "mjlog"
    work: Callable[[], Work] | None = None
    options: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The name of its row."""
        return f"{self.program}: {self.what}"

    def command(self, games: Sequence[Path], out: str) -> list[str | Path]:
        """Return the command that does it with *games*, and writes to *out*."""
        if self.options is not None:
            from benching.processes import JMJP as START

            return [sys.executable, "-c", START, "convert", *self.options, "-qo", f"{out}/", *games]
        if self.program == NODE:
            return ["node", SCRIPT, out, *games]
        return [sys.executable, __file__, self.name, out, *games]


def _conversions(to: str) -> list[Candidate]:
    quick, full = ("--no-verify", "--to", to), ("--to", to)
    return [
        Candidate(JMJP, f"mjlog to {to}, `--no-verify`", options=quick),
        Candidate(JMJP, f"mjlog to {to}", options=full),
    ]


CANDIDATES = (
    Candidate(JMJP, "reading mjlog", work=_reading),
    Candidate(JANSOU, "reading mjlog", work=lambda: _jansou("mjlog")),
    *_conversions("tenhou6"),
    Candidate(JANSOU, "mjlog to tenhou6", work=lambda: _jansou("mjlog", "tenhou6")),
    *_conversions("mjai"),
    Candidate(JANSOU, "mjlog to mjai", work=lambda: _jansou("mjlog", "mjai")),
    *_conversions("majiang"),
    Candidate(NODE, "mjlog to majiang"),
    Candidate(JMJP, "reading tenhou6", "tenhou6", _reading),
    Candidate(JANSOU, "reading tenhou6", "tenhou6", lambda: _jansou("tenhou6")),
    Candidate(JMJP, "reading mjai", "mjai", _reading),
    Candidate(JANSOU, "reading mjai", "mjai", lambda: _jansou("mjai")),
    Candidate(RIICHIENV, "reading mjai", "mjai", lambda: _riichienv(steps=False)),
    Candidate(RIICHIENV, "reading mjai, every step", "mjai", lambda: _riichienv(steps=True)),
)
"""The programs, those that do the same together."""


def missing() -> dict[str, str]:
    """Return the programs that are not installed, and how they are installed."""
    found = {name: f"pip install {name}" for name in (JANSOU, RIICHIENV) if find_spec(name) is None}
    node = shutil.which("node")
    if node is None or subprocess.run([node, SCRIPT], check=False, capture_output=True).returncode:  # noqa: S603
        found[NODE] = f"needs node; npm install --prefix DIR {PACKAGE}, then NODE_PATH=DIR/node_modules"
    return found


def main() -> None:
    """Do the work."""
    name, folder, *paths = sys.argv[1:]
    (make,) = (one.work for one in CANDIDATES if one.name == name and one.work)
    work, out = make(), Path(folder)
    out.mkdir()
    for path in map(Path, paths):
        if isinstance(made := work(path), str):
            (out / f"{path.stem}.txt").write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Runs the phases of a verified conversion to jmjp up to one of them, for each log.

Usage: phases.py STAGE LOG...
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

LOAD, PARSE, READ, REPLAY, WRITE, PROJECT, READ_BACK = STAGES = (
    "load",
    "parse",
    "read",
    "replay",
    "write",
    "project",
    "read-back",
)
"""Each runs those before it too, but reading parses by itself. A conversion replays while it reads, not after it."""


def by_phase(spent: Mapping[str, float], whole: float) -> dict[str, float]:
    """Return what each phase takes, given what each stage takes, *spent*, and the *whole* command."""
    replay = spent[REPLAY] - spent[READ]
    phases = {
        "parse": spent[PARSE] - spent[LOAD],
        "decode": spent[READ] - spent[PARSE] - replay,
        "replay": replay,
        "write": spent[WRITE] - spent[REPLAY],
        "project": spent[PROJECT] - spent[WRITE],
        "read back": spent[READ_BACK] - spent[PROJECT] - replay,
        "replay again": replay,
    }
    return {**phases, "compare, files and the rest": whole - sum(phases.values()), "together": whole}


def run(stage: str, log: Path) -> None:
    """Run the phases up to *stage*."""
    from jmjp_convert import dumps, read
    from jmjp_convert.formats.jmjp.holding import holding
    from jmjp_convert.formats.mjlog.xml import XmlLog
    from jmjp_convert.play.table import replay

    last = STAGES.index(stage)
    content = log.read_bytes()
    if stage == PARSE:
        list(XmlLog(content))
    if last < STAGES.index(READ):
        return
    (match,) = read(content)
    if last >= STAGES.index(REPLAY):
        for frame in match.frames:
            replay(frame.start, frame.events, match.rules)
    if last >= STAGES.index(WRITE):
        text = dumps(match, verify=False)
    if last >= STAGES.index(PROJECT):
        holding().expected(match)
    if last >= STAGES.index(READ_BACK):
        read(text.encode())


def main() -> None:
    """Run the phases."""
    stage, *logs = sys.argv[1:]
    for log in logs:
        run(stage, Path(log))


if __name__ == "__main__":
    main()

"""What the lines of mjai say twice: values that follow from others, which the reader passes over.

The programs of others differ in these, so that only our own outputs are held to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from operator import add
from typing import Any

from jmjp_convert.model import Frame, Match
from jmjp_convert.play.points import STICK


def disagreements(content: bytes, matches: Sequence[Match], **_: Sequence[Match]) -> Iterator[str]:
    """Yield what in *content*, which reads as *matches*, does not agree with the rest, one line each."""
    frames = iter([frame for match in matches for frame in match.frames])
    frame, points = None, list[int]()
    number, counted = 1, 0
    for text in _REPEATING.finditer(content):
        number += content.count(b"\n", counted, text.start())
        counted = text.start()
        line = json.loads(text[0])
        kind = line["type"]
        if kind == "start_kyoku":
            frame, points = next(frames), line.get("scores") or []
        elif frame is not None:
            deltas = line.get("deltas")
            if kind == "reach_accepted" and "deltas" in line:
                wanted = [-STICK * (player == line["actor"]) for player in range(len(points))]
                if deltas != wanted:
                    yield f"line {number}: the stick is paid as {deltas}"
            if line.get("scores") is not None and deltas is not None:
                points = [*map(add, points, deltas)]
                if line["scores"] != points:
                    yield f"line {number}: the points are {line['scores']}; {points} expected from the payments"
            yield from (f"line {number}: {what}" for what in _ending(line, frame))
    if next(frames, None) is not None:
        yield "a line that begins a frame is missing"


_REPEATING = re.compile(rb'^\{"type":"(?:start_kyoku|reach_accepted|hora|ryukyoku)",.*$', re.MULTILINE)
"""The lines that may repeat something: one of ten."""


def _ending(line: dict[str, Any], frame: Frame) -> Iterator[str]:
    if line["type"] == "hora" and "actor" not in line:
        yield "the winner (actor) is missing"
    yaku = line.get("yakus") or []
    if yaku and line["fan"] != sum(han for _, han in yaku):
        yield f"fan is {line['fan']}; the yaku add up to {sum(han for _, han in yaku)}"
    if "hora_tehais" in line and len(line["hora_tehais"]) != len(frame.end.hands[line["actor"]].tiles):
        yield f"hora_tehais has {len(line['hora_tehais'])} tiles"
    if "tehais" in line:
        sizes = [len(hand.tiles) + (hand.drawn is not None) for hand in frame.end.hands]
        if [len(hand) for hand in line["tehais"]] != sizes:
            yield f"tehais has {[len(hand) for hand in line['tehais']]} tiles; {sizes} expected"

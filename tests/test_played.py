"""Plays, and what follows from them: the cases in ``fixtures/played``; `fixtures/README.md` describes their form."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from described import at, compact, described, events

from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import PlayError
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.judge import check_end
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.play.points import final_points, frame_changes, payments, points_at_end, worth
from jmjp_convert.play.table import replay

CASES = described("played")


def ended(match: Match) -> Match:
    """Return *match* with its first frame ending as its play does."""
    frame = match.frames[0]
    return replace(match, frames=(replace(frame, end=replay(frame.start, frame.events, match.rules).end()),))


def lines(match: Match, *kinds: str) -> list[str]:
    """Return the lines of *match* that are not of these *kinds*."""
    return [line for line in write_json(match).splitlines() if json.loads(line)["type"] not in kinds]


def outcome(match: Match, _: str) -> str:
    """Return how the first frame ended, in Japanese and in English."""
    text = describe(match.frames[0])
    return "not recorded" if text is None else f"{text.native} | {text.roman}"


def problems(match: Match, _: str) -> str:
    """Return what is wrong with the recorded end of the first frame."""
    frame = match.frames[0]
    return " | ".join(map(str, check_end(replay(frame.start, frame.events, match.rules), frame)))


def with_dora(match: Match) -> Match:
    """Return *match* with the dora indicators of its first frame that follow from the dora."""
    return replace(match, frames=(with_indicators(match.frames[0], match.rules),))


def turned(match: Match) -> str:
    """Return the events of the first frame with the dora indicators that follow from its dora."""
    return "\n".join(lines(with_dora(match), "match", "frame", "end_frame", "end_match"))


def indicator(match: Match, _: str) -> str:
    """Return the first dora indicator that follows from the dora."""
    return at(lines(with_dora(match), "match")[0], "indicator")


def of_table(match: Match, name: str) -> str:
    """Return something of the table after the first frame: sticks, indicators or ura."""
    frame = match.frames[0]
    attribute = getattr(replay(frame.start, frame.events, match.rules), name)
    return compact([attribute if isinstance(attribute, int) else list(attribute)])


def end(match: Match, path: str) -> str:
    """Return a part of the end of the first frame in json."""
    return at(lines(ended(match))[-2], path)


def worth_of(match: Match, path: str) -> str:
    """Return what a win of the first frame is worth, by its payments."""
    frame, index = match.frames[0], int(path)
    paid = payments(frame, match.point_rule) if frame.endings[1:] else [frame_changes(frame)]
    changes = paid[index]
    assert changes is not None
    return compact([worth(frame, index, changes, match.point_rule)])


def check(match: Match, *, gaps: bool = False) -> str:
    """Return the problems of the match as a whole; with *gaps*, frames may be missing."""
    return " | ".join(map(str, check_match(match, gaps=gaps)))


FACTS: dict[str, Callable[[Match, str], str]] = {
    "check": lambda match, _: check(match),
    "check gaps": lambda match, _: check(match, gaps=True),
    "changes": lambda match, _: compact([frame_changes(match.frames[0])]),
    "final_points": lambda match, _: compact([final_points(match.frames[0])]),
    "payments": lambda match, _: compact([payments(match.frames[0], match.point_rule)]),
    "points_at_end": lambda match, _: compact([points_at_end(match)]),
    "worth": worth_of,
    "end": end,
    "table": of_table,
    "problems": problems,
    "outcome": outcome,
    "indicator": indicator,
}


def test_played(subtests: pytest.Subtests) -> None:
    """A play leads where its case says, or is impossible at an event, with the message there."""
    for name, case in CASES.items():
        with subtests.test(name):
            match = case.match
            assert case.expected
            for word, path, value in case.expected:
                if word.startswith("impossible"):
                    frame, index = match.frames[0], int(word.split()[1])
                    if index >= 0:
                        replay(frame.start, frame.events[:index], match.rules)
                    with pytest.raises(PlayError) as rejected:
                        replay(frame.start, frame.events, match.rules)
                    assert (str(rejected.value), rejected.value.index) == (value, index)
                elif word == "turned":
                    assert turned(match) == compact([*events(value)])
                else:
                    assert FACTS[word](match, path) == value, (word, path)

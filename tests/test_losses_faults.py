"""Verification finds faults in the writers: what must read back does not come from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmjp_convert.api import dumps
from jmjp_convert.errors import UnprovenError
from jmjp_convert.formats.jmjp import writer as jmjp
from jmjp_convert.formats.majiang import writer as majiang
from jmjp_convert.formats.mjai import writer as mjai
from jmjp_convert.formats.reading import read
from jmjp_convert.formats.tenhou6 import writer as tenhou6
from jmjp_convert.model import Match, Player, Text, Tournament, Yaku
from jmjp_convert.model.record import replace

FIXTURES = Path(__file__).parent.parent / "fixtures"
Change = Callable[[Any], Any]


def game() -> Match:
    """Return a game that has a value for everything that is changed here."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    return replace(match, tournament=Tournament(Text("Meijin"), stage=Text("Final")))


def rotated(values: Any) -> Any:
    """Return *values*, each in the next seat."""
    return values and (*values[-1:], *values[:-1])


def better(player: Player) -> Player:
    """Return *player* with a higher rating."""
    return replace(player, rate=(player.rate or 0) + 100)


def more_han(score: Any) -> Any:
    """Return *score* with a han more in its first yaku."""
    first, *rest = score.yaku
    return replace(score, yaku=(Yaku(first.number, first.han and first.han + 1), *rest))


def of_first(change: Change) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a wrapper that changes the first argument of a function."""
    return lambda function: lambda first, *rest, **options: function(change(first), *rest, **options)


def of_result(change: Change) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a wrapper that changes what a function returns."""
    return lambda function: lambda *given, **options: change(function(*given, **options))


def scored(change: Change) -> Change:
    """Return the *change* of the score of a win."""
    return lambda win: win if win.score is None else replace(win, score=change(win.score))


FAULTS: dict[str, tuple[str, dict[str, Any], Any, str, Any]] = {
    "ratings of majiang": ("majiang", {}, majiang, "write_player", of_first(better)),
    "ranks of majiang": (
        *("majiang", {}, majiang, "write_player"),
        of_first(lambda player: replace(player, dan=player.dan + 1)),
    ),
    "signs of results of majiang": ("majiang", {}, majiang, "write_point", of_first(lambda result: -result)),
    "seats of results of majiang": (
        *("majiang", {}, majiang, "write_majiang"),
        of_first(lambda match: replace(match, results=rotated(match.results))),
    ),
    "title of majiang": ("majiang", {}, majiang, "write_title", of_result(lambda _: "")),
    "letters of the title of majiang": ("majiang", {}, majiang, "write_title", of_result(str.upper)),
    "fu of majiang": ("majiang", {}, majiang, "write_score", of_first(scored(lambda score: replace(score, fu=110)))),
    "han of majiang": ("majiang", {}, majiang, "write_score", of_first(scored(more_han))),
    "ratings of tenhou6": ("tenhou6", {}, tenhou6, "_ratings", of_result(lambda rates: [rate + 100 for rate in rates])),
    "ranks of tenhou6": ("tenhou6", {}, tenhou6, "_ranks", of_result(rotated)),
    "results of tenhou6": ("tenhou6", {}, tenhou6, "_final", of_result(lambda final: [*final[2:], *final[:2]])),
    "title of tenhou6": ("tenhou6", {}, tenhou6, "title", of_result(lambda _: ["", ""])),
    "fu of tenhou6": ("tenhou6", {}, tenhou6, "_worth", of_first(lambda score: replace(score, fu=110))),
    "han of tenhou6": ("tenhou6", {}, tenhou6, "_worth", of_first(more_han)),
    "fu of mjai": ("mjai", {"details": True}, mjai, "value_of", of_first(lambda score: replace(score, fu=110))),
    "han of mjai": ("mjai", {"details": True}, mjai, "value_of", of_first(more_han)),
    "ratings of jmjp": (
        *("jmjp", {}, jmjp, "write_jmjp"),
        of_first(lambda matches: [replace(match, players=tuple(map(better, match.players))) for match in matches]),
    ),
    "results of jmjp": (
        *("jmjp", {}, jmjp, "write_jmjp"),
        of_first(lambda matches: [replace(match, results=rotated(match.results)) for match in matches]),
    ),
}
"""The format, its options, a function of its writer, and a wrapper that breaks it, by name."""


@pytest.mark.parametrize("name", FAULTS)
def test_planted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output with a planted fault is not written."""
    to, options, module, function, wrapper = FAULTS[name]
    match = game()
    whole = dumps(match, to, **options)
    monkeypatch.setattr(module, function, wrapper(getattr(module, function)))
    assert dumps(match, to, verify=False, **options) != whole
    with pytest.raises(UnprovenError, match="the output reads back differently"):
        dumps(match, to, **options)


def test_dora_before_ankan(monkeypatch: pytest.MonkeyPatch) -> None:
    """In mjai, the dora of a kakan before the ankan after which the log turns it is found."""
    (match,) = read(FIXTURES / "valid" / "ankan-after-kakan.xml")

    def moved(text: str) -> str:
        lines = text.splitlines(keepends=True)
        ankan = next(index for index, line in enumerate(lines) if '"ankan"' in line)
        assert '"dora"' in lines[ankan + 1]
        lines[ankan : ankan + 2] = reversed(lines[ankan : ankan + 2])
        return "".join(lines)

    monkeypatch.setattr(mjai, "write_mjai", of_result(moved)(mjai.write_mjai))
    with pytest.raises(UnprovenError, match="the output reads back differently"):
        dumps(match, "mjai")

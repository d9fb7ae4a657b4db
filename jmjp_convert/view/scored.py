"""What the page of a game says of points: of every win its parts, what waits are worth, conditions in the last hand.

Everything is computed here, so that the page only shows it. What needs the package ``mahjong`` is left out without it.
"""

from __future__ import annotations

from typing import Any

from jmjp_convert.checks.score.breakdown import Account, Total, accounts, totals
from jmjp_convert.checks.score.conditions import ANY, Condition, Price, conditions
from jmjp_convert.checks.score.hand_value import Fu, Value
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.waits import Change, worths
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.model import Match, Score
from jmjp_convert.model.tiles import KINDS, RED_OF, kind

FU = {
    Fu.BASE: ("副底", "base"),
    Fu.CLOSED_RON: ("門前ロン", "closed ron"),
    Fu.SEVEN_PAIRS: ("七対子", "chiitoitsu"),
    Fu.PENCHAN: ("辺張待ち", "penchan wait"),
    Fu.KANCHAN: ("嵌張待ち", "kanchan wait"),
    Fu.PAIR_WAIT: ("単騎待ち", "tanki wait"),
    Fu.TSUMO: ("ツモ", "tsumo"),
    Fu.OPEN_PINFU: ("喰い平和形", "open pinfu"),
    Fu.VALUED_PAIR: ("役牌の雀頭", "yakuhai pair"),
    Fu.DOUBLE_VALUED_PAIR: ("連風牌の雀頭", "double wind pair"),
    Fu.OPEN_TRIPLET: ("中張牌の明刻", "open triplet"),
    Fu.CLOSED_TRIPLET: ("中張牌の暗刻", "closed triplet"),
    Fu.OPEN_TERMINAL_TRIPLET: ("幺九牌の明刻", "open triplet of terminals or honors"),
    Fu.CLOSED_TERMINAL_TRIPLET: ("幺九牌の暗刻", "closed triplet of terminals or honors"),
    Fu.OPEN_KAN: ("中張牌の明槓", "open kan"),
    Fu.CLOSED_KAN: ("中張牌の暗槓", "closed kan"),
    Fu.OPEN_TERMINAL_KAN: ("幺九牌の明槓", "open kan of terminals or honors"),
    Fu.CLOSED_TERMINAL_KAN: ("幺九牌の暗槓", "closed kan of terminals or honors"),
}
"""The names of what gives fu, Japanese and English, in the order of the numbers that the page has for them."""

_NUMBERS = {source: number for number, source in enumerate(FU)}
_REDS = {red: KINDS + suit for suit, red in enumerate(RED_OF.values())}

NO_EXTRA, OTHER_RULES = "extra", "rules"
"""Why nothing is computed: the package is not installed; the rules may not be those of a house's ranked games."""


def scored(match: Match) -> dict[str, Any]:
    """Return what the page says of the points of *match*; numbers of frames and events are those of the page.

    - ``totals``: for each frame and win ``[hand, honba, sticks]``, in points, or null.
    - ``why``: why the next two are missing, if so: :data:`NO_EXTRA` or :data:`OTHER_RULES`.
    - ``wins``: for each frame and win ``fu``, numbers of :data:`FU` with fu; ``computed``, a score as in json, if the
      record has another or an incomplete one, or null if the hand cannot win, and whether it ``differs``; ``paid``, the
      computed payments, if the record has others. Null: not computed.
    - ``worth``: ``values``, each ``[fu, limit, main, additional, yaku, han, …]``, and ``frames``, each with its
      changes, ``[step, player, tile, ron, tsumo, …]``: a kind or 34 to 36 for a red five, and the numbers of its values
      or null.
    - ``conditions``: by number of frame, stages ``[step, …]`` with the players' conditions
      ``[placement, tsumo, ron off each player …]``: ``[main, additional, limit, fu, han]``, the last two without a
      limit; 0 for any win, null if out of reach.
    """
    content: dict[str, Any] = {
        "totals": [[_total(total) for total in totals(frame, match.rules.players)] for frame in match.frames],
        "conditions": {
            number: [
                [stage.step, *([*map(_condition, of_player)] for of_player in stage.conditions)] for stage in stages
            ]
            for number, stages in conditions(match).items()
        },
    }
    try:
        wins, changes = accounts(match), worths(match)
    except MissingExtraError:
        return content | {"why": NO_EXTRA}
    except NotJudgedError:
        return content | {"why": OTHER_RULES}
    return content | {"wins": [list(map(_account, frame)) for frame in wins], "worth": _worth(changes)}


def _total(total: Total | None) -> list[int] | None:
    return None if total is None else [total.hand, total.honba, total.sticks]


def _account(account: Account | str) -> dict[str, Any] | None:
    if isinstance(account, str):
        return None
    value, content = account.value, dict[str, Any]()
    if value is not None and value.fu:
        content["fu"] = [[_NUMBERS[part.source], part.fu] for part in value.fu]
    if account.differs or account.lacks:
        content["computed"] = None if value is None else _score(value.score)
    if account.differs:
        content["differs"] = True
    if account.paid is not None:
        content["paid"] = account.paid
    return content


def _score(score: Score) -> dict[str, Any]:
    """Return *score* as in json."""
    yaku = [
        {"number": yaku.number} if yaku.han is None else {"number": yaku.number, "han": yaku.han} for yaku in score.yaku
    ]
    return {"fu": score.fu, "points": score.points, "limit": score.limit.name.lower(), "yaku": yaku}


def _worth(frames: list[list[Change]]) -> dict[str, Any]:
    numbers: dict[Value | None, int | None] = {None: None}
    values: list[list[int | None]] = []

    def number(value: Value | None) -> int | None:
        if value not in numbers:
            assert value is not None
            numbers[value] = len(values)
            values.append(_value(value))
        return numbers[value]

    def flat(change: Change) -> list[int | None]:
        worths_ = ((_tile(worth.tile), number(worth.ron), number(worth.tsumo)) for worth in change.worths)
        return [change.step, change.player, *(part for worth in worths_ for part in worth)]

    return {"frames": [list(map(flat, changes)) for changes in frames], "values": values}


def _value(value: Value) -> list[int | None]:
    score = value.score
    yaku = (part for yaku in score.yaku for part in (yaku.number, yaku.han))
    return [score.fu, score.limit.value, value.main, value.additional, *yaku]


def _tile(tile: int) -> int:
    """Return the number of a tile of any copy: its kind, or 34 to 36 for a red five."""
    number = _REDS.get(tile, kind(tile))
    assert number is not None
    return number


def _condition(condition: Condition) -> list[Any]:
    return [condition.placement, _price(condition.tsumo), *map(_price, condition.ron)]


def _price(price: Price | None) -> list[int] | int | None:
    if price is None or price is ANY:
        return None if price is None else 0
    return [price.main, price.additional, price.limit.value, *([] if price.limit.value else [price.fu, price.han])]

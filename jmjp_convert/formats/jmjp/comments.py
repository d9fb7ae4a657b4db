"""Write the ``// tenhou`` comments, which keep what jmjp has no field for.

Source: ``docs/design/mapping.md``, The match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.formats.jmjp.strings import encoded, held
from jmjp_convert.model import Disconnected, House, Match, Player, Presence, Rules, tenhou

_MARK = "// tenhou"

HOUSES: dict[House | None, str | None] = {**{house: house.value for house in House}, House.TENHOU: None, None: "none"}
"""The house in the comments, which are Tenhou's unless they name another."""

RED_FIVES = {True: None, False: "no", None: "unknown"}
"""The red fives in the comments, if the rules number does not imply them."""


def line(*words: str, **values: str | bytes | int | None) -> str:
    """Return a comment of *words* and of the *values* that are not ``None``."""
    pairs = [f"{key}={encoded(value)}" for key, value in values.items() if value is not None]
    return " ".join([_MARK, *words, *pairs])


def has_head(game: Match) -> bool:
    """Return whether a match has anything for the comment above it."""
    rules = game.rules
    known = (game.id, game.source, rules.code, rules.lobby, rules.house, game.shuffle)
    return any(value is not None for value in known)


def custom(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the custom table settings that a comment can hold: Tenhou's, in its order."""
    known = dict(rules.custom)
    return tuple((name, known[name]) for name in tenhou.CUSTOM_RULES if name in known)


def match(game: Match, dialect: Dialect) -> list[str]:
    """Return the comment lines above a match."""
    rules = game.rules
    head = line(
        id=game.id,
        source=game.source,
        type=rules.code,
        lobby=rules.lobby,
        house=HOUSES[rules.house] if rules.code is None else None,
        red=RED_FIVES[rules.red_fives] if rules.code is None else None,
        shuffle=game.shuffle.form.value if game.shuffle else "none",
        **dict(custom(rules)),
    )
    players = [_player(number, player, dialect) for number, player in enumerate(game.players)]
    if has_head(game):
        return [head, *players]
    return [text for number, text in enumerate(players) if text != line(player=number)]


def _player(number: int, player: Player, dialect: Dialect) -> str:
    """Return a player's comment line, which may have no values."""
    original = player.raw_name
    family = player.full_name.family if player.full_name else None
    handle = (family.native if family else None) or ""
    if original is None and held(handle, dialect) != handle:
        original = handle.encode("utf-8", "surrogatepass")
    return line(
        player=number,
        dan=player.dan,
        rate=None if player.rate is None else tenhou.rating_text(player.rate),
        sex=player.sex,
        name=original,
        gold=player.gold,
        rc=player.rc,
        rank=player.rank,
    )


def presence(event: Presence, *, in_act: bool) -> str:
    """Return the line of a disconnection or return; *in_act*: between the draw and the discard of an act."""
    at = "draw" if in_act else None
    if type(event) is Disconnected:
        return line("bye", player=event.player, at=at)
    return line("back", player=event.player, at=at, name=getattr(event, "name", None))


def numbers(values: Iterable[int | str] | None) -> str | None:
    """Return *values* as a comment's value, separated by commas."""
    return None if values is None else ",".join(map(str, values))


def pairs(values: Iterable[tuple[int, int | str]] | None) -> str | None:
    """Return the *values* of all pairs as a comment's value, separated by commas."""
    return None if values is None else numbers(chain.from_iterable(values))


def chips(changes: Sequence[int], yaku: Sequence[tuple[int, int]]) -> str:
    """Return the line of a frame's chip *changes* and the *yaku* that earned them."""
    return line(chips=numbers(changes), chipyaku=pairs(yaku) or None)


RIICHI_KARAGIRI = line(riichi="karagiri")
"""Says that the next riichi tile is not the drawn one, but another copy of the same face."""

"""Writes the ``// tenhou`` comments, for what jmjp has no field for (source: ``mapping.md``, The match)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.formats.jmjp.strings import encoded, held
from jmjp_convert.model import Disconnected, Match, Player, Presence, Rules, tenhou

_MARK = "// tenhou"


def line(*words: str, **values: str | bytes | int | None) -> str:
    """Return a comment of *words* and of those *values* that are known."""
    pairs = [f"{key}={encoded(value)}" for key, value in values.items() if value is not None]
    return " ".join([_MARK, *words, *pairs])


def has_head(game: Match) -> bool:
    """Return whether there is anything to say above a match."""
    rules = game.rules
    return any(value is not None for value in (game.id, game.source, rules.code, rules.lobby, game.shuffle))


def custom(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return those further settings of a table that a comment can hold: Tenhou's, in their order."""
    known = dict(rules.custom)
    return tuple((name, known[name]) for name in tenhou.CUSTOM_RULES if name in known)


def match(game: Match, dialect: Dialect) -> list[str]:
    """Return the lines above a match."""
    rules = game.rules
    head = line(
        id=game.id,
        source=game.source,
        type=rules.code,
        lobby=rules.lobby,
        shuffle=game.shuffle.form.value if game.shuffle else "none",
        **dict(custom(rules)),
    )
    known = has_head(game)
    players = [_player(number, player, dialect) for number, player in enumerate(game.players)]
    return ([head] if known else []) + [text for text, said in players if said or known]


def _player(number: int, player: Player, dialect: Dialect) -> tuple[str, bool]:
    """Return the line of a player, and whether it says anything."""
    original = player.raw_name
    family = player.full_name.family if player.full_name else None
    handle = (family.native if family else None) or ""
    if original is None and held(handle, dialect) != handle:
        original = handle.encode("utf-8", "surrogatepass")
    rate = None if player.rate is None else tenhou.rating_text(player.rate)
    values = {
        "dan": player.dan,
        "rate": rate,
        "sex": player.sex,
        "name": original,
        "gold": player.gold,
        "rc": player.rc,
    }
    return line(player=number, **values), any(value is not None for value in values.values())


def presence(event: Presence, *, in_act: bool) -> str:
    """Return the line of a coming or going; *in_act*: after the draw of an act, before its discard."""
    at = "draw" if in_act else None
    if type(event) is Disconnected:
        return line("bye", player=event.player, at=at)
    return line("back", player=event.player, at=at, name=getattr(event, "name", None))


def numbers(values: Iterable[int | str] | None) -> str | None:
    """Return *values* as a comment's value, comma between."""
    return None if values is None else ",".join(map(str, values))


def pairs(values: Iterable[tuple[int, int | str]] | None) -> str | None:
    """Return *values* as a comment's value, comma between."""
    return None if values is None else numbers(chain.from_iterable(values))


def chips(changes: Sequence[int] | None, yaku: Sequence[tuple[int, int]]) -> list[str]:
    """Return the line of a frame's *changes* in chips and the *yaku* that earned them, in games that have them."""
    if changes is None:
        return []
    return [line(chips=numbers(changes), chipyaku=pairs(yaku) or None)]


RIICHI_KARAGIRI = line(riichi="karagiri")
"""The riichi tile that follows is not the one drawn, but another copy of its face."""

"""Determines whose rules a game has from what its file says, and whether they are those of ranked games."""

from __future__ import annotations

from jmjp_convert.model import House, Rules, log_ids, mahjong_soul, tenhou

_IS_RANKED = {House.TENHOU: tenhou.is_ranked, House.MAHJONG_SOUL: mahjong_soul.is_ranked}
_OWN_RULES = {House.TENHOU: tenhou.own_rules, House.MAHJONG_SOUL: mahjong_soul.own_rules}


def is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of a house's ranked games; ``None`` if not recorded."""
    return None if rules.house is None else _IS_RANKED[rules.house](rules)


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of a house's ranked games, or ``None`` (docs/design/scoring.md)."""
    if rules.house is None:
        return "whose rules were played is not recorded"
    return _OWN_RULES[rules.house](rules)


def rules_of(name: str | None, log_id: str | None, *, players: int, red_fives: bool | None, lobby: int | None) -> Rules:
    """Return the rules of a game, with the house and Tenhou's number as far as they are known.

    The log ID shows the house; without one, the name does. Tenhou's number is that of the log ID, otherwise that of the
    name. It is not taken if the two disagree, or if it is of another number of players or other red fives.

    :param name: the name of the rules as viewers show it, ``鳳南喰赤`` or ``Jade Room South``.
    :param log_id: the log ID of any house; anything else counts as none.
    :param players: the number of players.
    :param red_fives: whether there are red fives, as far as is recorded otherwise.
    :param lobby: the lobby as recorded, which is Tenhou's.
    """
    text = (name or "").strip()
    known = log_ids.identify(log_id or "")
    soul = mahjong_soul.named(text, players, red_fives=red_fives)
    if known is not None and known.house is House.MAHJONG_SOUL:
        return soul or Rules(players, red_fives, house=House.MAHJONG_SOUL)
    said = tenhou.code_of(text, players)
    if known is None and said is None:
        return soul or Rules(players, red_fives, lobby=lobby)
    own = log_ids.find_id(log_id or "")
    if own is not None and lobby is None:
        lobby = own.lobby
    rules = tenhou.rules(own.rules if own is not None else said or 0, lobby)
    contradicted = own is not None and said is not None and tenhou.short_title(said) != tenhou.short_title(own.rules)
    if contradicted or rules.players != players or red_fives not in (None, rules.red_fives):
        return Rules(players, red_fives, lobby=lobby, house=House.TENHOU)
    return rules

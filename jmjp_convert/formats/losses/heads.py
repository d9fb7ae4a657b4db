"""Losses of what is around the play: names, titles, rules, ranks, results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from jmjp_convert.formats.losses.loss import MatchChange, Test, of_players, put
from jmjp_convert.formats.losses.play import open_hands
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import (
    SEATS,
    House,
    Match,
    Name,
    Player,
    Recorder,
    Rules,
    Text,
    Tournament,
    dates,
    handle,
    houses,
    in_riichi,
    log_ids,
    tenhou,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH
from jmjp_convert.play import points as play_points
from jmjp_convert.play.points import STICK, is_partial, points_at_end
from jmjp_convert.play.red_fives import Fives, flagged, inferred, recorded_fives, shown_fives, together

_TENHOU: Final = f"{tenhou.NAME.native} "


def tournament_name(match: Match) -> str:
    """Return the name of the tournament in one script; empty if there is none."""
    return str((match.tournament and match.tournament.name) or "")


def stage_name(match: Match) -> str:
    """Return the stage of the tournament in one script; empty if there is none."""
    return str((match.tournament and match.tournament.stage) or "")


def has_own_name(match: Match) -> bool:
    """Return whether the tournament has another name than that of Tenhou's rules."""
    name, rules = match.tournament.name if match.tournament else None, match.rules
    if name is None or name == Text():
        return False
    if rules.code is None:
        return tenhou.code_of((name.native or "").removeprefix(_TENHOU), rules.players) is None
    return name != tenhou.title(rules.code, rules.lobby)


def has_two_scripts(match: Match) -> bool:
    """Return whether a name of a player or of the tournament is in two scripts."""
    names = [player.full_name for player in match.players if player.full_name]
    texts = [part for name in names for part in (name.family, name.given)]
    if match.tournament is not None:
        texts += [match.tournament.name if has_own_name(match) else None, match.tournament.stage]
    return any(text is not None and text.native and text.roman for text in texts)


def has_own_weekday(match: Match) -> bool:
    """Return whether the weekday does not follow from the date."""
    return match.weekday is not None and (match.date is None or dates.weekday(match.date) != match.weekday)


# --- names -----------------------------------------------------------------------------------------------------------


def drop_scripts(match: Match) -> Match:
    """Keep one script of each name, and a player's name as a handle."""
    event = match.tournament
    if event is not None:
        name = str(event.name or "") if has_own_name(match) else None
        stage = str(event.stage or "")
        known = event.name if name is None else Text(name) if name else None
        event = put(event, name=known, stage=Text(stage) if stage else None)
    players = tuple([put(player, full_name=handle(player.name)) for player in match.players])
    return put(match, players=players, tournament=event)


def in_one_line(text: str) -> str:
    """Return *text* with a space for each line break."""
    return " ".join(text.split("\n"))


def drop_tournament(match: Match) -> Match:
    """Leave out a tournament of which nothing is known."""
    return put(match, tournament=None) if match.tournament == Tournament() else match


def titles_in_lines(match: Match) -> Match:
    """Have the first of the tournament's name and stage be the name, without 天鳳 (majiang)."""
    first, second = title_lines(match)
    if not first:
        return put(match, tournament=None)
    event = match.tournament or Tournament()
    return put(match, tournament=put(event, name=Text(first), stage=Text(second) if second else None))


def title_lines(match: Match) -> tuple[str, str]:
    """Return the lines above the log ID or the date (majiang)."""
    lines = [in_one_line(name.removeprefix(_TENHOU)) for name in (tournament_name(match), stage_name(match))]
    first, second = [*filter(None, lines), "", ""][:2]
    return first, second


# --- the date --------------------------------------------------------------------------------------------------------


def date_from_id(match: Match) -> Match:
    """Have the log ID tell the date, if there is one."""
    known = log_ids.identify(match.id or "")
    return match if known is None else put(match, date=known.date)


def weekday_from_date(match: Match) -> Match:
    """Have the date tell the weekday."""
    return put(match, weekday=match.date and dates.weekday(match.date))


# --- rules -----------------------------------------------------------------------------------------------------------


def fives_of_match(match: Match, *, at_end: bool) -> Fives:
    """Return what the tiles of the play show of the fives.

    :param at_end: whether hands shown at the end count too.
    """
    red = match.rules.red_fives
    return together(
        shown_fives(frame.start, frame.events, open_hands(frame) if at_end else {}, red) for frame in match.frames
    )


def rules_from_tiles(*, at_end: bool) -> MatchChange:
    """Return a change to rules that have only the number of players, whether there are red fives, and the length; the
    tiles show how many fives of each suit are red (mjai)."""

    def apply(match: Match) -> Match:
        red, players = match.rules.red_fives, match.rules.players
        counts = flagged(None if red is None else any(red), fives_of_match(match, at_end=at_end), players)
        return put(match, rules=Rules(players, counts, east_only=houses.is_east_only(match.rules)))

    return apply


def red_fives_if_seen(match: Match) -> Match:
    """Know of the rules only how many red fives there are, if one is seen (jmjp)."""
    shown = together(recorded_fives(frame, match.rules.red_fives) for frame in match.frames)
    return put(match, rules=Rules(red_fives=inferred(shown, SEATS) if any(shown.red) else None))


_LOBBY: Final = regex(r"(.*) L([0-9]{1,9})")
"""The name of Tenhou's rules with the number of the lobby."""


def rules_from_title(match: Match) -> Match:
    """Have the first line of the title, the log ID and the tiles tell the rules (majiang)."""
    name, lobby = title_lines(match)[0], None
    if said := _LOBBY.fullmatch(name):
        name, lobby = said[1], int(said[2])
    red = inferred(fives_of_match(match, at_end=True), SEATS)
    rules = houses.rules_of(name, match.id, players=SEATS, red_fives=red, lobby=lobby)
    if rules.code is None and rules.red_fives == NO_REDS:
        rules = replace(rules, red_fives=None)
    match = put(match, rules=rules)
    if rules.code is None or match.tournament is None:
        return match
    ranked = tenhou.title(rules.code, lobby)
    if ranked.native != f"{_TENHOU}{tournament_name(match)}":
        return match
    return put(match, tournament=put(match.tournament, name=ranked))


# --- Tenhou's head (tenhou6) -----------------------------------------------------------------------------------------

_OWN_NAMES: Final = frozenset(("", "三", "赤", "三赤"))
"""The names of rules that say only the number of players and whether there are red fives."""

_ROOMLESS: Final = regex("[三四]?[東南]喰?赤?速?")
"""The name of Tenhou's rules at tables other than those of ranked games."""


def displayed(match: Match) -> str:
    """Return the name of the rules as Tenhou displays it, without the 四 for four players."""
    rules, name = match.rules, tournament_name(match)
    if rules.code is not None:
        return tenhou.short_title(rules.code).removeprefix("四")
    known = houses.rules_of(name, None, players=rules.players, red_fives=None, lobby=None)
    if name and (known.house is not None or _ROOMLESS.fullmatch(name)):
        return name
    return ("" if rules.players == SEATS else "三") + ("赤" if any(rules.red_fives or ()) else "")


def title_pair(match: Match) -> tuple[str, str]:
    """Return the tournament, unless it is the server's table, and the date or the stage."""
    rules, name = match.rules, tournament_name(match)
    if name == displayed(match) or (rules.code is not None and name == tenhou.title(rules.code, rules.lobby).native):
        name = ""
    if houses.is_tenhou(rules):
        return name, stage_name(match) if name else ""
    return name, match.date or stage_name(match)


def rules_as_displayed(match: Match, *, whole: bool) -> Rules:
    """Return the rules that their name tells and, of a *whole* match, the log ID and the lobby."""
    players, red = match.rules.players, match.rules.red_fives
    if red is None:
        shown = fives_of_match(match, at_end=False)
        red = inferred(shown, players) if any(shown.red) else NO_REDS
    rules = houses.rules_of(
        displayed(match),
        match.id if whole else None,
        players=players,
        red_fives=red,
        lobby=match.rules.lobby if whole else None,
    )
    if whole and rules.house is None and houses.is_tenhou(match.rules) and not any(title_pair(match)):
        return replace(rules, house=House.TENHOU)
    return rules


def head_as_displayed(*, whole: bool) -> MatchChange:
    """Return a change to what the title, the name of the rules and, of a *whole* match, the log ID tell."""

    def apply(match: Match) -> Match:
        rules, (name, second), shown = rules_as_displayed(match, whole=whole), title_pair(match), displayed(match)
        moment = dates.moment_of(second)
        stage = "" if moment else second
        event: Tournament | None = None
        native = name or ("" if shown in _OWN_NAMES else shown)
        if not (name or stage) and rules.code is not None:
            event = Tournament(tenhou.title(rules.code, rules.lobby))
        elif native or stage:
            event = Tournament(Text(native) if native else None, stage=Text(stage) if stage else None)
        known = log_ids.identify(match.id or "")
        date = moment[0] if moment else known.date if known and whole else None
        return put(match, rules=rules, tournament=event, date=date, id=match.id if known and whole else None)

    return apply


def all_or_none(*fields: str, is_known: Callable[[Player], bool]) -> MatchChange:
    """Return a change to none of the *fields* of any player, unless they are known of all (tenhou6)."""
    empty: dict[str, None] = dict.fromkeys(fields)
    none = of_players(lambda player: put(player, **empty))
    return lambda match: match if all(map(is_known, match.players)) else none(match)


def has_named_rank(player: Player) -> bool:
    """Return whether a player's rank is known, and has a name."""
    return player.rank is not None if player.dan is None else player.dan in range(len(tenhou.RANKS))


# --- ranks and ratings -----------------------------------------------------------------------------------------------

_OTHER_RANK: Final = "★"
"""A sign in the ranks of Mahjong Soul (``雀豪★2``), which nothing else below a name has."""


@cache
def _dans() -> dict[str, int]:
    """Return Tenhou's ranks by their names below that of a player (majiang)."""
    from unicodedata import normalize

    *ranks, highest = range(len(tenhou.RANKS))
    return {**{normalize("NFKC", tenhou.RANKS[dan]): dan for dan in ranks}, "天鳳位": highest}


_WITH_DANS: Final = (House.TENHOU, None)
"""The houses with Tenhou's ranks. Others have ranks of the same names."""


def ranks_below_names(match: Match) -> Match:
    """Have only ranks that can be distinguished, below a name, from other remarks and from Tenhou's (majiang)."""
    dans = _dans()

    def known(player: Player) -> Player:
        if player.dan in range(len(tenhou.RANKS)):
            return put(player, rank=None)
        if player.dan is not None:
            return put(player, dan=None, rank=None)
        rank = in_one_line(player.rank or "")
        if player.rate is None and rank not in dans and _OTHER_RANK not in rank:
            rank = ""
        if rank in dans and match.rules.house not in _WITH_DANS:
            rank = ""
        dan = dans.get(rank)
        return put(player, dan=dan, rank=rank or None if dan is None else None)

    return of_players(known)(match)


def dans_by_name(match: Match) -> Match:
    """Have the names of ranks tell Tenhou's, unless the rules are known to be those of another house (tenhou6)."""
    has_dans = rules_as_displayed(match, whole=True).house in _WITH_DANS
    numbers = {rank: dan for dan, rank in enumerate(tenhou.RANKS)}
    names = dict(enumerate(tenhou.RANKS))

    def known(player: Player) -> Player:
        rank = player.rank if player.dan is None else names.get(player.dan)
        dan = numbers.get(rank or "") if has_dans else None
        return put(player, dan=dan, rank=rank or None if dan is None else None)

    return of_players(known)(match)


# --- results ---------------------------------------------------------------------------------------------------------


def results_in_tenths(match: Match) -> Match:
    """Keep results in tenths of thousands."""
    shares = match.results and tuple([round(float(f"{result / 1000:.1f}") * 1000) for result in match.results])
    return put(match, results=shares)


def final_points(match: Match) -> Match:
    """Have the points at the end be the last ones known, and none without results (majiang)."""
    if match.results is None or match.final_points is not None:
        return match if match.results is not None else put(match, final_points=None)
    last = match.frames[-1]
    known = (None if is_partial(match) else play_points.final_points(last)) or last.end.points
    if known is None:
        paid = in_riichi(last.events)
        known = tuple([have - STICK * paid.count(player) for player, have in enumerate(last.start.points or ())])
    return put(match, final_points=known)


def final_points_with_results(match: Match) -> Match:
    """Have points at the end and results, or neither (tenhou6)."""
    points = points_at_end(match)
    if points is None or match.results is None:
        return put(match, final_points=None, results=None)
    return put(match, final_points=points)


def has_own_final_points(match: Match) -> bool:
    """Return whether the points at the end do not follow from the results and the last frame (jmjp)."""
    return match.final_points is not None and match.final_points != points_at_end(replace(match, final_points=None))


def drop_repeated_final_points(match: Match) -> Match:
    """Have points at the end only if they do not just repeat those after the last frame, without its sticks (mjai)."""
    points, last = match.final_points, match.frames[-1]
    repeated = points is not None and points == last.end.points and points != play_points.final_points(last)
    return put(match, final_points=None) if repeated else match


# --- texts (jmjp) ----------------------------------------------------------------------------------------------------


TextChange = Callable[[str], str]

_CONTROLS: Final = regex(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BACKSLASH_BEFORE_QUOTE: Final = regex(r'\\(?="|$)')


def escaped(*, quotes: bool) -> TextChange:
    """Return a change of a string to what is between quotation marks: no control characters, no ambiguous backslash.

    :param quotes: whether it can have quotation marks.
    """

    def apply(string: str) -> str:
        if string.isprintable() and '"' not in string and "\\" not in string:
            return string
        string = _BACKSLASH_BEFORE_QUOTE.sub(
            "\N{FULLWIDTH REVERSE SOLIDUS}", _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", string)
        )
        return string if quotes else string.replace('"', "\N{FULLWIDTH QUOTATION MARK}")

    return apply


def changed_text(change: TextChange) -> Callable[[Text | None], Text | None]:
    """Return the *change* of a text's strings; one in neither script is left out."""

    def apply(text: Text | None) -> Text | None:
        if text is None or (text.native is None and text.roman is None):
            return None
        native, roman = (None if script is None else change(script) for script in (text.native, text.roman))
        return text if (native, roman) == (text.native, text.roman) else Text(native, roman)

    return apply


def changed_texts(change: TextChange, *, handles: bool) -> MatchChange:
    """Return the *change* of all texts but the comments of frames.

    :param handles: whether players' handles are kept as they are, otherwise.
    """
    text = changed_text(change)

    def name(full: Name | None) -> Name | None:
        return full and put(full, family=text(full.family), given=text(full.given))

    def of_player(player: Player) -> Player:
        full = name(player.full_name)
        old = player.full_name.family if player.full_name else None
        if handles and full is not None and full.family is not None and old is not None:
            full = put(full, family=put(full.family, native=old.native))
        return put(player, full_name=full, team=text(player.team), affiliation=text(player.affiliation))

    def apply(match: Match) -> Match:
        event = match.tournament
        return put(
            match,
            players=tuple(map(of_player, match.players)),
            place=text(match.place),
            tournament=event and put(event, name=text(event.name), stage=text(event.stage)),
            recorders=tuple([Recorder(name(recorder.full_name), recorder.frames) for recorder in match.recorders]),
        )

    return apply


def changes_texts(change: TextChange, *, handles: bool) -> Test:
    """Return a test for whether a text is not held exactly; the parameters are those of :func:`changed_texts`."""
    exact, held = (changed_texts(each, handles=handles) for each in (str, change))
    comment = changed_text(change)

    def changes(match: Match) -> bool:
        return held(match) != exact(match) or any(
            comment(frame.comment) not in (None, frame.comment) for frame in match.frames
        )

    return changes


# --- what a comment above the match holds (jmjp) ---------------------------------------------------------------------


def has_unusual_reds(match: Match) -> bool:
    """Return whether there are red fives, but not one of each suit."""
    return match.rules.red_fives not in (None, NO_REDS, ONE_RED_EACH)


def has_head(match: Match) -> bool:
    """Return whether anything is known of a match's rules or origin, or two fives of a suit are red."""
    rules = match.rules
    if has_unusual_reds(match):
        return True
    known = (match.id, match.source, rules.code, rules.lobby, rules.house, match.shuffle)
    return any(value is not None for value in known)


def tenhou_settings(match: Match) -> Match:
    """Keep the settings of a private table that are Tenhou's, in its order."""
    known = dict(match.rules.custom)
    kept = tuple([(name, known[name]) for name in tenhou.CUSTOM_RULES if name in known])
    return put(match, rules=put(match.rules, custom=kept))


def head_or_seen(match: Match) -> Match:
    """Keep the rules if anything is known of the match's rules or origin, otherwise what the tiles show of them."""
    return tenhou_settings(match) if has_head(match) else red_fives_if_seen(match)


def drop_other_uma(match: Match) -> Match:
    """Leave out rules of points with an uma that is not what fourth place pays first, and third place second."""
    uma = match.point_rule.uma if match.point_rule else ()
    is_usual = len(uma) == SEATS and uma[2:] == (-uma[1], -uma[0])
    return match if is_usual else put(match, point_rule=None)

"""The words of a record of 電脳麻将, in both directions: tiles, title, players, results and the values of wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import product
from math import floor
from typing import Any, NamedTuple
from unicodedata import normalize

from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.json_values import At, optional
from jmjp_convert.formats.session import Notice
from jmjp_convert.formats.spellings import add_yaku, keep_yaku, with_known_yaku
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    House,
    Kakan,
    Kita,
    Limit,
    Match,
    Meld,
    Player,
    Pon,
    Score,
    Start,
    Text,
    Tournament,
    Win,
    Yaku,
    dates,
    handle,
    houses,
    log_ids,
    tenhou,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import FACES, HONOR_FACES, NO_REDS, UNKNOWN, UNKNOWN_FACE, RedFives, any_copy, faces, kind
from jmjp_convert.model.yaku import DOUBLE_YAKUMAN, PAO_YAKUMAN, limit_of, worth_of_yakuman

# --- tiles, hands and melds -------------------------------------------------------------------------------------------

# Sources: koba::blog, 天鳳の牌譜形式を解析する(2), for tiles, direction signs and the red five's place in melds;
# ``docs/design/formats.md`` 5 and the types of ``majiang-core`` for the rest. A tile is its suit and number, ``m0`` a
# red five, ``_`` an unknown tile. A hand names each suit once, ``m055z77``, with unknown tiles last. Readers get
# tiles known only by face, and accept hands and melds in any order.

UNKNOWN_TILE = "_"
RIICHI = "*"
_TSUMOGIRI = "_"
_HONORS = dict(zip(HONOR_FACES, "1234567", strict=True))
_SIGNS = ("", "+", "=", "-")
"""The direction sign by the source's seat, counted from the caller: shimocha, toimen, kamicha."""


def _tile(face: str) -> str:
    if face in _HONORS:
        return f"z{_HONORS[face]}"
    return face[1] + face[0] if face[0].isdigit() else UNKNOWN_TILE


NAMES = {face: _tile(face) for face in (*FACES, UNKNOWN_FACE)}
"""The tiles by face."""


class Words:
    """Precomputed notation for a match with so many red fives.

    :ivar tiles: the tiles by tile ID.
    :ivar draws: the steps for draws, by seat and tile ID.
    :ivar replacements: the steps for draws after a kan, by seat and tile ID.
    :ivar discards: the steps for discards, by tsumogiri and riichi, then by seat and tile ID.
    """

    __slots__ = ("discards", "draws", "replacements", "tiles")

    def __init__(self, red_fives: RedFives | None) -> None:
        self.tiles = tuple([NAMES[face] for face in faces(red_fives)])
        self.draws = self._steps("zimo", "")
        self.replacements = self._steps("gangzimo", "")
        self.discards = {
            (tsumogiri, riichi): self._steps("dapai", _TSUMOGIRI * tsumogiri + RIICHI * riichi)
            for tsumogiri in (False, True)
            for riichi in (False, True)
        }

    def _steps(self, kind: str, after: str) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(f'{{"{kind}":{{"l":{seat},"p":"{tile}{after}"}}}}' for tile in self.tiles) for seat in range(SEATS)
        )

    def hand(self, ids: Iterable[int]) -> str:
        """Return the tiles *ids* as a hand, ascending."""
        named = [self.tiles[tile] for tile in sorted(ids)]
        pairs = zip(["", *named], named, strict=False)
        return "".join(tile[1:] or tile if tile[0] == before[:1] else tile for before, tile in pairs)

    def meld(self, meld: Meld) -> str:
        """Return a meld.

        The number of the called tile is followed by the direction sign. In a chi the three numbers ascend. Otherwise
        the tiles from the hand come first, a red five last among them, then the called tile, then the tile of a kakan.
        """
        assert not isinstance(meld, Kita)
        if isinstance(meld, Kakan):
            return self.meld(meld.pon) + self._number(meld.tile)
        if isinstance(meld, Ankan):
            return self._numbers(meld.tiles)
        if isinstance(meld, Chi):
            return self._chi(meld)
        return self._numbers(meld.hand) + self._taken(meld)

    def _chi(self, chi: Chi) -> str:
        ascending = sorted((chi.taken, *chi.hand))
        numbers = (self._taken(chi) if tile == chi.taken else self._number(tile) for tile in ascending)
        return self.tiles[chi.taken][0] + "".join(numbers)

    def _taken(self, meld: Call) -> str:
        return self._number(meld.taken) + _SIGNS[(meld.source - meld.player) % len(_SIGNS)]

    def _numbers(self, ids: Sequence[int]) -> str:
        """Return the suit and the numbers of tiles of one kind, a red five last."""
        return self.tiles[ids[0]][0] + "".join(map(self._number, reversed(ids)))

    def _number(self, tile: int) -> str:
        return self.tiles[tile][1:]


words = lru_cache(Words)
"""Returns the :class:`Words` for so many red fives."""


# --- reading ---------------------------------------------------------------------------------------------------------

TILES = {name: any_copy(face) for face, name in NAMES.items()}
"""The tiles by name, ``_`` included."""

DRAWN = {**TILES, "": UNKNOWN}
"""The tiles by name; one that another player drew is empty in what a player sees."""


class Discarded(NamedTuple):
    """A discarded tile, and whether it is marked as the one just drawn or as a riichi tile."""

    tile: int
    tsumogiri: bool
    riichi: bool


DISCARDED = {
    f"{NAMES[face]}{marks}{sign}": Discarded(any_copy(face), _TSUMOGIRI in marks, RIICHI in marks)
    for face, marks, sign in product(FACES, ("", _TSUMOGIRI, RIICHI, _TSUMOGIRI + RIICHI, RIICHI + _TSUMOGIRI), _SIGNS)
}
"""The discards; the sign of a tile that is called says nothing that the call does not."""

_HAND = re.compile(r"(?:[mps][0-9]+|z[1-7]+|_)*")
_SUIT = re.compile(r"([mpsz])([0-9]+)|_")
_MELD = re.compile(r"(?P<suit>[mpsz])(?P<before>[0-9]{1,4})(?:(?P<sign>[+=-])(?P<after>[0-9]{0,2}))?")
_PON, _KAN, _HAND_TILES_OF_CHI = 3, 4, 2


def read_hand(text: str) -> list[int] | None:
    """Return the closed tiles of *text* in its order, or ``None`` if it is not a hand.

    :param text: without riichi and melds.
    """
    if not _HAND.fullmatch(text):
        return None
    tiles: list[int] = []
    for suit, numbers in _SUIT.findall(text):
        tiles += [TILES[suit + number] for number in numbers] if suit else [UNKNOWN]
    return tiles


@lru_cache(maxsize=1 << 14)
def read_meld(text: str, player: int) -> Meld | None:
    """Return the meld of *player* in *text*, or ``None`` if it is not a meld.

    Its tiles are of one suit, and nothing else about them is checked. The pon of a kakan has the order of *text*.
    """
    said = _MELD.fullmatch(text)
    if said is None:
        return None
    before, after = ([TILES.get(said["suit"] + number) for number in said[part] or ""] for part in ("before", "after"))
    if None in before or None in after:
        return None
    tiles: list[int] = [tile for tile in (*before, *after) if tile is not None]
    if said["sign"] is None:
        return Ankan(player, tuple(sorted(tiles))) if len(tiles) == _KAN else None
    return _called(len(before), tiles, player, (player + _SIGNS.index(said["sign"])) % SEATS)


def _called(signed: int, tiles: list[int], player: int, source: int) -> Meld | None:
    """Return the meld of *tiles*, the one at position *signed*, 1-based, called from *source*; or ``None``."""
    taken = tiles.pop(signed - 1)
    alike = len({kind(tile) for tile in (taken, *tiles)}) == 1
    hand = tuple(sorted(tiles))
    if not alike or signed < _PON:
        return Chi(player, taken, hand, source) if len(tiles) == _HAND_TILES_OF_CHI else None
    if len(tiles) == _PON and signed == _PON:
        return Kakan(player, tiles[-1], Pon(player, taken, tuple(sorted(tiles[:-1])), source))
    kinds: dict[int, type[Pon | Daiminkan]] = {_PON: Pon, _KAN: Daiminkan}
    return kinds[signed](player, taken, hand, source) if len(tiles) == signed - 1 else None


# --- title, players and result ----------------------------------------------------------------------------------------

# Sources: ``majiang-core`` (``types/data.d.ts``, ``lib/game.js``), ``tenhou-log`` (``lib/convlog.js``).

RANKS: dict[int | None, str] = {
    **{dan: normalize("NFKC", rank) for dan, rank in enumerate(tenhou.RANKS)},
    len(tenhou.RANKS) - 1: "天鳳位",
}
"""Ranks as ``tenhou-log`` writes them: with plain digits, and the last one in full."""

_DANS = {rank: dan for dan, rank in RANKS.items()}
_TENHOU = f"{tenhou.NAME.native} "
_LOBBY = re.compile(r"(.*) L([0-9]{1,9})")
"""The name of Tenhou's rules with the number of the lobby."""

_TIME = re.compile(dates.TIME)
_RATE = re.compile(r"R(-?[0-9]{1,9})")
_OTHER_RANK = "★"
"""A sign in the ranks of Mahjong Soul (``雀豪★2``), which nothing else below a name has."""
_POINT = re.compile(r"[+-]?[0-9]{1,10}(?:\.[0-9]{1,3})?")
_HUNDRED, _THOUSAND = 100, 1000
_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?P<between>[/-]?)(?P<month>[0-9]{1,2})(?P=between)(?P<day>[0-9]{1,2})"
    r"(?:,?\s+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::[0-9]{2})?)?"
)
"""A date, as the writer writes it (``20240708``) or as a browser in Japanese does (``2024/7/8 6:21:36``)."""


# --- title -----------------------------------------------------------------------------------------------------------


class Title(NamedTuple):
    """What a title says: the log ID or the *date* with its *weekday* and perhaps the *time*, and above it the *name* of
    the tournament or the rules, and the *stage*."""

    name: str = ""
    stage: str = ""
    id: str | None = None
    date: str | None = None
    time: str | None = None

    def facts(self, *, red_fives: RedFives | None) -> dict[str, Any]:
        """Return the fields of a :class:`~jmjp_convert.model.Match` that follow from it, with the rules.

        :param red_fives: how many there are, as far as the tiles show it.
        """
        said = _LOBBY.fullmatch(self.name)
        name, lobby = (said[1], int(said[2])) if said else (self.name, None)
        rules = houses.rules_of(name, self.id, players=SEATS, red_fives=red_fives, lobby=lobby)
        if rules.code is None and rules.red_fives == NO_REDS:
            rules = replace(rules, red_fives=None)
        ranked = None if rules.code is None else tenhou.title(rules.code, lobby)
        is_custom = ranked is None or ranked.native != f"{_TENHOU}{self.name}"
        tournament = Tournament(
            Text(self.name) if is_custom else ranked, stage=Text(self.stage) if self.stage else None
        )
        return {
            "rules": rules,
            "id": self.id,
            "tournament": tournament if self.name else None,
            "date": self.date,
            "weekday": self.date and dates.weekday(self.date),
            "time": self.time,
        }


def write_title(match: Match) -> str:
    """Return the names of tournament and stage, and the log ID or, without one, the date, one line each.

    For Tenhou's games these are the rules, ``四鳳南喰赤``, and the log ID.
    """
    tournament = match.tournament
    texts = (tournament.name, tournament.stage) if tournament else ()
    names = [str(text) for text in texts if text is not None]
    lines = [*(_line(name.removeprefix(_TENHOU)) for name in names), match.id or match.date]
    return "\n".join(filter(None, lines))


def read_title(text: str) -> Title:
    """Return what the title *text* says."""
    lines = list(filter(None, text.split("\n")))
    said = _dated(lines[-1].strip()) if lines else Title()
    if said.id or said.date:
        del lines[-1]
    return said._replace(name=lines[0], stage="\n".join(lines[1:])) if lines else said


def _dated(line: str) -> Title:
    """Return the log ID, or the date and time, in *line*; a title that says nothing if it is neither."""
    log_id = log_ids.parse_id(line)
    if log_id is not None:
        return Title(id=log_id.text, date=log_id.date)
    known = log_ids.identify(line)
    if known is not None:
        return Title(id=line, date=known.date)
    match = _DATE.fullmatch(line)
    if match is None:
        return Title()
    date = f"{match['year']}{int(match['month']):02}{int(match['day']):02}"
    if dates.weekday(date) is None or (not match["between"] and date != line):
        return Title()
    time = f"{int(match['hour']):02}{match['minute']}" if match["hour"] else None
    return Title(date=date, time=time if time is None or _TIME.fullmatch(time) else None)


def _line(text: str) -> str:
    """Return *text* in one line: a line break would begin another entry."""
    return " ".join(text.split("\n"))


# --- players ---------------------------------------------------------------------------------------------------------


def write_player(player: Player, house: House | None) -> str:
    """Return the name, and below it rank and rating: ``(十段 R2200)``. A rank that cannot be told from other remarks is
    left out, and one of another *house* that cannot be told from Tenhou's."""
    rate = None if player.rate is None else f"R{floor(player.rate)}"
    rank = player.rank if player.dan is None else RANKS.get(player.dan)
    if rate is None and not _is_rank(rank or ""):
        rank = None
    if player.dan is None and rank is not None and _line(rank) in _DANS and house not in (House.TENHOU, None):
        rank = None
    standing = " ".join(filter(None, (rank and _line(rank), rate)))
    name = _line(player.name or "")
    return f"{name}\n({standing})" if standing else name


def read_player(text: str) -> tuple[Player, list[str]]:
    """Return the player in *text*, and the lines below the name that are not rank and rating."""
    name, *lines = text.split("\n")
    standings = [(line, _standing(line)) for line in lines if line]
    read = [standing for _, standing in standings if standing is not None]
    unread = [line for line, standing in standings if standing is None]
    return replace(read[0] if read else Player(), full_name=handle(name)), unread


def _standing(line: str) -> Player | None:
    """Return a player with the rank and rating in *line*, or ``None`` if it is neither."""
    if not (line.startswith("(") and line.endswith(")")):
        return None
    before, _, last = line[1:-1].rpartition(" ")
    said = _RATE.fullmatch(last)
    rank = before if said else line[1:-1]
    if not said and not _is_rank(rank):
        return None
    dan = _DANS.get(rank)
    return Player(dan=dan, rank=rank or None if dan is None else None, rate=int(said[1]) if said else None)


# --- result ----------------------------------------------------------------------------------------------------------


def write_point(result: int) -> str:
    """Return a result, in thousands: ``-90.9``."""
    return f"{result / _THOUSAND:.1f}"


def read_point(text: str) -> int | None:
    """Return the result in *text*, or ``None`` if it is not one, in hundreds of points."""
    if not _POINT.fullmatch(text):
        return None
    points = Decimal(text) * _THOUSAND
    return int(points) if points % _HUNDRED == 0 else None


def _is_rank(text: str) -> bool:
    """Return whether *text* is a rank of Tenhou or looks like one of Mahjong Soul."""
    return text in _DANS or _OTHER_RANK in text


# --- the value of a win -----------------------------------------------------------------------------------------------

# Sources: ``majiang-core`` (``types/data.d.ts``, ``lib/hule.js``). A yakuman has a star in place of its han, or two
# if it counts twice; ``damanguan`` is their sum. Limits are not written: they follow from the points.


def write_score(win: Win, points: int | None, start: Start) -> dict[str, object]:
    """Return what is known of the value of *win*.

    :param points: what it is worth, if known.
    :param start: the start of the frame.
    """
    dealer = start.dealer
    score = with_known_yaku(win.score or Score(None, 0, Limit.NONE), win.player, start)
    fields: dict[str, object] = {}
    stars = _stars(score, dealer=win.player == dealer)
    if stars:
        fields["damanguan"] = sum(stars.values())
    else:
        fields = {key: value for key, value in (("fu", score.fu), ("fanshu", score.han)) if value is not None}
    if points is not None:
        fields["defen"] = points
    yaku = [_written(win, each, stars, dealer) for each in score.counting_yaku]
    return {**fields, "hupai": yaku} if yaku else fields


def _stars(score: Score, *, dealer: bool) -> dict[Yaku, int]:
    """Return how often each yakuman counts: once, or as often as the points show where some may count twice."""
    stars = dict.fromkeys(score.yakuman, 1)
    twice = [yaku for yaku in stars if yaku.number in DOUBLE_YAKUMAN] + [yaku for yaku in stars if yaku.number is None]
    more = score.points - len(stars) * worth_of_yakuman(dealer=dealer)
    for yaku in twice[: max(more // worth_of_yakuman(dealer=dealer), 0)]:
        stars[yaku] = 2
    return stars


def _written(win: Win, yaku: Yaku, stars: Mapping[Yaku, int], dealer: int) -> dict[str, object]:
    """Return *yaku* as written; a yakuman paid by pao names the seat of the payer."""
    fields: dict[str, object] = {"name": yaku.japanese, "fanshu": "*" * stars[yaku] if yaku in stars else yaku.han}
    carried = [other for other in stars if other.number in PAO_YAKUMAN] or [*stars]
    if win.pao and yaku in carried:
        fields["baojia"] = (win.pao[0] - dealer) % SEATS
    return fields


def read_score(win: At, seat: int, wind: int, notice: Notice) -> tuple[Score | None, int | None]:
    """Return the value of a win, if its points are known, and the seat of a payer by pao.

    :param win: the values of its step.
    :param seat: the wind of the winner's seat, 0 for East.
    :param wind: the wind of the round, 0 for East.
    :param notice: called with a line on each thing that is ignored.
    :raises WrongValue: one of the values is invalid.
    """
    worth = win.get("defen")
    fu, han, yakuman = (optional(win.get(key), _number) for key in ("fu", "fanshu", "damanguan"))
    yaku, pao = _read_yaku(win, seat, wind, notice)
    if worth is None:
        if (fu, han, yakuman, yaku) != (None, None, None, ()):
            notice("fu, han and yaku of a win without its points (defen) ignored")
        return None, None
    points = worth.points()
    if points < 0:
        raise worth.expected("points of a win, 0 or more")
    limit = Limit.YAKUMAN if yakuman else limit_of(points, dealer=not seat, payers=SEATS - 1, tsumo=False)
    score = Score(fu, points, limit, yaku, None if yaku else han)
    if yaku and han not in (None, score.han):
        notice("han of a win (fanshu) ignored: its yaku add up to another number")
    return score, pao


def _number(value: At) -> int:
    return value.number("a whole number of at most nine digits", -MOST, MOST)


def _read_yaku(win: At, seat: int, wind: int, notice: Notice) -> tuple[tuple[Yaku, ...], int | None]:
    """Return the yaku of a win, none if one of them cannot be named, and the seat of a payer by pao."""
    yaku: list[Yaku] = []
    pao = None
    unknown = False
    listed = win.get("hupai")
    for each in () if listed is None else listed.items():
        name, stars_or_han, payer = each.member("name").text(), each.member("fanshu"), each.get("baojia")
        is_yakuman = stars_or_han.value in ("*", "**")
        han = None if is_yakuman else stars_or_han.number("a number of han or stars", 0, MOST_HAN)
        if payer is not None:
            pao = payer.player(SEATS, "a seat")
        is_known = add_yaku(yaku, name, han, seat=seat, wind=wind) or keep_yaku(yaku, name, han, notice)
        unknown = unknown or not is_known
    return (() if unknown else tuple(yaku)), pao

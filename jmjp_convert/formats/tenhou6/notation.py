"""The words of tenhou.net/6, in both directions: tiles, wins, titles, disconnections.

The words for draws are in :mod:`jmjp_convert.play.outcome_text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from jmjp_convert.formats import spellings
from jmjp_convert.formats.json_values import At
from jmjp_convert.formats.spellings import plain
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Chi,
    Daiminkan,
    Disconnected,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Match,
    Meld,
    Pon,
    Presence,
    Returned,
    RiichiAccepted,
    Rules,
    Text,
    Tournament,
    Yaku,
    tenhou,
)
from jmjp_convert.model.events import ENDINGS, PRESENCES, STEPS
from jmjp_convert.model.houses import is_tenhou, rules_of
from jmjp_convert.model.tiles import (
    IDS,
    KIND_FACES,
    NO_REDS,
    ONE_RED_EACH,
    RED_FACES,
    UNKNOWN_FACE,
    RedFives,
    any_copy,
    faces,
)
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.melds import check_shape

# --- tiles and melds --------------------------------------------------------------------------------------------------

# 11–19 are man, 21–29 pin, 31–39 sou, 41–47 honors; 51, 52, 53 are the red fives. A meld is a string of its tiles and
# a letter for its kind. The called tile follows the letter; the position of the letter shows the source.

TSUMOGIRI = 60
NO_DISCARD = 0
"""Placeholder among the discards for a daiminkan, to keep them aligned with the draws."""

HAND_ROW, DRAWS_ROW, DISCARDS_ROW = 4, 5, 6
"""The items of a frame that the first player has; each other player has the three after those of the one before."""

_RED = {face: 51 + suit for suit, face in enumerate(RED_FACES)}
_NUMBERS = {face: 10 * (kind // 9 + 1) + kind % 9 + 1 for kind, face in enumerate(KIND_FACES)} | _RED
_AFTER = {_NUMBERS[face]: _NUMBERS[face.replace("0", "5")] for face in _RED}
"""The plain five that each red five follows in a hand."""

TILES = {number: any_copy(face) for face, number in _NUMBERS.items()}
"""The IDs of tiles, any copy, by number."""

REDS, FIVES = tuple(_RED.values()), tuple(_AFTER.values())
"""The numbers of the red and the plain fives, by suit."""

_RED_KEYS = ("aka51", "aka52", "aka53")
"""The keys of the rules with the number of red fives by suit, named after the red tiles."""

_SAME = "aka"
"""The key for whether one five of each suit is red, as Tenhou's editor writes it."""

RED_KEYS = (_SAME, *_RED_KEYS)


def row(first: int, player: int) -> str:
    """Return the JSON pointer to a list of *player*, given its item of the *first* player."""
    return f"/{first + 3 * player}"


def red_fives_by_suit(red: RedFives | None) -> dict[str, int]:
    """Return the keys of a whole game that say how many fives are *red*; none, if that is unknown."""
    return dict(zip(reversed(_RED_KEYS), reversed(red or NO_REDS), strict=True))


def red_fives(red: RedFives | None) -> dict[str, int]:
    """Return the keys of a frame for the editor that say how many fives are *red*: one for all suits, if it can."""
    return {_SAME: int(red == ONE_RED_EACH)} if red in (None, NO_REDS, ONE_RED_EACH) else red_fives_by_suit(red)


def red_fives_from(keys: Mapping[str, int]) -> RedFives | None:
    """Return how many fives are red by the *keys* of the rules; ``None`` if they do not say so."""
    return RedFives(*[keys.get(key, int(keys.get(_SAME, 0) > 0)) for key in _RED_KEYS]) if keys else None


NUMBERLESS = frozenset(tile for tile, face in enumerate(faces()) if face == UNKNOWN_FACE)
"""The IDs of unknown tiles, which have no number."""


class Notation:
    """The numbers of tiles, with so many red fives."""

    __slots__ = ("numbers",)

    def __init__(self, red_fives: RedFives | None) -> None:
        names = faces(red_fives)
        # By tile ID; a KeyError for a NUMBERLESS one.
        self.numbers = {tile: _NUMBERS[names[tile]] for tile in range(IDS) if tile not in NUMBERLESS}

    def row(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of *tiles*, in order."""
        return [self.numbers[tile] for tile in tiles]

    def hand(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of the *tiles* of a hand, sorted."""
        numbers = sorted(self.row(tiles))
        if numbers[-1] in _AFTER:
            numbers.sort(key=lambda number: _AFTER.get(number, number))
        return numbers

    def meld(self, meld: Meld) -> str:
        """Return *meld* as a string."""
        return _MELDS[type(meld)](meld, self)


notation = lru_cache(Notation)
"""Returns the :class:`Notation` for games with so many red fives."""


_LAST = 2
_POSITIONS = {3: 0, 2: 1, 1: _LAST}
"""The position of the letter by the source, in seats after the caller, with three players too. The last is the third
tile's for a pon, the fourth's for a kan."""


def _chi(chi: Chi, words: Notation) -> str:
    called, first, second = words.row((chi.taken, *chi.hand))
    return f"c{called}{first}{second}"


def _called(meld: Pon | Daiminkan, word: str, words: Notation) -> str:
    """Return the tiles from the hand, a red five last, with *word*, the letter and the called tile, among them.

    The word is first for a tile from kamicha, second from toimen, last from shimocha.
    """
    texts = [*map(str, sorted(words.row(meld.hand)))]
    position = _POSITIONS[(meld.source - meld.player) % 4]
    position = len(texts) if position == _LAST else position
    return "".join((*texts[:position], word, *texts[position:]))


def _ankan(kan: Ankan, words: Notation) -> str:
    *others, last = sorted(words.row(kan.tiles))
    return f"{''.join(map(str, others))}a{last}"


_MELDS: dict[type, Callable[[Any, Notation], str]] = {
    Chi: _chi,
    Pon: lambda pon, words: _called(pon, f"p{words.numbers[pon.taken]}", words),
    Daiminkan: lambda kan, words: _called(kan, f"m{words.numbers[kan.taken]}", words),
    Kakan: lambda kan, words: _called(kan.pon, f"k{words.numbers[kan.tile]}{words.numbers[kan.pon.taken]}", words),
    Ankan: _ankan,
    Kita: lambda kita, words: f"f{words.numbers[kita.tile]}",
}
"""The writer of each meld. Every format has its own table, over the same melds."""


# --- reading ---------------------------------------------------------------------------------------------------------

_SOURCES = {position: seats for seats, position in _POSITIONS.items()} | {_LAST + 1: 1}
_WORD = re.compile(r"((?:[1-5][0-9]){0,3})([cpmkaf])((?:[1-5][0-9]){1,4})")
_SIZES = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4}
"""The number of tiles of each meld but a kita, by its letter."""

_TILES = {str(number): tile for number, tile in TILES.items()}


@lru_cache(maxsize=1 << 14)
def meld_of(word: str, player: int, players: int) -> Any:
    """Return the meld of *player* that *word* means, the inverse of :meth:`Notation.meld`.

    The pon of a kakan is that of *word*; in which order other programs write its tiles varies.

    :raises ValueError: *word* is not a meld; a PlayError is one.
    """
    match = _WORD.fullmatch(word)
    if match is None:
        raise ValueError(word)
    digits, letter, more = match.groups()
    before = _tiles(digits)
    called, *rest = _tiles(more)
    hand = tuple(sorted(before + rest))
    if letter not in _SIZES:
        if hand:
            raise ValueError(word)
        return Kita(player, called)
    if len(digits) + len(more) != 2 * _SIZES[letter] or (letter == "c" and before):
        raise ValueError(word)
    if letter == "a":
        return _shaped(Ankan(player, tuple(sorted((called, *hand)))))
    if letter == "c":
        return _shaped(Chi(player, called, hand, (player - 1) % players))
    source = (player + _SOURCES[len(before)]) % 4
    if source >= players or (letter == "k" and not rest):
        raise ValueError(word)
    if letter == "k":
        taken, *others = rest
        return _shaped(Kakan(player, called, Pon(player, taken, tuple(sorted(before + others)), source)))
    return _shaped((Pon if letter == "p" else Daiminkan)(player, called, hand, source))


def _tiles(digits: str) -> list[int]:
    """Return the tiles with the numbers in *digits*."""
    try:
        return [_TILES[digits[index : index + 2]] for index in range(0, len(digits), 2)]
    except KeyError:
        raise ValueError(digits) from None


def _shaped(meld: Any) -> Any:
    """Return *meld*.

    :raises PlayError: its tiles do not make such a meld.
    """
    check_shape(meld)
    return meld


# --- results ----------------------------------------------------------------------------------------------------------

# Source: ``docs/design/formats.md`` 1.

WON = "和了"
DRAWN = "流局"
ALL_TENPAI, ALL_NOTEN = "全員聴牌", "全員不聴"
UNFINISHED = "不明"
"""The word that the editor itself writes until a result is chosen."""

YAKU = [name.japanese.replace("13", "１３") for name in NAMES]  # noqa: RUF001 - Tenhou's own digits
"""The yaku by number."""


def yaku_word(yaku: Yaku) -> str:
    """Return the word for *yaku*."""
    return yaku.word if yaku.number is None else YAKU[yaku.number]


_TENPAI = {ALL_TENPAI: True, "all-tenpai": True, "all-tempai": True, ALL_NOTEN: False, "all-noten": False}

DRAW_KINDS = spellings.DRAW_KINDS | {plain(word): DrawKind.EXHAUSTIVE for word in _TENPAI}
"""The kinds of draws by their plain words."""

TENPAI = {plain(word): tenpai for word, tenpai in _TENPAI.items()}
"""By the plain words of draws that say it: whether all players are tenpai, or none is."""

WINS = frozenset(map(plain, (WON, "和牌", "和", "agari", "ron", "tsumo", "hora")))
"""The plain words of a frame that ends with a win."""

OPEN = frozenset(map(plain, (UNFINISHED, "", "unknown")))
"""The plain words of a frame that has not ended."""


# --- titles and the names of rules ------------------------------------------------------------------------------------

# A match on Tenhou has no title, unless it is part of a tournament. Others have the tournament and the date as a
# title.

OWN_NAMES = frozenset(("", "三", "赤", "三赤"))
"""The names of rules that say only the number of players and whether there are red fives."""

_ROOMLESS = re.compile("[三四]?[東南]喰?赤?速?")
"""The name of Tenhou's rules at tables other than those of ranked games."""


# --- writing ---------------------------------------------------------------------------------------------------------


def display(match: Match) -> str:
    """Return the name of the rules as Tenhou displays it, without the 四 for four players. Readers look here for the
    number of players."""
    rules, name = match.rules, _name(match)
    if rules.code is not None:
        return tenhou.short_title(rules.code).removeprefix("四")
    known = rules_of(name, None, players=rules.players, red_fives=None, lobby=None)
    if name and (known.house is not None or _ROOMLESS.fullmatch(name)):
        return name
    return ("" if rules.players == SEATS else "三") + ("赤" if any(rules.red_fives or ()) else "")


def title(match: Match) -> list[str]:
    """Return the two lines of the title: the tournament unless it is the server's table, and the date or the stage."""
    rules, name = match.rules, _name(match)
    if rules.code is not None and name == tenhou.title(rules.code, rules.lobby).native:
        name = ""
    if name == display(match):
        name = ""
    stage = str((match.tournament and match.tournament.stage) or "")
    return [name, (stage if name else "") if is_tenhou(rules) else match.date or stage]


def _name(match: Match) -> str:
    return str((match.tournament and match.tournament.name) or "")


# --- reading ---------------------------------------------------------------------------------------------------------


def tournament_of(rules: Rules, name: str, stage: str, displayed: str) -> Tournament | None:
    """Return the tournament: as in the title, otherwise the server's table.

    :param name: the first line of the title.
    :param stage: the second line, if it is not a date.
    :param displayed: the name of the rules.
    """
    if not (name or stage) and rules.code is not None:
        return Tournament(tenhou.title(rules.code, rules.lobby))
    native = name or ("" if displayed in OWN_NAMES else displayed)
    if not (native or stage):
        return None
    return Tournament(Text(native) if native else None, stage=Text(stage) if stage else None)


# --- disconnections and returns ---------------------------------------------------------------------------------------

# Each is recorded with its frame and the number of steps before it: draws, discards and melds.

_LATE = ENDINGS | {RiichiAccepted}
_KINDS: tuple[type[Presence], ...] = (Disconnected, Returned)
"""By the number that stands for each."""

_BEFORE = -1


class Mark(NamedTuple):
    """A disconnection or return after a number of *steps* of its frame."""

    steps: int
    event: Presence


def connections(match: Match) -> Iterator[dict[str, int]]:
    """Yield the disconnections (0) and returns (1) of *match*, each with its frame, -1 before the first, and steps.

    The fourteenth tile of a frame, if any, is written as a draw.
    """
    played = [(frame.events, int(frame.start.fourteenth is not None)) for frame in match.frames]
    for number, (events, dealt) in enumerate([(match.before, 0), *played], _BEFORE):
        if PRESENCES.isdisjoint(map(type, events)):
            continue
        steps = dealt
        for event in events:
            if isinstance(event, Presence):
                yield {"what": _KINDS.index(type(event)), "log": number, "who": event.player, "step": steps}
            steps += type(event) in STEPS


def inserted(events: Sequence[Event], marks: Iterable[Mark]) -> list[Event]:
    """Return *events*, which have none, with the disconnections and returns in *marks*.

    Each comes right after its last step, or after the riichi accepted there; after the last step of all, at the end.
    """
    merged = [*events]
    places = [0, *[index + 1 for index, event in enumerate(events) if type(event) in STEPS]]
    for mark in sorted(marks, key=lambda mark: mark.steps)[::-1]:
        place = places[mark.steps] if mark.steps < len(places) else len(events)
        while place < len(events) and type(events[place]) in _LATE:
            place += 1
        merged.insert(place, mark.event)
    return merged


def marks_by_frame(value: At, frames: int, players: int) -> dict[int, list[Mark]]:
    """Return the disconnections and returns in *value* by the number of their frame, -1 before the first.

    :param frames: the number of frames.
    :raises WrongValue: it is malformed.
    """
    marks: dict[int, list[Mark]] = {}
    for each in value.items():
        kind = _KINDS[each.member("what").count(len(_KINDS) - 1)]
        log = each.member("log")
        number = _BEFORE if log.value == _BEFORE else log.count()
        if number >= frames:
            raise log.wrong(f"there is no frame {number}; the log has {frames}")
        player = each.member("who").count(players - 1)
        marks.setdefault(number, []).append(Mark(each.member("step").count(), kind(player)))
    return marks

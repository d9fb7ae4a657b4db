"""What other programs write differently from us makes no difference to the plays that are read.

Each game is written by us, changed in some of the ways that other programs' files show (sources:
``docs/design/formats.md`` 1 and 2), and read back.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import quote

from clients import played, read
from effort import many
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import LINES, matches

from jmjp_convert.convert import Writing, written
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.tenhou6.notation import YAKU
from jmjp_convert.model import Frame, Match, Win
from jmjp_convert.model.yaku import TENHOU_NUMBERS

Event = dict[str, Any]
Change = Callable[[Any, random.Random], Any]

SEATS = 4
STICK = 1000
KANS = ("ankan", "kakan", "daiminkan", "kan")

of_games = settings(
    max_examples=many(50),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
)


class Game(NamedTuple):
    """One of the games played with the arguments *line*."""

    line: str
    number: int

    @property
    def match(self) -> Match:
        """The match."""
        of_line = list(matches(self.line))
        return of_line[self.number % len(of_line)]


@st.composite
def games(draw: st.DrawFn, name: str) -> Game:
    """Return a game that the format *name* holds."""
    players = FORMATS[name].players
    some = st.builds(Game, st.sampled_from(LINES), st.integers(0, 99))
    return draw(some.filter(lambda game: game.match.rules.players in players))


chances = st.integers(0, 1 << 32).map(random.Random)


def changes(table: dict[str, Change]) -> st.SearchStrategy[list[str]]:
    """Return some of the keys of *table*, in its order."""
    some = st.lists(st.sampled_from(sorted(table)), unique=True, max_size=6)
    return some.map(lambda ways: sorted(ways, key=[*table].index))


def shuffled(value: Any, chance: random.Random) -> Any:
    """Return an object with its keys in another order."""
    return dict(chance.sample(list(value.items()), len(value)))


# --- mjai ------------------------------------------------------------------------------------------------------------


def each_event(change: Callable[[Event], Event | None]) -> Change:
    """Return a change of each event, which is left out if nothing is returned."""
    return lambda events, _: [new for event in events if (new := change(dict(event))) is not None]


def renamed(kind: str, old: str, new: str) -> Change:
    """Return a change of a key of events of a *kind*."""

    def change(event: Event) -> Event:
        return {new if key == old and event["type"] == kind else key: value for key, value in event.items()}

    return each_event(change)


def retyped(old: str, new: str) -> Change:
    """Return a change of a type."""
    return each_event(lambda event: event | {"type": new} if event["type"] == old else event)


def without(*kinds: str) -> Change:
    """Return a change that leaves out the events of these *kinds*."""
    return each_event(lambda event: None if event["type"] in kinds else event)


def with_keys(kind: str, **values: Any) -> Change:
    """Return a change that adds keys to events of a *kind*."""
    return each_event(lambda event: event | values if event["type"] == kind else event)


def without_keys(kind: str, *keys: str) -> Change:
    """Return a change that leaves out keys of events of a *kind*."""
    return each_event(
        lambda event: {key: value for key, value in event.items() if event["type"] != kind or key not in keys}
    )


def nothing_between(events: list[Event], chance: random.Random) -> list[Event]:
    """Add what a server sends to players who do nothing."""
    return [each for event in events for each in (*[{"type": "none"}] * chance.randrange(2), event)]


def dora_moved(*, after_draw: bool) -> Change:
    """Return a change that turns each dora right after its kan, or right after the replacement tile."""

    def change(events: list[Event], _: random.Random) -> list[Event]:
        moved: list[Event] = []
        owed, left = 0, list[Event]()
        for index, event in enumerate(events):
            if event["type"] == "start_kyoku":
                owed, left = 0, [each for each in frame_at(events, index) if each["type"] == "dora"]
            if event["type"] != "dora":
                moved.append(event)
                owed += event["type"] in KANS
                if owed and (event["type"] == "tsumo" or not after_draw):
                    moved += left[:owed]
                    owed, left = 0, left[owed:]
        return moved

    return change


def frame_at(events: list[Event], index: int) -> list[Event]:
    """Return the events of the frame that starts at *index*."""
    later = (after for after in range(index + 1, len(events)) if events[after]["type"] in ("start_kyoku", "end_game"))
    return events[index : next(later, len(events))]


def points_after(events: list[Event], _: random.Random) -> list[Event]:
    """Say the points after each ending, not the payments."""
    changed = []
    points: list[int] = []
    for event in events:
        new = dict(event)
        if event["type"] == "start_kyoku":
            points = event["scores"]
        elif event["type"] == "reach_accepted":
            points = [have - STICK * (who == event["actor"]) for who, have in enumerate(points)]
        elif "deltas" in event:
            points = [have + paid for have, paid in zip(points, new.pop("deltas"), strict=True)]
            new["scores"] = points
        changed.append(new)
    return changed


def unsorted(events: list[Event], chance: random.Random) -> list[Event]:
    """Shuffle the hands."""
    return [
        event | {"tehais": [chance.sample(hand, len(hand)) for hand in event["tehais"]]}
        if event["type"] == "start_kyoku"
        else event
        for event in events
    ]


def with_fourth(*, hidden: bool) -> Change:
    """Return a change that adds the empty seat to a three-player game, its hand empty or *hidden*."""
    empty = {"names": "", "scores": 0, "tehais": ["?"] * 13 if hidden else [], "deltas": 0}

    def change(event: Event) -> Event:
        return {
            key: [*value, empty[key]] if key in empty and len(value) < SEATS else value for key, value in event.items()
        }

    return each_event(change)


MJAI: dict[str, Change] = {
    "points after": points_after,  # before the riichi that it counts are left out
    "shuffled keys": lambda events, chance: [shuffled(event, chance) for event in events],
    "kan": retyped("daiminkan", "kan"),
    "kyoutaku": renamed("start_kyoku", "kyotaku", "kyoutaku"),
    "uradora_markers": renamed("hora", "ura_markers", "uradora_markers"),
    "delta of a win": renamed("hora", "deltas", "delta"),
    "delta of a draw": renamed("ryukyoku", "deltas", "delta"),
    "no reach_accepted": without("reach_accepted"),
    "dora at once": dora_moved(after_draw=False),
    "dora after the draw": dora_moved(after_draw=True),
    "unsorted hands": unsorted,
    "none": nothing_between,
    "no end_kyoku": without("end_kyoku"),
    "no end_game": without("end_game"),
    "no start_game": without("start_game"),
    "no names": without_keys("start_game", "names", "kyoku_first", "aka_flag"),
    "names alone": without_keys("start_game", "kyoku_first", "aka_flag"),
    "an id": with_keys("start_game", id=0, seed=[1, 2]),
    "a tile of an ankan": each_event(
        lambda event: event | {"pai": event["consumed"][0]} if event["type"] == "ankan" else event
    ),
    "a kakan of the added tile": each_event(
        lambda event: event | {"consumed": [event["pai"]]} if event["type"] == "kakan" else event
    ),
    "no winner": without_keys("hora", "actor"),
    "no winner and no target": without_keys("hora", "actor", "target"),
    "nukidora": retyped("kita", "nukidora"),
    "an empty seat": with_fourth(hidden=False),
}

LINED: dict[str, Callable[[list[Event]], str]] = {
    "compact": lambda events: "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events),
    "spaced": lambda events: "".join(json.dumps(event) + "\n" for event in events),
    "windows": lambda events: "".join(json.dumps(event, ensure_ascii=False) + "\r\n" for event in events),
    "gaps": lambda events: "\n\n".join(json.dumps(event) for event in events),
    "list": json.dumps,
}
"""Ways to write the events."""


def text_of(match: Match, name: str) -> str:
    """Return *match* in the format *name*."""
    return written([match], Writing(name, verify=False), print).content.decode()


@of_games
@given(games("mjai"), changes(MJAI), st.sampled_from(sorted(LINED)), chances)
def test_mjai(game: Game, ways: list[str], lined: str, chance: random.Random) -> None:
    """The same game is read from mjai of any dialect."""
    text = text_of(game.match, "mjai")
    events = [json.loads(line) for line in text.splitlines()]
    for way in ways:
        events = MJAI[way](events, chance)
    match = read(LINED[lined](events), "mjai")
    assert [*map(played, match.frames)] == [*map(played, read(text, "mjai").frames)]


# --- tenhou6 ---------------------------------------------------------------------------------------------------------

ENGLISH = (
    "Fully Concealed Hand;Riichi;Ippatsu;Robbing a Kan;After a Kan;Under the Sea;Under the River;Pinfu;All Simples;"
    "Pure Double Sequence;Seat Wind;Seat Wind;Seat Wind;Seat Wind;Prevalent Wind;Prevalent Wind;Prevalent Wind;"
    "Prevalent Wind;White Dragon;Green Dragon;Red Dragon;Double Riichi;Seven Pairs;Half Outside Hand;Pure Straight;"
    "Mixed Triple Sequence;Triple Triplets;Three Quads;All Triplets;Three Concealed Triplets;Little Three Dragons;"
    "All Terminals and Honors;Twice Pure Double Sequence;Fully Outside Hand;Half Flush;Full Flush;Hand of Man;"
    "Blessing of Heaven;Blessing of Earth;Big Three Dragons;Four Concealed Triplets;"
    "Single-wait Four Concealed Triplets;All Honors;All Green;All Terminals;Nine Gates;True Nine Gates;"
    "Thirteen Orphans;Thirteen-wait Thirteen Orphans;Four Big Winds;Four Little Winds;Four Quads;Dora;Ura Dora;Red Five"
)
"""The yaku in Mahjong Soul's English, by Tenhou's numbers."""

WORDS = dict(zip(YAKU[: len(TENHOU_NUMBERS)], ENGLISH.split(";"), strict=True))
LIMITS = {"三倍満": "Sanbaiman ", "倍満": "Baiman ", "跳満": "Haneman ", "満貫": "Mangan ", "役満": "Yakuman "}
DRAWS = {"四槓散了": "四開槓", "三家和了": "三家和", "九種九牌": "Kyuushu Kyuuhai", "流し満貫": "Nagashi Mangan"}

OPTIONAL = ("ver", "ref", "connection", "ratingc", "rule", "lobby", "dan", "rate", "sx", "sc", "title")
ROWS = range(4, 16, 3)


def each_frame(change: Callable[[list[Any], random.Random], list[Any]]) -> Change:
    """Return a change of each frame."""
    return lambda head, chance: head | {"log": [change(list(frame), chance) for frame in head["log"]]}


def each_result(change: Callable[[Any], Any]) -> Change:
    """Return a change of every string of every result."""

    def result(value: Any) -> Any:
        if isinstance(value, list):
            return [result(each) for each in value]
        return change(value) if isinstance(value, str) else value

    return each_frame(lambda frame, _: [*frame[:-1], result(frame[-1])])


def each_word(change: Callable[[str, random.Random], str]) -> Change:
    """Return a change of every meld."""

    def rows(frame: list[Any], chance: random.Random) -> list[Any]:
        for row in ROWS:
            for index in (row + 1, row + 2):
                frame[index] = [change(word, chance) if isinstance(word, str) else word for word in frame[index]]
        return frame

    return each_frame(rows)


def other_order(word: str, chance: random.Random) -> str:
    """Return the tiles of an ankan, or of the pon in a kakan, in another order."""
    letter = next(filter(str.isalpha, word))
    if letter not in "ak":
        return word
    digits = word.replace(letter, "")
    tiles = [digits[index : index + 2] for index in range(0, len(digits), 2)]
    if letter == "a":
        tiles = chance.sample(tiles, len(tiles))
        return f"{''.join(tiles[:3])}a{tiles[3]}"
    index = word.index(letter) // 2
    added = tiles.pop(index)
    tiles = chance.sample(tiles, len(tiles))
    return "".join([*tiles[:index], f"k{added}", *tiles[index:]])


def sampled_hands(frame: list[Any], chance: random.Random) -> list[Any]:
    """Shuffle the hands."""
    return [chance.sample(item, len(item)) if index in ROWS else item for index, item in enumerate(frame)]


def decimals(frame: list[Any], _: random.Random) -> list[Any]:
    """Write points as numbers with a decimal."""
    return [frame[0], [*map(float, frame[1])], *frame[2:]]


def all_zeros(frame: list[Any], _: random.Random) -> list[Any]:
    """Write a 0 behind a daiminkan that ends the frame, too."""
    for row in ROWS:
        takes, outs = frame[row + 1], frame[row + 2]
        kans = [index for index, take in enumerate(takes) if isinstance(take, str) and "m" in take]
        if kans and outs[kans[-1] : kans[-1] + 1] != [0]:
            outs.insert(kans[-1], 0)
    return frame


def unpaid(frame: list[Any], _: random.Random) -> list[Any]:
    """Write zeros for the payments of a draw at which nobody pays."""
    result = frame[-1]
    return [*frame[:-1], [result[0], [0] * SEATS] if len(result) == 1 else result]


def in_words(table: dict[str, str]) -> Change:
    """Return a change that replaces words in the results."""

    def change(text: str) -> str:
        for ours, theirs in table.items():
            if text == ours or text.startswith(f"{ours}(") or (table is LIMITS and text.startswith(ours)):
                return text.replace(ours, theirs)
        return text

    return each_result(change)


def optional_missing(head: Any, chance: random.Random) -> Any:
    """Leave out some of the keys that may be missing."""
    return {key: value for key, value in head.items() if key not in OPTIONAL or chance.random() < 0.5}


TENHOU6: dict[str, Change] = {
    "aka": lambda head, _: head | {"rule": {"aka": int(any(head["rule"].get(f"aka5{suit}", 0) for suit in "123"))}},
    "shuffled keys": shuffled,
    "missing keys": optional_missing,
    "version as text": lambda head, _: head | {"ver": "2.3"},
    "version as number": lambda head, _: head | {"ver": 2.3},
    "empty lists": lambda head, _: head | {"dan": [], "rate": [], "sx": [], "sc": []},
    "unknown keys": lambda head, _: head | {"playerMapping": [1, {}], "ts": 0},
    "unsorted hands": each_frame(sampled_hands),
    "decimals": each_frame(decimals),
    "zeros": each_frame(all_zeros),
    "zero payments": each_frame(unpaid),
    "kans in another order": each_word(other_order),
    "bare yakuman": each_result(lambda text: text.removesuffix("(役満)")),
    "English yaku": in_words(WORDS),
    "English limits": in_words(LIMITS),
    "other draws": in_words(DRAWS),
}


def a_frame_a_line(head: Any) -> list[Any]:
    """Return an object for each frame."""
    return [head | {"log": [frame]} for frame in head["log"]]


def a_link(head: Any) -> str:
    """Return a link to *head*."""
    return f"https://tenhou.net/6/#json={quote(json.dumps(head, ensure_ascii=False))}"


WRAPPINGS: dict[str, Callable[[Any, random.Random], str]] = {
    "compact": lambda head, _: json.dumps(head, ensure_ascii=False, separators=(",", ":")),
    "ASCII": lambda head, _: json.dumps(head),
    "pretty": lambda head, _: json.dumps(head, ensure_ascii=False, indent=2),
    "list": lambda head, _: json.dumps([head]),
    "link": lambda head, _: a_link(head),
    "link with ts": lambda head, _: f"{a_link(head)}&ts=0",
    "old link": lambda head, _: a_link(head).replace("/6/", "/5/"),
    "open link": lambda head, _: f"http://tenhou.net/6/#json={json.dumps(head, ensure_ascii=False)}",
    "frames": lambda head, chance: "\n".join(json.dumps(shuffled(each, chance)) for each in a_frame_a_line(head)),
    "links": lambda head, _: "\n".join(map(a_link, a_frame_a_line(head))),
    "list of frames": lambda head, _: json.dumps(a_frame_a_line(head)),
}
"""Ways to write the object."""


def scored(frame: Frame) -> list[object]:
    """Return what is known of the wins of *frame*."""
    return [(win.score, win.ura, win.pao) for win in frame.endings if isinstance(win, Win)]


@of_games
@given(games("tenhou6"), changes(TENHOU6), st.sampled_from(sorted(WRAPPINGS)), chances)
def test_tenhou6(game: Game, ways: list[str], wrapping: str, chance: random.Random) -> None:
    """The same game is read from tenhou6 in any words and form."""
    text = text_of(game.match, "tenhou6")
    head = json.loads(text)
    for way in ways:
        head = TENHOU6[way](head, chance)
    match, usual = read(WRAPPINGS[wrapping](head, chance), "tenhou6"), read(text, "tenhou6")
    assert [*map(played, match.frames)] == [*map(played, usual.frames)]
    assert [*map(scored, match.frames)] == [*map(scored, usual.frames)]

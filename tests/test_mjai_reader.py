"""mjai is read as its many writers write it, and gives the same match as the log it was written from."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from expected import expecting
from test_real_logs import LOGS

from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import MATCHES
from jmjp_convert.errors import ConvertError, MjaiError
from jmjp_convert.formats.mjai.reader import read_mjai
from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import Discard, Draw, DrawKind, Match, Ryuukyoku

held = expecting("mjai")

LENGTH = [column.name for column in MATCHES.columns].index("length")
VALID = Path(__file__).parent.parent / "fixtures" / "valid"
REPORTS = VALID.parent / "mjai" / "valid"
REAL = LOGS.parent / "mjai"

Event = dict[str, Any]


def assert_kept(played: Match) -> None:
    """Check that *played* reads back as what mjai holds of it, with details and without."""
    for details in (False, True):
        (found,) = read_mjai(write_mjai(played, details=details).encode())
        assert found == held(played, details=details)
        assert held(found, details=details) == found


def test_kita() -> None:
    """A north that is set aside is kita, or nukidora if that is asked for; both are read."""
    played = read_mjlog(VALID.parent / "invalid" / "sanma.xml")
    text, other = write_mjai(played), write_mjai(played, nukidora=True)
    assert text.count('"kita"') == text.count('"pai":"N"}')
    assert other == text.replace('"kita"', '"nukidora"')
    assert read_mjai(other.encode()) == read_mjai(text.encode()) == [held(played)]


REPORT = (REPORTS / "report.mjson").read_text(encoding="utf-8")
WITHOUT_GAME = "line 1: a report of mjai-reviewer without the game; read the game that was reviewed"
LONG = {"review": {"kyokus": [{"entries": ["x" * 1000] * 2000}]}}


@pytest.mark.parametrize("text", [json.dumps(LONG | json.loads(REPORT)), json.dumps(json.loads(REPORT), indent=2)])
def test_report(text: str) -> None:
    """A report of mjai-reviewer is read, however long what stands before the game."""
    assert read(io.BytesIO(text.encode())) == read(io.BytesIO(REPORT.encode()))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (REPORT.replace("mjai_log", "log"), WITHOUT_GAME),
        (REPORT.replace('"mjai_log":[', '"mjai_log":null,"x":['), WITHOUT_GAME),
        (REPORT.replace('"mjai_log":[', '"mjai_log":[[1],'), "line 1: /mjai_log/0/0: expected an object, found 1"),
        (REPORT + REPORT, "line 2, column 1: invalid JSON: extra data"),
    ],
)
def test_report_refused(changed: str, message: str) -> None:
    """A report without its game, or with anything else in its place or behind it, is refused."""
    with pytest.raises(ConvertError) as caught:
        read(io.BytesIO(changed.encode()))
    assert str(caught.value) == message


@pytest.mark.parametrize(("first", "east_only"), [(0, False), (4, True), (2, None), (None, None)])
def test_length(first: int | None, *, east_only: bool | None) -> None:
    """`kyoku_first` says whether the game is East-only, and is written again; other values say nothing."""
    head, *lines = write_mjai(read_mjlog(VALID / "plain.xml")).splitlines()
    text = json.dumps(json.loads(head) | {"kyoku_first": first})
    (found,) = read_mjai("\n".join([text, *lines]).encode())
    assert found.rules.east_only is east_only
    again = json.loads(write_mjai(found).splitlines()[0])
    assert again.get("kyoku_first") == {True: 4, False: 0, None: None}[east_only]
    assert rows_of(found, "key")["matches"][0][LENGTH] == {True: "east", False: "east-south", None: None}[east_only]


@pytest.mark.parametrize("first", ["kakan", "daiminkan"])
def test_dora_of_two_kans(first: str) -> None:
    """The dora of a kan that an ankan follows is turned where the log turns it, after the ankan."""
    played = read_mjlog(VALID.parent / "valid" / f"ankan-after-{first}.xml")
    kinds = [json.loads(line)["type"] for line in write_mjai(played).splitlines()]
    place = kinds.index(first)
    assert kinds[place : place + 6] == [first, "tsumo", "ankan", "dora", "dora", "tsumo"]
    assert_kept(played)


@pytest.mark.skipif(not REAL.is_dir(), reason="there are no real files in ../shared/mjai")
def test_real_file() -> None:
    """Files that other programs wrote are read without a word, and written again as they read."""
    for path in sorted(REAL.iterdir()):
        notices: list[str] = []
        for one in read(path, notice=notices.append):
            assert_kept(one)
        assert notices == []


# --- layouts ---------------------------------------------------------------------------------------------------------

PLAIN = write_mjai(read_mjlog(VALID / "plain.xml"))
EVENTS: list[Event] = [json.loads(line) for line in PLAIN.splitlines()]
(READ,) = read_mjai(PLAIN.encode())


LAYOUTS: dict[str, Callable[[list[Event]], str]] = {
    "spaces": lambda events: "\n".join(map(json.dumps, events)),
    "sorted": lambda events: "\n".join(json.dumps(event, sort_keys=True) for event in events),
    "sorted without spaces": lambda events: "\n".join(
        json.dumps(event, sort_keys=True, separators=(",", ":")) for event in events
    ),
    "reversed": lambda events: "\n".join(json.dumps(dict(reversed(event.items()))) for event in events),
    "several lines": lambda events: "\n".join(json.dumps(event, indent=2) for event in events),
    "list": json.dumps,
    "list on several lines": lambda events: json.dumps(events, indent=1, ensure_ascii=False),
    "blank lines": lambda events: "\n\n \n" + "\r\n\r\n".join(map(json.dumps, events)) + "\r\n \n",
    "bom": lambda events: "\ufeff" + "\n".join(map(json.dumps, events)),
    "without start_game": lambda events: "\n".join(map(json.dumps, events[1:-1])),
    "without ends": lambda events: "\n".join(
        json.dumps(event) for event in events if not event["type"].startswith("end_")
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout(layout: str) -> None:
    """Keys may be in any order, with spaces or without, an event a line, over several lines or in a list; the events
    around frames may be missing."""
    text = LAYOUTS[layout](EVENTS)
    (found,) = read(text.encode())
    assert found.frames == READ.frames
    assert read(gzip.compress(text.encode())) == [found]


def test_several_games() -> None:
    """A file may hold several games."""
    assert read_mjai((PLAIN + PLAIN).encode()) == [READ, READ]


def edited(edit: Callable[[Event], Event | None]) -> str:
    """Return the game with each event as *edit* returns it, without those for which it returns ``None``."""
    found = (edit(dict(event)) for event in EVENTS)
    return "\n".join(json.dumps(event) for event in found if event is not None)


def without(*keys: str) -> Callable[[Event], Event]:
    """Return an edit that drops *keys*."""
    return lambda event: {key: value for key, value in event.items() if key not in keys}


def renamed(**names: str) -> Callable[[Event], Event]:
    """Return an edit that renames keys."""
    return lambda event: {names.get(key, key): value for key, value in event.items()}


def test_payments_from_next_start() -> None:
    """Payments that are not recorded follow from the points of the next frame."""
    (found,) = read_mjai(edited(without("deltas")).encode())
    assert found.frames[:-1] == READ.frames[:-1]
    assert found.frames[-1].end.points is None


def test_names_of_keys() -> None:
    """Other programs' names of keys and events are understood."""
    text = edited(renamed(deltas="delta", ura_markers="uradora_markers", kyotaku="kyoutaku"))
    assert read_mjai(text.encode()) == [READ]


def test_accepted_missing() -> None:
    """A riichi without reach_accepted is accepted, unless its tile is ronned."""
    text = edited(lambda event: None if event["type"] == "reach_accepted" else event)
    assert text.count('"reach"') > 0
    assert read_mjai(text.encode()) == [READ]
    ronned = write_mjai(read_mjlog(VALID / "riichi-ronned.xml"))
    assert read_mjai(ronned.encode()) == [held(read_mjlog(VALID / "riichi-ronned.xml"))]


def test_tsumogiri_missing() -> None:
    """Without the flag, a discard of the face just drawn may be that tile or another copy."""
    (found,) = read_mjai(edited(without("tsumogiri")).encode())
    assert [frame.end.points for frame in found.frames] == [frame.end.points for frame in READ.frames]


@pytest.mark.parametrize("held", [False, True])
def test_first_discard(*, held: bool) -> None:
    """A first discard of the dealer that is said not to be the tile just drawn, as in Mahjong Soul, is one if no other
    copy is held."""
    start, draw = EVENTS[1], EVENTS[2]
    assert (start["oya"], draw["type"]) == (0, "tsumo")
    discard = {"type": "dahai", "actor": 0, "pai": draw["pai"], "tsumogiri": False}
    hand = [draw["pai"], *start["tehais"][0][1:]] if held else start["tehais"][0]
    assert (draw["pai"] in hand) == held
    changed = start | {"tehais": [hand, *start["tehais"][1:]]}
    (found,) = read_mjai("\n".join(map(json.dumps, [changed, draw, discard])).encode())
    first, second = found.frames[0].events
    assert isinstance(first, Draw)
    assert isinstance(second, Discard)
    assert first.tile == second.tile
    assert second.tsumogiri is not held


@pytest.mark.parametrize(
    ("tehais", "shown"), [([None, [], None, []], (False, True, False, True)), ([None] * 4, None), ([[]] * 4, None)]
)
def test_tenpai_without_hands(tehais: list[Any], shown: tuple[bool, ...] | None) -> None:
    """Where no hand is shown, `null` is one that is not tenpai, if another is given as an empty list."""
    events = [event for event in EVENTS[:4] if event["type"] != "hora"]
    end = {"type": "ryukyoku", "reason": "yao9", "deltas": [], "tehais": tehais}
    (found,) = read_mjai("\n".join(map(json.dumps, [*events[:3], end])).encode())
    draw = found.frames[0].events[-1]
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is DrawKind.NINE_TERMINALS
    found_shown = None if draw.shown is None else tuple([hand is not None for hand in draw.shown])
    assert found_shown == shown


def test_notices() -> None:
    """Unknown events and keys are ignored, and reported once each; messages that say nothing of the play are not."""
    notices: list[str] = []
    strange = [{"type": "chat", "text": "hi"}, {"type": "none"}, {"type": "hello", "protocol": "mjsonp"}]
    added = [
        one
        for event in EVENTS
        for one in ({**event, "meta": {}} | ({"mood": 1} if event["type"] == "tsumo" else {}), *strange)
    ]
    text = "\n".join(map(json.dumps, added))
    assert read_mjai(text.encode(), notice=notices.append) == [READ]
    assert [line for line in notices if line.endswith(" ignored")] == [
        *('unknown event "chat" ignored', 'unknown key "mood" of tsumo ignored')
    ]


def test_tables_agree() -> None:
    """An output is verified by reading it back."""
    prove(PLAIN.encode(), [held(read_mjlog(VALID / "plain.xml"))], read_mjai)


def test_finding() -> None:
    """With *finding*, an impossible frame is reported and left out; without it, the first is raised."""
    text = PLAIN.replace('"tsumogiri":true', '"tsumogiri":false', 2)  # the first is the dealer's
    found: list[str] = []
    (rest,) = read_mjai(text.encode(), finding=lambda error: found.append(str(error)))
    with pytest.raises(MjaiError) as raised:
        read_mjai(text.encode())
    assert found == [str(raised.value)]
    assert rest.frames == READ.frames[1:]

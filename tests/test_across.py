"""Between all formats: a game keeps its play on the way from one to another, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import effort
import pytest
from clients import FIXTURES, Game, each_source, games_of
from expected import expecting
from playing import COVERING
from recorded import Entry, Recorded, Worth, recorded
from recorded_plays import only_sums, plays, with_endings
from tables import table
from test_real_logs import LOGS

from jmjp_convert.checks.match import check_match
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import FormatError, UnprovenError
from jmjp_convert.formats import COMPLETE, FORMATS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read as read_any
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import Event, Limit, Match, Score, Win, Yaku, dates
from jmjp_convert.model.record import replace
from jmjp_convert.model.yaku import NAMES as YAKU
from jmjp_convert.model.yaku import TENHOU_NUMBERS

FOLDER = Path(__file__).parent.parent / "fixtures"
NAMES = [name for name, format_ in FORMATS.items() if format_.read is not None and format_.write is not None]
each_format = pytest.mark.parametrize("name", NAMES)
CHAINED = [name for name in NAMES if name != COMPLETE.name]
each_chain = pytest.mark.parametrize(("first", "second"), [*permutations(CHAINED, 2)])
each_source_of_chains = each_source if effort.long else pytest.mark.parametrize("source", [FIXTURES, COVERING])

# --- what the formats lack -------------------------------------------------------------------------------------------

Mask = Callable[[Recorded], Recorded]

_MANGAN_HAN = 5
_MANGAN = 2000  # without the factors for the payers
_ROUNDED_UP = (8000, 12000)  # at some tables also for 4 han 30 fu


def plain_indicators(frame: Recorded) -> Recorded:
    """Return *frame* without the red fives among its indicators."""
    return frame._replace(dora=_plain(frame.dora), ura=_plain(frame.ura))


def _plain(tiles: Iterable[str]) -> tuple[str, ...]:
    return tuple(tile.replace("0", "5") for tile in tiles)


def without_fu_of_limits(frame: Recorded) -> Recorded:
    """Return *frame* without the fu of hands that are worth a mangan or more."""
    return with_endings(frame, _without_fu)


def _without_fu(entry: Entry) -> Entry:
    worth = entry[4] if entry[0] == "win" else None
    if not isinstance(worth, Worth) or worth.fu is None or worth.han is None:
        return entry
    limited = worth.han >= _MANGAN_HAN or worth.fu << 2 + worth.han >= _MANGAN
    limited = limited or worth.points in _ROUNDED_UP
    return (*entry[:4], worth._replace(fu=None), *entry[5:]) if limited else entry


def without_tenpai_at_nagashi(frame: Recorded) -> Recorded:
    """Return *frame* without who was tenpai at a nagashi mangan."""
    return with_endings(frame, lambda entry: (*entry[:2], None, entry[-1]) if entry[1] == "NAGASHI" else entry)


def _bare(entry: Entry) -> Entry:
    return (*entry[:4], entry[-1]) if entry[0] == "win" else ("drawn", entry[-1])


def only_outcomes(frame: Recorded) -> Recorded:
    """Return *frame* without what wins were worth, pao, kinds of draws and who was tenpai."""
    return with_endings(frame, _bare)


def riichi_as_drawn(frame: Recorded) -> Recorded:
    """Return *frame* without whether a riichi tile with the face of the drawn one was that one."""
    changed, entries = list(frame.entries), frame.entries
    for index, (draw, riichi, discard) in enumerate(zip(entries, entries[1:], entries[2:], strict=False)):
        if riichi[0] == "riichi" and draw[2:3] == discard[2:3]:
            changed[index + 2] = (*discard[:3], True)
    return frame._replace(entries=tuple(changed))


LACKS: dict[str, tuple[Mask, ...]] = {
    "jmjp": (plain_indicators, only_sums),
    "mjai": (only_outcomes,),
    "tenhou6": (without_fu_of_limits, without_tenpai_at_nagashi),
}
"""What reads back differently from a format, and how."""


LITTLE_KNOWN = ("jmjp/valid/*.jmjp", "json/valid/*.jsonl", "valid/*.jmjp")
"""Files of games that lack some of what an mjlog has."""
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {"mjai": ({}, {"details": True}), "tenhou6": ({}, {"per_frame": True})}


def known(frames: Iterable[Recorded], *names: str) -> list[Recorded]:
    """Return *frames* without what any of the formats *names* lacks, and without when dora were turned."""
    masked = [frame._replace(turned=()) for frame in frames]
    for name in names:
        for mask in LACKS.get(name, ()):
            masked = list(map(mask, masked))
    return masked


def text_of(match: Match, name: str, **options: Any) -> str:
    """Return *match* in the format *name*, not verified."""
    return written([match], Writing(name, verify=False, **options), pytest.fail).content.decode()


def read_from(text: str, name: str) -> Match:
    """Return the match in *text*, which the reader of the format *name* accepts without a remark on anything but draws
    whose kind only the play shows."""
    read = FORMATS[name].read
    assert read is not None
    notices: list[str] = []
    (match,) = read(text.encode(), notice=notices.append)
    assert [line for line in notices if "inferred from the play" not in line] == []
    assert isinstance(match, Match)
    return match


def reduced_to(match: Match, name: str) -> Match:
    """Return what the format *name* holds of *match*."""
    reduced = expecting(name)(match, **Writing(name).options)
    assert isinstance(reduced, Match)
    return reduced


class Passage(NamedTuple):
    """A *game*, its *text* in another format, and the *match* that is read from that."""

    game: Game
    text: str
    match: Match


@cache
def passages(source: str, name: str) -> dict[int, Passage]:
    """Return the games of *source* that the format *name* can hold, by number, in this format. Several tests begin with
    that, which is most of their time."""
    by_number = {}
    for number, game in enumerate(games_of(source)):
        try:
            text = text_of(game.match, name)
        except FormatError:
            continue
        by_number[number] = Passage(game, text, read_from(text, name))
    return by_number


def passages_of_both(source: str, first: str, second: str) -> list[Passage]:
    """Return the games of *source* that both formats can hold, in the *first*."""
    others = passages(source, second)
    return [passage for number, passage in passages(source, first).items() if number in others]


# --- the tests -------------------------------------------------------------------------------------------------------


@each_source
def test_recorded(source: str) -> None:
    """A match has the play, the dora and the payments that the XML records."""
    for game in games_of(source):
        assert plays(game.match) == recorded(game.log), game.name


@each_format
@each_source
def test_there(name: str, source: str) -> None:
    """A format has them too, except for what it lacks; it reads as what it holds, and is written the same again. Where
    it has the date, the weekday is known."""
    for game, text, there in passages(source, name).values():
        assert known(plays(there), name) == known(recorded(game.log), name), game.name
        assert there == reduced_to(game.match, name) == reduced_to(there, name), game.name
        assert text_of(there, name) == text, game.name
        assert there.weekday == (there.date and dates.weekday(there.date)), game.name


DETAILS = {"details": True}
"""With these, mjai lacks nothing."""


WAYS: tuple[tuple[str, dict[str, Any], Mask | None], ...] = (
    ("jmjp", {"spec": "0"}, riichi_as_drawn),
    ("jmjp", {"spec": "1.0-beta"}, None),
    ("jmjp", {"compact": True}, riichi_as_drawn),
    ("jmjp", {"spec": "0", "compact": True}, riichi_as_drawn),
    ("jmjp", {"spec": "1.0-beta", "compact": True}, riichi_as_drawn),
    ("tenhou6", {"per_frame": True}, None),
    ("tenhou6", {"url": True}, None),
    ("mjai", DETAILS, None),
)


@pytest.mark.parametrize(("name", "options", "mask"), WAYS)
@each_source_of_chains
def test_other_ways(name: str, options: dict[str, Any], mask: Mask | None, source: str) -> None:
    """The play is the same in every dialect and layout of a format, and reads as what that holds."""
    ways = [way for way in WAYS if way[0] == name]
    number = ways.index((name, options, mask))
    for game, *_ in effort.shared_out([*passages(source, name).values()], number, len(ways)):
        lacking = () if options == DETAILS else (name,)
        text = text_of(game.match, name, **options)
        match = read_from(text, name)
        here = known(recorded(game.log), *lacking)
        assert known(plays(match), *lacking) == (here if mask is None else list(map(mask, here))), game.name
        assert match == expecting(name)(game.match, **Writing(name, **options).options), game.name
        assert text_of(match, name, **options) == text, game.name


@pytest.mark.parametrize("files", LITTLE_KNOWN)
def test_little_known(files: str, subtests: pytest.Subtests) -> None:
    """Matches of files that know less read back from every format that can hold them as what it holds."""
    ways = [(name, options) for name in NAMES for options in OPTIONS.get(name, ({},))]
    for number, path in enumerate(sorted(FOLDER.glob(files))):
        # The games in `valid` go to every format from their mjlog, above.
        some = effort.shared_out(ways, number) if files.startswith("valid") else ways
        for match, (name, options) in product(read_any(path), some):
            with subtests.test(f"{path.name} as {name}"):
                try:
                    text = text_of(match, name, **options)
                except FormatError:
                    continue
                again = read_from(text, name)
                expected = expecting(name)
                all_options = Writing(name, **options).options
                assert again == expected(match, **all_options) == expected(again, **all_options)


@each_chain
@each_source_of_chains
def test_there_and_back(first: str, second: str, source: str) -> None:
    """From one format to another and back, a game loses only what both lack."""
    # Each format by itself has all games above; here, each game goes a third of the ways, from and to each format.
    number = CHAINED.index(first) ^ CHAINED.index(second)
    for game, _, there in effort.shared_out(passages_of_both(source, first, second), number):
        match = there
        for name in (second, first):
            match = read_from(text_of(match, name), name)
        assert known(plays(match), first, second) == known(recorded(game.log), first, second), game.name


@each_format
@each_source
def test_no_new_problems(name: str, source: str) -> None:
    """A game without problems has none in any other format."""
    for game, _, there in passages(source, name).values():
        if not list(check_match(game.match)):
            assert list(check_match(there)) == [], game.name


TENHOU_JSON = sorted((LOGS.parent / "tenhou6").glob("*.json"))


@pytest.mark.skipif(not TENHOU_JSON, reason="there are no files of Tenhou in ../shared/tenhou6")
@pytest.mark.parametrize("path", TENHOU_JSON, ids=lambda path: path.stem)
def test_tenhous_own(path: Path) -> None:
    """Tenhou's own JSON of a game has the same play as its mjlog."""
    written_plays = plays(read_from(path.read_text(encoding="utf-8"), "tenhou6"))
    log = (LOGS / f"{path.stem}.xml").read_bytes()
    assert known(written_plays, "tenhou6") == known(recorded(log), "tenhou6")


# --- yaku that only other servers have -------------------------------------------------------------------------------


each_format = pytest.mark.parametrize(
    ("name", "options"), [("jmjp", {}), ("tenhou6", {}), ("mjai", {"details": True}), ("majiang", {}), ("json", {})]
)


@each_format
def test_yaku_of_other_servers(name: str, options: dict[str, Any], subtests: pytest.Subtests) -> None:
    """Every format that has yaku names those of other servers too: with han, as a yakuman, and behind another."""
    for number in range(len(TENHOU_NUMBERS), len(YAKU)):
        for yakus in (
            [(Yaku(number, 2),), (Yaku(1, 1), Yaku(number, 1)), (Yaku(number),)],
            [(Yaku(47), Yaku(number)), (Yaku(number, 1),), (Yaku(number),)],
        ):
            with subtests.test(YAKU[number].romaji):
                (match,) = read_any(text_of(named(*yakus), name, **options).encode())
                assert yaku_of(match) == yakus


@pytest.mark.parametrize("word", ["三色小同刻", "Fully (?) 9", "x-y", "a / b", "a 包 b"])
@each_format
def test_yaku_by_name(name: str, options: dict[str, Any], word: str) -> None:
    """Every format that has yaku holds one that only its record knows, in its place; verification compares it."""
    single, double, yakuman = Yaku(None, 1, word), Yaku(None, 2, word), Yaku(None, None, word)
    for yakus in [(double,), (Yaku(1, 1), single, Yaku(8, 1)), (yakuman,)], [(Yaku(47), yakuman), (single,), (double,)]:
        match = named(*yakus)
        text = written([match], Writing(name, **options), pytest.fail).content
        (read_back,) = read_any(text)
        assert yaku_of(read_back) == yakus
        prove(text, [expecting(name)(match, **options)], FORMATS[name].read or pytest.fail)
        wrong = text.decode().replace(word, "別の役").encode()
        with pytest.raises(UnprovenError):
            prove(wrong, [expecting(name)(match, **options)], FORMATS[name].read or pytest.fail)


@pytest.mark.parametrize(("yaku", "known"), table("across", "known_names", globals()))
@each_format
def test_known_names(name: str, options: dict[str, Any], yaku: tuple[Yaku, ...], known: tuple[Yaku, ...]) -> None:
    """A name without a number that every reader knows gets its number, where a format has names only; kokushi musou is
    that with the narrow wait, whatever the hand, except in mjai."""
    text = written([named(*[yaku] * 3)], Writing(name, **options), pytest.fail).content
    (match,) = read_any(text)
    if name == "mjai" and known == (Yaku(47),):
        assert {yaku_.number for (yaku_,) in yaku_of(match)} <= {47, 48}
    else:
        assert yaku_of(match) == [yaku if name in ("jmjp", "json") else known] * 3


@pytest.mark.parametrize(("name", "options", "said"), table("across", "name_that_is_not_kept"))
def test_name_that_is_not_kept(name: str, options: dict[str, Any], said: str) -> None:
    """Without a name that every format holds, the win has its han alone, and that is said once."""
    text = text_of(named(*[(Yaku(1, 1), Yaku(None, 1, "三色小同刻"))] * 3), name, **options)
    notices: list[str] = []
    (match,) = read_any(text.replace("三色小同刻", "「あ」").encode(), notice=notices.append)
    assert notices == [said]
    scores = [event.score for frame in match.frames for event in frame.endings if isinstance(event, Win)]
    assert [score and (score.yaku, score.han) for score in scores] == [((), 2)] * 3


def named(*yakus: tuple[Yaku, ...]) -> Match:
    """Return a game with three wins, which have these *yakus* in turn."""
    match, left = read_mjlog(FOLDER / "valid" / "plain.xml"), iter(yakus)
    frames = [replace(frame, events=tuple(with_yaku(frame.events, left)), comment=None) for frame in match.frames]
    return replace(match, frames=tuple(frames))


def yaku_of(match: Match) -> list[tuple[Yaku, ...]]:
    """Return the yaku of each win."""
    return [event.yaku for frame in match.frames for event in frame.endings if isinstance(event, Win)]


def with_yaku(events: Iterable[Event], yakus: Iterator[tuple[Yaku, ...]]) -> Iterator[Event]:
    """Yield *events*, each win with the next of *yakus*."""
    for event in events:
        if isinstance(event, Win):
            yaku = next(yakus)
            limit = Limit.YAKUMAN if yaku[0].han is None else Limit.NONE
            points = 32000 if limit is Limit.YAKUMAN else 2000
            yield replace(event, score=Score(None if limit is Limit.YAKUMAN else 30, points, limit, yaku))
        else:
            yield event

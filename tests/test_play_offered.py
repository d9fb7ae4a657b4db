"""What a player may do, and what is refused, in positions by face: the cases in ``fixtures/legal``.

`fixtures/README.md` describes their form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from casefiles import FIXTURES, Block, blocks
from dealt import NAMES, played

from jmjp_convert import PlayError, Table
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, PHYSICAL, exists
from jmjp_convert.play.legal import Legal
from jmjp_convert.play.melds import tiles_of

CALLS: dict[str, type[Chi | Pon | Daiminkan]] = {"chi": Chi, "pon": Pon, "daiminkan": Daiminkan}


def table_of(deal: str, acts: str) -> Table:
    """Return a table after *acts*, which :func:`~dealt.played` describes; *deal* has the hands, then other options."""
    hands, *others = re.split(r" (?=\w+=)", deal)
    given = {"players": "4", "indicator": "9m", "points": "25000"} | dict(word.split("=") for word in others)
    players = int(given["players"])
    start, rules, events = played(hands.split(" | "), *acts.split(), players=players, indicator=given["indicator"])
    table = Table(replace(start, points=(int(given["points"]),) * players if given["points"] else None), rules)
    for event in events:
        table.play(event)
    return table


def unused(table: Table) -> list[int]:
    """Return the tiles that nobody has seen."""
    used = {*table.indicators, *(tile for hand in table.hands for tile in hand)}
    used |= {thrown.tile for pond in table.ponds for thrown in pond}
    used |= {tile for melds in table.melds for meld in melds for tile in tiles_of(meld)}
    return [tile for tile in range(PHYSICAL) if tile not in used and exists(tile // COPIES, table.rules.players)]


def held(table: Table, player: int, faces: Sequence[str]) -> tuple[int, ...]:
    """Return tiles of *player* with these *faces*, ascending."""
    drawn = [table.drawn] if table.turn == player and table.drawn is not None else []
    left, found = sorted([*table.hands[player], *drawn]), []
    for face in faces:
        tile = next(tile for tile in left if NAMES[tile] == face)
        left.remove(tile)
        found.append(tile)
    return tuple(sorted(found))


def offered(table: Table) -> tuple[int, int]:
    """Return the tile that may be taken, and whose it is."""
    last = table.last
    if isinstance(last, Ankan):
        return last.tiles[0], last.player
    if isinstance(last, Win):
        assert last.source is not None
        return last.tile, last.source
    assert isinstance(last, Discard)
    return last.tile, last.player


def event_of(table: Table, text: str) -> Event:  # noqa: PLR0911 - one for each kind
    """Return the event that *text* describes, such as ``chi 1 3m 4m``."""
    kind, *words = text.split()
    if not words:
        return Ryuukyoku(DrawKind[kind.upper()])
    player, faces = int(words[0]), words[1:]
    if kind == "draw":
        return Draw(player, [tile for tile in unused(table) if not faces or NAMES[tile] == faces[0]][-1])
    if kind == "drop":
        assert table.drawn is not None
        return Discard(player, table.drawn)
    if kind in CALLS:
        tile, source = offered(table)
        return CALLS[kind](player, tile, held(table, player, faces), source)
    if kind == "ankan":
        return Ankan(player, held(table, player, faces * COPIES))
    if kind == "tsumo":
        assert table.drawn is not None
        return Win(player, None, table.drawn)
    if kind == "ron":
        tile, source = offered(table)
        return Win(player, source, tile)
    if kind == "riichi":
        return RiichiDeclared(player)
    (tile,) = held(table, player, faces)
    return Kita(player, tile) if kind == "kita" else Discard(player, tile)


def go_on(table: Table, text: str) -> None:
    """Play what *text* says: an event, a turn of the tile drawn, or turns until so many tiles are left to draw."""
    if " until " in text:
        last, _, left = text.partition(" until ")
        while table.left > int(left):
            if table.drawn is not None:
                table.play(event_of(table, f"drop {table.turn}"))
            table.play(event_of(table, f"draw {table.turn}"))
        if last == "discards":
            table.play(event_of(table, f"drop {table.turn}"))
    elif text.startswith("turn "):
        for kind in ("draw", "drop"):
            table.play(event_of(table, text.replace("turn", kind)))
    else:
        table.play(event_of(table, text))


def listed(values: Sequence[object]) -> str:
    """Return tiles, or melds with the tiles of the hand, as cases list them."""
    words = []
    for value in values:
        if isinstance(value, int):
            words.append(NAMES[value])
            continue
        assert isinstance(value, Chi | Pon | Daiminkan | Ankan | Kakan | Kita)
        tiles = value.hand if isinstance(value, Chi | Pon | Daiminkan) else tiles_of(value)
        own = (value.tile,) if isinstance(value, Kakan | Kita) else tiles
        words.append(" ".join([type(value).__name__.lower(), *(NAMES[tile] for tile in own)]))
    return (", " if any(" " in word for word in words) else " ").join(words) or "none"


def refused(table: Table, event: Event, reason: str) -> None:
    """Check that *event* is refused and the table stays as it was; as recorded, it is played, since it is possible."""
    before = str(table), table.end(), repr(table)
    with pytest.raises(PlayError) as why:
        table.play(event)
    assert str(why.value) == reason
    assert not table.is_legal(event)
    assert (str(table), table.end(), repr(table)) == before
    table.play(event, recorded=True)
    assert table.describe(event) in str(table)


def check(block: Block) -> None:
    """Check what is expected of a case."""
    deal, *lines = (line.partition(":") for line in block.lines)
    acts = [value for key, _, value in lines if key == "acts"]
    table = table_of(deal[2].strip(), *(acts or [""]))
    for text in [text for key, _, value in lines if key == "then" for text in value.strip().split("; ")]:
        go_on(table, text)
    expected = [(key, value.strip()) for key, _, value in lines if key not in ("acts", "then")]
    assert expected
    for key, value in expected:
        word, *words = key.split()
        if word == "refused":
            refused(table, event_of(table, key.partition(" ")[2]), value)
        elif word == "legal":
            expect(table, int(words[0]), words[1:], value)
        elif word == "furiten":
            assert table.furiten(int(words[0])) is (value == "yes")
        else:
            assert listed([kind * COPIES + 1 for kind in table.waits(int(words[0]))]) == value


def expect(table: Table, player: int, words: list[str], value: str) -> None:
    """Check part of what *player* may do, or that the player may do nothing."""
    legal = table.legal(player)
    if not words:
        assert value == "nothing"
        assert legal == Legal()
        return
    found = getattr(legal, words[0])
    if isinstance(found, bool):
        assert found is (value == "yes")
    elif words[1:]:
        assert {face in listed(found).split() for face in value.split()} == {words[1] == "with"}
    else:
        assert listed(found) == value


@pytest.mark.parametrize("file", ["offered", "refused"])
def test_positions(file: str, subtests: pytest.Subtests) -> None:
    """Each rule offers what it allows, and refuses an event with its reason."""
    for block in blocks(FIXTURES / "legal" / f"{file}.txt", "case"):
        with subtests.test(block.name):
            check(block)

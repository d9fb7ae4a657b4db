"""Meld codes: every meld of every kind, and the invalid codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.meld_codes import meld_of as decode
from jmjp_convert.model import Ankan, Chi, Daiminkan, Kakan, Kita, Meld, Pon, tiles

FACES = tiles.faces()
RUNS = [9 * suit + lowest for suit in range(3) for lowest in range(7)]
MAX = 0xFFFF


def encode(meld: Meld) -> int:
    """Return the code of *meld*, from the published bit fields."""
    if isinstance(meld, Kakan):
        return encode(meld.pon) ^ 0x18
    if isinstance(meld, Kita):
        return meld.tile << 8 | 0x20
    if isinstance(meld, Ankan):
        return meld.tiles[0] << 8
    source = (meld.source - meld.player) % 4
    if isinstance(meld, Daiminkan):
        return meld.taken << 8 | source
    used = sorted((meld.taken, *meld.hand))
    place, kind = used.index(meld.taken), used[0] // 4
    if isinstance(meld, Chi):
        pattern = (kind // 9 * 7 + kind % 9) * 3 + place
        copies = [tile % 4 for tile in used]
        return pattern << 10 | copies[2] << 7 | copies[1] << 5 | copies[0] << 3 | 4 | source
    (left_out,) = set(range(4 * kind, 4 * kind + 4)) - set(used)
    return (3 * kind + place) << 9 | left_out % 4 << 5 | 8 | source


def others(used: tuple[int, ...], taken: int) -> tuple[int, ...]:
    """Return *used* without *taken*."""
    return tuple(tile for tile in used if tile != taken)


def chis() -> Iterator[Chi]:
    """Yield every chi."""
    for player, lowest in product(range(4), RUNS):
        for copies in product(range(4), repeat=3):
            used = tuple(4 * (lowest + step) + copy for step, copy in enumerate(copies))
            for taken in used:
                yield Chi(player, taken, others(used, taken), (player + 3) % 4)


def pons() -> Iterator[Pon]:
    """Yield every pon."""
    for player, kind, left_out, step in product(range(4), range(34), range(4), (1, 2, 3)):
        used = tuple(4 * kind + copy for copy in range(4) if copy != left_out)
        for taken in used:
            yield Pon(player, taken, others(used, taken), (player + step) % 4)


def kakans() -> Iterator[Kakan]:
    """Yield every kakan."""
    for pon in pons():
        used = {pon.taken, *pon.hand}
        (added,) = {pon.taken // 4 * 4 + copy for copy in range(4)} - used
        yield Kakan(pon.player, added, pon)


def daiminkans() -> Iterator[Daiminkan]:
    """Yield every daiminkan."""
    for player, taken, step in product(range(4), range(136), (1, 2, 3)):
        kind = range(taken // 4 * 4, taken // 4 * 4 + 4)
        yield Daiminkan(player, taken, others(tuple(kind), taken), (player + step) % 4)


def closed() -> Iterator[Ankan | Kita]:
    """Yield every ankan and kita."""
    for player, kind in product(range(4), range(34)):
        yield Ankan(player, tuple(range(4 * kind, 4 * kind + 4)))
    for player, copy in product(range(3), range(4)):
        yield Kita(player, 120 + copy)


@pytest.mark.parametrize(("melds", "count"), table("mjlog_meld_codes", "every_meld", globals()))
def test_every_meld(melds: type[Iterator[Meld]], count: int) -> None:
    """Every possible meld decodes from its code."""
    all_melds = list(melds())
    assert len(all_melds) == count
    assert [meld for meld in all_melds if decode(meld.player, encode(meld)) != meld] == []


@pytest.mark.parametrize(("code", "notation"), table("mjlog_meld_codes", "codes_of_the_literature"))
def test_codes_of_the_literature(code: int, notation: str) -> None:
    """Published codes, and codes from logs, decode to their known melds."""
    assert described(decode(0, code)) == notation


def described(meld: Meld) -> str:
    """Return *meld* of player 0 in words."""
    if isinstance(meld, Kita):
        return f"kita {FACES[meld.tile]}"
    if isinstance(meld, Ankan):
        return f"ankan {''.join(FACES[tile] for tile in meld.tiles)}"
    if isinstance(meld, Kakan):
        return f"kakan {FACES[meld.tile]} of {described(meld.pon)}"
    hand = "".join(FACES[tile] for tile in meld.hand)
    return f"{type(meld).__name__.lower()} {FACES[meld.taken]} from {meld.source} with {hand}"


def test_every_code() -> None:
    """Each of the 65,536 codes is one of these melds, or the kita of any tile, or is rejected."""
    possible = {meld for melds in (chis, pons, kakans, daiminkans, closed) for meld in melds() if meld.player == 0}
    for code in range(MAX + 1):
        with suppress(ConvertError):
            meld = decode(0, code)
            assert meld in possible or (isinstance(meld, Kita) and meld.tile in range(tiles.PHYSICAL))


@given(st.integers())
def test_any_number(code: int) -> None:
    """No number raises any error other than the expected one."""
    try:
        decode(3, code)
    except ConvertError as error:
        assert str(code) in str(error)  # noqa: PT017 - a valid code is fine too

"""The shapes of melds."""

from __future__ import annotations

import pytest

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Ankan, Chi, Daiminkan, Kakan, Pon
from jmjp_convert.model.tiles import UNKNOWN, any_copy
from jmjp_convert.play.melds import Shaped, check_shape

FIVE, RED, SIX, SEVEN, NINE = map(any_copy, ("5m", "0m", "6m", "7m", "9m"))
ONE_PIN, EAST, SOUTH, WEST = map(any_copy, ("1p", "ew", "sw", "ww"))


@pytest.mark.parametrize(
    ("meld", "wrong"),
    [
        (Chi(1, 16, (20, 24), 0), None),
        (Chi(1, SIX, (RED, SEVEN), 0), None),
        (Chi(1, SIX, (UNKNOWN, SEVEN), 0), None),
        (Chi(1, SIX, (SIX, SEVEN), 0), "invalid chi: 6m 6m 7m"),
        (Chi(1, FIVE, (SIX, NINE), 0), "invalid chi: 5m 6m 9m"),
        (Chi(1, NINE, (any_copy("8m"), ONE_PIN), 0), "invalid chi: 8m 9m 1p"),
        (Chi(1, EAST, (SOUTH, WEST), 0), "invalid chi: ew sw ww"),
        (Pon(1, FIVE, (RED, FIVE), 0), None),
        (Pon(1, 17, (16, 18), 0), None),
        (Pon(1, UNKNOWN, (RED, FIVE), 0), None),
        (Pon(1, FIVE, (FIVE, SIX), 0), "invalid pon: 5m 5m 6m"),
        (Daiminkan(1, FIVE, (RED, FIVE, FIVE), 0), None),
        (Daiminkan(1, SIX, (RED, FIVE, FIVE), 0), "invalid daiminkan: 0m 5m 5m 6m"),
        (Ankan(1, (16, 17, 18, 19)), None),
        (Ankan(1, (16, 17, 18, 20)), "invalid ankan: 0m 5m 5m 6m"),
        (Kakan(1, RED, Pon(1, FIVE, (FIVE, FIVE), 0)), None),
        (Kakan(1, SIX, Pon(1, FIVE, (FIVE, FIVE), 0)), "invalid kakan: 5m 5m 5m 6m"),
    ],
)
def test_shape(meld: Shaped, wrong: str | None) -> None:
    """A chi is a sequence in one suit, other melds are of one kind; an unknown tile may be any."""
    if wrong is None:
        check_shape(meld)
        return
    with pytest.raises(PlayError) as rejected:
        check_shape(meld)
    assert str(rejected.value) == wrong

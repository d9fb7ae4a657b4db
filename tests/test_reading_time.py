"""The time of reading: in proportion to the file, whatever is in it."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest
from growing import growing

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats import FORMATS, detect

SMALL = 1 << 14


def seconds(name: str, content: bytes) -> float:
    """Return the time that it takes to recognize and read *content*."""
    read = FORMATS[name].read
    assert read is not None
    start = process_time()
    detect(content)
    with suppress(ConvertError):
        read(content, finding=lambda _: None)
    return process_time() - start


@pytest.mark.parametrize("name", ["jmjp", "json", "majiang", "mahjong-soul", "riichi-city"])
def test_time(name: str, subtests: pytest.Subtests) -> None:
    """Eight times the content takes at most 24 times as long to be read or rejected, with a little tolerance for the
    clock. A busy machine may slow down some of the tries, but not all of them; faster growth fails all of them."""
    for row in growing(name, "time"):
        with subtests.test(row.name):
            small, large = [row.of(row.most), row.of(8 * row.most)] if row.most else map(row.sized, (SMALL, 8 * SMALL))
            assert any(seconds(name, large) <= 24 * seconds(name, small) + 0.02 for _ in range(5))

"""Walking through JSON: the same values as decoding it whole, the same errors, and bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats import json_text
from jmjp_convert.formats.json_text import InvalidJsonError, Walk

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


def walked(walk: Walk, depth: int) -> Any:
    """Return the next value, walking through *depth* levels of it."""
    opening = walk.next() if depth else ""
    if opening == "[":
        return [walked(walk, depth - 1) for _ in walk.items()]
    if opening == "{":
        return {key: walked(walk, depth - 1) for key in walk.members()}
    return walk.value()


@given(values, st.integers(0, 3), st.sampled_from([None, 0, 3]))
def test_values(value: Any, depth: int, indent: int | None) -> None:
    """Values read one by one are those of the whole text, however it is spaced."""
    walk = Walk(f" \r\n{json.dumps(value, indent=indent)}\t")
    assert walked(walk, depth) == value
    assert walk.next() == ""
    walk.end()


def items(text: str) -> Iterator[Any]:
    """Yield the values in the list *text*."""
    walk = Walk(text)
    for _ in walk.items():
        yield walk.value()
    walk.end()


def members(text: str) -> Iterator[Any]:
    """Yield the values in the object *text*."""
    walk = Walk(text)
    for _ in walk.members():
        yield walk.value()
    walk.end()


@pytest.mark.parametrize(
    ("read", "text", "place", "reason"),
    [
        (items, "", 0, "expecting value"),
        (items, " {}", 1, "expecting value"),
        (items, "[1 2]", 3, "expecting ',' delimiter"),
        (items, "[1,]", 3, "expecting value"),
        (items, "[1", 2, "expecting ',' delimiter"),
        (items, "[[1}]", 3, "expecting ',' delimiter"),
        (items, "[1] 2", 4, "extra data"),
        (members, "[]", 0, "expecting value"),
        (members, "{1:2}", 1, "expecting property name enclosed in double quotes"),
        (members, '{"a" 2}', 5, "expecting ':' delimiter"),
        (members, '{"a":2,}', 7, "expecting property name enclosed in double quotes"),
        (members, '{"a":2 "b":3}', 7, "expecting ',' delimiter"),
        (members, '{"a":[', 6, "expecting value"),
    ],
)
def test_invalid(read: Any, text: str, place: int, reason: str) -> None:
    """Invalid JSON is rejected at its place."""
    with pytest.raises(InvalidJsonError) as error:
        list(read(text))
    assert (error.value.place, error.value.reason) == (place, f"invalid JSON: {reason}")


def test_duplicate_key() -> None:
    """A duplicate key is rejected, at any level."""
    for text in ('{"a":1,"a":2}', '{"b":{"a":1,"a":2}}'):
        with pytest.raises(ConvertError, match=r'^duplicate key "a"$'):
            list(members(text))


def test_many_keys() -> None:
    """An object may have a thousand keys."""
    text = ",".join(f'"{number}":0' for number in range(1000))
    assert len(list(members(f"{{{text}}}"))) == 1000
    with pytest.raises(ConvertError, match=r"^an object with more than 1,000 keys$"):
        list(members(f'{{{text},"x":0}}'))


@pytest.mark.parametrize("middle", ["1,", '"x",', '{"a":[]},', '"' + "x" * 50 + '",'])
def test_long(middle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list or object may be long, but not too long; a single text may."""
    monkeypatch.setattr(json_text, "_USUAL", 20)
    monkeypatch.setattr(json_text, "_MOST", 200)
    for times in (1, 3, 10, 30, 100):
        text = f"[{middle * times}0]"
        walk = Walk(text + " " * 300)
        if len(text) <= 200:
            assert walk.value() == json.loads(text)
        else:
            with pytest.raises(ConvertError, match=r"^a value of more than 200 characters$"):
                walk.value()
    assert Walk(f'"{"x" * 500}"').value() == "x" * 500


def test_invalid_far_from_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error inside a long value has its own place."""
    monkeypatch.setattr(json_text, "_MOST", 200)
    with pytest.raises(InvalidJsonError) as error:
        Walk(f"[1, 2 3{' ' * 500}]").value()
    assert error.value.place == 6

"""JSON on one line."""

from __future__ import annotations

import json

import pytest

from jmjp_convert.formats.json_text import encode


@pytest.mark.parametrize("text", ["天鳳é😀", "\x00\n\x1f", "\x7f\x85\xa0\u2028\u2029", "\ud800 \udfff", 'a"b\\c/'])
def test_texts(text: str) -> None:
    """Any text, even with lone surrogates, becomes one line that can be encoded and read back."""
    out = encode({"x": text})
    assert len(out.encode().decode().splitlines()) == 1
    assert json.loads(out) == {"x": text}


def test_values() -> None:
    """There are no spaces, and no numbers that JSON lacks."""
    assert encode([1, {"a": None, "b": True}]) == '[1,{"a":null,"b":true}]'
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(float("nan"))

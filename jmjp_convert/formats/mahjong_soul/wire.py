"""Walks through Protocol Buffers on the wire, within bounds.

Source of the encoding: https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.errors import ConvertError

VARINT, LENGTH = 0, 2
_FIXED = {1: 8, 5: 4}
"""The sizes of the wire types of a fixed size."""

_LONGEST_VARINT = 10  # bytes
_MORE = 0x80
_SIGN, _MODULUS = 1 << 31, 1 << 32


class WireError(ConvertError):
    """Bytes that are not a message."""


def varint(data: bytes, offset: int) -> tuple[int, int]:
    """Return the number at *offset* in *data*, and the offset after it.

    :raises WireError: it is longer than ten bytes, or cut off.
    """
    value = 0
    for index, byte in enumerate(data[offset : offset + _LONGEST_VARINT]):
        value |= (byte & ~_MORE) << 7 * index
        if byte < _MORE:
            return value, offset + index + 1
    if len(data) - offset >= _LONGEST_VARINT:
        raise WireError(f"a number of more than {_LONGEST_VARINT} bytes")
    raise WireError("truncated number")


def fields(data: bytes, *, cut: bool = False) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and value of each field of the message *data*: an unsigned number, or bytes.

    :param cut: *data* is only the beginning of a message; what there is of the last field is yielded too.
    :raises WireError: *data* is not a message.
    """
    offset = 0
    while offset < len(data):
        key, offset = varint(data, offset)
        number, wire = key >> 3, key & 7
        if not number:
            raise WireError("a field without a number")
        if wire == VARINT:
            value, offset = varint(data, offset)
            yield number, value
            continue
        if wire == LENGTH:
            size, offset = varint(data, offset)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise WireError(f"field {number} has the wire type {wire}")
        if size > len(data) - offset and not cut:
            raise WireError(f"truncated field {number}")
        yield number, data[offset : offset + size]
        offset += size


def packed(data: bytes) -> Iterator[int]:
    """Yield the numbers of a packed list."""
    offset = 0
    while offset < len(data):
        value, offset = varint(data, offset)
        yield value


def signed(value: int) -> int:
    """Return an ``int32`` from its number on the wire.

    >>> signed((1 << 64) - 1000)
    -1000
    """
    value %= _MODULUS
    return value - _MODULUS if value >= _SIGN else value

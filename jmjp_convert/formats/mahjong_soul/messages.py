"""The messages of a record: one table for the binary form and for JSON, both forms, and how values are taken from them.

Sources: ``liqi.proto`` of the game's client, as Apricot-S/majsoulrpa publishes it. Only the fields that are read are
listed; others are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from jmjp_convert.formats.json_values import At, WrongValue, expected
from jmjp_convert.model.tiles import BY_NAME

WRAPPER, ANSWER, DETAILS = "Wrapper", "ResGameRecord", "GameDetailRecords"
"""The messages that a record of a game comes in."""

MOST_ACTIONS = 100_000
"""The most records or actions of a game."""

_MOST = 64
"""The most values of a list, if its field has no other bound."""

# A line per message: the number and name of each field with its kind, and * for a list, with the most values.
# u: a number from 0 up; i: a number; b: true or false; s: text; y: a message as bytes.
_TABLE = f"""
Wrapper            1 name s, 2 data y
ResGameRecord      1 error Error, 3 head RecordGame, 4 data y, 5 data_url s
Error              1 code u
GameDetailRecords  1 records y*{MOST_ACTIONS}, 2 version u, 3 actions GameAction*{MOST_ACTIONS}
GameAction         1 passed u, 2 type u, 3 result y, 4 user_input UserInput, 5 user_event UserEvent, 6 game_event u
UserInput          1 seat u, 2 type u, 10 operation Operation, 11 cpg Operation
Operation          6 timeuse u
UserEvent          1 seat u, 2 type u
RecordGame         1 uuid s, 2 start_time u, 3 end_time u, 5 config Config, 11 accounts Account*, 12 result Result, \
13 robots Account*
Account            1 account_id u, 2 seat u, 3 nickname s, 7 level Level, 8 level3 Level
Level              1 id u, 2 score u
Config             1 category u, 2 mode Mode, 3 meta Meta
Meta               1 room_id u, 2 mode_id u, 3 contest_uid u
Mode               1 mode u, 6 detail_rule DetailRule, 7 testing_environment Testing
Testing            1 paixing u
DetailRule         3 dora_count u, 4 shiduan u, 5 init_point u, 6 fandian u, 7 can_jifei b, 8 tianbian_value u, \
9 liqibang_value u, 10 changbang_value u, 11 noting_fafu_1 u, 12 noting_fafu_2 u, 13 noting_fafu_3 u, \
14 have_liujumanguan b, 15 have_qieshangmanguan b, 16 have_biao_dora b, 17 have_gang_biao_dora b, \
18 ming_dora_immediately_open b, 19 have_li_dora b, 20 have_gang_li_dora b, 21 have_sifenglianda b, \
22 have_sigangsanle b, 23 have_sijializhi b, 24 have_jiuzhongjiupai b, 25 have_sanjiahele b, 26 have_toutiao b, \
27 have_helelianzhuang b, 28 have_helezhongju b, 29 have_tingpailianzhuang b, 30 have_tingpaizhongju b, \
31 have_yifa b, 32 have_nanruxiru b, 33 jingsuanyuandian u, 34 shunweima_2 i, 35 shunweima_3 i, 36 shunweima_4 i, \
39 have_zimosun b, 40 disable_multi_yukaman b, 41 fanfu u, 42 guyi_mode u, 43 dora3_mode u, 44 begin_open_mode u, \
45 jiuchao_mode u, 46 muyu_mode u, 47 open_hand u, 48 xuezhandaodi u, 49 huansanzhang u, 50 chuanma u, \
51 reveal_discard u, 52 field_spell_mode u, 53 zhanxing u, 54 tianming_mode u, 60 disable_leijiyiman b, \
62 disable_double_yakuman u, 63 disable_composite_yakuman u, 64 enable_shiti u, 65 enable_nontsumo_liqi u, \
66 disable_double_wind_four_fu u, 67 disable_angang_guoshi u, 68 enable_renhe u, 69 enable_baopai_extend_settings u, \
70 yongchang_mode u, 71 hunzhiyiji_mode u, 72 wanxiangxiuluo_mode u, 73 beishuizhizhan_mode u, \
74 amusement_switches u*
Result             1 players Placed*
Placed             1 seat u, 2 total_point i, 3 part_point_1 i, 5 grading_score i
RecordNewRound     1 chang u, 2 ju u, 3 ben u, 4 dora s, 5 scores i*, 6 liqibang u, 7 tiles0 s*, 8 tiles1 s*, \
9 tiles2 s*, 10 tiles3 s*, 13 md5 s, 14 paishan s, 15 left_tile_count u, 16 doras s*, 21 field_spell u, \
22 sha256 s, 24 saltSha256 s, 25 salt s
RecordDealTile     1 seat u, 2 tile s, 3 left_tile_count u, 5 liqi Liqi, 6 doras s*
RecordDiscardTile  1 seat u, 2 tile s, 3 is_liqi b, 5 moqie b, 8 doras s*, 9 is_wliqi b
RecordChiPengGang  1 seat u, 2 type u, 3 tiles s*, 4 froms u*, 5 liqi Liqi
RecordAnGangAddGang 1 seat u, 2 type u, 3 tiles s, 6 doras s*
RecordBaBei        1 seat u, 6 doras s*, 8 moqie b
RecordHule         1 hules Hule*16, 2 old_scores i*, 3 delta_scores i*, 5 scores i*
Hule               1 hand s*, 2 ming s*, 3 hu_tile s, 4 seat u, 5 zimo b, 6 qinjia b, 7 liqi b, 8 doras s*, \
9 li_doras s*, 10 yiman b, 11 count u, 12 fans Fan*, 13 fu u, 14 title s, 15 point_rong u, 16 point_zimo_qin u, \
17 point_zimo_xian u, 18 title_id u, 21 baopai u, 22 baopai_seats u*
Fan                1 name s, 2 val u, 3 id u
RecordNoTile       1 liujumanguan b, 2 players Waiting*, 3 scores Paid*
Waiting            3 tingpai b, 4 hand s*
Paid               1 seat u, 2 old_scores i*, 3 delta_scores i*
RecordLiuJu        1 type u, 3 seat u, 4 tiles s*, 5 liqi Liqi, 6 allplayertiles s*
Liqi               1 seat u, 2 score i, 3 liqibang u, 4 failed b
"""

_FIELD = re.compile(r"([0-9]+) (\w+) (\w+)(\*?)([0-9]*)")


class _Field(NamedTuple):
    """A field of a message."""

    name: str
    kind: str  # a letter, or the name of a message
    most: int  # the most values of a list; 0: it is no list


def _messages() -> dict[str, dict[int, _Field]]:
    messages = {}
    for line in _TABLE.split("\n")[1:-1]:
        message, rest = line.split(None, 1)
        messages[message] = {
            int(number): _Field(name, kind, int(most or _MOST) if many else 0)
            for number, name, kind, many, most in _FIELD.findall(rest)
        }
    return messages


MESSAGES = _messages()
"""The fields of each message by number."""


def squashed(key: str) -> str:
    """Return *key* as it is compared: programs spell it ``part_point_1`` or ``partPoint1``."""
    return key.replace("_", "").lower()


_BY_KEY = {
    message: {squashed(field.name): field for field in by_number.values()} for message, by_number in MESSAGES.items()
}
"""The fields of each message by key, as all programs spell it."""

Values = dict[str, Any]
"""The values of a message by name. What is not set is missing."""

# --- the wire: Protocol Buffers ---------------------------------------------------------------------------------------
#
# Source of the encoding: https://protobuf.dev/programming-guides/encoding/.

VARINT, LENGTH = 0, 2
_FIXED = {1: 8, 5: 4}
"""The sizes of the wire types of a fixed size."""

_LONGEST_VARINT = 10  # bytes
_MORE = 0x80
_SIGN, _MODULUS = 1 << 31, 1 << 32


def varint(data: bytes, offset: int) -> tuple[int, int]:
    """Return the number at *offset* in *data*, and the offset after it.

    :raises WrongValue: it is longer than ten bytes, or cut off.
    """
    value = 0
    for index, byte in enumerate(data[offset : offset + _LONGEST_VARINT]):
        value |= (byte & ~_MORE) << 7 * index
        if byte < _MORE:
            return value, offset + index + 1
    if len(data) - offset >= _LONGEST_VARINT:
        raise WrongValue(f"a number of more than {_LONGEST_VARINT} bytes")
    raise WrongValue("truncated number")


def fields(data: bytes, *, cut: bool = False) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and value of each field of the message *data*: an unsigned number, or bytes.

    :param cut: *data* is only the beginning of a message; what there is of the last field is yielded too.
    :raises WrongValue: *data* is not a message.
    """
    offset = 0
    while offset < len(data):
        key, offset = varint(data, offset)
        number, wire = key >> 3, key & 7
        if not number:
            raise WrongValue("a field without a number")
        if wire == VARINT:
            value, offset = varint(data, offset)
            yield number, value
            continue
        if wire == LENGTH:
            size, offset = varint(data, offset)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise WrongValue(f"field {number} has the wire type {wire}")
        if size > len(data) - offset and not cut:
            raise WrongValue(f"truncated field {number}")
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


# --- binary -----------------------------------------------------------------------------------------------------------


def decoded(data: bytes, message: str) -> Values:
    """Return the values of a *message* in its binary form.

    :raises WrongValue: *data* is not such a message.
    """
    known, values = MESSAGES[message], Values()
    for number, raw in fields(data):
        field = known.get(number)
        if field is None:
            continue
        if field.most:
            _extend(values.setdefault(field.name, []), raw, field)
        else:
            values[field.name] = _value(raw, field)
    return values


def _extend(items: list[Any], raw: int | bytes, field: _Field) -> None:
    """Add an item, or several numbers in one piece, to those of a list."""
    raws = packed(raw) if type(raw) is bytes and field.kind in _NUMBERS else (raw,)
    for each in raws:
        if len(items) == field.most:
            raise WrongValue(f"more than {field.most:,} values", f"/{field.name}")
        items.append(_value(each, field, len(items)))


def _value(raw: int | bytes, field: _Field, index: int | None = None) -> Any:
    keys = (field.name,) if index is None else (field.name, index)
    read = _NUMBERS.get(field.kind)
    if (type(raw) is int) is (read is None):
        raise WrongValue("a field of another wire type").under(*keys)
    if read is not None:
        return read(raw)  # type: ignore[arg-type]
    assert type(raw) is bytes
    if field.kind == "y":
        return raw
    try:
        return raw.decode() if field.kind == "s" else decoded(raw, field.kind)
    except UnicodeDecodeError:
        raise WrongValue("invalid UTF-8").under(*keys) from None
    except WrongValue as wrong:
        raise wrong.under(*keys) from None


_NUMBERS: dict[str, Callable[[int], Any]] = {"u": lambda value: value, "i": signed, "b": bool}

# --- JSON -------------------------------------------------------------------------------------------------------------


def named(value: Any, message: str) -> Values:
    """Return the values of a *message* in JSON, under the names of the table. The values themselves may be anything.

    :raises WrongValue: *value* is not an object, or has a list that is too long.
    """
    if type(value) is not dict:
        raise expected("an object", value)
    known, values = _BY_KEY[message], Values()
    for key, item in value.items():
        field = known.get(squashed(key))
        if field is None or item is None:
            continue
        try:
            values[field.name] = _named(item, field)
        except WrongValue as wrong:
            raise wrong.under(key) from None
    return values


def _named(item: Any, field: _Field) -> Any:
    if not field.most:
        return named(item, field.kind) if field.kind in MESSAGES else item
    if type(item) is not list:
        raise expected("a list", item)
    if len(item) > field.most:
        raise WrongValue(f"more than {field.most:,} values")
    if field.kind not in MESSAGES:
        return item
    items = []
    for index, each in enumerate(item):
        try:
            items.append(named(each, field.kind))
        except WrongValue as wrong:
            raise wrong.under(index) from None
    return items


# --- values: one that is missing is zero, empty or false --------------------------------------------------------------

MOST_NUMBER = (1 << 32) - 1


def number(values: At, key: str, most: int = MOST_NUMBER) -> int:
    """Return a whole number from 0 to *most*."""
    value = values.get(key)
    return 0 if value is None else value.number(f"a whole number, 0 to {most:,}", 0, most)


def flag(values: At, key: str) -> bool:
    """Return true or false."""
    value = values.get(key)
    if value is None:
        return False
    return bool(value.value) if type(value.value) is int else value.flag()


def text(values: At, key: str) -> str:
    """Return a string."""
    value = values.get(key)
    return "" if value is None else value.text()


def message(values: At, key: str) -> At:
    """Return a message, an empty one if it is missing."""
    value = values.get(key)
    return At({}, key, values) if value is None else value


def items(values: At, key: str) -> Iterator[At]:
    """Yield the items of a list."""
    value = values.get(key)
    return iter(()) if value is None else value.items()


def tile(values: At, key: str) -> int:
    """Return a tile.

    :raises WrongValue: there is none.
    """
    return values.member(key).tile(BY_NAME)


def tiles(values: At, key: str) -> tuple[int, ...]:
    """Return the tiles of a list."""
    value = values.get(key)
    return () if value is None else value.tiles(BY_NAME)


def worth(values: At, key: str) -> int:
    """Return points of a win, 0 or more."""
    value = values.get(key)
    return value.points() if value is not None and number(values, key) else 0


def points(values: At, key: str, players: int) -> tuple[int, ...] | None:
    """Return points by player; ``None`` if they are missing or the list is empty."""
    value = values.get(key)
    return None if value is None or value.value == [] else value.points_by_player(players)

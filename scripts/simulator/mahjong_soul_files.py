"""Writes records of Mahjong Soul as files: in the binary form or as JSON, in each of the wrappings they come in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from simulator.mahjong_soul_records import Transcript, Values

VERSION = 210715

# The numbers of the fields, from `liqi.proto`; the table is not that of the reader.
_NUMBERS = {
    "Wrapper": {"name": 1, "data": 2},
    "ResGameRecord": {"head": 3, "data": 4, "data_url": 5},
    "GameDetailRecords": {"records": 1, "version": 2, "actions": 3},
    "actions": {"passed": 1, "type": 2, "result": 3, "user_input": 4, "user_event": 5, "game_event": 6},
    "user_input": {"seat": 1, "type": 2, "operation": 10, "cpg": 11},
    "operation": {"type": 1, "timeuse": 6},
    "cpg": {"type": 1, "timeuse": 6},
    "user_event": {"seat": 1, "type": 2},
    "head": {"uuid": 1, "start_time": 2, "end_time": 3, "config": 5, "accounts": 11, "result": 12},
    "config": {"category": 1, "mode": 2, "meta": 3},
    "mode": {"mode": 1, "ai": 4, "detail_rule": 6},
    "detail_rule": {"time_fixed": 1, "time_add": 2, "dora_count": 3, "shiduan": 4},
    "meta": {"room_id": 1, "mode_id": 2},
    "accounts": {"account_id": 1, "seat": 2, "nickname": 3, "level": 7, "level3": 8},
    "level": {"id": 1, "score": 2},
    "level3": {"id": 1, "score": 2},
    "result": {"players": 1},
    "result/players": {
        "seat": 1,
        "total_point": 2,
        "part_point_1": 3,
        "part_point_2": 4,
        "grading_score": 5,
        "gold": 6,
    },
    "RecordNewRound": {
        "chang": 1,
        "ju": 2,
        "ben": 3,
        "dora": 4,
        "scores": 5,
        "liqibang": 6,
        "tiles0": 7,
        "tiles1": 8,
        "tiles2": 9,
        "tiles3": 10,
        "md5": 13,
        "paishan": 14,
        "left_tile_count": 15,
        "doras": 16,
        "sha256": 22,
    },
    "RecordDealTile": {"seat": 1, "tile": 2, "left_tile_count": 3, "liqi": 5, "doras": 6, "tile_state": 9},
    "RecordDiscardTile": {"seat": 1, "tile": 2, "is_liqi": 3, "moqie": 5, "doras": 8, "is_wliqi": 9},
    "RecordChiPengGang": {"seat": 1, "type": 2, "tiles": 3, "froms": 4, "liqi": 5},
    "RecordAnGangAddGang": {"seat": 1, "type": 2, "tiles": 3, "doras": 6},
    "RecordBaBei": {"seat": 1, "doras": 6, "moqie": 8},
    "RecordHule": {"hules": 1, "old_scores": 2, "delta_scores": 3, "scores": 5, "gameend": 6},
    "gameend": {},
    "hules": {
        "hand": 1,
        "ming": 2,
        "hu_tile": 3,
        "seat": 4,
        "zimo": 5,
        "qinjia": 6,
        "liqi": 7,
        "doras": 8,
        "li_doras": 9,
        "yiman": 10,
        "count": 11,
        "fans": 12,
        "fu": 13,
        "title": 14,
        "point_rong": 15,
        "point_zimo_qin": 16,
        "point_zimo_xian": 17,
        "title_id": 18,
        "baopai": 21,
        "baopai_seats": 22,
    },
    "fans": {"name": 1, "val": 2, "id": 3},
    "RecordNoTile": {"liujumanguan": 1, "players": 2, "scores": 3, "gameend": 4},
    "RecordNoTile/players": {"tingpai": 3, "hand": 4, "tings": 5},
    "RecordNoTile/scores": {"seat": 1, "old_scores": 2, "delta_scores": 3, "score": 7},
    "RecordLiuJu": {"type": 1, "seat": 3, "tiles": 4, "liqi": 5, "allplayertiles": 6},
    "liqi": {"seat": 1, "score": 2, "liqibang": 3, "failed": 4},
}

_VARINT, _LENGTH = 0, 2


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    parts = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - seven bits in a byte
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def encoded_field(number: int, content: bytes) -> bytes:
    """Return a field of bytes."""
    return _varint(number << 3 | _LENGTH) + _varint(len(content)) + content


def encoded(values: Values, message: str, *, zeros: bool = True, packed: bool = True) -> bytes:
    """Return *values* in the binary form of a *message*.

    :param zeros: whether zeros and false are written, as the server does.
    :param packed: whether lists of numbers are.
    """
    out = bytearray()
    for key, value in values.items():
        number = _NUMBERS[message][key]
        inner = f"{message}/{key}" if f"{message}/{key}" in _NUMBERS else key
        if isinstance(value, list) and value and isinstance(value[0], int):
            if packed:
                out += encoded_field(number, b"".join(map(_varint, value)))
            else:
                out += b"".join(_varint(number << 3) + _varint(each) for each in value)
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                out += encoded_field(number, encoded(each, inner, zeros=zeros, packed=packed))
            elif isinstance(each, bytes):
                out += encoded_field(number, each)
            elif isinstance(each, str):
                out += encoded_field(number, each.encode()) if each or zeros or isinstance(value, list) else b""
            elif each or zeros:
                out += _varint(number << 3) + _varint(int(each))
    return bytes(out)


def wrapper(name: str, data: bytes) -> bytes:
    """Return *data* in a wrapper; *name* may be empty."""
    return encoded_field(1, name.encode()) + encoded_field(2, data)


def details(game: Transcript, *, version: int = VERSION, **how: bool) -> bytes:
    """Return the details of *game* in the binary form: version 0 has the records, 210715 all actions."""
    wrapped = [(name, action, _wrapped(name, action, **how)) for name, action in game.actions]
    if version == 0:
        return b"".join(encoded_field(1, record) for name, _, record in wrapped if name)
    actions = [
        encoded(action | ({"result": record} if name else {}), "actions", **how) for name, action, record in wrapped
    ]
    return _varint(2 << 3) + _varint(version) + b"".join(encoded_field(3, action) for action in actions)


def _wrapped(name: str, action: Values, **how: bool) -> bytes:
    return wrapper(f".lq.{name}", encoded(action["result"], name, **how)) if name else b""


def answer(game: Transcript, *, version: int = VERSION, **how: bool) -> bytes:
    """Return the answer of the server with *game*, in the binary form."""
    inner = wrapper(".lq.GameDetailRecords", details(game, version=version, **how))
    return encoded_field(3, encoded(game.head, "head", **how)) + encoded_field(4, inner)


def json_of(game: Transcript, *, version: int = VERSION, key: Callable[[str], str] = str, zeros: bool = True) -> Values:
    """Return *game* as the object of a JSON dump.

    :param key: returns the spelling of a key.
    :param zeros: whether zeros, empty texts and lists, and false are written.
    """

    def spelled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key(name): spelled(item) for name, item in value.items() if zeros or item not in (0, "", [], False)}
        return [spelled(item) for item in value] if isinstance(value, list) else value

    def record(name: str, action: Values) -> Values:
        return {key("name"): f".lq.{name}", key("data"): spelled(action["result"])}

    if version == 0:
        inner: Values = {key("records"): [record(name, action) for name, action in game.actions if name]}
    else:
        actions = [
            spelled(action) | ({key("result"): record(name, action)} if name else {}) for name, action in game.actions
        ]
        inner = {key("version"): version, key("actions"): actions}
    return {key("head"): spelled(game.head), key("data"): {key("name"): ".lq.GameDetailRecords", key("data"): inner}}


def camel(key: str) -> str:
    """Return a key as `protoc` spells it in JSON."""
    first, *others = key.split("_")
    return first + "".join(part.capitalize() for part in others)


def wrappings(game: Transcript, *, version: int = VERSION) -> dict[str, bytes]:
    """Return *game* in all the wrappings that a file may have, by what they are called here. Only those of which the
    name begins with "details" lack the head."""
    plain = answer(game, version=version)
    rewritten = answer(game, version=version, zeros=False, packed=False)
    bare = details(game, version=version)
    dumped = json_of(game, version=version)
    in_base64 = base64.b64encode(wrapper(".lq.GameDetailRecords", bare)).decode()
    head = json_of(game, version=version, key=camel, zeros=False)["head"]
    alone = {"head": head, "details": _listed(game)}  # has no times
    return {
        **({} if version else {"JSON with details alone": json.dumps(alone).encode()}),
        "frame": b"\x03\x07\x00" + wrapper("", plain),
        "frame without a name": b"\x03\x07\x00" + encoded_field(2, plain),
        "frame in base64": base64.encodebytes(b"\x03\x07\x00" + wrapper("", plain)),
        "answer in base64": base64.b64encode(plain),
        "wrapper": wrapper(".lq.ResGameRecord", plain),
        "wrapper with an empty name": wrapper("", plain),
        "wrapper without a name": encoded_field(2, plain),
        "answer": plain,
        "answer rewritten": rewritten,
        "details": bare,
        "details in a wrapper": wrapper(".lq.GameDetailRecords", bare),
        "JSON": json.dumps(dumped, ensure_ascii=False, indent=2).encode(),
        "JSON on one line": json.dumps({**dumped, "data_url": ""}).encode(),
        "JSON in camel case": json.dumps(json_of(game, version=version, key=camel)).encode(),
        "JSON without zeros": json.dumps(json_of(game, version=version, key=camel, zeros=False)).encode(),
        "JSON with base64": json.dumps({"head": head, "data": in_base64, "dataUrl": ""}).encode(),
        "JSON with records in base64": json.dumps(_records_in_base64(game, dumped, version)).encode(),
        "JSON with details": json.dumps({"head": head, "data": in_base64, "details": _listed(game)}).encode(),
        "details in JSON": json.dumps(dumped["data"]).encode(),
    }


def _records_in_base64(game: Transcript, dumped: Values, version: int) -> Values:
    """Return the JSON *dumped* with each record as base64, as programs write bytes that they do not decode."""
    texts = [base64.b64encode(_wrapped(name, action)).decode() for name, action in game.actions]
    names = [name for name, _ in game.actions]
    inner = dumped["data"]["data"]
    if version == 0:
        records = [text for name, text in zip(names, texts, strict=True) if name]
        return {**dumped, "data": {**dumped["data"], "data": {"records": records}}}
    actions = [
        action | ({"result": text} if "result" in action else {})
        for action, text in zip(inner["actions"], texts, strict=True)
    ]
    return {**dumped, "data": {**dumped["data"], "data": {**inner, "actions": actions}}}


def _listed(game: Transcript) -> list[Values]:
    """Return the records as one program lists them beside the data: without the actions, each with its type."""
    return [{**values, "@type": name} for name, values in game.records]

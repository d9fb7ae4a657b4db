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


_NAME = ".lq.GameDetailRecords"
_ADDRESS = "https://example.com/record"


def wrappings(game: Transcript, *, version: int = VERSION) -> dict[str, bytes]:
    """Return *game* in all the wrappings that a file may have, by what they are called here. Only those of which the
    name begins with "details" lack the head."""
    plain = answer(game, version=version)
    bare = details(game, version=version)
    return {
        "frame": _frame(plain),
        "frame without a name": b"\x03\x07\x00" + encoded_field(2, plain),
        "frame in base64": base64.encodebytes(_frame(plain)),
        "frame in hexadecimal digits": _frame(plain).hex().encode(),
        "answer in hexadecimal digits": plain.hex(" ").upper().encode(),
        "answer in base64": base64.b64encode(plain),
        "wrapper": wrapper(".lq.ResGameRecord", plain),
        "wrapper with an empty name": wrapper("", plain),
        "wrapper without a name": encoded_field(2, plain),
        "answer": plain,
        "answer rewritten": answer(game, version=version, zeros=False, packed=False),
        "details": bare,
        "details in a wrapper": wrapper(_NAME, bare),
        **{name: json.dumps(document).encode() for name, document in _documents(game, version).items()},
        **{name: json.dumps(document).encode() for name, document in _captures(game, version).items()},
        **({} if version else {name: json.dumps(document).encode() for name, document in _lists(game).items()}),
        "JSON on many lines": json.dumps(json_of(game, version=version), ensure_ascii=False, indent=2).encode(),
    }


def _frame(plain: bytes) -> bytes:
    """Return an answer as the server sends it."""
    return b"\x03\x07\x00" + wrapper("", plain)


def _documents(game: Transcript, version: int) -> dict[str, Any]:
    """Return *game* in the JSON that programs make of the answer, with all actions or records."""
    dumped = json_of(game, version=version)
    head = json_of(game, version=version, key=camel, zeros=False)["head"]
    inner = wrapper(_NAME, details(game, version=version))
    text = base64.b64encode(inner).decode()
    with_texts = _records_in_base64(game, dumped, version)
    shorter, shortest = (json.loads(json.dumps(dumped).replace('".lq.', prefix)) for prefix in ('"lq.', '"'))
    return {
        "JSON": {**dumped, "data_url": ""},
        "JSON in camel case": json_of(game, version=version, key=camel),
        "JSON without zeros": json_of(game, version=version, key=camel, zeros=False),
        "JSON with base64": {"head": head, "data": text, "dataUrl": ""},
        "JSON with the bytes of Node": {"head": head, "data": {"type": "Buffer", "data": [*inner]}},
        "JSON with a typed array": {"head": head, "data": dict(enumerate(inner))},
        "JSON with numbers": {"head": head, "data": [*inner]},
        "JSON with records in base64": with_texts,
        "JSON with details beside the data": {"head": head, "data": text, "details": _listed(game)},
        "JSON with details for data": {"head": head, "data_url": None, "details": with_texts["data"]["data"]},
        "JSON with short names": shorter,
        "JSON with shorter names": shortest,
        "JSON of a decoded message": {
            "id": 7,
            "type": "MsgType.RES",
            "method": ".lq.Lobby.fetchGameRecord",
            "data": {"head": head, "data": text},
        },
        "JSON in another object": {"code": 0, "result": dumped},
        "JSON with both lists": {"head": head, "data": {"records": [], "actions": [], **dumped["data"]["data"]}},
        "JSON without a version": {"head": head, "data": {**dumped["data"]["data"], "version": 0}},
        "details in JSON": dumped["data"],
        "details in JSON with base64": {camel(key): value for key, value in with_texts["data"]["data"].items()},
        "details as a list": dumped["data"]["data"]["actions" if version else "records"],
    }


def _captures(game: Transcript, version: int) -> dict[str, Any]:
    """Return all that a connection carried when *game* was opened, as browsers and programs save it."""
    plain, head = answer(game, version=version), encoded_field(3, encoded(game.head, "head"))
    frames = [
        b"\x02\x07\x00" + wrapper(".lq.Lobby.fetchGameRecord", b""),
        _frame(plain),
        b"\x03\x08\x00\x0a\x00\x12\x00",
    ]
    other, record, ending = (base64.b64encode(frame).decode() for frame in frames)
    address = base64.b64encode(_frame(head + encoded_field(5, _ADDRESS.encode()))).decode()
    body = base64.b64encode(wrapper(_NAME, details(game, version=version))).decode()
    download = {"request": {"url": _ADDRESS}, "response": {"content": {"size": 1, "text": body, "encoding": "base64"}}}
    page = {"request": {"url": "https://example.com/"}, "response": {"content": {"text": "<html>"}}}
    return {
        "archive": _archive(page, _connection(other, record, ending, record)),
        "archive with a download": _archive(download, _connection(other, address)),
        "details in an archive": _archive(page, download),
        "capture": {
            "frame_count": 2,
            "frames": [{"direction": "send", "b64": other}, {"direction": "recv", "b64": record}],
        },
        "capture with a download": {
            "frames": [
                {"dir": "in", "encoding": "base64", "data": address},
                {"dir": "in", "encoding": "base64", "data": body, "url": _ADDRESS},
            ]
        },
    }


def _connection(*messages: str) -> Values:
    listed = [{"type": "receive", "time": 1.5, "opcode": 2, "data": message} for message in messages]
    return {"request": {"url": "wss://example.com/"}, "response": {}, "_webSocketMessages": listed}


def _archive(*entries: Values) -> Values:
    return {"log": {"version": "1.2", "creator": {"name": "browser"}, "pages": [], "entries": [*entries]}}


def _lists(game: Transcript) -> dict[str, Any]:
    """Return *game* in the JSON of programs that list its records without times, as old games are recorded."""
    head, records = json_of(game, key=camel, zeros=False)["head"], game.records
    names, values = [name for name, _ in records], [value for _, value in records]
    wrapped = [{"name": name, "data": value} for name, value in records]
    frames: list[list[Values]] = []
    for name, value in records:
        if name == "RecordNewRound":
            frames.append([])
        frames[-1].append({"name": name.removeprefix("Record"), "data": value})
    go_names = [f"*message.{name}" for name in names]
    return {
        "list with names apart": {"mjshead": head, "mjslog": values, "mjsrecordtypes": names},
        "list with names of Go apart": {"mjshead": head, "mjslog": values, "mjsrecordtypes": go_names},
        "list without names": {"mjshead": head, "mjslog": values},
        "list with names inside": {
            "record": {"head": head},
            "mjslog": [{**value, "cname": name} for name, value in records],
        },
        "list of details with types": {"head": head, "details": _listed(game)},
        "list of details with names": {"head": head, "details": wrapped},
        "list of records with types": {
            "head": head,
            "records": [{**value, "_type": name} for name, value in records],
        },
        "list of frames": {"head": head, "data": frames},
        "details as a list without names": values,
        "details as a list of frames": {"data": frames},
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

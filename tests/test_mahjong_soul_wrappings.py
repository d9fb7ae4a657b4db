"""JSON of records of Mahjong Soul: several games in a capture, and what is no record of a whole game."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from typing import Any

import pytest
from playing import NORMAL, games
from simulator.mahjong_soul_files import answer, encoded, encoded_field, json_of, wrapper
from simulator.mahjong_soul_records import Transcript

from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats import detect
from jmjp_convert.formats.mahjong_soul.reader import read_mahjong_soul

Json = dict[str, Any]


@cache
def game(which: int) -> Transcript:
    """Return one frame of a game."""
    played = games(NORMAL)[which]
    found = Transcript(played.log, played.id, whole=False)
    found.keep(0, 1)
    return found


def frame(content: bytes) -> str:
    """Return the base64 of an answer of the server."""
    return b64encode(b"\x03\x07\x00" + wrapper("", content)).decode()


def archive(*messages: Any) -> Json:
    """Return an archive of a browser with the *messages* of a connection."""
    return {"log": {"version": "1.2", "entries": [{"request": {}, "_webSocketMessages": [*messages]}]}}


def refusal(document: Any) -> str:
    """Return why *document* is refused; it must be recognized, so that the reason is about Mahjong Soul."""
    content = json.dumps(document).encode()
    found = detect(content)
    assert found is not None
    assert found.name == "mahjong-soul"
    with pytest.raises(MahjongSoulError) as refused:
        read_mahjong_soul(content)
    return refused.value.about("x")


def test_games_of_a_capture() -> None:
    """A capture gives each game once, in the order in which the replays were opened."""
    first, second = (frame(answer(game(which))) for which in (0, 1))
    messages = [{"type": "receive", "data": text} for text in (second, first, second)]
    matches = read_mahjong_soul(json.dumps(archive(*messages)).encode())
    assert [match.id for match in matches] == [game(which).head["uuid"] for which in (1, 0)]
    assert all(match.frames for match in matches)


@pytest.mark.parametrize("key", ["b64", "base64"])
def test_frames(key: str) -> None:
    """A capture may be a list of frames, with their bytes in base64 under one of several keys."""
    (match,) = read_mahjong_soul(json.dumps({"frames": [{"id": 1, key: frame(answer(game(0)))}]}).encode())
    assert match.id == game(0).head["uuid"]


def test_games_by_id() -> None:
    """An object may have several games in its members, such as by log ID."""
    documents = [json_of(game(which)) for which in (0, 1)]
    found = read_mahjong_soul(json.dumps({each["head"]["uuid"]: each for each in documents}).encode())
    assert [match.id for match in found] == [each["head"]["uuid"] for each in documents]


def test_capture_with_an_address() -> None:
    """A capture in which the record was not downloaded has only its address."""
    head = encoded_field(3, encoded(game(0).head, "head"))
    message = {"data": frame(head + encoded_field(5, b"https://example.com/record"))}
    told = "/data_url: the file has only the address of the record (URL), not the record"
    assert refusal(archive(message)) == f"x: /log/entries/0/_webSocketMessages/0{told}"


def test_capture_of_other_things() -> None:
    """A capture may hold anything else: headers, pages, text, other lists."""
    document = archive({"data": frame(answer(game(0)))})
    document["log"] |= {"pages": [{"id": "p"}], "comment": "", "entries": [*document["log"]["entries"], 5, {}, None]}
    document["log"]["entries"] += [{"request": {"url": 1}, "response": {"content": {"encoding": "base64", "text": 5}}}]
    assert len(read_mahjong_soul(json.dumps(document).encode())) == 1


@pytest.mark.parametrize("digits", ["030700", "1a2b", "0a152e6c712e"])
def test_truncated_digits(digits: str) -> None:
    """Hexadecimal digits that end within a byte, or have other characters among them, are invalid."""
    whole = answer(game(0)).hex()
    for content in (whole[:-1], f"{whole}xy"):
        with pytest.raises(MahjongSoulError, match=r"^invalid hexadecimal digits$"):
            read_mahjong_soul(content.encode())
    assert detect(digits.encode()) is None

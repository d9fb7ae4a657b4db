"""The grammar of play: games that are played follow it, and so do the real logs, where there are some."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from generator.grammar import GRAMMAR, LAST, Kind, Reader, State, UngrammaticalError
from lxml import etree

from jmjp_convert.mjlog.melds import decode
from jmjp_convert.mjlog.tags import DRAW_KINDS
from jmjp_convert.model import DrawKind
from jmjp_convert.tenhou import OTHER_TABLES

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
MANIFEST = LOGS / "manifest.csv"
BROKEN = {"2010022802gm-00a9-0000-7e62f873.xml": "DISCARD after THROWN", "56fc3af7f286.xml": "INIT after DRAWN"}
DOUBLED = "2010051013gm-00a9-0000-607b52e9.xml"

REACH = {"1": Kind.RIICHI, "2": Kind.STICK}
NOT_PLAY = {"SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"}


def kinds(content: bytes) -> Iterator[Kind]:
    """Yield the kinds of the elements of a log."""
    for element in etree.fromstring(content, etree.XMLParser(recover=True)).iterchildren("*"):
        kind = kind_of(element.tag, dict(element.attrib))
        if kind is not None:
            yield kind


def kind_of(tag: str, attributes: dict[str, str]) -> Kind | None:
    """Return the kind of an element; none if it is no play."""
    match tag:
        case "N":
            return Kind[type(decode(int(attributes["who"]), int(attributes["m"]))).__name__.upper()]
        case "REACH":
            return REACH[attributes["step"]]
        case "AGARI":
            return Kind.TSUMO if attributes["who"] == attributes["fromWho"] else Kind.RON
        case "RYUUKYOKU":
            return Kind[DRAW_KINDS[attributes.get("type")].name]
        case "INIT" | "DORA":
            return Kind[tag]
    if tag in NOT_PLAY:
        return None
    return Kind.DRAW if tag[0] in "TUVW" else Kind.DISCARD


def read(content: bytes) -> State:
    """Return the state that a log leads to."""
    reader = Reader()
    for kind in kinds(content):
        reader.read(kind)
    return reader.state


def rows() -> list[dict[str, str]]:
    """Return the rows of the manifest."""
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


real = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


@real
@pytest.mark.parametrize("row", [pytest.param(row, id=row["file"]) for row in rows()])
def test_real(row: dict[str, str]) -> None:
    """A real log of a ranked table follows the grammar."""
    assert read((LOGS / row["file"]).read_bytes()) in LAST

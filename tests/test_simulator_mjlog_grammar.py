"""The grammar of play: games that are played follow it, and so do the real logs, where there are some."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from playing import BASE, games
from simulator.mjlog_grammar import GRAMMAR, LAST, Kind, Reader, State, UngrammaticalError

from jmjp_convert.formats.mjlog.meld_codes import decode
from jmjp_convert.formats.mjlog.tags import DRAW_KINDS

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
MANIFEST = LOGS / "manifest.csv"
UNGRAMMATICAL = {
    "2010022802gm-00a9-0000-7e62f873.xml": "DISCARD after THROWN",
    "56fc3af7f286.xml": "EXHAUSTIVE after BETWEEN",
    "d151625eabbd.xml": "DORA after ADDED_KAN",
}
"""The logs in which a player discards twice running, the one that is cut off, and that of a table with rules of its
own, where a kan's dora is turned at once."""

OF_TAG = {"INIT": Kind.INIT, "DORA": Kind.DORA} | dict.fromkeys("TUVW", Kind.DRAW)
OF_TAG |= dict.fromkeys("DEFG", Kind.DISCARD)
NO_PLAY = {"SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"}


def kinds(content: bytes) -> Iterator[Kind]:
    """Yield the kinds of the elements of a log."""
    for element in etree.fromstring(content, etree.XMLParser(recover=True)).iterchildren("*"):
        tag = str(element.tag)
        if tag not in NO_PLAY:
            yield OF_TAG.get(tag.rstrip("0123456789")) or other_kind(tag, dict(element.items()))


def other_kind(tag: str, attributes: dict[str, str]) -> Kind:
    """Return the kind of an element that its attributes tell."""
    if tag == "N":
        return Kind[type(decode(int(attributes["who"]), int(attributes["m"]))).__name__.upper()]
    if tag == "REACH":
        return {"1": Kind.RIICHI, "2": Kind.STICK}[attributes["step"]]
    if tag == "AGARI":
        return Kind.TSUMO if attributes["who"] == attributes["fromWho"] else Kind.RON
    return Kind[DRAW_KINDS[attributes.get("type")].name]


def read(content: bytes) -> State:
    """Return the state to which a log leads.

    :raises UngrammaticalError: it breaks the grammar.
    """
    reader = Reader()
    for kind in kinds(content):
        reader.read(kind)
    return reader.state


def files() -> list[str]:
    """Return the files of the real logs."""
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        found = [row["file"] for row in csv.DictReader(file)]
    assert found
    return found


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("file", files())
def test_real(file: str) -> None:
    """A real log follows the grammar, unless it is broken or of a table with rules of its own."""
    content = (LOGS / file).read_bytes()
    if file not in UNGRAMMATICAL:
        assert read(content) in LAST
        return
    with pytest.raises(UngrammaticalError, match=UNGRAMMATICAL[file]):
        read(content)


@pytest.mark.parametrize("line", BASE)
def test_played(line: str) -> None:
    """A game that is played follows the grammar, and ends where a game may."""
    for game in games(line):
        assert read(game.log.encode()) in LAST


def test_refused() -> None:
    """Where an element cannot stand it is refused, and the state stays what it was."""
    reader = Reader()
    reader.read(Kind.INIT)
    with pytest.raises(UngrammaticalError, match="DISCARD after DEALT"):
        reader.read(Kind.DISCARD)
    assert reader.state is State.DEALT


def test_reachable() -> None:
    """Every state but the first follows from another, and from every state the frame can come to its end."""
    following = {state: set(after.values()) for state, after in GRAMMAR.items()}
    assert GRAMMAR.keys() == set(State) == set().union(*following.values())
    ending = {State.BETWEEN}
    for _ in State:
        ending |= {state for state, after in following.items() if after & ending}
    assert ending == set(State)

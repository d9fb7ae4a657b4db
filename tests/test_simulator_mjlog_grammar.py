"""The grammar of mjlog: simulated games follow it, and so do real logs, if available."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lxml import etree
from playing import LINES, games
from simulator.mjlog_grammar import FINAL_STATES, GRAMMAR, ElementType, GrammarChecker, State, UngrammaticalError
from test_real_logs import LOGS, MANIFEST, ROWS

from jmjp_convert.formats.mjlog.meld_codes import meld_of as decode
from jmjp_convert.formats.mjlog.notation import DRAW_KINDS

UNGRAMMATICAL = {
    "2010022802gm-00a9-0000-7e62f873.xml": "DISCARD after DISCARDED",
    "56fc3af7f286.xml": "EXHAUSTIVE after BETWEEN_FRAMES",
    "d151625eabbd.xml": "DORA after ADDED_KAN",
}
"""A log in which a player discards twice in a row, a truncated log, and a log of a table with custom rules, where the
dora of every kan is turned at once."""

OF_TAG = {"INIT": ElementType.INIT, "DORA": ElementType.DORA} | dict.fromkeys("TUVW", ElementType.DRAW)
OF_TAG |= dict.fromkeys("DEFG", ElementType.DISCARD)
NO_PLAY = {"SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"}


def types(content: bytes) -> Iterator[ElementType]:
    """Yield the types of the elements of a log."""
    for element in etree.fromstring(content, etree.XMLParser(recover=True)).iterchildren("*"):
        tag = str(element.tag)
        if tag not in NO_PLAY:
            yield OF_TAG.get(tag.rstrip("0123456789")) or other_type(tag, dict(element.items()))


def other_type(tag: str, attributes: dict[str, str]) -> ElementType:
    """Return the type of an element that depends on its attributes."""
    if tag == "N":
        return ElementType[type(decode(int(attributes["who"]), int(attributes["m"]))).__name__.upper()]
    if tag == "REACH":
        return {"1": ElementType.RIICHI, "2": ElementType.STICK}[attributes["step"]]
    if tag == "AGARI":
        return ElementType.TSUMO if attributes["who"] == attributes["fromWho"] else ElementType.RON
    return ElementType[DRAW_KINDS[attributes.get("type")].name]


def read(content: bytes) -> State:
    """Return the state at the end of a log.

    :raises UngrammaticalError: it breaks the grammar.
    """
    grammar = GrammarChecker()
    for type_ in types(content):
        grammar.accept(type_)
    return grammar.state


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("file", ROWS)
def test_real(file: str) -> None:
    """A real log follows the grammar, unless it is broken or of a table with custom rules."""
    content = (LOGS / file).read_bytes()
    if file not in UNGRAMMATICAL:
        assert read(content) in FINAL_STATES
        return
    with pytest.raises(UngrammaticalError, match=UNGRAMMATICAL[file]):
        read(content)


@pytest.mark.parametrize("line", LINES)
def test_played(line: str) -> None:
    """A simulated game follows the grammar and ends in a final state."""
    for game in games(line):
        assert read(game.log.encode()) in FINAL_STATES


def test_rejected() -> None:
    """An element that is not allowed is rejected, and the state does not change."""
    grammar = GrammarChecker()
    grammar.accept(ElementType.INIT)
    with pytest.raises(UngrammaticalError, match="DISCARD after DEALT"):
        grammar.accept(ElementType.DISCARD)
    assert grammar.state is State.DEALT


def test_reachable() -> None:
    """Every state but the first is reachable from another, and the end of the frame from every state."""
    following = {state: set(after.values()) for state, after in GRAMMAR.items()}
    assert GRAMMAR.keys() == set(State) == set().union(*following.values())
    ending = {State.BETWEEN_FRAMES}
    for _ in State:
        ending |= {state for state, after in following.items() if after & ending}
    assert ending == set(State)

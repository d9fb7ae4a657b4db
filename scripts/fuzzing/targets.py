"""The targets by name: the files that inputs are made from, and their language.

`judges.py` has a judge for each. That module, and the converter with it, is not imported here, because to trace its
branches the converter has to be imported in a special way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from casefiles import FIXTURES, refusals

from fuzzing.containers import MADE
from fuzzing.corruption import Mutator
from fuzzing.edits import Language, Material
from fuzzing.languages import (
    IDS,
    JMJP,
    JSON,
    LINKS,
    LISTS,
    MAHJONG_SOUL,
    MAJIANG,
    MJAI,
    MJLOG,
    RIICHI_CITY,
    SQL,
    TARS,
    TENHOU6,
    ZIPS,
)

CASES = FIXTURES / "fuzz"

GZIP = b"\x1f\x8b"
MAX_SIZE = 1 << 20
"""The maximum size in bytes that a reader may decompress."""


class Target(NamedTuple):
    """A reader.

    :ivar corpus: patterns of the files in ``fixtures`` that inputs are made from, besides its own saved cases.
    :ivar language: the language of such files.
    :ivar refused: the folder of the format whose files of rejected cases are also used.
    """

    corpus: tuple[str, ...]
    language: Language
    refused: str | None = None


TARGETS = {
    "mjlog": Target(("valid/*.xml", "valid/*.mjlog", "invalid/*.xml", "invalid/*.zip"), MJLOG),
    "jmjp": Target(("valid/*.jmjp", "jmjp/valid/*.jmjp"), JMJP, "jmjp"),
    "json": Target(("json/valid/*.jsonl",), JSON, "json"),
    "mjai": Target(("mjai/valid/*.mjson",), MJAI, "mjai"),
    "tenhou6": Target(("tenhou6/valid/*.tenhou6.json",), TENHOU6, "tenhou6"),
    "majiang": Target(("majiang/valid/*.majiang.json",), MAJIANG, "majiang"),
    "mahjong-soul": Target(("mahjong-soul/valid/*.rec",), MAHJONG_SOUL, "mahjong-soul"),
    "riichi-city": Target(("riichi-city/valid/*.riichi-city.json",), RIICHI_CITY, "riichi-city"),
    "ids": Target((), IDS),
    "lists": Target(("lists/*",), LISTS),
    "links": Target(("tenhou6/valid/links.tenhou6.json",), LINKS),
    "zips": Target((), ZIPS),
    "tars": Target((), TARS),
    "databases": Target((), SQL),
}


def cases(name: str) -> list[Path]:
    """Return the saved cases of the target *name*: inputs that once were findings, or nearly so."""
    return sorted(path for path in (CASES / name).glob("*") if path.is_file())


def mutator(name: str, more: Iterable[Path] = (), texts: Sequence[bytes] = ()) -> Mutator:
    """Return the mutator for the target *name*, with its corpus, *more* files, and *texts*."""
    target = TARGETS[name]
    found = {path for pattern in target.corpus for path in FIXTURES.glob(pattern)}
    corpus = [path.read_bytes() for path in sorted(found.union(cases(name), more))]
    refused = [case.content for case in refusals(target.refused).values()] if target.refused else []
    made = MADE[name]() if name in MADE else []
    return Mutator(Material([*corpus, *refused, *made, *texts], target.language))


def size(content: bytes) -> int:
    """Return the size of *content* for its bounds: gzip counts as the maximum that may be decompressed."""
    return MAX_SIZE if content.startswith(GZIP) else len(content)

"""What is tried, by name: the files that inputs are made from, and what such files are made of.

`judges.py` has a judge for each. That module, and with it the converter, is not imported here: who wants to watch the
converter's branches has to import it in a way of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from casefiles import FIXTURES, refusals

from fuzzing.edits import Language, Material
from fuzzing.languages import IDS, JMJP, JSON, LISTS, MJLOG
from fuzzing.mutator import Mutator

CASES = FIXTURES / "fuzz"

GZIP = b"\x1f\x8b"
MAX_SIZE = 1 << 20
"""The most bytes, decompressed, that a reader is allowed to take."""


class Target(NamedTuple):
    """A reader.

    :ivar corpus: patterns of the files below ``fixtures`` that inputs are made from, beside its own saved cases.
    :ivar language: what such files are made of.
    :ivar refused: the folder of the format whose cases are among the inputs, where they stand in files of cases.
    """

    corpus: tuple[str, ...]
    language: Language
    refused: str | None = None


TARGETS = {
    "mjlog": Target(("valid/*.xml", "valid/*.mjlog", "invalid/*.xml", "invalid/*.zip"), MJLOG),
    "jmjp": Target(("valid/*.jmjp", "jmjp/valid/*.jmjp"), JMJP, "jmjp"),
    "json": Target(("json/valid/*.jsonl",), JSON, "json"),
    "ids": Target((), IDS),
    "lists": Target(("lists/*",), LISTS),
}


def cases(name: str) -> list[Path]:
    """Return the saved cases of the target *name*: inputs that once were findings, or nearly."""
    return sorted(path for path in (CASES / name).glob("*") if path.is_file())


def mutator(name: str, more: Iterable[Path] = ()) -> Mutator:
    """Return what makes inputs for the target *name*, from its corpus and *more* files."""
    target = TARGETS[name]
    found = {path for pattern in target.corpus for path in FIXTURES.glob(pattern)}
    corpus = [path.read_bytes() for path in sorted(found.union(cases(name), more))]
    refused = [case.content for case in refusals(target.refused).values()] if target.refused else []
    return Mutator(Material(corpus + refused, target.language))


def size(content: bytes) -> int:
    """Return for how many bytes *content* counts: gzip for the most that may be taken of it."""
    return MAX_SIZE if content.startswith(GZIP) else len(content)

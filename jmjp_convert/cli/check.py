"""``jmjp check``: reports problems in game records."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import click

from jmjp_convert.batch.survey import NO_RECORDS, Input, Opened
from jmjp_convert.checks.match import check_match, numbered
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import counted, in_language, point, printable, say, write
from jmjp_convert.cli.report import Report
from jmjp_convert.cli.surveying import Collection, collection_options, surveyed
from jmjp_convert.errors import (
    COORDINATES,
    ConvertError,
    MatchError,
    NotMjlogError,
    RecordError,
    TextError,
    WallError,
    in_file,
)
from jmjp_convert.files.outputs import UnreadError
from jmjp_convert.formats.reading import Reading
from jmjp_convert.formats.session import Loaded
from jmjp_convert.model import House, Match

_EPILOG = """\b
Examples:
  jmjp check game.jmjp game.mjson
  jmjp check --wall --score *.xml
  jmjp check --json games/ > findings.jsonl
  curl ... | jmjp check -
"""

_EXIT_CODES = "Exit codes: 0 no problems found, 1 problems found or some input failed, 2 usage error, 130 interrupted."

_VERBS = ("agree", "disagree", "differ")
_HASHES = "hashes of the walls"

_HELP = f"""Check game records: {options.INPUT}; - is stdin. SRC may also be a directory or an archive of them.

The text is checked against its grammar, then every hand is replayed: no tile appears more than four times, players
hold the tiles they play, melds claim the latest discard, turns are in order, riichi hands are closed and paid for,
points add up and carry over from hand to hand, and the final result follows from them. Problems go to stdout, one
per line. After an impossible play, the rest of the hand is not checked.
"""


@click.command("check", cls=Command, help=_HELP, epilog=_EPILOG, exit_codes=_EXIT_CODES)
@options.sources
@option("--wall", is_flag=True, help="Verify games against their wall: that of the seed, or the recorded one.")
@option("--score", is_flag=True, help="Recompute wins, payments and the result (needs the 'score' extra).")
@option(
    "--rules",
    type=click.Choice([house.value for house in House]),
    help="With --score: judge every game by these rules.  [default: those of the server it was played on]",
)
@option("--json", "as_json", is_flag=True, help="Write JSON Lines: one object per problem, then a summary.")
@option("-q", "--quiet", is_flag=True, help="Show problems only.")
@collection_options
@options.reading
def command(
    srcs: tuple[str, ...],
    *,
    wall: bool,
    score: bool,
    rules: str | None,
    as_json: bool,
    quiet: bool,
    collection: Collection,
    reading: Reading,
) -> int:
    """Check game records."""
    if rules is not None and not score:
        raise click.UsageError("--rules needs --score")
    options.check_sources(srcs, reading)
    if score:
        from jmjp_convert.checks.score.hand_value import expect_package

        expect_package()
    house = House(rules) if rules else None
    check = _Check(as_json=as_json, quiet=quiet, verbose=collection.verbose)
    task = partial(_checked, wall=wall, score=score, house=house)
    with suppress(UnreadError):  # problems found before that count all the same
        for input_, checked in surveyed(srcs, task, reading, check, collection, bar=not quiet):
            if checked is not None:
                check.take(input_, checked)
        if as_json:
            write(json.dumps({"summary": check.summary()}) + "\n")
        if not quiet:
            for line in check.lines():
                say(line)
    return 1 if check.findings or check.failed else 0


class _Tally(Counter[tuple[str, str]]):
    """Counts by subject and verdict, in the order in which they first came up."""

    def leave(self, subject: str, why: str, number: int = 1) -> None:
        """Count that *subject* was not judged, and why."""
        self[subject, f"not judged ({why})"] += number

    def by_subject(self) -> dict[str, dict[str, int]]:
        """Return the counts of verdicts by subject."""
        subjects: dict[str, dict[str, int]] = {}
        for (subject, verdict), number in self.items():
            subjects.setdefault(subject, {})[verdict] = number
        return subjects

    def lines(self) -> Iterator[str]:
        """Yield the counts for people: one line per subject, then one per reason not to judge."""
        not_judged: dict[str, list[str]] = {}
        for (subject, verdict), number in self.items():
            if verdict.startswith("not "):
                not_judged.setdefault(verdict, []).append(f"{subject} {number:,}")
        for subject, verdicts in self.by_subject().items():
            counts = sorted(verdicts.items())
            judged = [f"{number:,} {_verb(verdict, number)}" for verdict, number in counts if verdict not in not_judged]
            if judged:
                judged[0] += _compared(subject, judged[0])
                yield f"{subject}: {', '.join(judged)}"
        for verdict, subjects in not_judged.items():
            yield f"{verdict}: {', '.join(subjects)}"


def _verb(verdict: str, number: int) -> str:
    return f"{verdict}s" if number == 1 and verdict in _VERBS else verdict


def _compared(subject: str, verdict: str) -> str:
    """Return what a *subject* was compared with, after the first *verdict*."""
    if " differ" in verdict:
        return " from the play"
    if not any(f" {verb}" in verdict for verb in _VERBS):
        return ""
    return " with the walls" if subject == _HASHES else " with the play"


_Judge = Callable[[Match, _Tally], Iterator[MatchError]]
"""Yields the problems that an additional check finds in a match, and counts its verdicts."""


def _wall(match: Match, tally: _Tally) -> Iterator[MatchError]:
    from jmjp_convert.checks.wall import Agreement, check_wall

    try:
        report = check_wall(match)
    except WallError as error:
        tally.leave("wall", str(error))
        return
    tally["wall", report.agreement.value] += 1
    if report.problem is not None:
        yield report.problem
    elif report.agreement is Agreement.AGREES:
        if report.hashes:
            tally[_HASHES, report.agreement.value] += 1
        if not report.deal:
            tally.leave("deal", "not in the recorded wall")


def _score(match: Match, tally: _Tally, *, house: House | None) -> Iterator[MatchError]:
    from jmjp_convert.checks.score import check_score

    report = check_score(match, house)
    for verdict, numbers in (("agree", report.agreed), ("differ", report.wrong)):
        for subject, number in numbers.items():
            tally[subject.value, verdict] += number
    for (subject, why), number in report.not_judged.items():
        tally.leave(subject.value, why, number)
    yield from report.findings


class _Checked(NamedTuple):
    """What was found in a file: its number of matches, the problems, and the verdicts of further checks."""

    matches: int
    findings: tuple[ConvertError, ...]
    tally: _Tally


def _checked(opened: Opened, *, wall: bool, score: bool, house: House | None) -> _Checked:
    """Return what is found in one file; called in any process."""
    tally = _Tally()
    judges: dict[str, _Judge] = {"wall": _wall} if wall else {}
    judges |= {"score": partial(_score, house=house)} if score else {}
    findings: list[ConvertError] = []
    number = 0
    try:
        loaded = opened.read(findings.append)
        number = len(loaded.matches)
        findings = sorted([*findings, *_judged(loaded, judges, tally, findings, strict=opened.strict)], key=in_file)
        findings = list({str(error): error for error in findings}.values())  # the result is judged by more than one
    except RecordError as error:
        if type(error) in (RecordError, NotMjlogError):
            raise  # it is no game record
        findings.append(error)
    return _Checked(number, tuple(findings), tally)


def _judged(
    loaded: Loaded, judges: Mapping[str, _Judge], tally: _Tally, findings: Sequence[ConvertError], *, strict: bool
) -> Iterator[RecordError]:
    """Yield the problems of matches as a whole, given those *findings* in their frames."""
    gaps = any(isinstance(error, RecordError) and error.leaves_gap for error in findings)
    for (which, match), locate in zip(numbered(loaded.matches), loaded.locate, strict=True):
        yield from map(locate, check_match(match, which, gaps=gaps, strict=strict))
        for subject, judge in judges.items():
            if findings:
                tally.leave(subject, "other problems found")
                continue
            for error in judge(match, tally):
                error.which = which
                yield locate(error)


class _Check(Report):
    """A run over files."""

    def __init__(self, *, as_json: bool, quiet: bool, verbose: bool) -> None:
        super().__init__(quiet=quiet, verbose=verbose)
        self.findings = 0  # the number of problems found
        self._tally = _Tally()
        self._as_json = as_json
        self._files = self._matches = self._unread = 0

    def fail(self, what: str | None, error: Exception) -> None:
        """Report *error*, and count its file; a directory without games is not counted."""
        super().fail(what, error)
        self._unread += str(error) != NO_RECORDS

    def take(self, input_: Input, checked: _Checked) -> None:
        """Report what was found in a file."""
        self._files += 1
        self._matches += checked.matches
        self._tally.update(checked.tally)
        for finding in checked.findings:
            self._write(input_, finding)

    def _write(self, input_: Input, error: ConvertError) -> None:
        """Write a finding in a file."""
        self.findings += 1
        if self._as_json:
            write(json.dumps(_values(input_.source, error)) + "\n")
            return
        write(printable(in_language(error.about(input_.label))) + "\n")
        if isinstance(error, TextError):
            point(error, sys.stdout)

    def summary(self) -> dict[str, int | dict[str, int]]:
        """Return the totals and verdicts for JSON."""
        totals = {"files": self._files, "matches": self._matches, "findings": self.findings}
        others = {"unread": self._unread, "skipped": self.skipped.total()}
        return {**totals, **others, **self._tally.by_subject()}

    def lines(self) -> Iterator[str]:
        """Yield the totals and verdicts for people."""
        problems = [counted(self.findings, "problem")] if self.findings else []
        problems += [f"{counted(self._unread, 'file')} not read"] if self._unread else []
        problems += ["no problems found"] if self._files and not problems else []
        checked = f"{counted(self._files, 'file')}, {counted(self._matches, 'match')} checked"
        yield ": ".join(filter(None, [checked, ", ".join(problems)]))
        if line := self.skipped_line():
            yield line
        yield from self._tally.lines()


def _values(src: str, error: ConvertError) -> dict[str, str | int | None]:
    """Return a finding in *src* for JSON, with its location as far as its format knows it."""
    location = {name: getattr(error, name, None) or None for name in COORDINATES}
    return {"file": src, **location, "reason": error.reason}

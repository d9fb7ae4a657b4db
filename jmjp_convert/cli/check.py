"""``jmjp check``: reports problems in game records."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import click

from jmjp_convert.batch.survey import Input, Read, Seen
from jmjp_convert.check.match import check_match, numbered
from jmjp_convert.cli import options
from jmjp_convert.cli.collection import Collection, collecting, collection_options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import counted, point, printable, say, write
from jmjp_convert.cli.report import Report
from jmjp_convert.errors import COORDINATES, ConvertError, MatchError, RecordError, TextError, WallError, in_file
from jmjp_convert.files.outputs import UnreadError
from jmjp_convert.formats.reading import Reading
from jmjp_convert.formats.session import Loaded
from jmjp_convert.model import House, Match
from jmjp_convert.model.record import record

_EPILOG = """\b
Examples:
  jmjp check game.jmjp game.mjson
  jmjp check --wall --score *.xml
  jmjp check --json games/ > findings.jsonl
  curl ... | jmjp check -

Exit codes: 0 no problems found, 1 problems found or some input failed,
2 usage error, 130 interrupted.
"""

_VERBS = ("agree", "disagree", "differ")

_HELP = f"""Check game records: {options.INPUT}; - is stdin. SRC may also be a directory or an archive of them.

The text is checked against its grammar, then every frame is replayed: no tile appears more than four times, players
hold the tiles they play, melds claim the latest discard, turns are in order, riichi hands are closed and paid for,
points add up and carry over from frame to frame, and the final result follows from them. Problems go to stdout, one
per line. After an impossible play, the rest of the frame is not checked.
"""


@click.command("check", cls=Command, help=_HELP, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=options.PATH)
@option("--wall", is_flag=True, help="Verify an mjlog against the wall that its seed generates.")
@option("--score", is_flag=True, help="Recompute wins, payments and the result (needs the 'score' extra).")
@option(
    "--rules",
    type=click.Choice([house.value for house in House]),
    help="Judge every game by these rules (with --score); by default, each ranked game by its own.",
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
        from jmjp_convert.check.score.hands import expect_package

        expect_package()
    house = House(rules) if rules else None
    check = _Check(_Task(wall=wall, score=score, house=house), as_json=as_json)
    with suppress(UnreadError):  # problems found before that count all the same
        with collecting(srcs, collection, quiet=quiet) as given:
            for one, seen in given.survey(check.task, reading):
                check.take(one, seen)
            check.passed = given.passed
        if as_json:
            write(json.dumps({"summary": check.summary()}) + "\n")
        if not quiet:
            for line in check.lines():
                say(line)
    return 1 if check.findings or check.report.failed else 0


class _Tally:
    """Counts of verdicts by subject."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._not_judged: dict[str, Counter[str]] = {}

    def count(self, subject: str, verdict: str, number: int = 1) -> None:
        """Count a *verdict* on *subject*, *number* times."""
        self._counts.setdefault(subject, Counter())[verdict] += number

    def leave(self, subject: str, why: str, number: int = 1) -> None:
        """Count that *subject* was not judged, and why."""
        verdict = f"not judged ({why})"
        self.count(subject, verdict, number)
        self._not_judged.setdefault(verdict, Counter())[subject] += number

    def add(self, other: _Tally) -> None:
        """Add the counts of *other*."""
        for mine, theirs in ((self._counts, other._counts), (self._not_judged, other._not_judged)):
            for key, counts in theirs.items():
                mine.setdefault(key, Counter()).update(counts)

    def values(self) -> dict[str, dict[str, int]]:
        """Return the counts of verdicts by subject."""
        return {subject: dict(verdicts) for subject, verdicts in self._counts.items()}

    def lines(self) -> Iterator[str]:
        """Yield the counts for people: one line per subject, then one per reason not to judge."""
        for subject, verdicts in self._counts.items():
            counts = sorted(verdicts.items())
            judged = [
                f"{number:,} {_verb(verdict, number)}" for verdict, number in counts if verdict not in self._not_judged
            ]
            if judged:
                yield f"{subject}: {', '.join(judged)}"
        for verdict, subjects in self._not_judged.items():
            yield f"{verdict}: {', '.join(f'{subject} {number:,}' for subject, number in subjects.items())}"


def _verb(verdict: str, number: int) -> str:
    return f"{verdict}s" if number == 1 and verdict in _VERBS else verdict


class _Judge:
    """An additional check of a match, which counts its verdicts in *tally*."""

    subject: str

    def __init__(self, tally: _Tally) -> None:
        self.tally = tally

    def findings(self, match: Match) -> Iterator[MatchError]:
        """Yield the problems of *match*."""
        raise NotImplementedError


class _Wall(_Judge):
    subject = "wall"

    def findings(self, match: Match) -> Iterator[MatchError]:
        from jmjp_convert.check.wall import check_wall

        try:
            report = check_wall(match)
        except WallError as error:
            self.tally.leave(self.subject, str(error))
            return
        self.tally.count(self.subject, report.agreement.value)
        if report.difference is not None:
            yield report.difference.error


class _Score(_Judge):
    subject = "score"

    def __init__(self, tally: _Tally, house: House | None) -> None:
        super().__init__(tally)
        self._house = house

    def findings(self, match: Match) -> Iterator[MatchError]:
        from jmjp_convert.check.score import check_score

        report = check_score(match, self._house)
        for verdict, numbers in (("agree", report.agreed), ("differ", report.wrong)):
            for subject, number in numbers.items():
                self.tally.count(subject.value, verdict, number)
        for (subject, reason), number in report.not_judged.items():
            self.tally.leave(subject.value, reason, number)
        for finding in report.findings:
            yield finding.error


class _Checked(NamedTuple):
    """What was found in a file: its number of matches, the problems, and the verdicts of further checks."""

    matches: int
    findings: tuple[ConvertError, ...]
    tally: _Tally


@record
class _Task:
    """The check of one file, in any process."""

    wall: bool
    score: bool
    house: House | None

    def __call__(self, _: str, read: Read) -> _Checked:
        tally = _Tally()
        judges: list[_Judge] = [_Wall(tally)] if self.wall else []
        judges += [_Score(tally, self.house)] if self.score else []
        found: list[ConvertError] = []
        number = 0
        try:
            loaded = read(found.append)
            number = len(loaded.matches)
            found = sorted([*found, *_judged(loaded, judges, tally, found)], key=in_file)
            found = list({str(error): error for error in found}.values())  # the result is judged by more than one
        except RecordError as error:
            found.append(error)
        return _Checked(number, tuple(found), tally)


def _judged(
    loaded: Loaded, judges: Sequence[_Judge], tally: _Tally, found: Sequence[ConvertError]
) -> Iterator[RecordError]:
    """Yield the problems of matches as a whole, given those *found* in their frames."""
    gaps = any(isinstance(error, RecordError) and error.leaves_gap for error in found)
    for (which, match), locate in zip(numbered(loaded.matches), loaded.locate, strict=True):
        yield from map(locate, check_match(match, which, gaps=gaps))
        for judge in judges:
            if found:
                tally.leave(judge.subject, "other problems found")
                continue
            for error in judge.findings(match):
                error.which = which
                yield locate(error)


class _Check:
    """A run over files.

    :ivar findings: the number of problems found.
    :ivar passed: by reason, the files that were passed over.
    """

    def __init__(self, task: _Task, *, as_json: bool) -> None:
        self.task = task
        self.findings = 0
        self.passed: Counter[str] = Counter()
        self.report = Report(say, point)
        self._tally = _Tally()
        self._as_json = as_json
        self._files = self._matches = 0

    def take(self, one: Input, seen: Seen[_Checked]) -> None:
        """Report what was *seen* in a file."""
        for text in seen.notices:
            self.report.notice(one.label, text)
        if seen.found is not None:
            self._files += 1
            self._matches += seen.found.matches
            self._tally.add(seen.found.tally)
            for finding in seen.found.findings:
                self._write(one, finding)
        if seen.failure is not None:
            self.report.fail(one.label, seen.failure)

    def _write(self, one: Input, error: ConvertError) -> None:
        """Write a finding in a file."""
        self.findings += 1
        if self._as_json:
            write(json.dumps(_values(one.source, error)) + "\n")
            return
        write(printable(error.about(one.label)) + "\n")
        if isinstance(error, TextError):
            point(error, sys.stdout)

    def summary(self) -> dict[str, int | dict[str, int]]:
        """Return the totals and verdicts for JSON."""
        totals = {"files": self._files, "matches": self._matches, "findings": self.findings}
        others = {"unread": self.report.failed, "passed_over": self.passed.total()}
        return {**totals, **others, **self._tally.values()}

    def lines(self) -> Iterator[str]:
        """Yield the totals and verdicts for people."""
        problems = [counted(self.findings, "problem")] if self.findings else []
        problems += [f"{counted(self.report.failed, 'file')} not read"] if self.report.failed else []
        checked = f"{counted(self._files, 'file')}, {counted(self._matches, 'match')} checked"
        yield f"{checked}: {', '.join(problems) or 'no problems found'}"
        if self.passed:
            from jmjp_convert.batch.summary import counted_by

            yield counted_by("passed over", self.passed)
        yield from self._tally.lines()


def _values(src: str, error: ConvertError) -> dict[str, str | int | None]:
    """Return a finding in *src* for JSON, with its location as far as its format knows it."""
    places = {name: getattr(error, name, None) or None for name in COORDINATES}
    return {"file": src, **places, "reason": error.reason}

"""``jmjp check``: what is wrong with game records."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import click

from jmjp_convert import sources
from jmjp_convert.check import check_match
from jmjp_convert.cli import options
from jmjp_convert.cli.console import point, printable, say, write
from jmjp_convert.errors import ConvertError, JmjpError, MjlogError
from jmjp_convert.report import Report
from jmjp_convert.sources import Reading, label

_EPILOG = """\b
Examples:
  jmjp check game.jmjp
  jmjp check *.xml *.jmjp
  jmjp check --json games/*.jmjp > findings.jsonl
  curl ... | jmjp check -

Exit codes: 0 nothing is wrong, 1 something is or an input failed, 2 wrong
usage, 130 interrupted.
"""


@click.command("check", short_help="Prove games: rules, points, result.", epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Write JSON, an object a line for each finding.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing of what is right.")
@options.reading
def command(srcs: tuple[str, ...], *, as_json: bool, quiet: bool, reading: Reading) -> int:
    """Check game records, mjlog or jmjp, plain or gzip, or - for stdin.

    The text is held against its grammar, then every frame is replayed: each tile is there four times at most, hands
    hold what they play, melds take the tile just discarded, turns follow, riichi is closed and paid for, points add up
    and go on from frame to frame, and the result follows from them. All that is wrong goes to stdout, a line each; of a
    frame in which something cannot happen, what comes after it is not judged.
    """
    options.check_sources(srcs, reading)
    check = _Check(reading, as_json=as_json)
    for src in srcs:
        check.one(src)
    if not quiet:
        say(check.summary())
    return 1 if check.findings or check.report.failed else 0


class _Check:
    """A run over files.

    :ivar findings: how many there are.
    """

    def __init__(self, reading: Reading, *, as_json: bool) -> None:
        self.findings = 0
        self.report = Report(say, point)
        self._reading = reading
        self._as_json = as_json
        self._files = self._matches = 0

    def one(self, src: str) -> None:
        """Check one file."""
        try:
            sources.check(src)
            matches = sources.read_all(
                src, self._reading, lambda text: self.report.notice(label(src), text), self._found(src)
            )
            self._matches += len(matches)
            for number, match in enumerate(matches, 1):
                which = f"match {number}: " if len(matches) > 1 else ""
                for line in check_match(match):
                    self._found(src)(ConvertError(which + line))
        except (MjlogError, JmjpError) as error:
            self._found(src)(error)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - one bad input, whatever is wrong, does not stop the rest
            self.report.fail(label(src), error)
            return
        self._files += 1

    def _found(self, src: str) -> Callable[[ConvertError], None]:
        """Return what tells of a finding in *src*."""

        def tell(error: ConvertError) -> None:
            self.findings += 1
            if self._as_json:
                write(json.dumps(_values(src, error)) + "\n")
                return
            write(printable(error.about(label(src))) + "\n")
            if isinstance(error, JmjpError):
                point(error, sys.stdout)

        return tell

    def summary(self) -> str:
        """Return how many were checked, and what came of it."""
        wrong = f"{self.findings} wrong" if self.findings else "nothing is wrong"
        return f"{_count(self._files, 'file')}, {_count(self._matches, 'match')} checked: {wrong}"


def _count(number: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number} {what if number == 1 else plural}"


_COORDINATES = ("frame", "element", "number", "line", "column")


def _values(src: str, error: ConvertError) -> dict[str, str | int | None]:
    """Return a finding in *src* for JSON; where it is, as far as its format can tell."""
    places = {name: getattr(error, name, None) for name in _COORDINATES}
    return {"file": src, **places, "reason": error.reason}

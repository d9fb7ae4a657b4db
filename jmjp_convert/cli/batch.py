"""``jmjp batch``: converts whole archives."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import click

from jmjp_convert.batch.destination import Place
from jmjp_convert.batch.executor import STOPPING, Workers, cores, processes
from jmjp_convert.batch.folder_output import Folder
from jmjp_convert.batch.run import Batch, SettingsError
from jmjp_convert.batch.selection import LIST, Selection, sources
from jmjp_convert.batch.summary import Summary
from jmjp_convert.batch.verification import Verification
from jmjp_convert.batch.worker import Settings
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option, output_option, selection_option
from jmjp_convert.cli.console import Once, say
from jmjp_convert.cli.progress import Bar
from jmjp_convert.convert import Writing
from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import Bounds, describe, is_directory, label

_SIGNALLED = 128  # plus the signal's number
_NOTICES = 100  # shown per run without -v
_EPILOG = """\b
Examples:
  jmjp batch 2019.db -o games/                 a houou-logs database
  jmjp batch mjlog_pf4-20_n1.zip logs/ -o games/
  jmjp batch 2019.db -o 2019.zip --zip
  find /logs -name '*.mjlog' | jmjp batch - -o games/
  jmjp batch --verify-output -o games/

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""


@click.command("batch", cls=Command, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, type=options.PATH)
@output_option(
    "-o", "--output", metavar="OUT", required=True, type=options.PATH, help="Output directory, or zip with --zip."
)
@output_option("--zip", "zipped", is_flag=True, help="Write a single zip file.")
@output_option("--verify-output", is_flag=True, help="Compare an earlier OUT with its ledger; convert nothing.")
@output_option("--force", is_flag=True, help="Convert everything again, overwriting outputs.")
@option("-j", "--jobs", type=click.IntRange(1), help="Number of worker processes.  [default: number of cores]")
@option("--dask", metavar="ADDRESS", help="Run on a Dask cluster.")
@selection_option("--players", type=click.Choice(["4"]), help="Skip logs whose ID shows another number of players.")
@selection_option("--since", metavar="DATE", callback=options.date, help="First day, month or year, by log ID.")
@selection_option("--until", metavar="DATE", callback=options.date, help="Last day, month or year, by log ID.")
@selection_option("--limit", metavar="N", type=click.IntRange(1), help="Convert only the first N logs.")
@selection_option("--sample", metavar="N", type=click.IntRange(1), help="Convert a deterministic sample of N logs.")
@selection_option("--dry-run", is_flag=True, help="Count the logs to convert; write nothing.")
@option("--no-progress", is_flag=True, help="Hide the progress bar.")
@option("-q", "--quiet", is_flag=True, help="Show errors only.")
@option("-v", "--verbose", is_flag=True, help="Report every failed or renamed log.")
@options.writing()
@options.bounds
def command(
    srcs: tuple[str, ...],
    output: str,
    *,
    verify_output: bool,
    dry_run: bool,
    writing: Writing,
    bounds: Bounds,
    **choices: Any,
) -> int:
    """Convert archives of game records to jmjp, or to the format given by --to.

    SRC is a log, a directory (searched recursively), a zip, a tar, a houou-logs or phoenix-logs database, or - for a
    list of paths on stdin, one per line; its type is detected from its content. OUT becomes a directory of games sorted
    by year and month, or a zip with --zip. A log that fails does not stop the rest. A run can be interrupted at any
    time; run it again to convert what is missing or damaged. Logs already in the output format are skipped, unless
    options such as --spec or --compact ask for another form of it.
    """
    if "" in (*srcs, output):
        raise click.UsageError("empty file name")
    if verify_output:
        return _verify(srcs, output, **choices)
    if not srcs:
        raise click.UsageError("Missing argument 'SRC...'.")
    if srcs.count(LIST) > 1:
        raise click.UsageError("stdin (-) can be read only once")
    if LIST in srcs and sys.stdin is None:
        raise click.UsageError("standard input is closed")
    place = _place(srcs, output, zipped=choices["zipped"])
    settings = Settings(str(place.output), str(place.staging.absolute()), place.zipped, writing, bounds)
    since, until = choices["since"], choices["until"]
    if since and until and since > until.ljust(len(since), "9"):
        raise click.UsageError("--since is after --until")
    selection = Selection(choices["players"] is not None, *(choices[name] for name in Selection._fields[1:]))
    quiet, verbose = choices["quiet"], choices["verbose"]
    with sources(srcs, sys.stdin.buffer if LIST in srcs else None) as inputs:
        bar = Bar(
            lambda: selection.total(inputs.count()), " games", wanted=not (choices["no_progress"] or quiet or dry_run)
        )
        with bar, _Interrupts(bar) as interrupts:
            console = _Console(bar, quiet=quiet, verbose=verbose)
            batch = Batch(
                inputs, selection, place, settings=settings, listener=console, stopped=interrupts.is_interrupted
            )
            if dry_run:
                with _usage():
                    _count(batch, force=choices["force"], quiet=quiet)
                return _code(batch.summary, interrupts)
            with _workers(choices["jobs"], choices["dask"]) as workers, _usage():
                batch.run(workers, force=choices["force"])
    _report(batch, place, quiet=quiet)
    return _code(batch.summary, interrupts)


def _verify(srcs: tuple[str, ...], output: str, *, zipped: bool, quiet: bool, no_progress: bool, **_: Any) -> int:
    """Compare the outputs of earlier runs with their ledger, and return the exit code."""
    if srcs:
        raise click.UsageError("--verify-output reads --output alone; leave out SRC")
    place = Folder(Path(output)) if Path(output).is_dir() and not zipped else Zip(Path(output))
    verification = Verification(place)
    with Bar(verification.total, " games", wanted=not (no_progress or quiet)) as bar:

        def report(what: str, problem: str) -> None:
            with bar.hidden():
                say(f"{what}: {problem}")

        verification.run(report, lambda: bar.advance(1, f"{verification.differing:,} damaged"))
    if not quiet:
        outputs = "output" if verification.number == 1 else "outputs"
        say(f"{verification.number:,} {outputs} verified, {verification.differing:,} damaged")
    if verification.differing:
        say("run the batch again to convert what is damaged")
    return 1 if verification.differing else 0


def _place(srcs: tuple[str, ...], output: str, *, zipped: bool) -> Place:
    """Return where the outputs go, without creating anything.

    :raises click.UsageError: they cannot go there.
    :raises FileError: a file or directory is in the way, or none of the sources exists.
    """
    if output == LIST:
        raise click.UsageError("batch cannot write to stdout (-); --output must name a directory, or a zip with --zip")
    if not zipped and output.lower().endswith(".zip") and not is_directory(output):
        raise click.UsageError(f"{output} looks like a zip; use --zip to write one, or {output}/ for a directory")
    _check_any_exists(srcs)
    for src in srcs:
        if src != LIST and _is_same(src, output):
            raise click.UsageError(f"{output} is also a source; choose another --output (it may be inside the source)")
    return Zip(Path(output)) if zipped else Folder(Path(output))


def _check_any_exists(srcs: tuple[str, ...]) -> None:
    """Check that at least one of *srcs* exists; those that do not fail like any other input.

    :raises FileError: none exists.
    """
    why = {}
    for src in srcs:
        try:
            if src == LIST or Path(src).stat():
                return
        except OSError as error:
            why[src] = describe(error)
    raise FileError(", ".join(f"{src}: {reason}" for src, reason in why.items()))


def _is_same(path: str, other: str) -> bool:
    try:
        return Path(path).samefile(other)
    except OSError:  # one of them does not exist
        return False


def _workers(jobs: int | None, address: str | None) -> AbstractContextManager[Workers]:
    if address is None:
        return nullcontext(processes(jobs or cores()))
    if jobs is not None:
        raise click.UsageError("use --jobs or --dask, not both; a cluster has its own number of workers")
    from jmjp_convert.batch.cluster import cluster

    return cluster(address)


def _code(summary: Summary, interrupts: _Interrupts) -> int:
    """Return the exit code."""
    if summary.interrupted:
        return _SIGNALLED + interrupts.signal
    return 0 if summary.ok else 1


@contextmanager
def _usage() -> Iterator[None]:
    """Make a use of other options than before an error of usage."""
    try:
        yield
    except SettingsError as error:
        raise click.UsageError(str(error)) from error


def _count(batch: Batch, *, force: bool, quiet: bool) -> None:
    number = batch.count(force=force)
    line, *_ = batch.summary.lines()
    if not quiet:
        say(f"{number:,} to convert, {line.partition(', ')[2]}")
    _report_empty(batch.summary)


def _report_empty(summary: Summary) -> None:
    for name in summary.empty:
        say(f"{label(name)}: no game records found")


def _report(batch: Batch, place: Place, *, quiet: bool) -> None:
    """Report the result of the run."""
    summary = batch.summary
    if summary.stopped:
        say(f"stopped: {summary.stopped}; run again to continue")
    if not quiet:
        for line in (*batch.losses.lines(), *summary.lines()):
            say(line)
    _report_empty(summary)
    if summary.failed and batch.listed:
        say(f"see {place.failures} for what failed")
    if summary.interrupted:
        say("interrupted; run again to continue")


class _Interrupts:
    """Handles Ctrl-C and termination signals: the first lets the run finish its work in progress, and says so; Ctrl-C
    after it stops the run at once.

    :ivar signal: the number of the first signal, or 0.
    """

    def __init__(self, bar: Bar) -> None:
        self.signal = 0
        self._bar = bar
        self._before: dict[int, Any] = {}

    def is_interrupted(self) -> bool:
        return bool(self.signal)

    def __enter__(self) -> _Interrupts:  # noqa: PYI034 - it has no subclasses
        with suppress(ValueError):  # only the main thread can handle signals
            for number in STOPPING:
                if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if not self.signal:
            self.signal = number
            with suppress(RuntimeError), self._bar.hidden():  # raised if stderr was being written to
                say("finishing work in progress; press Ctrl-C again to stop at once")
        elif number == signal.SIGINT:  # the others may arrive twice, for the process and for its group
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a third one would interrupt the shutdown of the workers
            raise KeyboardInterrupt


class _Console:
    """Shows the progress of a run."""

    def __init__(self, bar: Bar, *, quiet: bool, verbose: bool) -> None:
        self._bar = bar
        self._quiet = quiet
        self._verbose = verbose
        self._once = Once(_NOTICES)
        self._warned = 0

    def advance(self, number: int, failed: int) -> None:
        """Show that *number* more inputs are done, and that *failed* have failed so far."""
        self._bar.advance(number, f"{failed:,} failed")

    def warn(self, line: str) -> None:
        """Show *line*, a problem in an input; only the first hundred unless verbose: the summary has their number."""
        self._warned += 1
        if not self._quiet and (self._verbose or self._warned <= _NOTICES):
            self._say(line)

    def notify(self, what: str, text: str, *, detail: bool) -> None:
        """Show *text* about *what*: details only if verbose, the rest once for all inputs to which it applies."""
        if self._quiet or (detail and not self._verbose):
            return
        if not detail and not self._verbose and not self._once.is_new(text):
            return
        self._say(f"{what}: {text}")

    def _say(self, line: str) -> None:
        with self._bar.hidden():
            say(line)

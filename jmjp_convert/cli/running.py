"""What the commands that run the engine of a batch share: options, and what they report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

import click

from jmjp_convert.batch.destination import Destination
from jmjp_convert.batch.executor import Workers, cores, processes
from jmjp_convert.batch.run import ENDING, Batch, SettingsError
from jmjp_convert.batch.selection import Ids, Selection, sources
from jmjp_convert.batch.summary import Summary, counted_by
from jmjp_convert.batch.worker import Recipe, Settings
from jmjp_convert.cli import options, signals
from jmjp_convert.cli.command import option, output_option, selection_option
from jmjp_convert.cli.console import Bar, Once, counted, say
from jmjp_convert.errors import FileError
from jmjp_convert.files.compression import SNIFFED, ArchiveError, kind, not_a_log
from jmjp_convert.files.inputs import MAX_SIZE, NO_STDIN, STDIN, UTF16, content_of, is_same, label, missing
from jmjp_convert.formats.loss_lines import loss_lines, short_loss_lines
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind

_MOST_NOTICES = 100  # without -v
_MOST_IDS_LISTED = 3


class Choices(NamedTuple):
    """The options of a run."""

    force: bool = False
    jobs: int | None = None
    dask: str | None = None
    players: int | None = None
    since: str | None = None
    until: str | None = None
    limit: int | None = None
    sample: int | None = None
    ids: str | None = None
    dry_run: bool = False
    no_progress: bool = False
    quiet: bool = False
    verbose: bool = False

    @property
    def selection(self) -> Selection:
        """Which inputs are chosen.

        :raises click.UsageError: the dates contradict each other.
        :raises FileError: the list of log IDs cannot be read, or a line of it has none.
        """
        if self.since and self.until and self.since > self.until.ljust(len(self.since), "9"):
            raise click.UsageError("--since is after --until")
        return Selection(self.players, self.since, self.until, self.limit, self.sample, _ids(self.ids))


run_options = options.bundled(
    "choices",
    Choices,
    output_option("--force", is_flag=True, help="Convert everything again, overwriting outputs."),
    option("-j", "--jobs", type=click.IntRange(1), help="Number of worker processes.  [default: number of cores]"),
    option("--dask", metavar="ADDRESS", help="Run on a Dask cluster."),
    options.players_option(help="Skip logs whose ID shows another number of players."),
    options.date_option("--since", help="First day, month or year, by log ID."),
    options.date_option("--until", help="Last day, month or year, by log ID."),
    selection_option("--limit", metavar="N", type=click.IntRange(1), help="Convert only the first N logs."),
    selection_option("--sample", metavar="N", type=click.IntRange(1), help="Convert a deterministic sample of N logs."),
    selection_option(
        "--ids", metavar="FILE", type=options.PATH, help="Only logs whose IDs are in FILE, one per line (- for stdin)."
    ),
    selection_option("--dry-run", is_flag=True, help="Count the logs to convert; write nothing."),
    options.no_progress_option,
    option("-q", "--quiet", is_flag=True, help="Show errors only."),
    option(
        "-v",
        "--verbose",
        is_flag=True,
        help="List failed and renamed logs, skipped files, and all that the format leaves out.",
    ),
)


def check_paths(srcs: Sequence[str], output: str, ids: str | None) -> None:
    """Check that *srcs* and the list *ids* can be read, and that *output* is not one of the sources.

    :raises click.UsageError: they cannot, or it is.
    :raises FileError: none of them exists.
    """
    options.refuse(
        options.empty(*srcs, output, ids),
        (not srcs, "Missing argument 'SRC...'."),
        options.repeated_stdin(*srcs, ids),
        (STDIN in (*srcs, ids) and sys.stdin is None, NO_STDIN),
    )
    _check_any_exists(srcs)
    for src in srcs:
        if src != STDIN and is_same(src, output):
            raise click.UsageError(f"{output} is also a source; choose another --output (it may be inside the source)")


def run(srcs: Sequence[str], destination: Destination, recipe: Recipe, choices: Choices, reading: Reading) -> int:
    """Make *recipe* of *srcs* at *destination*, report the result, and return the exit code."""
    settings = Settings(str(destination.output), str(destination.staging.absolute()), recipe, reading)
    selection, quiet = choices.selection, choices.quiet
    wanted = not (choices.no_progress or quiet or choices.dry_run)
    with sources(srcs, sys.stdin.buffer if STDIN in srcs else None) as inputs:
        bar = Bar(lambda: selection.total(inputs.count()), " games", wanted=wanted)
        with bar, signals.Interrupts(bar.say) as interrupts:
            console = _Console(bar, quiet=quiet, verbose=choices.verbose)
            batch = Batch(
                inputs,
                selection,
                destination,
                settings=settings,
                listener=console,
                stopped=lambda: bool(interrupts.signal),
            )
            try:
                if choices.dry_run:
                    _count(batch, force=choices.force, quiet=quiet)
                else:
                    with signals.saying(lambda: _done(batch.summary)), _workers(choices.jobs, choices.dask) as workers:
                        batch.run(workers, force=choices.force)
            except SettingsError as error:  # the options are not those of earlier runs
                raise click.UsageError(str(error)) from error
            except ENDING:
                if not (interrupts.signal and batch.summary.interrupted):
                    raise
    if not choices.dry_run:
        _report(batch, destination, recipe.to, quiet=quiet, verbose=choices.verbose)
    return _end(batch.summary, choices, selection, interrupts)


def _check_any_exists(srcs: Sequence[str]) -> None:
    """Check that at least one of *srcs* exists; those that do not fail like any other input."""
    why = {}
    for src in srcs:
        try:
            if src == STDIN or Path(src).stat():
                return
        except OSError as error:
            why[src] = missing(src, error)
    raise FileError("; ".join(f"{src}: {reason}" for src, reason in why.items()))


def _ids(path: str | None) -> Ids | None:
    """Return the log IDs in the file *path*.

    :raises FileError: it cannot be read, or a line has no log ID.
    """
    if path is None:
        return None
    if path != STDIN and Path(path).is_dir():
        raise FileError(f"{label(path)}: is a directory, not a list of log IDs")
    try:
        content = content_of(sys.stdin.buffer if path == STDIN else path, MAX_SIZE)
        if archive := kind(content[:SNIFFED]):
            raise not_a_log(archive)
        encoding = "utf-16" if content.startswith(UTF16) else "utf-8-sig"  # older PowerShell writes UTF-16
        return Ids(content.decode(encoding, "replace").splitlines())
    except ArchiveError as error:
        raise FileError(f"{label(path)}: is {error.what}, not a list of log IDs") from error
    except FileError as error:
        raise FileError(f"{label(path)}: {error}") from error


def _workers(jobs: int | None, address: str | None) -> AbstractContextManager[Workers]:
    if address is None:
        return nullcontext(processes(jobs or cores()))
    if jobs is not None:
        raise click.UsageError("use --jobs or --dask, not both; the cluster determines the number of workers")
    from jmjp_convert.batch.executor import cluster

    return cluster(address)


def _end(summary: Summary, choices: Choices, selection: Selection, interrupts: signals.Interrupts) -> int:
    """Report the log IDs that no input had, if all sources were read, and return the exit code."""
    if summary.interrupted:
        return signals.SIGNALLED + interrupts.signal
    ids = selection.ids
    if ids is None or not ids.missing or summary.stopped or selection.limit is not None:
        return 0 if summary.ok else 1
    assert choices.ids is not None
    missing, number = f"{len(ids.missing):,}", counted(ids.number, "log ID")
    first = ", ".join(sorted(ids.missing)[:_MOST_IDS_LISTED]) + (", …" if len(ids.missing) > _MOST_IDS_LISTED else "")
    say(f"{label(choices.ids)}: {missing} of {number} not found: {first}", Kind.ERROR)
    return 1


def _count(batch: Batch, *, force: bool, quiet: bool) -> None:
    number = batch.count(force=force)
    line, *_ = batch.summary.lines()
    if not quiet:
        say(f"{number:,} to convert, {line.partition(', ')[2]}")
    _report_empty(batch.summary)


def _report_empty(summary: Summary) -> None:
    for name in summary.empty:
        say(f"{label(name)}: no game records found", Kind.WARNING if summary.has_records else Kind.ERROR)


def _report(batch: Batch, destination: Destination, to: str, *, quiet: bool, verbose: bool) -> None:
    """Report the result of the run."""
    summary = batch.summary
    if summary.stopped:
        say(f"stopped: {summary.stopped}; run the same command again to continue", Kind.ERROR)
    if not quiet:
        for line in (loss_lines if verbose else short_loss_lines)(to, batch.lost):
            say(line, Kind.NOTE)
        for line in (*summary.lines(), *destination.report()):
            say(line)
    _report_empty(summary)
    if summary.failed and destination.failures.exists() and not batch.anonymous:
        if quiet:
            say(f"{counted_by('failed', summary.failed)}; see {destination.failures}", Kind.ERROR)
        else:
            say(f"see {destination.failures} for what failed", Kind.NOTE)
    if summary.interrupted:
        say(signals.interrupted(_done(summary)))


def _done(summary: Summary) -> str:
    return counted(summary.converted + summary.already_there, "game")


class _Console:
    """Shows the progress of a run."""

    def __init__(self, bar: Bar, *, quiet: bool, verbose: bool) -> None:
        self._bar = bar
        self._quiet = quiet
        self._verbose = verbose
        self._once = Once(_MOST_NOTICES)
        self._warned = 0

    def advance(self, number: int, failed: int) -> None:
        """Show that *number* more inputs are done; *failed* have failed so far."""
        self._bar.advance(number, f"{failed:,} failed")

    def complete(self) -> None:
        """Show that the outputs are being completed."""
        self._bar.remark("completing the output")

    def warn(self, line: str, kind: Kind = Kind.WARNING) -> None:
        """Show *line*, a problem in an input; unless verbose, only the first ones: the summary has their number."""
        self._warned += 1
        if not self._quiet and (self._verbose or self._warned <= _MOST_NOTICES):
            self._bar.say(line, kind)

    def notify(self, what: str, text: str, kind: Kind = Kind.WARNING, *, detail: bool = False) -> None:
        """Show *text* about *what*: details only if verbose, the rest once for all inputs to which it applies."""
        if not self._quiet and (self._verbose or (not detail and self._once.is_new(text))):
            self._bar.say(f"{what}: {text}", kind)

"""What commands that survey many inputs share: options for processes and language, and the progress bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

import click

from jmjp_convert.batch.survey import NO_RECORDS, Copies, Input, Task, count, inputs, is_collection, survey, usual_jobs
from jmjp_convert.cli import options
from jmjp_convert.cli.command import language_option, option
from jmjp_convert.cli.console import Bar, counted
from jmjp_convert.cli.report import Report
from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import label
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind

names_option = language_option(
    help="Show English and romanized names, or Japanese.  [default: the language of messages]"
)
"""The option of commands that show what games have in two languages."""


T = TypeVar("T")


class Collection(NamedTuple):
    """How to go through many inputs."""

    jobs: int | None = None
    no_progress: bool = False
    verbose: bool = False


collection_options = options.bundled(
    "collection",
    Collection,
    option("-j", "--jobs", type=click.IntRange(1), help="Number of processes.  [default: one per core for many games]"),
    options.no_progress_option,
    options.skipped_option,
)


def say_converted(copies: Copies, report: Report) -> None:
    """Warn of the games that count more than once, because they have been converted."""
    if number := copies.converted:
        games = counted(number, "game")
        line = f"counted again in another format: {games}; keep converted files in another folder"
        report.remark(line, Kind.WARNING)


def surveyed(
    sources: Sequence[str],
    task: Task[T],
    reading: Reading,
    report: Report,
    collection: Collection,
    *,
    named_once: bool = False,
    bar: bool = True,
) -> Iterator[tuple[Input, T | None]]:
    """Yield each input in *sources* with what *task* returns for it, ``None`` if it failed or is skipped, as copies in
    directories and archives are. While the caller looks at it, nothing of the progress bar is on the screen. A source
    without any game record fails.

    :param report: receives what there is to say about the inputs.
    :param named_once: whether copies are skipped among the files that are *sources* too.
    :param bar: whether there may be a progress bar, if there may be many inputs.
    """
    wanted = bar and not collection.no_progress and any(map(is_collection, sources))
    total = cache(lambda: count(sources))  # a directory is walked for it
    with Bar(total, " games", wanted=wanted) as report.bar, Copies(named=named_once) as copies:
        queue = inputs(sources, reading.max_size, report.skip)
        jobs = collection.jobs or usual_jobs(total())
        with_records = set()
        for input_, result in survey(queue, task, reading, report, jobs, copies=copies):
            if not input_.origin or report.last_skipped != input_.label:
                with_records.add(input_.origin or input_.source)
            with report.bar.hidden():
                yield input_, result
            report.bar.advance(1, "")
        for source in sources:
            if source not in with_records:
                report.fail(label(source), FileError(NO_RECORDS))
        if named_once:
            say_converted(copies, report)

"""What commands over many inputs share: directories and archives as sources, processes, and the progress bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple, TypeVar

import click

from jmjp_convert.batch.survey import Input, Seen, Task, count, inputs, is_collection, survey, usual_jobs
from jmjp_convert.cli import options
from jmjp_convert.cli.command import option
from jmjp_convert.cli.progress import Bar
from jmjp_convert.formats.reading import Reading

T = TypeVar("T")


class Collection(NamedTuple):
    """How to go through many inputs."""

    jobs: int | None = None
    no_progress: bool = False


collection_options = options.bundled(
    "collection",
    Collection,
    option("-j", "--jobs", type=click.IntRange(1), help="Number of processes.  [default: one per core for many games]"),
    option("--no-progress", is_flag=True, help="Hide the progress bar."),
)


class Given:
    """The inputs of a run.

    :ivar passed: by reason, the files in directories and archives that were passed over.
    """

    def __init__(self, sources: Sequence[str], jobs: int, bar: Bar) -> None:
        self.passed: Counter[str] = Counter()
        self._sources = sources
        self._jobs = jobs
        self._bar = bar

    def survey(self, task: Task[T], reading: Reading) -> Iterator[tuple[Input, Seen[T]]]:
        """Yield each input with what *task* finds in it; nothing of the progress bar is on the screen meanwhile."""
        found = inputs(self._sources, reading.max_size, self._pass)
        for one, seen in survey(found, task, reading, self._jobs):
            if seen.passed:
                self._pass(seen.passed)
            else:
                with self._bar.hidden():
                    yield one, seen
            self._bar.advance(1, "")

    def _pass(self, why: str) -> None:
        self.passed[why] += 1


@contextmanager
def collecting(sources: Sequence[str], collection: Collection, *, quiet: bool) -> Iterator[Given]:
    """Provide the inputs in *sources*, with a progress bar if there may be many."""
    wanted = not (quiet or collection.no_progress) and any(map(is_collection, sources))
    total = cache(lambda: count(sources))  # a directory is walked for it
    with Bar(total, " games", wanted=wanted) as bar:
        yield Given(sources, collection.jobs or usual_jobs(total()), bar)

"""Lays out the output of a batch: a directory or a zip, with its ledger, list of failures and summary."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.worker import OutputError, Staged, put
from jmjp_convert.batch.zip_output import offsets, write_zip
from jmjp_convert.errors import FileError
from jmjp_convert.files.archives.batch_files import FAILURES, LEDGER, STAGING, SUMMARY
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.outputs import make_directory
from jmjp_convert.model import log_ids

_UNKNOWN = "unknown"
_SHORT = 8  # hexadecimal digits of a digest that distinguish contents of the same ID
_LONG = 32  # if there is no ID
_PENDING = "zip being put in place"
_FINISHED = "size of the zip"
_OWNED = "may be overwritten"


def name_of(log_id: log_ids.LogId | None, digest: str, suffix: str) -> str:
    """Return the path of a log's output below the root: by year and month of its ID, or by the digest of its
    content."""
    if log_id is None:
        return f"{_UNKNOWN}/{digest[:2]}/{digest[:_LONG]}{suffix}"
    if log_id.date is None:
        return f"{_UNKNOWN}/{log_id.text}{suffix}"
    return f"{log_id.date[:4]}/{log_id.date[4:6]}/{log_id.text}{suffix}"


def longer(name: str, digest: str, suffix: str, digits: int = _SHORT) -> str:
    """Return the path of a log's output if other content with the same ID has its usual path, *name*."""
    return f"{name.removesuffix(suffix)}~{digest[:digits]}{suffix}"


class Place:
    """The place of a run's outputs.

    :param output: the directory, or the zip.
    :param zipped: whether it is a zip.
    :raises FileError: a directory is where the zip should be, or a file where the directory should be.
    """

    def __init__(self, output: Path, *, zipped: bool) -> None:
        self.output = output.absolute()
        self.zipped = zipped
        if zipped and self.output.is_dir():
            raise FileError(f"{output} is a directory, not a zip; choose another --output")
        if not zipped and self.output.exists() and not self.output.is_dir():
            raise FileError(f"{output} is a file, not a directory; choose another --output")
        self.home = self.output.with_name(f"{self.output.name}.batch") if zipped else self.output
        self.staging = self.home / STAGING
        self.ledger = self.home / LEDGER
        self.failures = self.home / FAILURES
        self.summary = self.home / SUMMARY

    def prepare(self) -> None:
        """Create the directories.

        :raises FileError: they cannot be created.
        """
        make_directory(self.staging)

    def identities(self) -> set[tuple[int, int]]:
        """Return the device and inode of the output directory and the zip, as far as they exist."""
        found = set()
        for path in {self.home, self.output}:
            with suppress(OSError):
                status = path.stat()
                found.add((status.st_dev, status.st_ino))
        return found

    def begin(self, ledger: Ledger, *, force: bool) -> None:
        """Make *ledger* and the files on disk agree, however the last run ended.

        :raises FileError: the zip exists but *ledger* does not know it.
        """
        if self.zipped and not force:
            self._begin_zip(ledger)
        ledger.note(_PENDING, "")
        ledger.note(_OWNED, "yes")
        ledger.commit()
        kept = ledger.segments()
        for name in os.listdir(self.staging):  # noqa: PTH208 - only names are needed
            if name not in kept:
                with suppress(OSError):
                    (self.staging / name).unlink()

    def _begin_zip(self, ledger: Ledger) -> None:
        pending = ledger.setting(_PENDING)
        if pending and not (self.staging / pending).exists():
            self._finished(ledger)
        size = self.output.stat().st_size if self.output.exists() else None
        finished = ledger.setting(_FINISHED)
        if finished is None:
            if size is not None and not ledger.setting(_OWNED):
                raise FileError(f"{self.output} exists and is not from this batch; use --force to overwrite it")
        elif str(size) != finished:  # it is missing or was replaced
            ledger.clear(but="options")

    def is_there(self, name: str) -> bool:
        """Return whether the output *name* still exists."""
        return self.zipped or os.path.exists(f"{self.output}{os.sep}{name}")  # noqa: PTH110 - called for every game

    def put(self, staged: Staged, name: str) -> None:
        """Move what is *staged* into place; a zip is written at the end.

        :raises OutputError: it cannot be moved.
        """
        if not self.zipped:
            put(str(self.staging / staged.name), str(self.output / name))

    def drop(self, staged: Staged) -> None:
        """Remove what is *staged* but not needed."""
        if not self.zipped:
            with suppress(OSError):
                (self.staging / staged.name).unlink()

    def finish(self, ledger: Ledger) -> None:
        """Complete the outputs.

        :raises OutputError: they cannot be written.
        """
        if self.zipped and (ledger.segments() or not self.output.exists() or ledger.setting(_FINISHED) is None):
            name = f"zip-{os.urandom(12).hex()}"
            try:
                with (self.staging / name).open("xb") as file:
                    write_zip(file, ledger.all_outputs, self.staging, self.output)
                ledger.note(_PENDING, name)
                ledger.commit()
                (self.staging / name).replace(self.output)
            except OSError as error:
                raise OutputError(f"{self.output}: {describe(error)}") from error
            self._finished(ledger)

    def _finished(self, ledger: Ledger) -> None:
        """Record that all outputs are in the zip, and where."""
        for name, offset in offsets(ledger.all_outputs):
            ledger.unstage(name, offset)
        segments = ledger.segments()
        ledger.forget_segments()
        ledger.note(_PENDING, "")
        ledger.note(_FINISHED, str(self.output.stat().st_size))
        ledger.commit()
        for name in segments:
            with suppress(OSError):
                (self.staging / name).unlink()

    def clean(self) -> None:
        """Remove the staging directory, unless it still holds what the next run needs."""
        with suppress(OSError):
            self.staging.rmdir()

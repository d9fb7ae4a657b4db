"""Where the statistics of players go, and as what."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import output_option
from jmjp_convert.cli.console import counted, say, shown, write
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.cli.stats_text import Found
from jmjp_convert.files import outputs
from jmjp_convert.files.inputs import is_path

_ESCAPED = "backslashreplace"
"""What becomes of lone surrogates in names, which cannot be encoded."""
JSON, CSV, HTML, TEXT = ".json", ".csv", ".html", ".txt"
"""What the statistics may be written as, by the extensions of such files; any other is text."""
_CHOSEN = {JSON: "--json", CSV: "--csv", HTML: "--html"}


class StatsOutput(NamedTuple):
    """The options for the output."""

    json: bool = False
    csv: bool = False
    html: bool = False
    output: str | None = None
    force: bool = False
    opened: bool = False

    @property
    def form(self) -> str:
        """What is written, by its extension.

        :raises click.UsageError: the options contradict each other.
        """
        options_given = zip(_CHOSEN, (self.json, self.csv, self.html), strict=True)
        given = [form for form, is_given in options_given if is_given]
        if len(given) > 1:
            raise click.UsageError(f"use {_CHOSEN[given[0]]} or {_CHOSEN[given[1]]}, not both")
        suffix = self.path.suffix.lower() if self.path else ""
        if not given:
            return suffix if suffix in _CHOSEN else TEXT
        if suffix in _CHOSEN and suffix != given[0]:
            raise click.UsageError(
                f"{self.output} has the extension of {suffix[1:]}, not of {given[0][1:]}; "
                f"leave out {_CHOSEN[given[0]]}, or change the extension"
            )
        return given[0]

    @property
    def path(self) -> Path | None:
        """The file, or ``None`` for stdout."""
        return None if self.output is None or self.output == STDOUT else Path(self.output)

    def check(self, srcs: Sequence[str]) -> None:
        """Check, before anything is read, that the statistics of *srcs* can be written.

        :raises click.UsageError: the options contradict each other.
        :raises FileError: the file exists, or is an input.
        """
        if self.output == "":
            raise click.UsageError("empty file name")
        if self.opened and (self.form != HTML or self.path is None):
            raise click.UsageError("--open needs a page in a file; name one with --output, such as players.html")
        if self.form == HTML and self.output is None and sys.stdout is not None and sys.stdout.isatty():
            raise click.UsageError("a page is not for a terminal; name a file for it with --output")
        if self.path is not None:
            with outputs.Outputs(filter(is_path, srcs), force=self.force) as files:
                files.reserve(str(self.path), "")

    def write(self, content: str, found: Found) -> None:
        """Write *content*, which is about the players *found*.

        :raises FileError: it cannot be written.
        """
        if self.path is not None:
            outputs.make_directory(self.path.parent)
            outputs.write(self.path, content.encode("utf-8", _ESCAPED), force=self.force)
            say(f"{shown(self.path)}: {counted(len(found), 'player')}")
        elif self.form == HTML:
            outputs.write_stdout(content.encode())
        else:
            write(content)


stats_output = options.bundled(
    "output",
    StatsOutput,
    output_option("--json", is_flag=True, help="Write JSON: a list with one object per player."),
    output_option("--csv", is_flag=True, help="Write CSV: one line per player."),
    output_option(
        "--html", is_flag=True, help="Write a page for the browser, with placings, points over time and yaku."
    ),
    output_option(
        "-o",
        "--output",
        metavar="FILE|-",
        type=options.PATH,
        help="Write to FILE, as its extension says (.json, .csv, .html; otherwise text), or to stdout (-).",
    ),
    output_option("--force", is_flag=True, help="Overwrite an existing file."),
    output_option("--open", "opened", is_flag=True, help="Open the page in the browser."),
)

"""``jmjp tables``: makes a data set of many games."""

from __future__ import annotations

from pathlib import Path

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, format_option, output_option
from jmjp_convert.cli.running import Choices, check_paths, run, run_options
from jmjp_convert.dataset.destination import DataSet
from jmjp_convert.dataset.recipe import Games
from jmjp_convert.dataset.table_files import Csv, Parquet, import_pyarrow
from jmjp_convert.formats.reading import Reading

_EPILOG = """\b
Examples:
  jmjp tables 2019.db -o data/                 a houou-logs database
  jmjp tables games/ logs.zip -o data/ --to csv
  duckdb -c "SELECT count(*) FROM 'data/wins/**/*.parquet'"
"""


@click.command("tables", cls=Command, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, type=options.PATH)
@output_option("-o", "--output", metavar="OUT", required=True, type=options.PATH, help="Directory of the data set.")
@format_option(
    "--to",
    type=options.Choice([Parquet.name, Csv.name]),
    default=Parquet.name,
    show_default=True,
    help="Form of the tables.",
)
@format_option("--raw", is_flag=True, help="Leave texts in CSV as they are, even formulas.")
@run_options
@options.bounds
def command(srcs: tuple[str, ...], output: str, *, to: str, raw: bool, choices: Choices, reading: Reading) -> int:
    """Make a data set of games: tables of matches, hands, wins, discards, for SQL and data frames.

    SRC is a log, a directory (searched recursively), a zip, a tar, a houou-logs or phoenix-logs database, or - for a
    list of paths on stdin, one per line; its format is detected from its content. OUT becomes a directory of
    tables, with a file for each month. A log that fails does not stop the rest. A run can be interrupted at any time;
    run it again to continue, or later to add games.
    """
    options.refuse((raw and to != Csv.name, "--raw is for --to csv"))
    options.check_directory(output)
    destination = DataSet(Path(output), Csv(raw=raw) if to == Csv.name else Parquet())
    check_paths(srcs, output, choices.ids)
    if to == Parquet.name:
        import_pyarrow()
    return run(srcs, destination, Games(destination.form), choices, reading)

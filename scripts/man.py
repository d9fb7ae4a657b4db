#!/usr/bin/env python3
"""Write the manual pages from the help texts; remove those of commands that are gone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
import click
from commandline import Parser, run

from jmjp_convert import __version__
from jmjp_convert.cli import COMMANDS, main
from jmjp_convert.cli.command import GENERAL, Command
from jmjp_convert.cli.console import PROGRAM

PAGES = Path(__file__).parent.parent / "docs" / "man"
SECTION = 1
_MARK = "\b"  # click's mark of a paragraph that is not to be wrapped
_EXIT_CODES = "Exit codes: "


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    context = click.Context(main, info_name=PROGRAM, **main.context_settings)
    found = {f"{PROGRAM}.{SECTION}": _page(main, context)}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert isinstance(command, Command)
        own = click.Context(command, parent=context, info_name=name)
        found[f"{PROGRAM}-{name}.{SECTION}"] = _page(command, own)
    return found


def _page(command: click.Command, context: click.Context) -> str:
    name = context.command_path.replace(" ", "-")
    short = (command.short_help or cleandoc(command.help or "").partition("\n\n")[0]).replace("\n", " ")
    lines = [
        f'.TH {name.upper()} {SECTION} "" "{PROGRAM} {__version__}" "User Commands"',
        *(".SH NAME", f"{_text(name)} \\- {_text(short.rstrip('.'))}"),
        *(".SH SYNOPSIS", f".B {_text(context.command_path)}", _text(" ".join(command.collect_usage_pieces(context)))),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        *_commands(command, context),
        *_options(command, context),
        *_examples(command.epilog or ""),
        *_exit_status(command),
        ".SH SEE ALSO",
        _see_also(context),
    ]
    return "\n".join([*lines, ""])


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text."""
    for number, paragraph in enumerate(cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        yield _text(" ".join(paragraph.split()))


def _commands(command: click.Command, context: click.Context) -> Iterator[str]:
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from (".TP", f".B {_text(name)}", _text(found.get_short_help_str(200)))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the options, by group."""
    groups = command.groups(context) if isinstance(command, Command) else {GENERAL: command.get_params(context)}
    yield ".SH OPTIONS"
    for number, (group, params) in enumerate(groups.items()):
        if number or group != GENERAL:
            yield f".SS {_text(group)}"
        for param in params:
            record = param.get_help_record(context)
            if record is not None:
                yield from (".TP", f".B {_text(record[0])}", _text(" ".join(record[1].split())))


def _examples(text: str) -> Iterator[str]:
    for paragraph in cleandoc(text).split("\n\n"):
        first, _, rest = paragraph.partition("\n")
        if first == _MARK:
            heading, *lines = rest.splitlines()
            yield from (
                f".SH {_text(heading.rstrip(':').upper())}",
                ".nf",
                *map(_text, cleandoc("\n".join(lines)).splitlines()),
            )
            yield ".fi"


def _exit_status(command: click.Command) -> Iterator[str]:
    if isinstance(command, Command) and command.exit_codes:
        yield from (".SH EXIT STATUS", _text(command.exit_codes.removeprefix(_EXIT_CODES)))


def _see_also(context: click.Context) -> str:
    own = context.info_name
    names = [PROGRAM, *(f"{PROGRAM}-{name}" for name in COMMANDS)]
    others = (name for name in names if name not in (own, f"{PROGRAM}-{own}"))
    return ", ".join(rf"\fB{_text(name)}\fR({SECTION})" for name in others)


def _text(text: str) -> str:
    """Return *text* in the language of manual pages."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped)


def write(directory: Path) -> None:
    """Write all pages into *directory*, which then holds no others."""
    directory.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in directory.glob(f"{PROGRAM}*.{SECTION}"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (directory / name).write_text(text, encoding="utf-8")


def _main() -> None:
    parser = Parser(__file__, __doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=PAGES, metavar="DIR", help="directory (default: docs/man)"
    )
    write(parser.parse_args().folder)


if __name__ == "__main__":
    sys.exit(run(__file__, _main))

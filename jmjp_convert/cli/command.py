"""Commands whose help shows options in groups."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from click.core import ParameterSource

GENERAL, OTHER = "Options", "Other options"
OUTPUT, FORMAT, INPUT, SELECTION = "Output", "Format", "Input", "Selection"
"""Groups of options. A format's own options have a group too, such as ``tenhou6 only``."""

_NARROWEST, _USUAL, _WIDEST = 50, 80, 120  # columns


class Option(click.Option):
    """An option.

    :param group: the heading that the help lists it under.
    :param listed: whether the help lists it at all.
    """

    def __init__(self, *args: Any, group: str = GENERAL, listed: bool = True, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.group = group
        self.listed = listed


class _Formatter(click.HelpFormatter):
    """Formats help as wide as the terminal, unless it is given a width."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width or _help_width(), max_width)


class Context(click.Context):
    """The context of a command."""

    formatter_class = _Formatter


class Command(click.Command):
    """A command whose help lists its options by group, in the order in which the groups first appear."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*; every usage error names this command, whose help it is about."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group with its heading."""
        for group, options in self.groups(ctx).items():
            listed = (option for option in options if getattr(option, "listed", True))
            if records := [record for option in listed if (record := option.get_help_record(ctx))]:
                with formatter.section(group):
                    formatter.write_dl(records)

    def groups(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the options by group; the help option is in the last one."""
        found: dict[str, list[click.Parameter]] = {}
        for param in self.get_params(ctx):
            if not isinstance(param, click.Argument):
                found.setdefault(getattr(param, "group", OTHER), []).append(param)
        return found


option = partial(click.option, cls=Option)
output_option = partial(option, group=OUTPUT)
format_option = partial(option, group=FORMAT)
input_option = partial(option, group=INPUT)
selection_option = partial(option, group=SELECTION)

unused_quiet_option = option("-q", "--quiet", is_flag=True, hidden=True, expose_value=False)
"""For commands that say nothing that it could hide, so that every command has it."""


def is_given(name: str) -> bool:
    """Return whether the option for the parameter *name* is on the command line of the current command."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _help_width() -> int:
    """Return the columns of help texts: those of the terminal, or of the environment variable ``COLUMNS``."""
    import shutil

    return min(max(shutil.get_terminal_size((_USUAL, 24)).columns, _NARROWEST), _WIDEST)

"""Commands whose help shows options in groups."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from jmjp_convert.cli.language import ENGLISH, LANGUAGES, choose, language, translated

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

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
        import shutil

        columns = shutil.get_terminal_size((_USUAL, 24)).columns
        super().__init__(indent_increment, width or min(max(columns, _NARROWEST), _WIDEST), max_width)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how the command *prog* is called."""
        super().write_usage(prog, args, prefix or f"{_in_language('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(_in_language(heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        if _in_language(text) == text:
            super().write_text(text)
            return
        room = self.width - self.current_indent
        for number, paragraph in enumerate(_in_language(text).split("\n\n")):
            first, *others = paragraph.split("\n")
            lines = others if first == "\b" else [*_lines(paragraph, room)]
            self.write("\n" if number else "", *(f"{'':{self.current_indent}}{line}\n" for line in lines))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options or the like, each with its text."""
        rows = list(rows)
        texts = [_option_text(text) for _, text in rows]
        if texts == [text for _, text in rows]:
            super().write_dl(rows, col_max, col_spacing)
            return
        column = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        for (name, _), text in zip(rows, texts, strict=True):
            first, *others = _lines(text, max(self.width - self.current_indent - column, 10))
            gap = "\n" + " " * (self.current_indent + column)
            fits = len(name) <= column - col_spacing
            self.write(f"{'':{self.current_indent}}{name}{' ' * (column - len(name)) if fits else gap}{first}")
            self.write(*(gap + line for line in others), "\n")

    def write(self, *strings: str) -> None:
        """Write *strings*."""
        self.buffer.extend(strings)


class Context(click.Context):
    """The context of a command."""

    formatter_class = _Formatter


class Command(click.Command):
    """A command whose help lists its options by group, in the order in which the groups first appear.

    :param exit_codes: the last paragraph of the help.
    """

    context_class = Context

    def __init__(
        self,
        *args: Any,
        exit_codes: str = "Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.",
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self.exit_codes = exit_codes
        self.add_help_option = False
        if not any(param.name == LANG for param in self.params):
            self.params.append(Option([f"--{LANG}"], hidden=True, expose_value=False, **_LANGUAGE))
        self.params.append(Option(HELP, group=OTHER, **SHOWS_HELP))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*; every usage error names this command, so that its help is suggested. Help is shown last, in the
        language that an option behind it may set."""
        if "--" not in args:
            args = sorted(args, key=HELP.__contains__)
        try:
            return super().parse_args(ctx, [*args])
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            is_mistaken = isinstance(error, click.NoSuchOption) and "--" not in args
            if is_mistaken and (name := next((arg for arg in args if arg.startswith("-") and os.path.exists(arg)), "")):
                path = os.path.join(os.curdir, name)
                message = f"{name} looks like an option; for the file of this name, write {path}"
                raise click.UsageError(message, ctx) from error
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of *incomplete*, with hints in the language of the user."""
        return with_hints(super().shell_complete(ctx, incomplete))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group with its heading."""
        for group, options in self.groups(ctx).items():
            listed = (option for option in options if getattr(option, "listed", True))
            if records := [record for option in listed if (record := option.get_help_record(ctx))]:
                with formatter.section(group):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the exit codes."""
        super().format_epilog(ctx, formatter)
        if self.exit_codes:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(self.exit_codes)

    def groups(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the options by group; the help option is in the last one."""
        groups: dict[str, list[click.Parameter]] = {}
        for param in self.get_params(ctx):
            if not isinstance(param, click.Argument):
                groups.setdefault(getattr(param, "group", OTHER), []).append(param)
        return groups


LANG = "lang"


def _choose(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        choose(value)
    return value


def _show_help(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo(context.get_help(), color=context.color)
        context.exit()


HELP = ("-h", "--help")
SHOWS_HELP: dict[str, Any] = {
    "is_flag": True,
    "is_eager": True,
    "expose_value": False,
    "callback": _show_help,
    "help": "Show this message and exit.",
}
"""The option for help: that of click looks for a translation in the files of the system, at every start."""

_LANGUAGE: dict[str, Any] = {
    "type": click.Choice(LANGUAGES, case_sensitive=False),
    "is_eager": True,  # before the help is shown
    "callback": _choose,
}
"""Every command has the option, but only the program itself and those that show names list it."""

option = partial(click.option, cls=Option)
language_option = partial(option, f"--{LANG}", **_LANGUAGE)
output_option = partial(option, group=OUTPUT)
format_option = partial(option, group=FORMAT)
input_option = partial(option, group=INPUT)
selection_option = partial(option, group=SELECTION)

unused_quiet_option = option("-q", "--quiet", is_flag=True, hidden=True, expose_value=False)
"""For commands that say nothing that it could hide, so that every command has it."""


def is_given(name: str) -> bool:
    """Return whether the option for the parameter *name* is on the command line of the current command."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


# --- help in Japanese ------------------------------------------------------------------------------------------------

_WORD = r"(?s)[!-~]+|."
_NOT_FIRST, _NOT_LAST = "、。，．・：；？！ー々）」』】〕〉》”’ぁぃぅぇぉっゃゅょァィゥェォッャュョ", "（「『【〔〈《“‘"  # noqa: RUF001


def with_hints(items: list[CompletionItem]) -> list[CompletionItem]:
    """Return completions with hints in the language of the user."""
    for item in items:
        if item.help:
            item.help = _option_text(item.help)
    return items


def _in_language(text: str) -> str:
    return translated(text, getattr(sys.stdout, "encoding", None))


def _option_text(text: str) -> str:
    """Return the help of an option, with what click adds in brackets, in the language of the user."""
    if language() == ENGLISH:
        return text
    main, bracket, extra = text.rpartition("  [")
    if not bracket or ("x" not in re.split("[<>=]+", extra.removesuffix("]")) and _in_language(text) != text):
        return _in_language(text)
    extras = "、".join(map(_in_language, extra.removesuffix("]").split("; ")))
    return f"{_option_text(main)}  [{extras}]"


def _lines(text: str, room: int) -> Iterator[str]:
    """Yield *text* in lines of at most *room* columns, broken as Japanese is: anywhere but inside words of other
    scripts, before closing marks and after opening ones."""
    from jmjp_convert.cli.text_table import width

    line: list[str] = []
    for word in re.findall(_WORD, " ".join(text.split("\n"))):
        line.append(word)
        if width("".join(line).rstrip()) <= room:
            continue
        pairs = enumerate(pairwise(line), 1)
        if breaks := [at for at, (last, first) in pairs if last not in _NOT_LAST and first not in _NOT_FIRST]:
            yield "".join(line[: breaks[-1]]).rstrip()
            line = [*dropwhile(str.isspace, line[breaks[-1] :])]
    yield "".join(line).rstrip()

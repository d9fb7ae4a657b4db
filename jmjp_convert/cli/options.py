"""Options shared by several commands; each group is passed to the command as one argument."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce, wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import click

from jmjp_convert.batch.survey import is_collection
from jmjp_convert.cli.command import format_option, input_option, is_given, option, output_option, selection_option
from jmjp_convert.cli.console import say
from jmjp_convert.convert import Writing
from jmjp_convert.errors import ConvertError
from jmjp_convert.files import outputs
from jmjp_convert.files.compression import without_extension
from jmjp_convert.files.inputs import MAX_SIZE, STDIN, is_path, is_same
from jmjp_convert.formats import DEFAULT, FORMATS, by_suffix, contradiction, readable, sharing, writable
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.output_names import output_path
from jmjp_convert.formats.reading import Reading
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import Kind
from jmjp_convert.model import dates, log_ids
from jmjp_convert.model.record import Record

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

INPUT = f"{', '.join(format_.name for format_ in readable()[:-1])} or {readable()[-1].name}, plain or compressed"
"""What an input may be, for help texts: its format is detected from its content."""

STDOUT = "-"
"""The name for standard output."""


class _Path(click.ParamType):  # type: ignore[type-arg]
    """The path of a file, or ``-``. Click's own type stats each file and looks up a translation of its name."""

    name = "path"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return that the shell completes *incomplete*."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


PATH = _Path()
"""The type of inputs and outputs. Whether a file can be read is found out when it is opened: an unreadable one must not
stop the rest."""


class Choice(click.Choice):  # type: ignore[type-arg]
    """A choice in any case; of version numbers, ``1`` is ``1.0``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the choice that matches *value*."""
        lower = str(value).lower()
        canonical = next(
            (choice for choice in self.choices if lower in (choice.lower(), choice.lower().removesuffix(".0"))), value
        )
        return super().convert(canonical, param, ctx)


sources = click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=PATH)

_Command = Callable[..., Any]
_Decorator = Callable[[_Command], _Command]

_TIME = regex(r"([01][0-9]|2[0-3]):?([0-5][0-9])")
_DATE = regex(r"([0-9]{4})(?:-?([0-9]{2})(?:-?([0-9]{2}))?)?")
_FIRST = "0101"  # of a year, month and day
_MOST_DIGITS = 15  # of a size
_UNITS: dict[str, int] = {"": 1, "B": 1} | {
    f"{letter}{ending}": base**power
    for power, letter in enumerate("KMGT", 1)
    for ending, base in (("", 1024), ("IB", 1024), ("B", 1000))
}


class Placing(Record):
    """Where outputs go."""

    __slots__ = ("output", "force", "quiet")

    def __init__(self, output: str | None = None, force: bool = False, quiet: bool = False) -> None:
        self.output: Final = output
        self.force: Final = force
        self.quiet: Final = quiet

    @property
    def directory(self) -> str | None:
        """The directory that outputs go into, if ``--output`` names one."""
        output = self.output
        if output is None or output == STDOUT:
            return None
        named_so = output.endswith((os.sep, os.altsep or os.sep))
        return output if named_so or os.path.isdir(output) else None

    @property
    def file(self) -> str | None:
        """The single file that outputs go to, if ``--output`` names one."""
        return None if self.output == STDOUT or self.directory is not None else self.output

    def is_stdout(self, src: str) -> bool:
        """Return whether the output of *src* alone goes to stdout: by default, that of anything but a file."""
        return self.output == STDOUT or (self.output is None and not is_path(src))

    def path(self, src: str, directory: str | None, suffix: str, log_id: str | None) -> str | None:
        """Return the path of the output of *src* alone, with *suffix* unless it is named; ``None`` for stdout.

        :param directory: :attr:`directory`, which a run looks for once.
        :param log_id: the name for stdin in a directory.
        """
        if self.is_stdout(src):
            return None
        if self.output is None or directory is not None:
            return output_path(src, directory, suffix, log_id)
        return self.output


def refuse(*problems: tuple[object, str]) -> None:
    """Check that none of *problems* applies, each with its message.

    :raises click.UsageError: one does.
    """
    for applies, message in problems:
        if applies:
            raise click.UsageError(message)


def empty(*arguments: str | None) -> tuple[bool, str]:
    """Return, for :func:`refuse`, the problem that one of *arguments*, such as a variable of the shell, is empty."""
    return "" in arguments, "an argument is empty"


def repeated_stdin(*srcs: str | None) -> tuple[bool, str]:
    """Return, for :func:`refuse`, the problem that more than one of *srcs* is stdin."""
    return srcs.count(STDIN) > 1, "stdin (-) can be read only once"


def check_sources(srcs: Sequence[str], reading: Reading) -> None:
    """Check that the inputs *srcs* go together with the options in *reading*.

    :raises click.UsageError: they do not.
    """
    refuse(
        empty(*srcs),
        repeated_stdin(*srcs),
        (len(srcs) > 1 and reading.id is not None, "--id works only with a single SRC"),
        (len(srcs) > 1 and reading.time is not None, "--time works only with a single SRC"),
    )


def refuse_compressed_page(output: str | None) -> None:
    """Check that *output*, the file of a page, is not to be compressed: browsers open no such files.

    :raises click.UsageError: it is.
    """
    if output is not None and without_extension(output) != output:
        raise click.UsageError(f"a page cannot be compressed; use -o {without_extension(output)}")


def refuse_page_on_terminal() -> None:
    """Check that standard output, to which a page is to be written, is no terminal.

    :raises click.UsageError: it is one.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError("a page is not for a terminal; write it to a file with -o FILE")


def check_directory(output: str) -> None:
    """Check that *output* can name the directory that a command makes.

    :raises click.UsageError: it is stdout; or it does not exist, and has an extension but no slash: it is probably
        meant to be a file.
    :raises FileError: it is a file.
    """
    outputs.expect_directory(output)
    looks_like_file = os.path.splitext(output)[1] and not Placing(output).directory
    refuse(
        (output == STDOUT, "the output is a directory, which cannot go to stdout (-); name one with --output"),
        (looks_like_file, f"{output} looks like a file, but the output is a directory; add a slash: {output}/"),
    )


def directory_for(collection: str, srcs: Sequence[str], output: str | None, example: str) -> str:
    """Return *output*, the directory for what a command makes of *srcs*.

    :param collection: the first of them that is a directory or an archive.
    :param example: the name of a directory, to advise if none is given.
    :raises click.UsageError: it is not given, or cannot be one.
    :raises FileError: it is a file.
    """
    if output is None or output == STDOUT:
        from shlex import quote

        many = "a directory" if os.path.isdir(collection) else "an archive"
        command = click.get_current_context().info_name
        given = " ".join(map(quote, srcs)) + given_options("output")
        if any(is_same(src, example) for src in srcs):
            example += "-2"
        raise click.UsageError(
            f"{collection} is {many}; name a directory for its games: jmjp {command} {given} -o {example}/"
        )
    check_directory(output)
    return output


def check_placing(srcs: Sequence[str], reading: Reading, placing: Placing) -> None:
    """Check that the outputs of *srcs* can go where *placing* says.

    :raises click.UsageError: they cannot.
    """
    refuse(empty(placing.output))
    if placing.directory is not None:
        outputs.expect_directory(placing.directory)
    if placing.output is None and sum(map(placing.is_stdout, srcs)) > 1:
        raise click.UsageError("the outputs of several links cannot go to stdout; use --output DIR")
    if STDIN in srcs and reading.id is None and placing.directory is not None:
        raise click.UsageError(
            "cannot name the output of stdin (-) in a directory; use --output FILE, or --id for an mjlog"
        )


def parsed(parse: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return the callback of an option with values that *parse* parses; what it raises is a usage error."""

    def callback(_: click.Context, __: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else parse(value)
        except ConvertError as error:
            raise click.BadParameter(str(error)) from error

    return callback


def log_id(value: str) -> str:
    """Return *value* if it is a log ID and nothing else."""
    found = log_ids.find_id(value)
    if found is None or found.text != value:
        raise click.BadParameter(f"{value!r} is not a log ID such as 2011020417gm-00a9-0000-b67fcaa3")
    return value


def time_of_day(value: str) -> str:
    """Return *value*, ``HHMM`` or ``HH:MM``, as ``HHMM``."""
    match = _TIME.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"{value!r} is not a time such as 17:00 or 1700")
    return match[1] + match[2]


def date(value: str) -> str:
    """Return *value*, a year, month or day, as the leading digits of an ID's date."""
    match = _DATE.fullmatch(value)
    digits = "".join(match.groups(default="")) if match else ""
    if dates.weekday(digits + _FIRST[len(digits) - 4 :]) is None:
        raise click.BadParameter(f"{value!r} is not a date such as 2021, 2021-07 or 2021-07-06")
    return digits


def size(value: str) -> int:
    """Return *value* in bytes: ``65536``, ``64K`` and ``64KiB`` are the same; ``64KB`` is 64,000."""
    digits = value.rstrip(" BIKMGTbikmgt")
    unit = _UNITS.get(value[len(digits) :].lstrip(" ").upper())
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    if unit is None or not is_number or not int(digits):
        raise click.BadParameter(f"{value!r} is not a size such as 1000000, 500K or 64MiB")
    return int(digits) * unit


players_option = partial(selection_option, "--players", type=click.Choice(["3", "4"]), callback=parsed(int))
date_option = partial(selection_option, metavar="DATE", callback=parsed(date))


def bundled(name: str, kind: Any, *options: _Decorator) -> _Decorator:
    """Return a decorator that adds *options*, for some fields of *kind*, a record or a named tuple, and passes one as
    the argument *name*."""
    names = getattr(kind, "_fields", kind.__slots__)

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def with_bundle(*args: Any, **values: Any) -> Any:
            bundle = kind(**{field: values.pop(field) for field in names if field in values})
            return command(*args, **{name: bundle}, **values)

        return _decorated(with_bundle, options)

    return decorate


def _decorated(command: _Command, options: Sequence[_Decorator]) -> _Command:
    """Return *command* with *options*, which its help lists in this order."""
    return reduce(lambda decorated, add: add(decorated), reversed(options), command)


placing = bundled(
    "placing",
    Placing,
    output_option(
        "-o",
        "--output",
        metavar="FILE|DIR|-",
        type=PATH,
        help="Write to FILE, into DIR (with a trailing slash if it does not exist yet), or to stdout (-).",
    ),
    output_option("--force", is_flag=True, help="Overwrite existing files."),
    output_option("-q", "--quiet", is_flag=True, help="Show warnings and errors only."),
)

quiet_option = option("-q", "--quiet", is_flag=True, help="Show warnings and errors only.")
"""The option of commands with special options for the output."""

verbose_option = output_option("-v", "--verbose", is_flag=True, help="List all that the output format leaves out.")
"""The option of commands that write a game in a format and keep no ledger."""

no_progress_option = option("--no-progress", is_flag=True, help="Hide the progress bar.")

skipped_option = option("-v", "--verbose", is_flag=True, help="Name each file that is skipped.")
"""The option of commands that read many games and write none."""

anonymous = output_option(
    "--anonymous", is_flag=True, help="Leave out who played, when, and in which log; players are A, B, C and D."
)


# --- output formats and their own options -----------------------------------------------------------------------------


def _format_name(value: str) -> str:
    """Return the name of the output format that *value*, in any case, names or uniquely abbreviates."""
    from jmjp_convert.formats.unreadable import elsewhere  # not needed without the option

    lower = value.lower()
    names = [format_.name for format_ in writable()]
    candidates = [name for name in FORMATS if name == lower] or [name for name in names if name.startswith(lower)]
    if len(candidates) > 1 and lower:
        raise click.BadParameter(f"{value!r} is ambiguous; it may be {', '.join(candidates[:-1])} or {candidates[-1]}")
    if len(candidates) != 1 and (answer := elsewhere(lower)):
        raise click.BadParameter(answer)
    if len(candidates) != 1 or not lower:
        raise click.BadParameter(f"{value!r} is not an output format; choose from {', '.join(names)}")
    if candidates[0] not in names:
        raise click.BadParameter(f"jmjp reads {candidates[0]} but cannot write it; choose from {', '.join(names)}")
    return candidates[0]


def options_of(format_: Format, *, listed: bool = False) -> Iterator[_Decorator]:
    """Yield the options of *format_*, in a separate group.

    :param listed: whether the help lists them: that of each command leaves them to ``jmjp help formats``.
    """
    group = f"{format_.name} only"
    for definition in format_.options:
        declared = partial(option, definition.flag, definition.name, help=definition.help, group=group, listed=listed)
        if definition.default is False:
            yield declared(is_flag=True)
        else:
            yield declared(
                metavar=definition.metavar,
                type=Choice(definition.choices) if definition.choices else str,
                default=definition.default,
                show_default=True,
                callback=parsed(definition.parse) if definition.parse else None,
            )


def _writing(
    *, to: str | None, unverified: bool, wall: bool, anonymous: bool, output: str | None = None, **values: Any
) -> Writing:
    """Return the :class:`Writing` for the values of options.

    :raises click.UsageError: they are not options of the format, or do not go together.
    """
    format_ = _format_of(output, to)
    for flag, owners, given in _options_of_some(values | {"unverified": unverified, "wall": wall}):
        if given and format_ not in owners:
            raise click.UsageError(f"{flag} works only with --to {' or '.join(owner.name for owner in owners)}")
    format_values = {option.name: values[option.name] for option in format_.options}
    if conflict := format_.check(format_values):
        raise click.UsageError(conflict)
    return Writing(format_.name, verify=not unverified, wall=wall, anonymous=anonymous, **format_values)


def _format_of(output: str | None, to: str | None) -> Format:
    """Return the format called *to*, or if that is ``None`` the one that the extension of the file *output* stands for,
    or the default if it stands for none.

    :raises click.UsageError: it stands for a format that cannot be written, for several, or for another one than *to*.
    """
    if to is not None:
        if output and (why := contradiction(output, FORMATS[to])):
            raise click.UsageError(f"{why}; leave out --to, or change the extension")
        return FORMATS[to]
    format_ = by_suffix(output) if output else None
    if format_ is not None and format_.write is None:
        raise click.UsageError(f"jmjp cannot write {format_.name} ({output}); use another extension or --to FORMAT")
    if output and (several := sharing(output)):
        extensions = ", ".join(f"{candidate.suffixes[0]} ({candidate.name})" for candidate in several)
        raise click.UsageError(
            f"{output} could be any of several formats; name one with --to, or by its extension: {extensions}"
        )
    return format_ or DEFAULT


def _options_of_some(values: Mapping[str, Any]) -> Iterator[tuple[str, list[Format], bool]]:
    """Yield each option that not all formats have: its flag, the formats that have it, and whether it is given."""
    first, *others = [
        [(option.flag, [format_], values[option.name] != option.default) for option in format_.options]
        for format_ in writable()
    ]
    yield from first
    yield "--no-verify", [format_ for format_ in writable() if format_.holding is not None], values["unverified"]
    yield "--wall", [format_ for format_ in writable() if format_.dora], values["wall"]
    yield from chain.from_iterable(others)


def writing(*, from_output: bool = False) -> _Decorator:
    """Return a decorator that adds the output format options and passes them as the argument *writing*, a
    :class:`Writing`; so it does with :data:`anonymous`, if the command has that option.

    :param from_output: whether the extension of ``--output``, if it is a file, sets the default format.
    """
    usual = f"from the extension of --output, or {DEFAULT.name}" if from_output else DEFAULT.name
    names = [format_.name for format_ in writable()]
    with_dora = " and ".join(format_.name for format_ in writable() if format_.dora)
    added: list[_Decorator] = [
        format_option(
            "--to",
            metavar=f"[{'|'.join(names)}]",
            callback=parsed(_format_name),
            shell_complete=lambda _, __, incomplete: [name for name in names if name.startswith(incomplete.lower())],
            help=f"Output format; the first letters are enough. Formats and their options: 'jmjp help formats'.  "
            f"[default: {usual}]",
        ),
        format_option(
            "--no-verify",
            "unverified",  # a flag with a true default is interpreted differently by different versions of click
            is_flag=True,
            help="Skip verification, which reads each output back before writing it.",
        ),
        format_option(
            "--wall", is_flag=True, help=f"Fill in all dora from the wall, if it verifies; only for {with_dora}."
        ),
        *chain.from_iterable(map(options_of, writable())),
    ]
    fields = _writing_names()

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def with_writing(*args: Any, **values: Any) -> Any:
            given = {field: values.pop(field) for field in fields}
            output = values["placing"].file if from_output else None
            if output:
                from jmjp_convert.formats.unreadable import other_command  # not needed without --output

                if instead := other_command(values["srcs"], output, given["to"]):
                    raise click.UsageError(f"convert does not write such a file; run {instead}")
            chosen = _writing(**given, anonymous=values.pop("anonymous", False), output=output)
            has_suffix = output and len(os.path.splitext(without_extension(output))[1]) > 1
            is_known = given["to"] or by_suffix(output or "") or not has_suffix
            if output and not is_known and not (values["placing"].quiet or any(map(is_collection, values["srcs"]))):
                say(f"{output}: unknown extension; writing {chosen.to} (--to sets the format)", Kind.WARNING)
            return command(*args, writing=chosen, **values)

        return _decorated(with_writing, added)

    return decorate


def _writing_names() -> list[str]:
    """Return the names of the parameters that :func:`writing` adds."""
    return ["to", "unverified", "wall", *(option.name for format_ in writable() for option in format_.options)]


def given_options(*without: str) -> str:
    """Return the options on the command line of the current command, each behind a space, but for those of the
    parameters *without*."""
    from shlex import quote

    context = click.get_current_context()
    options = [
        param for param in context.command.params if isinstance(param, click.Option) and param.name not in without
    ]
    return "".join(
        f" {param.opts[0]}" + ("" if param.is_flag else f" {quote(str(context.params[param.name]))}")
        for param in options
        if param.name and is_given(param.name)
    )


def is_writing_given() -> bool:
    """Return whether any option of :func:`writing` is on the command line of the current command."""
    return any(map(is_given, _writing_names()))


max_size_option = input_option(
    "--max-size",
    metavar="SIZE",
    callback=parsed(size),
    default=f"{MAX_SIZE >> 20}MiB",
    show_default=True,
    help="Maximum decompressed log size.",
)
_STRICT = input_option(
    "--strict", is_flag=True, help="Reject unknown elements, unfinished hands and inconsistent matches."
)

reading = bundled(
    "reading",
    Reading,
    input_option("--id", metavar="ID", callback=parsed(log_id), help="Log ID, if the file name does not contain it."),
    input_option(
        "--time", metavar="HH:MM", callback=parsed(time_of_day), help="Match start time (not recorded in mjlog)."
    ),
    max_size_option,
    _STRICT,
)

bounds = bundled("reading", Reading, max_size_option, _STRICT)

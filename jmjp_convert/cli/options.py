"""Options that several commands share. Each decorator gives the command one argument that holds its options."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from jmjp_convert.convert import FORMATS, Writing
from jmjp_convert.files.inputs import JMJP, MAX_SIZE, Bounds
from jmjp_convert.files.names import STDIN
from jmjp_convert.formats.jmjp.dialects import DEFAULT_DIALECT, DIALECTS
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import tenhou

STDOUT = "-"
"""The name that stands for standard output."""

_Command = Callable[..., Any]
_Decorator = Callable[[_Command], _Command]

_TIME = re.compile(r"([01][0-9]|2[0-3]):?([0-5][0-9])")
_DATE = re.compile(r"([0-9]{4})(?:-?([0-9]{2})(?:-?([0-9]{2}))?)?")
_FIRST = "0101"  # of a year, month and day
_FRAME = re.compile(r"[ESWN][1-4]-[0-9]{1,3}")
_SIZE = re.compile(r"([0-9]{1,15}) *(?:([KMGT])(i?B)?|B)?", re.IGNORECASE)


class Placing(NamedTuple):
    """Where outputs go."""

    output: str | None = None
    force: bool = False
    quiet: bool = False

    @property
    def directory(self) -> Path | None:
        """The directory that they go into, if one is named."""
        output = self.output
        if output is None or output == STDOUT:
            return None
        is_directory = output.endswith((os.sep, os.altsep or os.sep)) or Path(output).is_dir()
        return Path(output) if is_directory else None


def check_sources(srcs: Sequence[str], reading: Reading) -> None:
    """Check what no single option can: that *srcs*, the inputs, can be read as *reading* says.

    :raises click.UsageError: they cannot.
    """
    if "" in srcs:
        raise click.UsageError("a file name is empty")
    if srcs.count(STDIN) > 1:
        raise click.UsageError("stdin (-) can be read only once")
    if len(srcs) > 1 and reading.id is not None:
        raise click.UsageError("--id is for one SRC only")
    if len(srcs) > 1 and reading.time is not None:
        raise click.UsageError("--time is for one SRC only")


def check_placing(srcs: Sequence[str], reading: Reading, placing: Placing) -> None:
    """Check what no single option can: that the outputs of *srcs* can go where *placing* says.

    :raises click.UsageError: they cannot.
    """
    if placing.output == "":
        raise click.UsageError("a file name is empty")
    if STDIN in srcs and reading.id is None and placing.directory is not None:
        raise click.UsageError(
            "stdin (-) has no name for its file in a directory: name it with -o, or give an mjlog its --id"
        )


def log_id(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return *value*, which is a log id and nothing else."""
    if value is None:
        return None
    found = tenhou.find_id(value)
    if found is None or found.text != value:
        raise click.BadParameter(f"{value!r} is no log id, such as 2011020417gm-00a9-0000-b67fcaa3")
    return value


def time_of_day(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return *value*, ``HHMM`` or ``HH:MM``, as ``HHMM``."""
    if value is None:
        return None
    found = _TIME.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is no time of day, HHMM or HH:MM")
    return found[1] + found[2]


def date(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return *value*, a year, month or day, as the digits with which an id's date begins."""
    if value is None:
        return None
    found = _DATE.fullmatch(value)
    digits = "".join(found.groups(default="")) if found else ""
    if tenhou.weekday(digits + _FIRST[len(digits) - 4 :]) is None:
        raise click.BadParameter(f"{value!r} is no date, such as 2021, 2021-07 or 2021-07-06")
    return digits


def size(_: click.Context, __: click.Parameter, value: str) -> int:
    """Return *value* in bytes: ``65536``, ``64K`` and ``64KiB`` are the same, ``64KB`` is 64,000."""
    found = _SIZE.fullmatch(value)
    if found is None or not int(found[1]):
        raise click.BadParameter(f"{value!r} is no size, such as 1000000, 500K or 64MiB")
    base = 1000 if (found[3] or "").upper() == "B" else 1024
    unit: int = base ** "BKMGT".index((found[2] or "B").upper())
    return int(found[1]) * unit


def _bundled(name: str, kind: Any, *options: _Decorator, check: Callable[[Any], None] | None = None) -> _Decorator:
    """Return a decorator that adds *options* and passes their values, as far as *check* lets them, as the argument
    *name*, a *kind*."""

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def with_bundle(*args: Any, **values: Any) -> Any:
            bundle = kind(**{field: values.pop(field) for field in kind._fields})
            if check is not None:
                check(bundle)
            return command(*args, **{name: bundle}, **values)

        decorated: _Command = with_bundle
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


placing = _bundled(
    "placing",
    Placing,
    click.option(
        "-o",
        "--output",
        metavar="FILE|DIR|-",
        type=click.Path(allow_dash=True),
        help="Write to this file, into this directory (one that does not exist yet ends in a slash), or to stdout.",
    ),
    click.option("--force", is_flag=True, help="Overwrite outputs that exist."),
    click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong."),
)


def _check_writing(writing: Writing) -> None:
    """Check what no single option can: that the options of *writing* are those of its format.

    :raises click.UsageError: they are not.
    """
    usual, own = Writing()._asdict(), FORMATS[writing.to].options
    for option, value in writing._asdict().items():
        owners = [name for name, form in FORMATS.items() if option in form.options]
        if value != usual[option] and owners and writing.to not in owners:
            flag = "no-verify" if option == "verify" else option.replace("_", "-")
            raise click.UsageError(f"--{flag} is for --to {' and '.join(owners)}")
    if writing.per_frame and writing.url:
        raise click.UsageError("--per-frame and --url are two forms: take one")
    if "frame" in own and writing.frame is None:
        raise click.UsageError(f"--to {writing.to} writes one frame: --frame names it, as E3-1")


def frame(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return *value*, the name of a frame."""
    if value is not None and not _FRAME.fullmatch(value):
        raise click.BadParameter(f"{value!r} is no frame, such as E3-1 (East 3, one honba)")
    return value


writing = _bundled(
    "writing",
    Writing,
    click.option(
        "--to",
        type=click.Choice(list(FORMATS)),
        default=JMJP,
        show_default=True,
        help="The format that is written.",
    ),
    click.option(
        "--spec",
        type=click.Choice(list(DIALECTS)),
        default=DEFAULT_DIALECT,
        show_default=True,
        help="The dialect of jmjp.",
    ),
    click.option("--compact", is_flag=True, help="Write one line, without spaces and comments."),
    click.option(
        "--no-verify",
        "verify",
        flag_value=False,
        default=True,
        help="Do not read back what is about to be written.",
    ),
    click.option("--wall", is_flag=True, help="Take all dora from the wall, where its seed is known and proves right."),
    click.option("--per-frame", is_flag=True, help="tenhou6: write a frame a line."),
    click.option("--url", is_flag=True, help="tenhou6: write a link to the editor for each frame."),
    click.option("--frame", metavar="FRAME", callback=frame, help="riichi-advanced: the frame, as E3-1."),
    click.option("--config", is_flag=True, help="riichi-advanced: write it for a room's Config tab."),
    check=_check_writing,
)

_MAX_SIZE = click.option(
    "--max-size",
    metavar="SIZE",
    callback=size,
    default=f"{MAX_SIZE >> 20}MiB",
    show_default=True,
    help="The most bytes that a log may have, decompressed.",
)
_STRICT = click.option("--strict", is_flag=True, help="Refuse elements and attributes that nobody has described.")

reading = _bundled(
    "reading",
    Reading,
    click.option("--id", metavar="ID", callback=log_id, help="The log's id, if the file name does not hold it."),
    click.option("--time", metavar="HH:MM", callback=time_of_day, help="When the match started: no log says."),
    _MAX_SIZE,
    _STRICT,
)

bounds = _bundled("bounds", Bounds, _MAX_SIZE, _STRICT)

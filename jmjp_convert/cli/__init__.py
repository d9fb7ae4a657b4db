"""The command ``jmjp``: loads the subcommands and turns errors into messages and exit codes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from jmjp_convert import __version__
from jmjp_convert.cli import signals
from jmjp_convert.cli.command import HELP, LANG, SHOWS_HELP, Context, language_option, with_hints
from jmjp_convert.cli.console import PROGRAM, lost, say
from jmjp_convert.cli.language import choose
from jmjp_convert.errors import ConvertError
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.outputs import UnreadError, lost_stdout
from jmjp_convert.messages import Kind

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

FAILED = 1
USAGE_ERROR = 2
INTERRUPTED = 130
"""Exit codes. 0 is success; a process ended by a signal exits with 128 plus the signal's number."""

COMMANDS = {
    "convert": "Convert game records.",
    "batch": "Convert whole archives.",
    "verify": "Compare converted archives with what was written.",
    "tables": "Make a data set of games for SQL and data frames.",
    "check": "Check game records: rules, points, result.",
    "info": "Show a game: players, hands, result.",
    "stats": "Show statistics of players.",
    "view": "Make a web page that replays a game.",
    "fetch": "Fetch logs by ID or link.",
    "lists": "Show the games in list pages, or fetch such pages.",
    "completion": "Print the completion script of a shell.",
    "help": "Show the help of a command.",
}
"""Each is the ``command`` of the module of the same name, loaded only when it is run or its own help is shown."""


class _Jmjp(click.Group):
    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"{__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        command.short_help = COMMANDS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of *incomplete*: commands, or options of the program itself."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return with_hints(commands + click.Command.shell_complete(self, ctx, incomplete))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(_no_such_command(name), ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*; ``-h --lang ja`` is ``--lang ja -h``, and ``-h info`` is ``info -h``."""
        if len(args) > 1 and args[0] in HELP and (args[1] in COMMANDS or args[1].startswith(f"--{LANG}")):
            args = [*args[1:], args[0]]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # click itself would print an empty line
        except UnreadError:  # as with "| head": click would make an error of it
            return 0

    def main(self, args: Any = None, prog_name: str | None = None, *rest: Any, **options: Any) -> Any:
        """Run ``jmjp`` with *args* and exit; with ``standalone_mode=False``, return or raise instead, as in click."""
        standalone = options.pop("standalone_mode", True)
        run = partial(super().main, args, prog_name or PROGRAM, *rest, standalone_mode=False, **options)
        try:
            return sys.exit(_exit_code(run)) if standalone else run()
        finally:
            choose(None)  # --lang is for this run


@click.group(
    PROGRAM,
    cls=_Jmjp,
    invoke_without_command=True,
    add_help_option=False,
    epilog="Run 'jmjp COMMAND -h' for options and examples.",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, asked: _show_version(ctx) if asked else None,
    help="Show the version and exit.",
)
@language_option(expose_value=False, help="Language of help and messages.  [default: JMJP_LANG, or that of the system]")
@click.option(*HELP, **SHOWS_HELP)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Convert, check and show game records of riichi mahjong: those of Tenhou (mjlog, tenhou6), Mahjong Soul and Riichi
    City, and jmjp, mjai, majiang and json."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(USAGE_ERROR)


def _show_version(ctx: click.Context) -> None:
    """Show the version, and whether modules are compiled: all share a library."""
    from importlib.util import find_spec

    compiled = find_spec("jmjp_convert.compiled__mypyc")
    click.echo(f"{PROGRAM} {__version__}{' (compiled)' if compiled else ''}")
    ctx.exit()


def _no_such_command(name: str) -> str:
    """Return the message for *name* in place of a command: a typo, or a file or link without a command."""
    import shlex
    from difflib import get_close_matches

    from jmjp_convert.files.inputs import is_archive, is_link, label
    from jmjp_convert.formats import detect
    from jmjp_convert.model.log_ids import parse_id

    quoted = shlex.quote(name)
    if is_link(name):
        if detect(os.fsencode(name)) is not None:
            return f"{label(name)!r} is a link that contains a game; put view or convert before it."
        return f"{name!r} is a link; to download the log, run jmjp fetch {quoted}."
    if (log_id := parse_id(name.partition("&")[0])) and not os.path.exists(name):
        return f"{name!r} is a log ID; to download the log, run jmjp fetch {log_id.text}."
    many = "a directory" if os.path.isdir(name) else "an archive" if is_archive(name) else None
    if many is not None:
        see, convert = f"jmjp info {quoted} to see its games", f"jmjp batch {quoted} -o DIR to convert them"
        return f"{name!r} is {many}; run {see}, or {convert}."
    if os.path.exists(name):
        return f"{name!r} is a file; run jmjp view {quoted} to watch the game, or jmjp convert {quoted} to convert it."
    similar = get_close_matches(name, COMMANDS, n=1)
    return f"No such command {name!r}." + (f" Did you mean {similar[0]!r}?" if similar else "")


def _exit_code(run: Callable[[], int | None]) -> int:
    """Return the code that *run* returns, or report the error that it raises in one line and return its code.

    A run that says something that cannot be written has failed: 0 means that there is no more to know than was said.
    """
    lost.clear()
    return _reported(run) or (FAILED if lost else 0)


def _reported(run: Callable[[], int | None]) -> int:
    try:
        with signals.ending():
            return _unwrapped(run) or 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else PROGRAM
        message = " ".join(error.format_message().split())
        stop = "" if message.endswith((".", "?")) else "."
        say(f"{message}{stop} Try '{where} -h' for help.", Kind.ERROR)
        return USAGE_ERROR
    except (click.Abort, KeyboardInterrupt):
        say(signals.last_words(signal.SIGINT))
        return INTERRUPTED
    except SystemExit as error:
        number = error.code - signals.SIGNALLED if isinstance(error.code, int) else 0
        if number > 0 and (words := signals.last_words(number)):
            say(words)
        raise
    except click.ClickException as error:
        say(error.format_message(), Kind.ERROR)
        return error.exit_code
    except ConvertError as error:
        say(str(error), Kind.ERROR)
        return FAILED
    except OSError as error:
        # Without a file, it concerns stdout: click writes the help and version itself.
        name = None if error.filename is None else os.fsdecode(error.filename)
        say(str(lost_stdout(error)) if name is None else f"{name}: {describe(error)}", Kind.ERROR)
        return FAILED


def _unwrapped(run: Callable[[], int | None]) -> int | None:
    """Return what *run* returns. If a signal arrives while a class is made, Python before 3.12 wraps the exception that
    it is turned into; raise that exception itself."""
    try:
        return run()
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt | SystemExit):
            raise error.__cause__ from None
        raise

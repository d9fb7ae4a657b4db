"""``jmjp help``: shows the help of a command or topic: the formats, and how to save records of servers."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from jmjp_convert.cli.command import Command, unused_quiet_option
from jmjp_convert.lazy_regex import regex

if TYPE_CHECKING:
    from jmjp_convert.formats.format import Format

_EPILOG = """\b
Examples:
  jmjp help
  jmjp help convert
  jmjp help formats
  jmjp help mahjong-soul
"""

_LINK = regex(r"\[([^]]+)\]\([^)]+\)")  # in the documentation

_FORMATS = "formats"

# Source: docs/mahjong-soul.md and docs/riichi-city.md, Save a record and Which file.
_TEXTS = {
    "mahjong-soul": """\
How to save a game of Mahjong Soul. The server gives a record only to players who have logged in, so jmjp cannot
download it; your browser can save it.

\b
1. Log in to the game in Chrome or Edge, and open the list of your records.
2. Press F12, choose "Network", then the filter "WS" or "Socket". If the list
   is empty, reload the page. Click the connection, then "Messages".
3. Open the replay. A short message with .lq.Lobby.fetchGameRecord is sent.
   The next long message that is received is the record.
4. Click it, choose "Base64" below the list, copy the text into an editor,
   and save it as game.txt.

In Firefox, find the same message under "Network", "WS", "Response"; right-click it and choose "Copy as Base64".

Then jmjp info, view, check and convert read game.txt.
""",
    "riichi-city": """\
How to get a game of Riichi City. Its app asks the server for a record by an ID of 20 letters and digits, and cannot
save the answer. Community tools and sites give it for an ID: save that JSON unchanged, under any name.

Then jmjp info, view, check and convert read the file. jmjp does not log in to Riichi City, because accounts are banned
for that.
""",
}
_TOPICS = (_FORMATS, *_TEXTS)
"""The topics that are no commands."""


def _names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the commands and topics that begin with *incomplete*."""
    group = _group(ctx)
    return [name for name in (*group.list_commands(ctx), *_TOPICS) if name.startswith(incomplete)]


@click.command("help", cls=Command, epilog=_EPILOG, exit_codes="")
@unused_quiet_option
@click.argument("name", metavar="[COMMAND|TOPIC]", required=False, shell_complete=_names)
@click.pass_context
def command(ctx: click.Context, name: str | None) -> None:
    """Show the help of COMMAND, or of jmjp itself.

    TOPIC is one of: formats (all formats, with their options); mahjong-soul, riichi-city (how to save a record there).
    """
    assert ctx.parent is not None
    if name == _FORMATS:
        click.echo(_formats(ctx.parent))
        return
    if name in _TEXTS:
        formatter = ctx.make_formatter()
        formatter.write_text(_TEXTS[name].rstrip("\n"))
        click.echo(formatter.getvalue().rstrip("\n"))
        return
    if name is None:
        click.echo(ctx.parent.get_help())
        return
    if name not in _group(ctx).list_commands(ctx) and (similar := get_close_matches(name, _TOPICS, n=1)):
        raise click.UsageError(f"No such topic {name!r}. Did you mean {similar[0]!r}?", ctx)
    command_name, chosen, _ = _group(ctx).resolve_command(ctx.parent, [name])
    assert chosen is not None
    with chosen.context_class(chosen, ctx.parent, command_name) as context:
        click.echo(chosen.get_help(context))


def _group(ctx: click.Context) -> click.Group:
    assert ctx.parent is not None
    assert isinstance(ctx.parent.command, click.Group)
    return ctx.parent.command


def _formats(ctx: click.Context) -> str:
    """Return the help of the formats."""
    from jmjp_convert.cli.options import options_of
    from jmjp_convert.formats import FORMATS

    formatter = ctx.make_formatter()
    formatter.write_text("The formats that jmjp reads or writes. --to takes the name of one, or its first letters.")
    with formatter.section("Formats"):
        formatter.write_dl([(format_.name, _about(format_)) for format_ in FORMATS.values()])
    for format_ in FORMATS.values():
        # The options exist only on commands, so one is made for them.
        command = click.Command(format_.name)
        for add in reversed([*options_of(format_, listed=True)]):
            add(command)
        records = [record for param in reversed(command.params) if (record := param.get_help_record(ctx))]
        if records:
            with formatter.section(f"With --to {format_.name}"):
                formatter.write_dl(records)
    return formatter.getvalue().rstrip("\n")


def _about(format_: Format) -> str:
    """Return what can be done with a format, its extensions, and the programs that read it."""
    can = "read and written" if format_.read and format_.write else "read" if format_.read else "written"
    extensions = f" ({', '.join(format_.suffixes)})" if format_.suffixes else ""
    programs = _LINK.sub(r"\1", format_.about.read_by) if format_.about else ""
    used = programs and ("; for " if format_.write else "; from ") + programs
    return f"{can}{extensions}{used}"

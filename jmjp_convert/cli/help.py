"""``jmjp help``: shows the help of a command."""

from __future__ import annotations

import click

from jmjp_convert.cli.command import Command, unused_quiet_option

_EPILOG = """\b
Examples:
  jmjp help
  jmjp help convert
"""


def _names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the commands that begin with *incomplete*."""
    group = _group(ctx)
    return [name for name in group.list_commands(ctx) if name.startswith(incomplete)]


@click.command("help", cls=Command, epilog=_EPILOG)
@unused_quiet_option
@click.argument("name", metavar="[COMMAND]", required=False, shell_complete=_names)
@click.pass_context
def command(ctx: click.Context, name: str | None) -> None:
    """Show the help of COMMAND, or of jmjp itself."""
    assert ctx.parent is not None
    if name is None:
        click.echo(ctx.parent.get_help())
        return
    found, chosen, _ = _group(ctx).resolve_command(ctx.parent, [name])
    assert chosen is not None
    with chosen.context_class(chosen, ctx.parent, found) as own:
        click.echo(chosen.get_help(own))


def _group(ctx: click.Context) -> click.Group:
    assert ctx.parent is not None
    assert isinstance(ctx.parent.command, click.Group)
    return ctx.parent.command

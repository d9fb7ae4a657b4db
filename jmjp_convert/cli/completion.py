"""``jmjp completion``: prints the script that makes a shell complete commands, options and their values."""

from __future__ import annotations

import click
from click import shell_completion

from jmjp_convert.cli.command import Command, unused_quiet_option
from jmjp_convert.cli.console import PROGRAM
from jmjp_convert.errors import ConvertError

_VARIABLE = "_JMJP_COMPLETE"
SHELLS = tuple(name for name in ("bash", "zsh", "fish", "powershell") if shell_completion.get_completion_class(name))

_EPILOG = """\b
Examples:
  eval "$(jmjp completion bash)"      in ~/.bashrc
  eval "$(jmjp completion zsh)"       in ~/.zshrc, after compinit
  jmjp completion fish | source       in ~/.config/fish/config.fish
  jmjp completion powershell | Out-String | Invoke-Expression
                                      in the file that $PROFILE names
"""


@click.command("completion", cls=Command, epilog=_EPILOG, exit_codes="")
@unused_quiet_option
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script that makes SHELL complete the commands of jmjp, their options, formats, dialects and files."""
    assert ctx.parent is not None
    kind = shell_completion.get_completion_class(shell)
    assert kind is not None
    try:
        script = kind(ctx.parent.command, {}, PROGRAM, _VARIABLE).source()
    except (OSError, RuntimeError) as error:  # bash is asked for its version
        raise ConvertError(f"cannot run {shell}: {error}") from error
    click.echo(script.strip())

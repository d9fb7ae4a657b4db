"""The option for the language of what is shown."""

from __future__ import annotations

import click

from jmjp_convert.cli.command import option
from jmjp_convert.view.summary import LANGUAGES

language_option = option(
    "--lang",
    type=click.Choice(LANGUAGES, case_sensitive=False),
    default=LANGUAGES[0],
    show_default=True,
    help="Show English and romanized names, or Japanese.",
)

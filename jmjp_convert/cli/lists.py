"""``jmjp lists``: shows the games in list pages, and fetches such pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, is_given, option, output_option
from jmjp_convert.cli.console import write
from jmjp_convert.cli.fetching import Asking, Requests, asking, choosing
from jmjp_convert.fetch.lists import LINKED, Choice, Game, length
from jmjp_convert.fetch.runs import Pages
from jmjp_convert.messages import Kind
from jmjp_convert.model import tenhou

_EPILOG = """\b
Examples:
  jmjp lists --fetch -o pages/             fetch new list pages
  jmjp lists pages/ --players 4 --date 2021-07
  jmjp lists pages/ --json
  jmjp fetch pages/ -o logs/ --players 4   fetch the games in them
"""


@click.command("lists", cls=Command, epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@option("--json", "as_json", is_flag=True, help="Show all details of the games, one JSON object per line.")
@option("--fetch", "fetching", is_flag=True, help="Fetch new list pages of the last seven days.")
@option("--old", is_flag=True, help="With --fetch: fetch older pages of this year instead.")
@option("--pages", "kinds", type=click.Choice(LINKED), multiple=True, help="With --fetch: only pages of this kind.")
@output_option("-o", "--output", metavar="DIR", default=".", help="With --fetch: directory of the pages.  [default: .]")
@output_option("--force", is_flag=True, help="With --fetch: fetch pages again that are there.")
@choosing
@asking
@options.max_size_option
def command(
    whats: tuple[str, ...],
    *,
    as_json: bool,
    fetching: bool,
    old: bool,
    kinds: tuple[str, ...],
    output: str,
    force: bool,
    choice: Choice,
    asking: Asking,
    max_size: int,
) -> int:
    """Show the log IDs of the games in list pages, or fetch such pages from Tenhou.

    WHAT is a list page (sc....html, plain or gzipped), a directory or zip of them, a list of log IDs and links, one per
    line, or - for such a list on stdin; or the list of your games that Tenhou's Windows client keeps (config.ini).
    """
    options.refuse(
        options.empty(*whats, output),
        options.repeated_stdin(*whats),
        (fetching and whats, "--fetch accepts no WHAT; fetch the pages first, then show the games in them"),
        (not fetching and not whats, "nothing to show; give a file, or --fetch to fetch list pages"),
        (
            (old or kinds or force or is_given("output")) and not fetching,
            "--old, --pages, --output and --force require --fetch",
        ),
        (fetching and (any(choice) or as_json), "--fetch fetches whole pages; select games when you show them"),
    )
    if fetching:
        options.check_directory(output)
    run = _Lists(asking, choice, Path(output), kept=fetching and is_given("output"), max_size=max_size)
    if fetching:
        return run.pages("old" if old else "latest", kinds or LINKED, force=force)
    return run.show(whats, as_json=as_json)


class _Lists(Requests):
    """A run of the command."""

    def show(self, whats: Sequence[str], *, as_json: bool) -> int:
        """Show the games in *whats*, each once."""
        seen: set[str] = set()
        for game in self._games(whats):
            if len(seen) == self._choice.limit:
                break
            if game.id.text not in seen:
                seen.add(game.id.text)
                write((json.dumps(_values(game)) if as_json else game.id.text) + "\n")
        return self._ended()

    def pages(self, index: str, kinds: Sequence[str], *, force: bool) -> int:
        """Fetch the list pages of some *kinds* in the *index* of that name."""
        assert self._directory is not None
        with closing(self._state()) as state:
            pages = Pages(self._web(state), self._directory, kinds, force=force)
            try:
                listed = pages.listed(index)
                with self._new_bar(len(listed), " pages") as self.bar:
                    for _ in pages.fetch(listed):
                        self.bar.advance(1, f"{len(pages.failures):,} failed")
            finally:
                self._failures += pages.failures
                self._tell(f"list pages: {pages.fetched:,} fetched, {pages.there:,} already there", Kind.STATUS)
        return self._ended(pages.stopped, done=not pages.stopped)


def _values(game: Game) -> dict[str, Any]:
    """Return the known details of *game* for JSON."""
    return {
        "id": game.id.text,
        "date": game.id.date,
        "time": game.time,
        "minutes": game.minutes,
        "players": tenhou.players(game.id.rules),
        "length": length(game.id),
        "lobby": game.id.lobby,
        "rule": game.rule,
        "results": [standing._asdict() for standing in game.players],
    }

"""``jmjp fetch``: fetches logs, one request at a time."""

from __future__ import annotations

import json
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from jmjp_convert import __version__
from jmjp_convert.cli import FAILED, options, signals
from jmjp_convert.cli.command import Command, is_given, option, output_option
from jmjp_convert.cli.console import counted
from jmjp_convert.cli.fetching import Asking, Requests, asking, choosing
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.convert import Writing, convert
from jmjp_convert.fetch.lists import Choice, Game
from jmjp_convert.fetch.runs import Run, Target
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind
from jmjp_convert.model.record import replace

_LOGS, _GAMES, _BOTH = "logs", "games", "both"
"""What is saved."""

_EPILOG = """\b
Examples:
  jmjp fetch 2019041809gm-0009-0000-0123abcd
  jmjp fetch 'https://tenhou.net/0/?log=2019041809gm-0009-0000-0123abcd&tw=2'
  jmjp fetch --input-file ids.txt -o logs/ --save both
  jmjp fetch pages/ --players 4 --save games -o games/
"""


@click.command("fetch", cls=Command, epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@option(
    "-i", "--input-file", "files", metavar="FILE", multiple=True, help="Read IDs and links from FILE, or - for stdin."
)
@output_option("-o", "--output", metavar="DIR|-", default=".", help="Output directory, or - for stdout.  [default: .]")
@output_option(
    "--save",
    type=click.Choice([_LOGS, _GAMES, _BOTH]),
    help="Save the logs, the games converted to the format given by --to, or both.  "
    "[default: logs, or both with --to, --wall and other options for the output format]",
)
@option("--again", is_flag=True, help="Ask again now for missing logs, and retry failed conversions.")
@output_option("--force", is_flag=True, help="Fetch again and overwrite existing files.")
@choosing
@asking
@options.verbose_option
@options.writing()
@options.bounds
def command(
    whats: tuple[str, ...],
    *,
    files: tuple[str, ...],
    output: str,
    save: str | None,
    again: bool,
    force: bool,
    choice: Choice,
    asking: Asking,
    verbose: bool,
    writing: Writing,
    reading: Reading,
) -> int:
    """Fetch logs from Tenhou, one request at a time.

    WHAT is a log ID (scrambled or not), a link to a log, or a file: a list page (sc....html, plain or gzipped, or a
    directory or zip of them; see jmjp lists), a list of IDs and links, one per line, or - for such a list on stdin; or
    the list of your games that Tenhou's Windows client keeps (config.ini). Each log is saved as ID.xml, unless that
    file exists. Tenhou's terms forbid passing logs on.
    """
    saved = save or (_BOTH if options.is_writing_given() else _LOGS)
    named = (*whats, *files)
    options.refuse(
        options.empty(*named, output),
        options.repeated_stdin(*named),
        (not named, "nothing to fetch; give an ID, a link or a file"),
        (
            saved == _LOGS and options.is_writing_given(),
            "--save logs converts nothing; leave out options for conversion",
        ),
        (saved == _LOGS and reading.strict, "--strict is for games that are converted; use --save games or both"),
        (saved == _BOTH and output == STDOUT, "log and game cannot both go to stdout; use --save games or logs"),
    )
    if output != STDOUT:
        options.check_directory(output)
    directory = None if output == STDOUT else Path(output)
    run = _Fetching(asking, choice, directory, kept=is_given("output"), max_size=reading.max_size, verbose=verbose)
    games = run.chosen(whats, files)
    if output == STDOUT and len(games) > 1:
        raise click.UsageError(f"{len(games):,} logs cannot go to stdout; use -o DIR")
    return run.fetch(games, saved, writing, reading, force=force, again=again)


class _Fetching(Requests):
    """A run of the command."""

    def chosen(self, whats: tuple[str, ...], files: tuple[str, ...]) -> list[Game]:
        """Return the requested games without repeats, with the start time if any source gives it."""
        games: dict[str, Game] = {}
        for game in self._games(whats, files):
            known = games.get(game.id.text)
            if known is None and len(games) == self._choice.limit:
                break
            if known is None or known.time is None:
                games[game.id.text] = Game(game.id, game.time)
        return list(games.values())

    def fetch(
        self, games: list[Game], saved: str, writing: Writing, reading: Reading, *, force: bool, again: bool
    ) -> int:
        """Fetch *games*."""
        output_options = writing.output_options | ({"strict": True} if reading.strict else {})
        target = Target(
            self._directory,
            saved != _GAMES,
            None if saved == _LOGS else partial(self._converted, writing, reading),
            writing.suffix,
            json.dumps({"version": __version__, **output_options}),
            force=force,
        )
        code = FAILED
        with closing(self._state()) as state:
            run = Run(self._web(state), target, self.wrote, again=again)
            done = False
            try:
                with (
                    self._new_bar(len(games), " logs") as self.bar,
                    signals.saying(lambda: counted(run.fetched + run.there, "log")),
                    closing(run.run(games)) as progress,
                ):
                    for _ in progress:
                        self.bar.advance(1, "")
                done = not run.stopped
            finally:
                self._failures += run.failures
                if self._directory is not None:
                    problems = f", {counted(self.problems, 'problem')}" if self.problems else ""
                    done_so_far = f"{run.fetched:,} fetched, {run.there:,} already there"
                    if target.converter is not None:
                        done_so_far += f", {run.converted:,} converted"
                    self._tell(f"{done_so_far}, {len(self._failures):,} failed{problems}", Kind.STATUS)
                self.say_losses(writing.to)
                code = self._ended(run.stopped, done=done)
        return code

    def _converted(self, writing: Writing, reading: Reading, content: bytes, game: Game) -> bytes:
        log_id = game.id.text
        reading = replace(reading, id=log_id, time=game.time)
        notice, problem = partial(self.notice, log_id), partial(self.problem, log_id)
        converted = convert(content, "", reading, writing, notice, problem=problem)
        self.lose(converted.lost)
        return converted.content

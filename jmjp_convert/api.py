"""What Python users call to write matches and to check them: :func:`dumps`, :func:`write`, :func:`check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from jmjp_convert.checks.match import check_match
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import FormatError, MatchError, WallError, expect_type, in_python
from jmjp_convert.files import outputs
from jmjp_convert.files.compression import compressed, without_extension
from jmjp_convert.formats import DEFAULT, FORMATS, by_suffix, contradiction
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.loss_lines import loss_lines
from jmjp_convert.formats.session import Notice, ignore
from jmjp_convert.messages import option_names
from jmjp_convert.model import House, Match
from jmjp_convert.play.judge import Judge

if TYPE_CHECKING:
    from pathlib import Path

# --- write ------------------------------------------------------------------------------------------------------------


def dumps(
    matches: Match | Iterable[Match], to: str | Format = DEFAULT.name, *, notice: Notice | None = None, **options: Any
) -> str:
    """Return *matches* as the text of one file.

    :param matches: one match, or several if the format allows several in one file.
    :param to: the name of the format, one of :data:`~jmjp_convert.formats.FORMATS`, or a registered format.
    :param notice: called with each line on what the format leaves out or rewords, and on why a wall is not used.
    :param options: ``verify``, ``wall`` and ``anonymous`` as for :class:`Writing`, and those of the format, such as
        ``spec="0"``.
    :raises FormatError: the format cannot hold a match; the format or option is unknown; or the text does not read
        back as the same matches, which is a bug in this package.
    :raises TypeError: *matches* contains something other than matches.
    """
    with in_python(None):
        return _content(matches, _name(to), notice, options).decode()


def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: str | Format | None = None,
    *,
    force: bool = False,
    notice: Notice | None = None,
    **options: Any,
) -> None:
    """Write *matches* to the file *path*, whole or not at all; compressed if its name ends in ``.gz``, ``.bz2``,
    ``.xz`` or ``.zst``.

    :param to: the format, as for :func:`dumps`; by default taken from the extension of *path*, or jmjp if it has none.
    :param force: whether to overwrite an existing file.
    :param notice: as for :func:`dumps`.
    :param options: as for :func:`dumps`.
    :raises FormatError: as for :func:`dumps`; also for an unknown extension, or that of another format than *to*.
    :raises TypeError: *matches* contains something other than matches.
    :raises FileError: the file cannot be written, or exists.
    """
    from pathlib import Path  # no command needs it

    with in_python(fspath(path)):
        content = _content(matches, _format_of(Path(path), to), notice, options)
        outputs.write(Path(path), compressed(content, fspath(path)), force=force)


def _content(matches: Match | Iterable[Match], to: str, notice: Notice | None, options: dict[str, Any]) -> bytes:
    """Return the content of the file that :func:`write` writes."""
    listed = _listed(matches)
    writing = Writing(to, **options)
    if conflict := writing.format.check(writing.options):
        raise FormatError(conflict)
    file = written(listed, writing, notice or ignore)
    if notice is not None:
        for line in loss_lines(to, file.lost()):
            notice(option_names(line))
    return file.content


def _listed(matches: object) -> list[Match]:
    """Return one match or several as a list.

    :raises TypeError: *matches* contains something other than matches.
    """
    if isinstance(matches, Match):
        return [matches]
    if isinstance(matches, str | bytes) or not isinstance(matches, Iterable):
        raise TypeError(f"expected a Match or several, found {type(matches).__name__}")
    listed = list(matches)
    for match in listed:
        if not isinstance(match, Match):
            raise TypeError(f"expected matches, found {type(match).__name__}")
    return listed


def _name(to: str | Format) -> str:
    return to.name if isinstance(to, Format) else to


def _format_of(path: Path, to: str | Format | None) -> str:
    """Return the name of the format *to* or, if that is ``None``, of the format with the extension of *path*."""
    if to is not None:
        to = _name(to)
        if to in FORMATS and (why := contradiction(path.name, FORMATS[to])):
            raise FormatError(f"{why}; leave out to=, or change the extension")
        return to
    format_ = by_suffix(path.name)
    if format_ is not None and format_.write is None:
        raise FormatError(f"jmjp cannot write {format_.name} ({path.name}); name another format with to=")
    if format_ is None and (suffix := path.with_name(without_extension(path.name)).suffix):
        raise FormatError(f"unknown extension {suffix}; name the format with to=")
    return (format_ or DEFAULT).name


# --- check ------------------------------------------------------------------------------------------------------------


def check(
    match: Match, *, wall: bool = False, score: bool = False, house: House | None = None, notice: Notice | None = None
) -> list[MatchError]:
    """Return the problems of *match*, in the order of its frames.

    Every frame is replayed and compared with the one before it and its recorded end, and the match as a whole is
    checked. The wall and the score are checked only if nothing else was found. Each problem has its ``frame``, the
    index in the match, the ``name`` of the frame, the ``index`` of the event, and the ``reason``.

    :param wall: compare the tiles with the wall, rebuilt from the seed or recorded.
    :param score: recompute wins, payments and the result, which needs the extra ``score``.
    :param house: the server whose rules the score is checked by; by default, that of the match.
    :param notice: called with each line on what could not be checked, and why.
    :raises MissingExtraError: the extra ``score`` is not installed.
    :raises TypeError: *match* is no match.
    """
    expect_type(match, Match, "a Match")
    problems = [*_replayed(match), *check_match(match)]
    say = notice or ignore
    for subject, is_wanted, findings in (
        ("wall", wall, _wall(match, say)),
        ("score", score, _score(match, house, say)),
    ):
        if is_wanted and problems:
            say(f"{subject} not checked: other problems found")
        elif is_wanted:
            problems += findings
    unique = {str(error): error for error in problems}  # the result is judged by more than one
    return sorted(unique.values(), key=lambda error: (error.frame is None, error.frame or 0, error.index))


def _replayed(match: Match) -> Iterator[MatchError]:
    """Yield the problems of each frame, and of its start after the frame before."""
    judge = Judge(match.rules, every_frame=False)
    for number, frame in enumerate(match.frames):
        for error in judge.frame(frame):
            problem = MatchError(error.message, frame=number, name=frame.start.name, index=error.index)
            problem.__cause__ = error
            yield problem


def _wall(match: Match, say: Notice) -> Iterator[MatchError]:
    from jmjp_convert.checks.wall import Agreement, check_wall

    try:
        report = check_wall(match)
    except WallError as error:
        say(f"wall not checked: {error}")
        return
    if report.problem is not None:
        yield report.problem
    elif report.agreement is Agreement.NO_WALL:
        say("wall not checked: no seed or wall is recorded")


def _score(match: Match, house: House | None, say: Notice) -> Iterator[MatchError]:
    from jmjp_convert.checks.score import check_score

    report = check_score(match, house)
    for (subject, why), number in report.not_judged.items():
        say(f"{subject.value} not checked ({number}): {why}")
    yield from report.findings

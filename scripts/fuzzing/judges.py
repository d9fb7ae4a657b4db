"""The guarantees of each reader for any input: a judge for each target.

A judge accepts any bytes. It returns if all is well; any exception is a bug, and so a finding.
"""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from fuzzing.containers import database, with_right_checksums, with_right_end
from fuzzing.targets import GZIP, MAX_SIZE
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import ConvertError, FileError, FormatError, MahjongSoulError, TextError, UnprovenError
from jmjp_convert.fetch.lists import LENGTHS, PAGE_NAME, Game, game_of, games_in, length, pages_in
from jmjp_convert.fetch.web import is_tenhou
from jmjp_convert.files import archives
from jmjp_convert.files.archives.entry import ARCHIVE, FILE, Entry, Refused
from jmjp_convert.files.inputs import is_link, label
from jmjp_convert.formats import DEFAULT, detect, readable, writable
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.reading import Reading, read_content, read_source
from jmjp_convert.model import Match, log_ids, tenhou
from jmjp_convert.view.page import view_page

_LONGEST_SHOWN, _FARTHEST_CARET, _LONGEST_LABEL = 81, 60, 72
_PACKED = (GZIP, b"PK\x03\x04")
_WRITINGS = (
    *(Writing(spec=spec, compact=compact) for spec in DIALECTS for compact in (False, True)),
    *(Writing(one.name) for one in writable() if one is not DEFAULT),
)


# --- readers of matches ----------------------------------------------------------------------------------------------

_Read = Callable[[], Any]


def _read(read: _Read) -> Any:
    """Return what *read* returns, or the message of the converter's error that it raises."""
    try:
        return read()
    except ConvertError as refused:
        return str(refused)


def _agree(name: str, plain: Any, other: Any) -> None:
    if other != plain:
        error = AssertionError(f"different result {name}")
        error.add_note(f"{other!r:.500}\ndiffers from\n{plain!r:.500}")
        raise error


def _check_routes(read: Callable[..., Any], content: bytes, plain: Any) -> None:
    """Check that *content* also gives *plain* from an open file and, if it is not compressed itself, as gzip."""
    from_file = _read(lambda: read(io.BytesIO(content), max_size=MAX_SIZE))
    if content.startswith(_PACKED):
        # A stream may turn out not to be a log before it turns out to be corrupt.
        assert from_file == plain or (isinstance(from_file, str) and isinstance(plain, str))
        return
    _agree("from a file", plain, from_file)
    packed = gzip.compress(content, 1, mtime=0)
    _agree("as gzip", plain, _read(lambda: read(packed, max_size=MAX_SIZE)))


def _check_findings(read: Callable[..., Any], content: bytes, plain: Any, notices: Sequence[str]) -> list[Any]:
    """Check that collecting findings gives the same match if there are none, and otherwise starts with the error
    raised without it; return the findings. Those that *notices* say are ignored without it count as none."""
    found: list[Any] = []
    whole = _read(lambda: read(content, max_size=MAX_SIZE, finding=found.append))
    # The same problem may be ignored in one frame and not in another, so that the error raised counts in any case.
    fatal = [
        error for error in found if str(error) == plain or not any(f": {error.reason}; " in line for line in notices)
    ]
    if fatal or not found:
        _agree("with findings", plain, str(fatal[0]) if fatal else whole)
    return found


def _check_written(matches: Sequence[Match]) -> None:
    """Check that each of *matches* can be written in every format, and read back where there is a reader, or is
    rejected; and that a page can be made from it."""
    for match in matches:
        for writing in _WRITINGS:
            if "frame" in writing.options and match.frames:
                writing = Writing(writing.to, frame=match.frames[-1].start.name)  # noqa: PLW2901
            try:
                written([match], writing, _ignore)
            except UnprovenError:
                raise
            except FormatError:
                continue
        with suppress(FormatError):
            view_page(match)


def _ignore(_: str) -> None:
    return


def _read_as(format_: Format, content: bytes) -> None:
    """Read *content* as a file of *format_*, by every route."""
    read = format_.read
    assert read is not None
    notices: list[str] = []
    plain = _read(lambda: read(content, max_size=MAX_SIZE, notice=notices.append))
    _check_routes(read, content, plain)
    for error in _check_findings(read, content, plain, notices):
        assert isinstance(error, format_.error)
        if isinstance(error, TextError):
            check_place(error)
    if "strict" in format_.takes:
        strict = _read(lambda: read(content, max_size=MAX_SIZE, strict=True))
        if isinstance(plain, list):
            assert strict == plain or notices, "rejected with strict, but accepted without a notice otherwise"
        else:
            assert isinstance(strict, str), "accepted with strict, but rejected otherwise"
    if isinstance(plain, list):
        _check_written(plain)


def check_place(error: TextError) -> None:
    """Check that *error* has a position and a one-line message."""
    assert "\n" not in error.about("x")
    assert error.line >= (not isinstance(error, MahjongSoulError))  # the binary form has no lines
    assert error.column is None or error.column >= 1
    assert len(error.text) <= _LONGEST_SHOWN
    assert 0 <= error.caret <= _FARTHEST_CARET


# --- log IDs and lists -----------------------------------------------------------------------------------------------


def ids(content: bytes) -> None:
    """Find log IDs in *content*, and parse it as an ID and as a link."""
    text = content.decode("utf-8", "surrogateescape")
    for found in log_ids.find_ids(text):
        assert found.text in text.lower()
        _check_id(log_ids.parse_id(found.text))
    if (whole := log_ids.parse_id(text)) is not None:
        _check_id(whole)
    name = log_ids.unscrambled(text)
    _agree("when repeated", name, log_ids.unscrambled(name))
    _read(lambda: _check_id(game_of(text, is_tenhou).id))


def _check_id(found: log_ids.LogId | None) -> None:
    assert found is not None
    _agree("when parsed again", found, log_ids.parse_id(found.text))
    assert tenhou.players(found.rules) in (3, 4)
    assert length(found) in LENGTHS
    tenhou.title(found.rules, found.lobby)


_PATH = re.compile(r"(?:[0-9]{4}/)?sc[a-z][0-9]{8,10}\.(?:html|log)(?:\.gz)?", re.ASCII)


def lists(content: bytes) -> None:
    """Read *content* as a list of games, and as an index of list pages."""
    games: Iterator[Game] = iter(())
    wrong: list[tuple[int, ConvertError]] = []
    try:
        games = games_in(content, is_tenhou, lambda *line: wrong.append(line))
        for game in games:
            _check_id(game.id)
    except FileError:
        assert not wrong
    for line, error in wrong:
        assert line >= 1
        assert isinstance(error, ConvertError)
    try:
        pages = pages_in(content)
    except FileError:
        return
    for page in pages:
        assert _PATH.fullmatch(page.path), page.path
        assert PAGE_NAME.fullmatch(page.name), page.name
        assert page.size >= 0


def links(content: bytes) -> None:
    """Read *content* as a link that contains its game, as an argument and as a file."""
    link = content.decode("utf-8", "surrogateescape")
    _read(lambda: _check_id(game_of(link, is_tenhou).id))
    if not is_link(link):
        return
    assert len(label(link)) <= _LONGEST_LABEL
    reading = Reading(max_size=MAX_SIZE)
    matches = _read(lambda: read_source(link, reading, _ignore).matches)
    if detect(content) is not None:
        _agree("as a file", matches, _read(lambda: read_content(content, "", reading, _ignore).matches))
    if isinstance(matches, list):
        _check_written(matches)
    else:
        assert "\n" not in matches


# --- containers ------------------------------------------------------------------------------------------------------


def zips(content: bytes) -> None:
    """List and read *content* as a zip, as it is and with an end record that fits."""
    for one in {content, with_right_end(content)}:
        _check_container(partial(_write, one))


def tars(content: bytes) -> None:
    """List and read *content* as a tar, as it is and with checksums that fit."""
    for one in {content, with_right_checksums(content)}:
        _check_container(partial(_write, one))


def databases(content: bytes) -> None:
    """List and read the database that the SQL *content* makes."""
    _check_container(partial(database, content))


def _write(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _check_container(make: Callable[[Path], None]) -> None:
    """Check that a container can be listed, counted and read, or is refused; that its listing is the same each time;
    and that nothing is written next to it."""
    with tempfile.TemporaryDirectory(prefix="jmjp-fuzz-") as folder:
        path = Path(folder, "evil")
        make(path)
        entries = list(archives.entries(str(path), MAX_SIZE))
        assert len(entries) <= 1 + path.stat().st_size
        for entry in entries:
            _check_entry(entry)
        archives.count([str(path)])
        with archives.Fetcher(MAX_SIZE) as fetcher:
            for entry in entries:
                _read(partial(fetcher.content, entry.fetch))
        assert [entry[:3] for entry in archives.entries(str(path), MAX_SIZE)] == [entry[:3] for entry in entries]
        assert list(Path(folder).iterdir()) == [path]


def _check_entry(entry: Entry) -> None:
    entry.member.encode()
    if isinstance(entry.fetch, Refused):
        assert entry.fetch.kind in (ARCHIVE, FILE), entry.fetch
        assert "\n" not in entry.fetch.reason


JUDGES: dict[str, Callable[[bytes], None]] = {
    **{format_.name: partial(_read_as, format_) for format_ in readable()},
    "ids": ids,
    "lists": lists,
    "links": links,
    "zips": zips,
    "tars": tars,
    "databases": databases,
}
"""By target: every readable format, and the other inputs of the program."""

"""Going through games from Python: sources, order, choices and errors."""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import packing
import pytest
from tables import table

from jmjp_convert import ConvertError, Game, MjlogError, dumps, games, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
BAD = FIXTURES / "invalid" / "act-after-the-end.xml"
(GAME,) = read(PLAIN)
ID = "2011020417gm-00a9-0000-b67fcaa3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a directory with a game, a file of two games, a broken one, and one in a zip and a tar."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.xml").write_bytes(PLAIN.read_bytes())
    (folder / "b.jmjp").write_text(dumps([GAME, GAME]), encoding="utf-8")
    (folder / "c.xml").write_bytes(BAD.read_bytes())
    with zipfile.ZipFile(folder / "d.zip", "w") as packed:
        packed.write(PLAIN, f"2011/{ID}.xml")
        packed.write(BAD, "broken.xml")
    with tarfile.open(folder / "e.tar", "w") as tar:
        tar.add(PLAIN, "inner.xml")
    (folder / "README").write_text("Games.", encoding="utf-8")
    return folder


def listed_as(listed: list[Game], folder: Path) -> list[tuple[str, str, int]]:
    """Return where games are, below *folder*."""
    return [(Path(game.source).relative_to(folder).as_posix(), game.member, game.number) for game in listed]


ALL = [
    ("a.xml", "", 0),
    ("b.jmjp", "", 0),
    ("b.jmjp", "", 1),
    ("d.zip", f"2011/{ID}.xml", 0),
    ("e.tar", "inner.xml", 0),
]


@pytest.mark.parametrize("workers", [1, 2])
def test_order(folder: Path, workers: int) -> None:
    """The games of a directory and of the archives in it come in order with their places, whatever the workers."""
    errors: list[ConvertError] = []
    yielded = list(games(folder, on_error=errors.append, workers=workers))
    assert listed_as(yielded, folder) == ALL
    assert [error.source for error in errors] == [str(folder / "c.xml"), f"{folder / 'd.zip'}: broken.xml"]
    assert all(isinstance(error, MjlogError) and error.frame for error in errors)
    assert all(game.match.frames == GAME.frames for game in yielded if game.source.endswith((".xml", ".zip", ".tar")))


def test_several_sources(folder: Path) -> None:
    """Several sources are gone through one after the other; a file that is read is not skipped for its name."""
    yielded = list(games([folder / "e.tar", str(folder / "a.xml")]))
    assert listed_as(yielded, folder) == [ALL[4], ALL[0]]


def test_database(tmp_path: Path) -> None:
    """The games of a database have its path and their keys."""
    path = tmp_path / "logs.db"
    with sqlite3.connect(path) as database:
        database.executescript(packing.HOUOU_1)
        database.execute(
            "INSERT INTO logs VALUES (?, '2011-02-04', 4, 0, 1, 0, ?)", (ID, gzip.compress(PLAIN.read_bytes()))
        )
    database.close()
    (game_,) = games(path)
    assert (game_.source, game_.match.id, game_.match.frames) == (str(path), ID, GAME.frames)
    assert ID in game_.member


def test_raise(folder: Path) -> None:
    """By default, the error of a file is raised when it is reached, after the games before it."""
    remaining = games(folder)
    first = [next(remaining) for _ in range(3)]
    with pytest.raises(MjlogError, match=r"c\.xml: frame ") as caught:
        next(remaining)
    assert listed_as(first, folder) == ALL[:3]
    assert caught.value.source == str(folder / "c.xml")


def test_missing(tmp_path: Path) -> None:
    """A missing source is a `FileNotFoundError`."""
    with pytest.raises(FileNotFoundError, match=r"none\.zip: no such file or directory"):
        list(games(tmp_path / "none.zip"))


def test_choice(folder: Path) -> None:
    """Games are chosen by log ID or the number of players."""
    assert listed_as(list(games(folder, on_error="skip", ids=[ID])), folder) == [ALL[3]]
    assert listed_as(list(games(folder, on_error="skip", players=4)), folder) == ALL
    assert list(games(folder, on_error="skip", players=3)) == []


def test_notices(folder: Path) -> None:
    """A file that is skipped because it is no log is named to *notice*, and why."""
    notices: list[str] = []
    assert list(games(folder, on_error="skip", notice=notices.append))
    assert notices == [f"{folder / 'README'}: skipped: a readme"]


def test_script(folder: Path, tmp_path: Path) -> None:
    """A script may use workers at its top level: they do not run it again."""
    script = tmp_path / "count.py"
    script.write_text(
        "import sys\nfrom jmjp_convert import games\n"
        "print(sum(1 for _ in games(sys.argv[1], workers=2, on_error='skip')))\n"
    )
    done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, timeout=60, check=True)
    assert (int(done.stdout), done.stderr) == (sum(1 for _ in games(folder, on_error="skip")), "")


def test_left_early(folder: Path) -> None:
    """An iteration that is left early, with workers, ends them."""
    remaining = games(folder, on_error="skip", workers=2)
    assert next(remaining).match.frames == GAME.frames
    remaining.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("options", "message"), table("games", "invalid"))
def test_invalid(options: dict[str, object], message: str) -> None:
    """An invalid argument is an error at once, before anything is read."""
    with pytest.raises(ValueError, match=message):
        games("nothing", **options)  # type: ignore[arg-type]

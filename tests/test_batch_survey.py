"""Going through every game of files, directories and archives."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from packing import game, named

from jmjp_convert.batch.executor import cores
from jmjp_convert.batch.survey import Copies, Input, Opened, count, inputs, is_collection, survey, usual_jobs
from jmjp_convert.errors import MalformedError, RecordError, reason
from jmjp_convert.formats.reading import Reading

SIZE = 1 << 20


def ids(opened: Opened) -> list[str | None]:
    """Return the log IDs in an input."""
    return [match.id for match in opened.judged()]


def fail(opened: Opened) -> None:
    """Raise an error that is not the input's fault."""
    raise KeyError(opened.input.source)


class Failures:
    """Receives what there is to say about inputs: nothing but failures."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    def fail(self, what: str, error: Exception) -> None:
        """Keep *error*."""
        assert what
        self.errors.append(error)

    def notice(self, what: str, text: str) -> None:
        """Fail."""
        pytest.fail(f"{what}: {text}")

    def problem(self, what: str, error: RecordError) -> None:
        """Fail."""
        pytest.fail(error.about(what))

    def skip(self, what: str, why: str) -> None:
        """Fail."""
        pytest.fail(f"{what}: {why}")


@pytest.fixture
def archive(tmp_path: Path) -> str:
    """Return a zip of a hundred games, one of them broken."""
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as out:
        for number in range(100):
            out.writestr(f"{game(number)}.xml", b"<mjloggm ver='2.3'>" if number == 50 else named(number))
    return str(path)


def listed(*sources: str) -> list[Input]:
    """Return the inputs in *sources*."""
    return list(inputs(sources, SIZE, lambda *_: None))


@pytest.mark.parametrize("jobs", [1, 2])
def test_archive(archive: str, jobs: int) -> None:
    """The members of an archive are read in order, on any number of processes; a broken one fails alone."""
    failures = Failures()
    results = list(survey(listed(archive), ids, Reading(max_size=SIZE), failures, jobs))
    assert [input_.source for input_, _ in results] == [f"{archive}: {game(number)}.xml" for number in range(100)]
    assert [each for _, each in results] == [None if number == 50 else [game(number)] for number in range(100)]
    assert [type(error) for error in failures.errors] == [MalformedError]


def test_directory(tmp_path: Path, archive: str) -> None:
    """A directory is searched, with the archives in it."""
    (tmp_path / "a.xml").write_bytes(named(7))
    results = list(survey(listed(str(tmp_path)), ids, Reading(max_size=SIZE), Failures()))
    assert [input_.source for input_, _ in results][:2] == [str(tmp_path / "a.xml"), f"{archive}: {game(0)}.xml"]
    assert len(results) == 101


def test_nothing(tmp_path: Path) -> None:
    """A directory without a game record is an input that cannot be read."""
    failures = Failures()
    ((input_, result),) = survey(listed(str(tmp_path)), ids, Reading(), failures)
    assert (input_.source, result, *map(str, failures.errors)) == (str(tmp_path), None, "no game records found")


@pytest.mark.parametrize("jobs", [1, 2])
def test_internal_errors(archive: str, jobs: int) -> None:
    """An error in the program is the failure of each input, in one line, and stops none of them."""
    failures = Failures()
    assert len(list(survey(listed(archive), fail, Reading(), failures, jobs))) == 100
    assert len(failures.errors) == 100
    assert all(reason(error, None).startswith("internal error, report it: KeyError: ") for error in failures.errors)


@pytest.mark.parametrize("jobs", [1, 2])
def test_copies(tmp_path: Path, archive: str, jobs: int) -> None:
    """Copies are skipped on any number of processes, with what there is to say about them; another log ID makes
    another game."""
    (tmp_path / f"{game(7)}.xml").write_bytes(named(7))
    (tmp_path / f"{game(8)}.xml").write_bytes(named(7))
    (tmp_path / f"{game(50)}.xml").write_bytes(b"<mjloggm ver='2.3'>")

    class Skips(Failures):
        def __init__(self) -> None:
            super().__init__()
            self.skips: list[str] = []

        def skip(self, what: str, why: str) -> None:
            assert why == "duplicates"
            self.skips.append(what)

    listener = Skips()
    with Copies(named=False) as copies:
        queue = listed(archive, str(tmp_path))
        results = list(survey(queue, ids, Reading(max_size=SIZE), listener, jobs, copies=copies))
    assert [each for _, each in results[100:] if each] == [[game(8)]]
    assert len(set(listener.skips)) == len(listener.skips) == 102
    assert len(listener.errors) == 1


def test_what_is_a_collection(archive: str, tmp_path: Path) -> None:
    """Directories and archives are collections; files, links and standard input are not, whether they exist or not."""
    single = tmp_path / "a.xml"
    single.write_bytes(named(1))
    assert [is_collection(source) for source in (archive, str(tmp_path))] == [True, True]
    assert not any(map(is_collection, [str(single), "-", "none", "https://tenhou.net/6/#json={}"]))


def test_usual_jobs(archive: str, tmp_path: Path) -> None:
    """A few games are read by this process alone; many, or an unknown number, by a process per processor."""
    (tmp_path / "few").mkdir()
    assert [count([archive]), count(["a.xml", "b.xml"]), count([str(tmp_path / "few"), "a.xml"])] == [100, 2, 1]
    assert [usual_jobs(number) for number in (1, 2, 100, None)] == [1, 1, cores(), cores()]

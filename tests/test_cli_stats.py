"""`jmjp stats`: JSON, CSV and the page. Sessions have the rest."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result
from test_real_logs import MANIFEST

from jmjp_convert.cli import main
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.stats.counts import RATES, Players
from jmjp_convert.stats.page import stats_page

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with a folder `games` of a game, and the same again in a folder."""
    games = tmp_path / "games"
    (games / "more").mkdir(parents=True)
    shutil.copy(PLAIN, games / "log.xml")
    (games / "more" / "again.xml").write_bytes(PLAIN.read_bytes() + b"\n")  # no copy
    monkeypatch.chdir(tmp_path)


def stats(*args: str) -> Result:
    """Run `jmjp stats`."""
    return CliRunner().invoke(main, ["stats", *args])


def test_json() -> None:
    """With --to json, there is an object per player, with rates, yaku and counts."""
    players = json.loads(stats("games", "--to", "json").stdout)
    assert [player["player"] for player in players] == ["Kaede", "Nazuna", "Tsubaki", "山茶花"]
    tsubaki = players[2]
    assert [key for key in tsubaki if key not in ("player", "players", "yaku", "counts")] == [
        *("house", "account"),
        *(rate.key for rate in RATES),
    ]
    assert (tsubaki["house"], tsubaki["account"]) == (None, None)
    assert tsubaki["counts"]["wins"] == 2
    assert tsubaki["win_rate"] == 2 / 8
    assert tsubaki["yaku"]["Tanyao"] == 2
    assert players[0]["mean_win_points"] is None


def test_csv() -> None:
    """With --to csv, there is a line per player; what is unknown is empty."""
    rows = list(csv.DictReader(io.StringIO(stats("games", "--to", "csv").stdout)))
    assert [row["player"] for row in rows] == ["Kaede", "Nazuna", "Tsubaki", "山茶花"]
    assert rows[2]["games"] == "2"
    assert rows[2]["Tanyao"] == "2"
    assert rows[0]["mean_win_points"] == ""
    assert {rate.key for rate in RATES} | {names.romaji for names in NAMES} < rows[0].keys()


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@SUM", "\t=1"])
def test_csv_formula(name: str) -> None:
    """In CSV, an apostrophe keeps spreadsheets from taking a name for a formula, unless --raw is given."""
    content = re.sub(r' n0="[^"]*"', f' n0="{quote(name)}"', PLAIN.read_text("utf-8"), count=1)
    Path("game.xml").write_text(content, "utf-8")

    def players(*args: str) -> list[str]:
        rows = csv.DictReader(io.StringIO(stats("game.xml", "--to", "csv", *args).stdout, newline=""))
        return [row["player"] for row in rows]

    assert name in players("--raw")
    assert f"'{name}" in players()
    assert name in [player["player"] for player in json.loads(stats("game.xml", "--to", "json").stdout)]
    for args in ([], ["--to", "json"], ["-o", "players.html"]):
        assert "--raw is for --to csv. " in stats("game.xml", "--raw", *args).stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_html(jobs: str) -> None:
    """With --to html, there is a page of the same players, whatever the number of processes."""
    result = stats("games", "--to", "html", "-j", jobs)
    assert (result.exit_code, result.stderr) == (0, "")
    match = read_mjlog(PLAIN)
    players = Players(over_time=True)
    players.add_matches([match, match])
    assert result.stdout == stats_page(players.ranked(), players.curves)
    assert stats("games", "--to", "html", "--lang", "ja").stdout == stats_page(players.ranked(), players.curves, "ja")
    only = stats("games", "--to", "html", "--player", "Kaede").stdout
    assert "Kaede" in only
    assert "Nazuna" not in only


def test_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --open, the page is opened in the browser."""
    seen: list[str] = []

    def browse(address: str) -> bool:
        seen.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    assert stats("games", "-o", "players.html", "--open").exit_code == 0
    assert seen == [Path("players.html").absolute().as_uri()]


def test_top(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows the first players only, and a line says how many there are; --top shows as many as wanted, and
    elsewhere all are written."""
    monkeypatch.setattr("jmjp_convert.cli.stats._TOP", 3)
    assert len(stats("games").stdout.splitlines()) == 5
    monkeypatch.setattr("jmjp_convert.cli.stats.is_terminal", lambda: True)
    result = stats("games")
    assert len(result.stdout.splitlines()) == 4
    assert result.stderr == "note: 1 more player not shown; --top N shows more, -o FILE all\n"
    for args in (["--top", "4"], ["-o", "players.txt", "-q"], ["--player", "a"]):
        assert stats("games", *args).stderr == ""
    assert len(Path("players.txt").read_text("utf-8").splitlines()) == 5


def test_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow terminal shows the columns that fit."""
    monkeypatch.setattr("jmjp_convert.cli.stats.room_of_stdout", lambda: 40)
    assert stats("games").stdout.splitlines()[0].split() == ["Player", "Games", "Place", "1st", "2nd", "3rd"]


def test_not_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is not written to a terminal."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    for args in ([], ["-o", "-"]):
        result = stats("games", "--to", "html", *args)
        assert (result.exit_code, result.stdout, result.stderr) == (
            2,
            "",
            "error: a page is not for a terminal; write it to a file with -o FILE. Try 'jmjp stats -h' for help.\n",
        )


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_games() -> None:
    """Three-player and four-player games have separate tables."""
    result = stats(str(MANIFEST.parent), "-j", "1")
    assert result.exit_code == 1
    above, _, below = result.stdout.partition("\nThree players\n")
    assert "4th" in above.splitlines()[0]
    assert "4th" not in below.splitlines()[0]

"""The command `jmjp stats`."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from test_real_logs import MANIFEST

from jmjp_convert.cli import main
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.stats.counts import Players
from jmjp_convert.stats.page import stats_page
from jmjp_convert.stats.rates import RATES

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"

OVERVIEW = """\
Player  Games Place    1st    2nd    3rd    4th   Win Deal-in Riichi  Call
Kaede       2  4.00   0.0%   0.0%   0.0% 100.0%  0.0%   25.0%   0.0% 25.0%
Nazuna      2  3.00   0.0%   0.0% 100.0%   0.0% 25.0%    0.0%   0.0% 25.0%
Tsubaki     2  2.00   0.0% 100.0%   0.0%   0.0% 25.0%    0.0%  25.0%  0.0%
山茶花      2  1.00 100.0%   0.0%   0.0%   0.0% 25.0%   25.0%  25.0%  0.0%
"""

CARD = """\
Tsubaki, four players: 2 games, 8 frames

Mean place                       2.00
1st                              0.0%  0 of 2
2nd                            100.0%  2 of 2
3rd                              0.0%  0 of 2
4th                              0.0%  0 of 2
Busts                            0.0%  0 of 2
Mean result                     +13.0
Wins                            25.0%  2 of 8
Tsumo, of wins                 100.0%  2 of 2
Deal-ins                         0.0%  0 of 8
Riichi                          25.0%  2 of 8
Calls                            0.0%  0 of 8
Tenpai, of draws                    -
Points of a win                 8,000
Points of a deal-in                 -
Turn of riichi                   2.00
Turn of a win                    4.00
Ippatsu, of wins with riichi     0.0%  0 of 2
Ura dora, of wins with riichi    0.0%  0 of 2

Yaku, of wins
Menzen tsumo  100.0%  2
Riichi        100.0%  2
Pinfu         100.0%  2
Tanyao        100.0%  2
Dora          100.0%  2
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with a folder `games` of a game, the same again in a folder, and a broken log."""
    games = tmp_path / "games"
    (games / "more").mkdir(parents=True)
    shutil.copy(PLAIN, games / "log.xml")
    shutil.copy(PLAIN, games / "more" / "again.xml")
    shutil.copy(BROKEN, tmp_path / "bad.xml")
    monkeypatch.chdir(tmp_path)


def stats(*args: str) -> Result:
    """Run `jmjp stats`."""
    return CliRunner().invoke(main, ["stats", *args])


def test_overview() -> None:
    """Players are in a table, those of more games first."""
    result = stats("games")
    assert (result.exit_code, result.stdout, result.stderr) == (0, OVERVIEW, "")


def test_player() -> None:
    """With --player, everything about a player is shown."""
    result = stats("games", "--player", "Tsubaki")
    assert (result.exit_code, result.stdout, result.stderr) == (0, CARD, "")


def test_one_game() -> None:
    """A single game is counted in the singular."""
    lines = stats("games/log.xml", "--player", "Tsubaki").stdout.splitlines()
    assert lines[0] == "Tsubaki, four players: 1 game, 4 frames"


def test_japanese() -> None:
    """With --lang ja, headings and yaku are Japanese."""
    result = stats("games", "--player", "Tsubaki", "--lang", "ja")
    assert result.stdout.startswith("Tsubaki 四人打ち 2戦 8局\n")
    assert "平均順位" in result.stdout
    assert "断幺九" in result.stdout


def test_json() -> None:
    """With --json, there is an object per player, with rates, yaku and counts."""
    found = json.loads(stats("games", "--json").stdout)
    assert [one["player"] for one in found] == ["Kaede", "Nazuna", "Tsubaki", "山茶花"]
    tsubaki = found[2]
    assert [key for key in tsubaki if key not in ("player", "players", "yaku", "counts")] == [
        rate.key for rate in RATES
    ]
    assert tsubaki["counts"]["wins"] == 2
    assert tsubaki["win_rate"] == 2 / 8
    assert tsubaki["yaku"]["Tanyao"] == 2
    assert found[0]["mean_win_points"] is None


def test_csv() -> None:
    """With --csv, there is a line per player; what is unknown is empty."""
    rows = list(csv.DictReader(io.StringIO(stats("games", "--csv").stdout)))
    assert [row["player"] for row in rows] == ["Kaede", "Nazuna", "Tsubaki", "山茶花"]
    assert rows[2]["games"] == "2"
    assert rows[2]["Tanyao"] == "2"
    assert rows[0]["mean_win_points"] == ""
    assert {rate.key for rate in RATES} | {names.romaji for names in NAMES} < rows[0].keys()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_jobs(jobs: str) -> None:
    """The numbers are the same with any number of processes."""
    assert stats("games", "-j", jobs).stdout == OVERVIEW


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_html(jobs: str) -> None:
    """With --html, there is a page of the same players, whatever the number of processes."""
    result = stats("games", "--html", "-j", jobs)
    assert (result.exit_code, result.stderr) == (0, "")
    match = read_mjlog(PLAIN)
    players = Players(over_time=True)
    players.add_matches([match, match])
    assert result.stdout == stats_page(players.ranked(), players.curves)
    assert stats("games", "--html", "--lang", "ja").stdout == stats_page(players.ranked(), players.curves, "ja")
    only = stats("games", "--html", "--player", "Kaede").stdout
    assert "Kaede" in only
    assert "Nazuna" not in only


def test_output() -> None:
    """The extension of the output chooses what is written; what exists is overwritten only with --force."""
    wanted = {".csv": stats("games", "--csv"), ".json": stats("games", "--json"), ".html": stats("games", "--html")}
    for suffix, to_stdout in (wanted | {".txt": stats("games")}).items():
        path = Path("new", "folder", "players").with_suffix(suffix)
        result = stats("games", "-o", str(path))
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"jmjp: {path}: 4 players\n")
        assert path.read_text(encoding="utf-8") == to_stdout.stdout
        result = stats("games", "-o", str(path))
        assert (result.exit_code, result.stderr) == (1, f"jmjp: {path} exists; use --force to overwrite it\n")
        assert stats("games", "-o", str(path), "--force").exit_code == 0
    assert stats("games", "-o", "-").stdout == OVERVIEW
    result = stats("games/log.xml", "-o", "games/log.xml", "--force")
    assert (result.exit_code, result.stderr) == (
        1,
        "jmjp: games/log.xml is an input; inputs are never overwritten\n".replace("/", os.sep, 1),
    )


def test_page_among_games() -> None:
    """A page that was written among the games is passed over."""
    assert stats("games", "-o", "games/players.html").exit_code == 0
    result = stats("games")
    assert (result.exit_code, result.stdout, result.stderr) == (0, OVERVIEW, "")


def test_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --open, the page is opened in the browser."""
    seen: list[str] = []

    def browse(address: str) -> bool:
        seen.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    assert stats("games", "-o", "players.html", "--open").exit_code == 0
    assert seen == [Path("players.html").absolute().as_uri()]


def test_not_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is not written to a terminal, unless it is asked for with -o -."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    result = stats("games", "--html")
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "jmjp: a page is not for a terminal; name a file for it with --output. Try 'jmjp stats -h' for help.\n",
    )
    assert stats("games", "--html", "-o", "-").stdout.startswith("<!DOCTYPE html>")


def test_min_games() -> None:
    """Players with fewer games are left out."""
    assert stats("games", "--min-games", "2").stdout == OVERVIEW
    result = stats("games", "--min-games", "3")
    assert (result.exit_code, result.stdout) == (0, "")


def test_no_such_player() -> None:
    """A player who is not in any game, or in too few, is reported."""
    result = stats("games", "--player", "Nobody", "--player", "Kaede")
    assert (result.exit_code, result.stderr) == (1, "jmjp: Nobody: no such player\n")
    assert result.stdout.startswith("Kaede, four players: 2 games, 8 frames\n")
    result = stats("games", "--player", "Kaede", "--min-games", "3")
    assert (result.exit_code, result.stderr) == (1, "jmjp: Kaede: fewer than 3 games\n")


def test_broken_input() -> None:
    """A file that cannot be read is reported, and the rest is counted."""
    result = stats("bad.xml", "games")
    assert (result.exit_code, result.stdout) == (1, OVERVIEW)
    assert result.stderr.startswith("jmjp: bad.xml: frame E1-0, element 6 <D4>: ")


@pytest.mark.parametrize("args", [["bad.xml"], ["games", "--player", "Nobody"]])
@pytest.mark.parametrize("name", ["players.html", "players.csv"])
def test_nobody(args: list[str], name: str) -> None:
    """If an input or a player is missing and nobody is left, no file is written; without a failure, it is."""
    assert stats(*args, "-o", name).exit_code == 1
    assert not Path(name).exists()
    assert stats("games", "--min-games", "3", "-o", name).exit_code == 0
    assert Path(name).exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--json", "--csv"], "use --json or --csv, not both"),
        (["--csv", "--html"], "use --csv or --html, not both"),
        (
            ["--csv", "-o", "players.HTML"],
            "players.HTML has the extension of html, not of csv; leave out --csv, or change the extension",
        ),
        (["-o", ""], "empty file name"),
        (["--html", "--open"], "--open needs a page in a file; name one with --output, such as players.html"),
        (
            ["-o", "players.csv", "--open"],
            "--open needs a page in a file; name one with --output, such as players.html",
        ),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """A usage error is explained."""
    result = stats("games", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"jmjp: {message}. Try 'jmjp stats -h' for help.\n"
    assert stats().exit_code == 2


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_games() -> None:
    """Three-player and four-player games have separate tables."""
    result = stats(str(MANIFEST.parent), "-j", "1")
    assert result.exit_code == 1
    above, _, below = result.stdout.partition("\nThree players\n")
    assert "4th" in above.splitlines()[0]
    assert "4th" not in below.splitlines()[0]

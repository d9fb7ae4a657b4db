"""The command `jmjp view`."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jmjp_convert.cli import main
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.view.page import view_page

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"
WHY_BROKEN = "frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with `log.xml`, which is valid, and `bad.xml`, which is not."""
    shutil.copy(PLAIN, tmp_path / "log.xml")
    shutil.copy(BROKEN, tmp_path / "bad.xml")
    monkeypatch.chdir(tmp_path)


def view(*args: str, given: bytes = b"") -> Result:
    """Run `jmjp view` with *args* and *given* on stdin."""
    return CliRunner().invoke(main, ["view", *args], input=given)


def assert_did(result: Result, code: int, *lines: str) -> None:
    """Check the exit code and the lines on stderr (without the program's name)."""
    assert result.stderr == "".join(f"jmjp: {line}\n" for line in lines)
    assert result.exit_code == code


def about(name: str) -> dict[str, object]:
    """Return what the page *name* holds on its game in addition to the JSON lines."""
    found = re.search(r'id="about">(.*?)</script>', Path(name).read_text(encoding="utf-8"))
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


# --- pages -----------------------------------------------------------------------------------------------------------


def test_default_output() -> None:
    """The page of a log is written next to it."""
    assert_did(view("log.xml"), 0, "log.xml -> log.html")
    assert Path("log.html").read_text(encoding="utf-8") == view_page(read_mjlog("log.xml"))


def test_output() -> None:
    """`-o` names the page, `-q` silences the report, and the pages of `-o -` and of stdin go to stdout."""
    assert_did(view("log.xml", "-o", "game.html", "-q"), 0)
    page = Path("game.html").read_bytes()
    assert_did(result := view("log.xml", "-o", "-"), 0)
    assert result.stdout_bytes == page
    assert view("-", given=gzip.compress(PLAIN.read_bytes())).stdout_bytes.count(b"<html") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
def test_full_stdout() -> None:
    """A write error on stdout is one line and names stdout, not the game."""
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "jmjp_convert", "view", "log.xml", "-o", "-"]
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"jmjp: <stdout>: no space left on device\n")


def test_force() -> None:
    """An existing page is overwritten only with `--force`."""
    Path("log.html").write_text("mine")
    assert_did(view("log.xml"), 1, "log.xml: log.html exists; use --force to overwrite it")
    assert Path("log.html").read_text() == "mine"
    assert_did(view("log.xml", "--force"), 0, "log.xml -> log.html")


def test_jmjp_and_several() -> None:
    """A jmjp file is read too; each of several matches has its own page."""
    shutil.copy(PLAIN.with_suffix(".jmjp"), "log.jmjp")
    assert_did(view("log.jmjp", "-o", "one.html"), 0, "log.jmjp -> one.html")
    Path("two.jmjp").write_text(write_jmjp([read_mjlog("log.xml")] * 2), encoding="utf-8")
    assert_did(view("two.jmjp"), 0, "two.jmjp -> two-1.html", "two.jmjp -> two-2.html")
    said = "two.jmjp: 2 games, but only one page can go to stdout; name a file with --output"
    assert_did(result := view("two.jmjp", "-o", "-"), 1, said)
    assert result.stdout_bytes == b""


def test_into_a_directory() -> None:
    """`-o` with a directory writes the page of a game there, and no site; stdin needs an id for that."""
    assert_did(view("log.xml", "-o", "new/"), 0, "log.xml -> new/log.html")
    Path("two.jmjp").write_text(write_jmjp([read_mjlog("log.xml")] * 2), encoding="utf-8")
    assert_did(view("two.jmjp", "-o", "new"), 0, "two.jmjp -> new/two-1.html", "two.jmjp -> new/two-2.html")
    assert_did(view("bad.xml", "-o", "none/"), 1, f"bad.xml: {WHY_BROKEN}")
    assert not Path("none").exists()
    given = PLAIN.read_bytes()
    assert "cannot name the output of stdin (-) in a directory" in view("-", "-o", "new", given=given).stderr
    log_id = "2019041809gm-0009-0000-0123abcd"
    assert_did(view("-", "-o", "new", "--id", log_id, given=given), 0, f"<stdin> -> new/{log_id}.html")
    names = sorted(path.name for path in Path("new").iterdir())
    assert names == [f"{log_id}.html", "log.html", "two-1.html", "two-2.html"]


def test_seat() -> None:
    """`--seat` sets the seat shown at first."""
    assert view("log.xml", "--seat", "2").exit_code == 0
    assert about("log.html")["seat"] == 2
    assert view("log.xml", "--seat", "4").exit_code == 2


def test_wall(seeded_log: str) -> None:
    """`--wall` includes a verified wall, or reports why there is none."""
    Path("seeded.xml").write_text(seeded_log)
    assert_did(view("seeded.xml", "--wall"), 0, "seeded.xml -> seeded.html")
    assert "walls" in about("seeded.html")
    reason = "log.xml: wall not included: no shuffle seed is recorded"
    assert_did(view("log.xml", "--wall"), 0, reason, "log.xml -> log.html")
    assert "walls" not in about("log.html")


def test_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--open` opens the page written, and nothing if none was written."""
    opened: list[str] = []

    def browse(page: str) -> bool:
        opened.append(page)
        return len(opened) == 1

    monkeypatch.setattr("webbrowser.open", browse)
    assert_did(view("log.xml", "--open"), 0, "log.xml -> log.html")
    view("bad.xml", "--open")
    assert opened == [Path("log.html").absolute().as_uri()]
    again = view("log.xml", "-o", "again.html", "--open")
    assert_did(again, 0, "log.xml -> again.html", "again.html: cannot start a browser; open the page yourself")
    for args in (("log.xml", "-o", "-"), ("-",), ("-", "-o", "-")):
        result = view(*args, "--open", given=PLAIN.read_bytes())
        assert "--open needs a page in a file; name one with --output" in result.stderr
        assert (result.exit_code, result.stdout_bytes) == (2, b"")


def test_broken() -> None:
    """A broken or missing log gives an error and no page."""
    assert_did(view("bad.xml"), 1, f"bad.xml: {WHY_BROKEN}")
    assert not Path("bad.html").exists()
    assert_did(view("none.xml"), 1, "none.xml: no such file or directory")


def test_usage() -> None:
    """A directory or archive becomes a site, which needs its own directory."""
    assert "a directory of games becomes a site" in view(".").stderr
    assert view(".").exit_code == 2
    assert view("log.xml", "-o", "").exit_code == 2
    with zipfile.ZipFile("games.zip", "w") as packed:
        packed.write("log.xml")
    assert "an archive of games becomes a site; name a directory for it with --output" in view("games.zip").stderr
    before = sorted(Path().rglob("*"))
    assert "name another one with --output" in (result := view(".", "-o", "./")).stderr
    assert (result.exit_code, sorted(Path().rglob("*"))) == (2, before)


# --- sites -----------------------------------------------------------------------------------------------------------


def archive() -> None:
    """Make a directory of two games, one of them in a zip, a broken one, and a file that is not a game."""
    Path("games/deep").mkdir(parents=True)
    shutil.copy("log.xml", "games/deep/log.xml")
    shutil.copy("bad.xml", "games/bad.xml")
    Path("games/readme.txt").write_text("Games.")
    with zipfile.ZipFile("games/more.zip", "w") as packed:
        packed.write("log.xml", "2019041809gm-0089-1234-0123abcd.xml")


def test_site() -> None:
    """A directory becomes a site: a list, a page for each game, and shared assets; bad logs are reported."""
    archive()
    said = (f"games/bad.xml: {WHY_BROKEN}", "site/index.html: 2 games, 1 failed; 1 other file skipped")
    assert_did(view("games", "-o", "site/"), 1, *said)
    files = {path.relative_to("site").as_posix() for path in Path("site").rglob("*") if path.is_file()}
    assert files == {
        "index.html",
        *(f"assets/{name}" for name in ("style.css", "view.js", "index.js", "tiles.js")),
        "games/log.html",
        "games/2019041809gm-0089-1234-0123abcd.html",
    }
    index = Path("site/index.html").read_text(encoding="utf-8")
    assert re.findall('<a href="([^"]+)"', index) == ["games/2019041809gm-0089-1234-0123abcd.html", "games/log.html"]
    assert "<b>山茶花</b> 34300 +44.0</li>" in index


def test_site_of_pages() -> None:
    """Pages made earlier, of one game or a site, are skipped as other files."""
    Path("games").mkdir()
    shutil.copy("log.xml", "games")
    view("games/log.xml")
    view("games", "-o", "games/site/")
    assert_did(view("games", "-o", "new/"), 0, "new/index.html: 1 game, 0 failed; 7 other files skipped")


def test_site_of_broken_archive() -> None:
    """A broken archive is reported in one line, in the words of batch."""
    Path("cut.zip").write_bytes(b"PK\x03\x04")
    reason = "cut.zip: the zip is truncated: no directory at its end"
    assert_did(view("cut.zip", "-o", "site/"), 1, reason, "site/index.html: not written: 0 games, 1 failed")
    assert not Path("site").exists()


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_site_without_games(force: list[str]) -> None:
    """A source without any game is reported in one line, and no site is made of it."""
    Path("empty/deep").mkdir(parents=True)
    assert_did(view("empty", "-o", "site", "--open", *force), 1, "empty: no game records found")
    Path("empty/README").write_text("Games.")
    Path("empty/x.png").write_bytes(b"\x89PNG")
    assert_did(view("empty", "-o", "site", "-q", *force), 1, "empty: no game records found")
    zipfile.ZipFile("e.zip", "w").close()
    assert_did(view("e.zip", "-o", "site", *force), 1, "e.zip: no game records found")
    assert not Path("site").exists()


def test_site_in_a_later_directory_of_its_games() -> None:
    """A site that is made while its source is read is not read itself."""
    Path("a").mkdir()
    Path("z").mkdir()
    shutil.copy("log.xml", "a/log.xml")
    shutil.copy("log.xml", "z/a.xml")
    assert view(".", "-o", "z/site").stderr.splitlines()[-1].startswith("jmjp: z/site/index.html: ")
    assert view(".", "-o", "z/site", "--force").exit_code == view(".", "-o", "z/other").exit_code


def test_site_again() -> None:
    """An existing site is overwritten only with `--force`, and is not read as input."""
    archive()
    assert view("games", "-o", "games/site/").exit_code == 1
    assert_did(view("games", "-o", "games/site"), 1, "games/site/index.html exists; use --force to overwrite it")
    again = view("games", "-o", "games/site", "--force")
    assert again.stderr.splitlines()[-1].endswith("2 games, 1 failed; 1 other file skipped")


def test_unfinished_site() -> None:
    """An unfinished site is made again; pages of games no longer there are removed, other files are kept."""
    archive()
    view("games", "-o", "site/", "-q")
    Path("site/index.html").unlink()
    Path("site/assets/style.css").write_text("half")
    Path("site/games/mine.html").write_text("mine")
    view("log.xml", "-o", "site/games/alone.html")
    Path("games/deep/log.xml").unlink()
    Path("games/bad.xml").unlink()
    said = "site/index.html: 1 game, 0 failed; 1 other file skipped"
    assert_did(view("games", "-o", "site/"), 0, said)
    assert Path("site/assets/style.css").read_text(encoding="utf-8") != "half"
    names = sorted(path.name for path in Path("site/games").iterdir())
    assert names == ["2019041809gm-0089-1234-0123abcd.html", "alone.html", "mine.html"]


def test_page_in_the_way() -> None:
    """A file that is not a page of a site is overwritten only with `--force`."""
    archive()
    Path("site/games").mkdir(parents=True)
    view("log.xml", "-o", "site/games/log.html")
    alone = Path("site/games/log.html").read_bytes()
    found = view("games", "-o", "site/")
    assert "games/deep/log.xml: site/games/log.html exists; use --force to overwrite it" in found.stderr
    assert Path("site/games/log.html").read_bytes() == alone
    view("games", "-o", "site/", "--force")
    assert Path("site/games/log.html").read_bytes() != alone


def test_no_frames() -> None:
    """A match without frames is reported and does not stop the other matches of its file."""
    Path("games").mkdir()
    match = read_mjlog("log.xml")
    matches = [replace(match, id=None), replace(match, id=None, frames=()), replace(match, id=None)]
    Path("games/three.jmjp").write_text(write_jmjp(matches), encoding="utf-8")
    said = "games/three.jmjp: the match has no frames to show"
    assert_did(view("games", "-o", "site/"), 1, said, "site/index.html: 2 games, 1 failed")


def test_names_of_pages() -> None:
    """Games with the same name have a page each, and no name leads out of the site."""
    Path("many").mkdir()
    for folder in ("a", "b"):
        Path(f"many/{folder}").mkdir()
        shutil.copy("log.xml", f"many/{folder}/log.xml")
    with zipfile.ZipFile("many/c.zip", "w") as packed:
        packed.write("log.xml", "../LOG.xml")
        packed.write("log.xml", "x/..")
    view("many", "-o", "site/", "-q")
    names = sorted(path.name for path in Path("site/games").iterdir())
    assert names == ["LOG-3.html", "game.html", "log-2.html", "log.html"]


def test_names_are_text() -> None:
    """Names are text in the list too, whatever they contain."""
    Path("games").mkdir()
    log = PLAIN.read_text(encoding="utf-8")
    Path("games/log.xml").write_text(re.sub('n0="[^"]*"', 'n0="%3C/td%3E%3Cscript%3E%22"', log), encoding="utf-8")
    assert view("games", "-o", "site/", "-q").exit_code == 0
    assert "<b>&lt;/td&gt;&lt;script&gt;&quot;</b>" in Path("site/index.html").read_text(encoding="utf-8")

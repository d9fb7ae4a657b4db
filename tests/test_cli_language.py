"""The program in Japanese: its catalogue has every text, and they are put together well."""

from __future__ import annotations

import errno
import inspect
import os
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from sentences import sentences
from tables import table

from jmjp_convert.cli import COMMANDS, language, main
from jmjp_convert.cli.japanese import entries, in_japanese
from jmjp_convert.formats import FORMATS

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = str(FIXTURES / "valid" / "plain.xml")

_ELSEWHERE = (
    "cli/japanese.py",  # beginnings of texts of click
    "__init__.py",  # Python
    "table.py",
    "play/violations.py",
    "model/match.py",
    "model/record.py",
    "dataset/schema.py",  # the documentation
    "model/yaku.py",  # names in both languages
    "formats/jmjp/notation.py",
    "stats/",
    "view/page/__init__.py",
    "view/site.py",
    "view/summary.py",
    "pages/",
)
"""What has texts that are not in help or messages, or that are in both languages there."""

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
BLANK = re.compile(r"\{[^{} ]*\}")


@pytest.fixture(autouse=True)
def no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the language that a test chose."""
    monkeypatch.setattr(language, "_chosen", [])
    for name in ("JMJP_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def texts() -> set[str]:
    """Return every text of help and messages, with ``{}`` for what is filled in."""
    return {
        BLANK.sub("{}", inspect.cleandoc(sentence.text))
        for sentence in sentences()
        if sentence.path.endswith(".py")
        and not sentence.path.startswith(_ELSEWHERE)
        and re.search(r"[a-z]{2}", sentence.text)
    }


# --- the catalogue ----------------------------------------------------------------------------------------------------


def test_every_text() -> None:
    """The catalogue has every text of help and messages."""
    english = texts()
    assert len(english) > 1000
    assert english - dict(entries()).keys() == set()


def test_entries() -> None:
    """No text is in the catalogue twice, and each Japanese text has the blanks of the English one, by number if in
    another order; only a rate leaves out the word for its unit."""
    pairs = list(entries())
    assert len(dict(pairs)) == len(pairs)
    for english, japanese in pairs:
        count = english.count("{}")
        numbers = [blank[1:-1].rstrip("*#@!") for blank in BLANK.findall(japanese)]
        assert all(numbers) or not any(numbers), english
        wanted = {str(number) for number in range(count)}
        used = set(numbers) if any(numbers) else {str(number) for number in range(len(numbers))}
        assert used == (wanted - {"1"} if english.startswith("{} {} per second") else wanted), english


def test_every_help() -> None:
    """The help of every command and option is in Japanese."""
    for name in COMMANDS:
        text = CliRunner().invoke(main, ["--lang", "ja", name, "-h"]).stdout
        assert text.startswith("使い方: "), name
        paragraphs = re.split(r"\n\n|\n +-", re.sub(r"'[^']*'|\n +(?:jmjp|curl|find|eval|duckdb) .*", "", text))
        assert [text for text in paragraphs if re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{3,}", text)] == [], name


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("english", "japanese"), table("cli_language", "messages"))
def test_messages(english: str, japanese: str | None) -> None:
    """Places, names and numbers are kept; what is inside a message is translated too; what is unknown stays English."""
    assert in_japanese(english) == (
        japanese or "a.xml: 東1局0本場: 西家（Ann）がリーチ後に手牌から牌 5 (2m) を捨てています"
    )


def recorded() -> set[str]:
    """Return the lines on stderr in the recorded sessions, and the errors of the invalid fixtures."""
    lines = {
        re.sub(r"^! (?:(?:error|warning|note): )?", "", line)
        for path in (FIXTURES / "sessions").glob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("! ")
    }
    for path in FIXTURES.rglob("*.err"):
        lines.update(path.read_text(encoding="utf-8").splitlines())
    return lines


SAME = re.compile(r".* -> .*|.*: HTTP [0-9]+|… per second.*")
"""Lines without words of English, and those that a session has shortened."""


def test_recorded() -> None:
    """Each message in the recorded sessions and fixtures is in Japanese."""
    lines = recorded()
    assert lines
    assert [line for line in lines if not (SAME.fullmatch(line) or JAPANESE.search(in_japanese(line)))] == []


_NAMED = re.compile(
    r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|「[^」]*」|<[^>]*>"  # quoted; elements of XML
    r"|(?<=家)（[^）]*）|^(?:[\w.]+: )+|(?:No such option)?…(?: [a-z]+)?"  # players; archives; what is shortened
    r"|\b(?:jmjp|curl)(?: [a-z][a-z]+\b| --?[a-z-]+| [A-Z]+\b| [\w.]+/)*"  # commands
    r"|--[a-z-]+(?: [A-Za-z]+\b)?|\S*[./\\_=~|{}\[\]&-][^ （）、。]*"  # options; files and links
)
"""What a message names as it is written elsewhere."""
_OTHER_WORDS = """
matches players frames seats wins yaku calls riichi discards
player games place first second third fourth bust result win tsumo deal call ippatsu ura
both text csv parquet html gzip zip XML HTML SQLite PDF OS HTTP ID URL base MiB JSON UTF nan inf NaN readme
SRC DIR FILE WHAT FORMAT AI NAGA Mortal akochan mjx reviewer tenhou Kaede Nobody NoName
rd nw ww owari who seed hai0 INIT T136 log
out ids nothing notes none rest empty data site logs file dir no
"""
_KEPT = {*COMMANDS, *FORMATS, *_OTHER_WORDS.split()}
"""Formats, commands, columns, abbreviations, names of files and players: all words that Japanese messages may have."""


def english(text: str) -> list[str]:
    """Return the words of English in a Japanese message, names apart."""
    return [word for word in re.findall(r"[A-Za-z][A-Za-z0-9]+", _NAMED.sub(" ", text)) if word not in _KEPT]


def test_recorded_without_english() -> None:
    """No recorded message keeps a word of English."""
    assert {line: kept for line in sorted(recorded()) if (kept := english(in_japanese(line)))} == {}


@pytest.mark.parametrize("line", table("cli_language", "input_without_english"))
def test_input_without_english(line: str) -> None:
    """What is said of files and links that no format reads, and of requests that failed, keeps no word of English."""
    assert english(in_japanese(line)) == []


@pytest.mark.parametrize("content", [*table("cli_language", "json_without_english"), "[" * 5000, "9" * 5000])
def test_json_without_english(content: str) -> None:
    """What is said of JSON that is not well-formed, in a link or a line of json, keeps no word of English."""
    link = CliRunner().invoke(main, ["--lang", "ja", "info", f"https://tenhou.net/6/#json={quote(content)}"])
    line = CliRunner().invoke(main, ["--lang", "ja", "info", "-"], input=f'{{"type":"match",{content}\n')
    for result in (link, line):
        assert result.exit_code == 1
        assert english(result.stderr) == []


# --- which language ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variables", "expected"), table("cli_language", "language"))
def test_language(variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The language is that of JMJP_LANG, or of the locale; English if it is neither English nor Japanese."""
    monkeypatch.setattr("sys.platform", "linux")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language.language() == expected


def test_info(monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary of a game is in the language of messages; JSON stays English unless --lang is given."""
    monkeypatch.setenv("JMJP_LANG", "ja")
    assert "対局者" in CliRunner().invoke(main, ["info", PLAIN]).stdout
    assert "Tenhou" in CliRunner().invoke(main, ["info", "--json", PLAIN]).stdout
    assert "Player" in CliRunner().invoke(main, ["info", "--lang", "en", PLAIN]).stdout


def test_terminal_without_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages stay English if the terminal cannot show Japanese."""
    monkeypatch.setenv("JMJP_LANG", "ja")
    assert language.translated("file exists", "ascii") == "file exists"
    assert language.translated("file exists", "cp932") == "ファイルが既にあります"


def test_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hints of completed commands and options are in the language of the user."""
    monkeypatch.setenv("JMJP_LANG", "ja")
    monkeypatch.setenv("_JMJP_COMPLETE", "fish_complete")
    for words, expected in (
        ("con", "plain,convert\t牌譜を変換します。"),
        ("convert --forc", "plain,--force\t既存のファイルを上書きします。"),
    ):
        monkeypatch.setenv("COMP_WORDS", f"jmjp {words}")
        monkeypatch.setenv("COMP_CWORD", words.split()[-1])
        stdout = CliRunner().invoke(main, prog_name="jmjp").stdout
        assert stdout.replace("\n", "\t").startswith(expected.replace("\n", "\t")), stdout


def test_system_errors() -> None:
    """Errors of the system that users meet are in Japanese; what a library says of a file stays, in a sentence."""
    for number in ("ENOENT", "EACCES", "EPERM", "ENOSPC", "EISDIR", "ENOTDIR", "EEXIST", "EROFS", "EIO", "EDQUOT"):
        text = os.strerror(getattr(errno, number)).lower()
        assert text not in in_japanese(f"a.xml: {text}")
    mismatch = "Opening and ending tag mismatch: a line 1 and b, line 1, column 10"
    assert in_japanese(f"a.xml: not well-formed XML: {mismatch}") == (
        f"a.xml: 整形式の XML ではありません（「{mismatch}」）"
    )

"""The language of messages, help, docs, docstrings and comments, held to the list in ``docs/CONTRIBUTING.md``."""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

from sentences import sentences

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "CONTRIBUTING.md"
FOLDERS = ("jmjp_convert", "tests", "scripts", "fixtures", "docs")
SUFFIXES = {".css", ".html", ".js", ".json", ".md", ".py", ".toml", ".txt", ".yml"}

_TABLE = re.compile(r"^\| not \| but \|\n\| --- \| --- \|\n((?:\|.*\n)+)", re.MULTILINE)
_WORDS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def avoided() -> re.Pattern[str]:
    """Return a pattern for the phrases in the left column of the list."""
    table = _TABLE.search(GUIDE.read_text(encoding="utf-8"))
    assert table is not None
    phrases = [phrase for row in table[1].splitlines() for phrase in row.split("|")[1].strip().split(", ")]
    return re.compile(rf"\b({'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)


def words(path: Path) -> str:
    """Return the text of *path* that people read; of Python, its comments and strings."""
    text = path.read_text(encoding="utf-8")
    if path == GUIDE:
        return _TABLE.sub("", text)
    if path.suffix != ".py":
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in tokens if token.type in _WORDS)


PAGES = [
    path
    for path in sorted([*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))])
    if path.suffix in SUFFIXES and path.is_file() and "fuzz" not in path.parts
]


def test_phrases() -> None:
    """No text has a phrase that the list replaces."""
    pattern = avoided()
    suspects = [path for path in PAGES if pattern.search(path.read_text(encoding="utf-8"))]
    lines = [(path, line.strip()) for path in suspects for line in words(path).splitlines()]
    assert [(path, line) for path, line in lines if pattern.search(line)] == []


def test_sentences() -> None:
    """The list of what users can see has messages, help of options and of commands, and labels of the page."""
    texts: defaultdict[str, str] = defaultdict(str)
    for sentence in sentences():
        texts[sentence.path] += f"{sentence.text}\n"
    assert "use --force to overwrite it" in texts["files/outputs.py"]
    assert "Overwrite" in texts["cli/options.py"]
    assert "jmjp check game.jmjp" in texts["cli/check.py"]
    assert "game records" in texts["cli/check.py"]
    assert "次" in texts["view/page/texts.js"]

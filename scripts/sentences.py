"""Print every sentence that users can see, from the source: messages, help, labels; each with its file and line.

`{…}` is for what is filled in.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commandline import Parser, run

PACKAGE = Path(__file__).parent.parent / "jmjp_convert"

_WORDS = re.compile(
    r"(?=.*[a-z]{2})(?=.* )(?:.*[A-Za-z]{2,}\W+[A-Za-z]{2,}|(?=.*\{).*[A-Za-z]{3,})|.*[\u3040-\u30ff\u4e00-\u9fff]",
    re.DOTALL,
)
"""Two words in English, one beside what is filled in, or Japanese."""
_NO_SENTENCE = re.compile(
    r"(?:SELECT|CREATE|INSERT|UPDATE|DELETE|ALTER|PRAGMA|BEGIN|CASE) .*|.*(?:_xinfo|typeof)\(.*|[a-z_]+ = [A-Z{].*"
    r"|[a-z0-9]+(?:, [a-z0-9]+){6,}|.*(?:\(\?[:!<=P]|\[\^|\\[bdsw]|[^\s|]\|[^\s|]).*|<(?!\{).*|\(.*\): .*"
    r"|(?:self\.|def ).*|.*\);|.*(?:Content-|multiprocessing|import os|2>/dev/null).*|system volume information",
    re.DOTALL,
)
"""SQL, regular expressions, HTML and code."""
_CALLS = frozenset(
    {
        *("regex", "compile", "execute", "executemany", "later", "split", "import_module"),
        *("_keyword", "_names", "starmap"),  # slips in jmjp
    }
)
"""Functions and methods whose strings nobody reads."""
_NAMES = frozenset({"_TILES_BY_OTHER_NAMES", "_SEATS", "_KEYWORDS", "_OTHER_REASONS"})
"""Tables of other names for what a file has."""
_SPELLINGS = (
    *("formats/spellings.py", "formats/mjai/lines.py", "formats/mahjong_soul/messages.py"),
    "formats/tenhou6/repeated_values.py",
)
"""Tables of what files may have, such as the spellings of yaku."""
_SCRIPT_TEXT = re.compile(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1|>([^<>{}]+)<""")


class Sentence(NamedTuple):
    """A *text* that users can see, and the *line* of the file (*path* below the package) that has it."""

    path: str
    line: int
    text: str


def _spoken(node: ast.expr) -> str | None:
    """Return the text of a string, `{…}` for each value in it; None if *node* is no string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_spoken(part) or "{…}" for part in node.values)
    return None


def _is_command(node: ast.AST) -> bool:
    """Return whether *node* is a function whose docstring is a command's help."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(call, ast.Call) and "command" in ast.unparse(call.func) for call in node.decorator_list
    )


def _strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string in *tree* but docstrings, those of commands excepted."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and _name_of(node) in _CALLS:
            continue
        children = [child for child in ast.iter_child_nodes(node) if _is_command(node) or not _is_docstring(child)]
        if isinstance(node, ast.Dict):  # what is looked up, not what is shown
            children = [child for child in children if child not in node.keys]
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in _NAMES:
            continue
        if isinstance(node, ast.Subscript):
            children = [node.value]
        text = _spoken(node) if isinstance(node, ast.expr) else None
        if text is None:
            waiting += children
        else:
            yield node.lineno, text  # type: ignore[attr-defined]
            waiting += [part.value for part in getattr(node, "values", ()) if isinstance(part, ast.FormattedValue)]


def _name_of(call: ast.Call) -> str:
    """Return the name of the function or method called."""
    return ast.unparse(call.func).rpartition(".")[2]


def _is_docstring(node: ast.AST) -> bool:
    """Return whether *node* is a string that is a statement by itself."""
    return isinstance(node, ast.Expr) and _spoken(node.value) is not None


def sentences(wanted: tuple[str, ...] = ()) -> Iterator[Sentence]:
    """Yield what users can see, file by file; of *wanted* folders or files of the package, or of all."""
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if name in _SPELLINGS or (wanted and not name.startswith(wanted)):
            continue
        if path.suffix == ".py":
            found: Iterator[tuple[int, str]] = _strings(ast.parse(path.read_text(encoding="utf-8")))
        elif path.suffix in (".js", ".html"):
            text = path.read_text(encoding="utf-8")
            found = (
                (text.count("\n", 0, match.start()) + 1, match[2] or match[3] or "")
                for match in _SCRIPT_TEXT.finditer(text)
            )
        else:
            continue
        for line, text in sorted(found):
            if _WORDS.match(text) and not _NO_SENTENCE.fullmatch(text.strip()):
                yield Sentence(name, line, text.strip())


def _main() -> None:
    parser = Parser(__file__, __doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="folder or file of the package (default: all)")
    for part in (asked := parser.parse_args().parts):
        if not (PACKAGE / part).exists():
            parser.error(f"no {part} in {PACKAGE.name}")
    for one in sentences(tuple(asked)):
        print(f"{one.path}:{one.line}: {one.text}")


if __name__ == "__main__":
    sys.exit(run(__file__, _main))

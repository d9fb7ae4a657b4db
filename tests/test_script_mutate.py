"""The script that changes readers and writers, to measure what verification catches."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from mutate import inside_functions, mutants, mutated, ways

SCRIPT = Path(__file__).parent.parent / "scripts" / "mutate.py"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return 7", ["return None", "return 8", "return 6"]),
        ("return 'a'", ["return None", "return 'ax'"]),
        ("return True", ["return None", "return False"]),
        ("return None", ["return None", "return 0"]),
        ("return a == b", ["return None", "return a != b"]),
        ("return a + b", ["return None", "return a - b"]),
        ("return a and b", ["return None", "return a or b"]),
        ("if a:\n    pass", ["if not a:\n    pass"]),
        ("a(b, c)", ["None", "a(c, b)"]),
        ("a: 'b' = c", []),
    ],
)
def test_ways(before: str, after: list[str]) -> None:
    """Each place can be changed in the ways of its kind."""
    source = f"def function():\n    {before.replace(chr(10), chr(10) + '    ')}\n"
    found = []
    for place, node in enumerate(inside_functions(ast.parse(source))):
        for way in range(len(ways(node))):
            tree = ast.parse(source)
            ways([*inside_functions(tree)][place])[way][1]()
            found.append(ast.unparse(ast.fix_missing_locations(tree)))
    assert found == [
        ast.unparse(ast.parse(source.replace(before.replace("\n", "\n    "), _indented(one)))) for one in after
    ]


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def test_outside() -> None:
    """What is outside functions, in docstrings and in annotations is not changed."""
    tree = ast.parse(
        'A = 1\n\n\nclass B:\n    c = 2\n\n    def d(self, e: "f" = 3):\n        """G."""\n        return self\n'
    )
    assert [ast.unparse(node) for node in inside_functions(tree) if ways(node)] == ["return self"]


def test_mutated() -> None:
    """A mutant names its module, line and change."""
    path = SCRIPT.parent.parent / "jmjp_convert" / "formats" / "majiang" / "writer.py"
    tree, what = mutated(next(iter(mutants(path))))
    assert ast.dump(tree) != ast.dump(ast.parse(path.read_bytes()))
    assert what.startswith("majiang/writer.py:")


def test_report() -> None:
    """The script reports how many mutants changed an output, and how many of them were caught."""
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--mutants", "6", "--format", "json", "--least", "0"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["format", "mutants", "changed", "caught", "share", "everywhere"]
    assert [row.split()[:2] for row in rows] == [["json", "6"], ["all", "6"]]

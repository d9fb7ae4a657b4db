"""The layers of the package: what may import what."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from compiled import LIBRARY

PACKAGE = Path(__file__).parent.parent / "jmjp_convert"
NAME = PACKAGE.name
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    ("__main__",),
    ("cli",),
    ("__init__",),
    ("dataset",),
    ("batch", "fetch", "view"),
    ("stats",),
    ("api", "table"),
    ("convert", "pages"),
    ("formats",),
    ("checks", "files"),
    ("play",),
    ("model",),
    ("errors", "garbage_collection"),
    ("messages",),
    ("lazy_regex",),
)
"""From top to bottom: a unit (a module or subpackage) imports only from layers below its own."""

OUTSIDE = {
    "backports": "files/compression.py",
    "click": "cli/",
    "compression": "files/compression.py",  # of Python 3.14
    "distributed": "batch/executor.py",
    "lxml": "formats/mjlog/xml.py",
    "mahjong": "checks/score/hand_value.py",
    "mypy_extensions": "model/mypyc.py",  # for the type checker and the compiler alone
    "pyarrow": "dataset/table_files.py",
    "requests": "fetch/",
    "tqdm": "cli/",
    "urllib3": "fetch/",
}
"""The only place where each library is imported."""

FORMAT_FOLDERS = {path.parent.name for path in PACKAGE.glob("formats/*/__init__.py")} - {"losses"}
FORMAT_NAMES = {name.replace("_", "-") for name in FORMAT_FOLDERS}

NOT_FORMATS = {
    "cli/console.py": {"jmjp"},  # the program
    "cli/help.py": {"mahjong-soul", "riichi-city"},  # topics
    "cli/stats.py": {"json"},  # a form of statistics
    "files/archives/databases.py": {"mjlog"},  # a table in a user's database
    "model/match.py": {"mahjong-soul", "riichi-city"},  # houses
}
"""Uses of a format's name with another meaning."""

MOST_LINES = 900


def local(path: Path) -> str:
    """Return the path of *path* within the package."""
    return path.relative_to(PACKAGE).as_posix()


def unit(path: Path) -> str:
    """Return the unit that *path* belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


UNITS = {unit(path) for path in MODULES}
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return the syntax nodes of *path*."""
    return list(ast.walk(ast.parse(path.read_bytes())))


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield the full names that *path* imports, split into parts."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            assert node.module is not None
            yield from ((*node.module.split("."), alias.name) for alias in node.names)


def test_place() -> None:
    """Every module belongs to a layer."""
    assert {local(path) for path in MODULES if unit(path) not in LEVELS} == set()


def test_downward() -> None:
    """A module imports from its own unit and from lower layers; the version may be imported from anywhere."""
    for path in MODULES:
        inside = {parts[1] for parts in imports(path) if parts[0] == NAME and parts[1:] != ("__version__",)}
        units = {name if name in UNITS else "__init__" for name in inside} - {unit(path)}
        assert {name for name in units if LEVELS[name] <= LEVELS[unit(path)]} == set(), path


def test_model_alone() -> None:
    """The model can be imported without anything above it."""
    program = f"import sys, {NAME}.model; print(*(name for name in sys.modules if name.startswith('{NAME}.')))"
    imported = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    assert {name.split(".")[1] for name in imported if name != LIBRARY} == {"model"}


def test_libraries() -> None:
    """Beyond the standard library, a module imports only what it is allowed to."""
    for path in MODULES:
        libraries = {parts[0] for parts in imports(path)} - sys.stdlib_module_names - {NAME}
        assert libraries <= OUTSIDE.keys(), path
        assert {name for name in libraries if not local(path).startswith(OUTSIDE[name])} == set(), path


def test_length() -> None:
    """No file is too long to keep in mind."""
    lengths = {local(path): path.read_bytes().count(b"\n") for path in MODULES}
    assert {name for name, length in lengths.items() if length > MOST_LINES} == set()


def test_losses() -> None:
    """What must read back is worked out without anything from the folder of a format, which only says what it holds."""
    losses = [path for path in MODULES if local(path).startswith("formats/losses/")]
    assert losses
    imported = {parts[2] for path in losses for parts in imports(path) if parts[:2] == (NAME, "formats") and parts[2:]}
    assert imported & FORMAT_FOLDERS == set()
    holding = [path for path in MODULES if path.name == "holding.py"]
    assert holding
    for path in holding:
        used = {".".join(parts[2:4]) for parts in imports(path) if parts[:2] == (NAME, "formats")}
        assert {module for module in used if not module.startswith("losses")} <= {"jmjp.notation"}, path


def test_formats() -> None:
    """Only the registry knows about a format outside its own folder."""
    for path in set(MODULES) - {PACKAGE / "formats/__init__.py"}:
        module = local(path)
        folder = module.split("/")[1] if module.startswith("formats/") else ""
        imported = {parts[2] for parts in imports(path) if parts[:2] == (NAME, "formats") and len(parts) > 2}
        assert imported & FORMAT_FOLDERS <= {folder}, module
        texts = {node.value for node in nodes(path) if isinstance(node, ast.Constant)}
        assert texts & FORMAT_NAMES <= {folder.replace("_", "-"), *NOT_FORMATS.get(module, ())}, module

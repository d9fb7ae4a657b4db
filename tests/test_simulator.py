"""The modules of the simulator: each uses only those listed before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import simulator

PACKAGE = Path(simulator.__file__).parent
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")
LISTED = [
    name
    for line in (simulator.__doc__ or "").splitlines()
    if line.startswith("- ")
    for name in re.findall("`(.+?)`", line)
]


def imported(module: str) -> Iterator[str]:
    """Yield the modules of the simulator that *module* imports anywhere."""
    for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            assert node.module != PACKAGE.name, "an import that does not name the module"
            names = [node.module or ""]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith(f"{PACKAGE.name}."))


def test_listed() -> None:
    """The docstring of the simulator lists each of its modules once."""
    assert sorted(LISTED) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_one_way(module: str) -> None:
    """A module imports only modules listed before it, so there are no circular imports."""
    assert set(imported(module)) <= set(LISTED[: LISTED.index(module)])

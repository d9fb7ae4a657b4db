"""Files as cases: a test that takes one of these arguments runs once for each file.

- ``valid_input``: an input in ``fixtures/valid``
- ``expectation``: what one of them gives, ``.jmjp``
- ``invalid_input``: an input in ``fixtures/invalid``
"""

from __future__ import annotations

from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"


def cases(argument: str) -> list[Path]:
    """Return the files that *argument* stands for."""
    folder, outputs = (FIXTURES / "invalid", ".err") if argument == "invalid_input" else (FIXTURES / "valid", ".jmjp")
    found = sorted(path for path in folder.iterdir() if (path.suffix == outputs) == (argument == "expectation"))
    assert found, f"no {argument} in {folder}"
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each file."""
    for argument in {"valid_input", "expectation", "invalid_input"}.intersection(metafunc.fixturenames):
        metafunc.parametrize(argument, cases(argument), ids=lambda path: path.name)

"""The manual pages."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import man
import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "man"


def test_current() -> None:
    """The pages are those that scripts/man.py writes from the help texts."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == man.pages()


def test_renewal(tmp_path: Path) -> None:
    """Pages of commands that there are no longer are removed."""
    (tmp_path / "jmjp-old.1").touch()
    man.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in FOLDER.iterdir()}


def test_installed() -> None:
    """The pages are part of the wheel, where `man` finds them."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert wheel["shared-data"] == {"docs/man": "share/man/man1"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_valid() -> None:
    """Groff formats every page without a warning."""
    pages = sorted(map(str, FOLDER.iterdir()))
    result = subprocess.run(["groff", "-man", "-ww", "-z", *pages], capture_output=True, text=True, check=True)  # noqa: S607
    assert result.stderr == ""

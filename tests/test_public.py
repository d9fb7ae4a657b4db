"""The public names: that they show themselves, and what a type checker finds in their use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import signatures

import jmjp_convert

ROOT = Path(__file__).parent.parent


def listed() -> list[str]:
    """Return the names in the docstring of the package."""
    assert jmjp_convert.__doc__ is not None
    lines = [line for line in jmjp_convert.__doc__.splitlines() if line.startswith("    ")]
    assert all(len(line.split(None, 1)) == 2 for line in lines)
    return [line.split()[0] for line in lines]


def test_completion() -> None:
    """`dir`, and so Tab, offers the public names and nothing else, before any of them is used."""
    program = "import jmjp_convert; print(*dir(jmjp_convert))"
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert shown == sorted(jmjp_convert.__all__)


def test_help() -> None:
    """`help(jmjp_convert)` lists every public name once, with a line on it."""
    assert sorted([*listed(), "__version__"]) == sorted(jmjp_convert.__all__)


def test_reference(tmp_path: Path) -> None:
    """The API reference has every public name, and the functions for tiles."""
    command = [sys.executable, str(ROOT / "scripts" / "reference.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    page = (tmp_path / "jmjp_convert.html").read_text(encoding="utf-8")
    assert {name for name in jmjp_convert.__all__ if f'id="{name}"' not in page} == {"tiles"}
    assert ":ivar" not in page
    assert 'id="parse"' in (tmp_path / "jmjp_convert" / "model" / "tiles.html").read_text(encoding="utf-8")


def test_signatures() -> None:
    """The types of `dumps` and `write` are those of the formats and their options."""
    assert signatures.TARGET.read_text(encoding="utf-8") == signatures.text()


def test_types(tmp_path: Path) -> None:
    """A type checker finds a mistyped format or option, and a value that an option does not accept."""
    program = tmp_path / "program.py"
    program.write_text(
        "from jmjp_convert import Format, dumps, read, write\n"
        'game, *_ = read("log.xml")\n'
        'dumps(game, "mjai", details=True)\n'
        'write(game, "game.mjson", details=True, force=True)\n'
        "def other(to: Format) -> str:\n"
        "    return dumps(game, to, own=1)\n"
        'dumps(game, "mjaii")\n'
        'dumps(game, "mjai", detials=True)\n'
        'dumps(game, spec="2.0")\n'
        'write(game, "game.mjson", detials=True)\n',
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", ".mypy_cache"]
    done = subprocess.run([*command, str(program)], check=False, capture_output=True, text=True, cwd=ROOT)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == [7, 8, 9, 10], done.stdout + done.stderr

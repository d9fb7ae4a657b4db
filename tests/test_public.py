"""The public names: that they show themselves, and what a type checker finds in their use."""

from __future__ import annotations

import subprocess
import sys
from enum import Enum
from pathlib import Path

import pytest
import signatures
from compiled import COMPILED
from docs_pages import blocks

import jmjp_convert
from jmjp_convert import model, tiles

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
    names = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert names == sorted([*listed(), "__version__"])


def test_tab() -> None:
    """Tab offers the public names after the package in Python's own prompt and in IPython's."""
    program = (
        "import rlcompleter, jmjp_convert\n"
        "from IPython.core.completer import provisionalcompleter\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "print(*rlcompleter.Completer({'jmjp_convert': jmjp_convert}).attr_matches('jmjp_convert.re'))\n"
        "shell = InteractiveShell()\n"
        "shell.push({'jmjp_convert': jmjp_convert})\n"
        "with provisionalcompleter():\n"
        "    print(*[one.text for one in shell.Completer.completions('jmjp_convert.re', 15)])\n"
    )
    pytest.importorskip("IPython", reason="IPython is not installed")
    stdout = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    first, second = stdout.splitlines()
    names = ["read", "register", "replay"]
    assert [name.removeprefix("jmjp_convert.").rstrip("(") for name in first.split()] == names
    assert second.split() == names


def test_completion_of_tiles() -> None:
    """`dir` of the module of tiles has what it is for and no import of it, and `import *` gives the same."""
    names = {name for name, value in vars(tiles).items() if not name.startswith("_") and not _is_imported(value)}
    for_the_package = {"BY_NAME", "FACES_SAID", "HONOR_NAMES", "RED_OF", "THREE_PLAYERS", "all_dora"}
    assert set(dir(tiles)) == {*tiles.__all__} == names - for_the_package
    assert {"parse", "faces", "KIND_FACES"} <= {*tiles.__all__}


def _is_imported(value: object) -> bool:
    """Return whether *value* comes from another module: a name that an import leaves in a namespace."""
    return value is annotations or getattr(value, "__module__", tiles.__name__) != tiles.__name__


RECORDS = sorted(
    {
        value
        for module in (jmjp_convert, model)
        for value in (getattr(module, name) for name in dir(module))
        if isinstance(value, type) and not issubclass(value, Exception | Enum) and value is not model.Record
    },
    key=lambda cls: cls.__name__,
)


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
def test_completion_of_objects(cls: type) -> None:
    """`dir` of a public class has fields that its docstring names, and properties and methods with a docstring."""
    if COMPILED:
        pytest.skip("compiled classes have no docstrings")
    names = [name for name in dir(cls) if not name.startswith("_")]
    assert names
    of_a_tuple = {"count", "index"} if issubclass(cls, tuple) else set()
    assert {"count", "index", "draft"}.intersection(names) == of_a_tuple
    for name in set(names) - of_a_tuple:
        value, text = getattr(cls, name), cls.__doc__ or ""
        if isinstance(value, property) or callable(value):
            assert value.__doc__, name
        else:
            assert f":ivar {name}:" in text or f"*{name}*" in text, name


def test_help() -> None:
    """`help(jmjp_convert)` lists once, with a line on it, every name that `import *` gives."""
    assert sorted([*listed(), "__version__"]) == sorted(vars(jmjp_convert)["__all__"])


def test_reference(tmp_path: Path) -> None:
    """The API reference has every public name, and the functions for tiles."""
    command = [sys.executable, str(ROOT / "scripts" / "reference.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    page = (tmp_path / "jmjp_convert.html").read_text(encoding="utf-8")
    assert {name for name in dir(jmjp_convert) if f'id="{name}"' not in page} == {"tiles"}
    assert ":ivar" not in page
    assert 'id="parse"' in (tmp_path / "jmjp_convert" / "model" / "tiles.html").read_text(encoding="utf-8")


def test_signatures() -> None:
    """The types of `dumps` and `write` are those of the formats and their options."""
    assert signatures.TARGET.read_text(encoding="utf-8") == signatures.text()


@pytest.mark.last
def test_types(tmp_path: Path) -> None:
    """A type checker finds a mistyped format or option, and a value that an option does not accept; and nothing in the
    Python examples of the documentation."""
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
    examples = []
    for number, block in enumerate(blocks("python")):
        examples.append(tmp_path / f"example_{number}.py")
        examples[-1].write_text(f"{block.body}\n# {block}\n", encoding="utf-8")
    assert len(examples) > 10
    errors = mypy_problems(program, *examples)
    assert [error.split(":")[:2] for error in errors] == [["program.py", line] for line in ("7", "8", "9", "10")]


def mypy_problems(*programs: Path) -> list[str]:
    """Return the errors that ``mypy --strict`` finds in *programs* as in a project without settings. It shares the
    cache of the check of this project, which has seen the package in the same way."""
    options = ["--strict", "--config-file=", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, programs)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    assert not done.stderr
    errors = [line.partition(": error: ") for line in done.stdout.splitlines() if ": error: " in line]
    # By name, not path: mypy repeats the path of a file that it has in its cache.
    problems = [f"{Path(path).name}: {message}" for path, _, message in errors]
    return [error for error in problems if error.partition(":")[0] in {program.name for program in programs}]

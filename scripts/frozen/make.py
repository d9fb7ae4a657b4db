"""Makes the single-file program of the installed package, and checks what is in it and what it writes.

Usage: make.py DIR     (with the Python of an environment that has PyInstaller and the package)
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from pkgutil import walk_packages

START = Path(__file__).with_name("start.py")
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PACKAGE = "jmjp_convert"
CODE = (".py", ".pyc", ".so", ".pyd")
LEFT_OUT = ("tkinter", "readline", *(f"lxml.{name}" for name in ("html", "isoschematron", "objectify", "sax")))
"""Modules that the libraries can do without here."""
TOGETHER = 2
"""Workers of the batch that is tried."""


class Fault(Exception):  # noqa: N818 - the program is at fault
    """The program lacks something, or does not do what the package does."""


# --- making -----------------------------------------------------------------------------------------------------------


def name() -> str:
    """Return the name of the program: with its version, the system and the processor."""
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    processor = platform.machine().lower().replace("amd64", "x86_64")
    return f"jmjp-{version('jmjp-convert')}-{system}-{processor}{'.exe' if sys.platform == 'win32' else ''}"


def make(target: Path, room: Path) -> None:
    """Make the program *target*, with intermediate files in *room*."""
    command = [sys.executable, "-m", "PyInstaller", "--onefile", "--console", "--noconfirm", "--log-level", "ERROR"]
    command += ["--name", target.name.removesuffix(".exe")]
    command += ["--distpath", str(target.parent), "--workpath", f"{room}/work", "--specpath", str(room)]
    command += ["--collect-submodules", PACKAGE, "--collect-data", PACKAGE]  # a part is imported when it is needed
    command += [word for name in LEFT_OUT for word in ("--exclude-module", name)]
    command += ["--strip"] * (sys.platform == "linux")
    subprocess.run([*command, START], check=True, cwd=room)  # noqa: S603 - our own


# --- what is in it ----------------------------------------------------------------------------------------------------


def needed() -> set[str]:
    """Return the modules of the installed package, and its other files as paths with slashes."""
    root = Path(str(files(PACKAGE)))
    modules = {PACKAGE} | {found.name for found in walk_packages([str(root)], f"{PACKAGE}.")}
    data = (path for path in root.rglob("*") if path.is_file() and path.suffix not in CODE)
    return modules | {path.relative_to(root.parent).as_posix() for path in data}


def contents(program: Path) -> set[str]:
    """Return the modules in *program*, and the paths of its files with slashes."""
    from PyInstaller.archive.readers import CArchiveReader

    archive = CArchiveReader(str(program))
    modules = archive.open_embedded_archive("PYZ.pyz").toc
    return {*modules, *(name.replace("\\", "/") for name in archive.toc)}


# --- what it does -----------------------------------------------------------------------------------------------------

PLAIN = "valid/plain.xml"
WRITTEN = ("jmjp", "json", "tenhou6", "mjai", "majiang", "riichi-advanced")
READ = ("jmjp", "tenhou6", "mjai", "majiang", "mahjong-soul", "riichi-city")
COMMANDS: tuple[str, ...] = (
    "-V",
    "help convert",
    "--lang ja help convert",
    *(f"convert --to {name} -qo written/ {{fixtures}}/{PLAIN}" for name in WRITTEN),
    *(f"info --json {{fixtures}}/{name}/valid" for name in READ),
    f"batch --jobs {TOGETHER} -qo games {{fixtures}}/valid",
    "verify games",
    "batch --zip -qo games.zip {fixtures}/valid",
    "tables --to csv -qo tables {fixtures}/valid",
    "check --score --wall {fixtures}/valid",
    f"--lang ja check --score {{fixtures}}/{PLAIN}",
    f"view -qo page.html {{fixtures}}/{PLAIN}",
    "view -qo site/ {fixtures}/valid",
    "stats {fixtures}/valid",
    f"stats -qo stats.html {{fixtures}}/{PLAIN}",
    "completion bash",
    "fetch 2019041809gm-0089-1234-0123abcd -o fetched/",
)
"""Arguments of `jmjp`, run in this order in one folder. The last one needs what secures connections, and gets none."""
VARYING = ("ledger.sqlite", "summary.json")
"""The names of outputs with the time in them."""


def compare(program: Sequence[str], package: Sequence[str], lines: Sequence[str] = COMMANDS) -> None:
    """Run the commands *lines* with *program* and with *package*, which are commands, in a folder each.

    :raises Fault: they do not write the same, on stdout and stderr and in files, or do not end with the same code.
    """
    with tempfile.TemporaryDirectory() as room:
        for line in lines:
            did, wanted = (_run(command, line, Path(room, name)) for command, name in ((program, "a"), (package, "b")))
            if did != wanted:
                raise Fault(f"jmjp {line}: {_difference(did, wanted)}")


def _run(command: Sequence[str], line: str, folder: Path) -> dict[str, bytes]:
    """Run *command* in *folder*, and return what it wrote by name, in the end."""
    folder.mkdir(exist_ok=True)
    arguments = [word.replace("{fixtures}", str(FIXTURES)) for word in line.split()]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JMJP_"))}
    environment = {**kept, "LANG": "C.UTF-8", "COLUMNS": "100", "HTTPS_PROXY": "http://127.0.0.1:9"}
    done = subprocess.run(  # noqa: S603 - our own
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in _outputs(folder)}
    return {"exit code": b"%d" % done.returncode, "stderr": done.stderr, "stdout": done.stdout, **written}


def _outputs(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in VARYING)


def _difference(did: dict[str, bytes], wanted: dict[str, bytes]) -> str:
    name = next(name for name in {**wanted, **did} if did.get(name) != wanted.get(name))
    texts = (repr(files.get(name, b"")[-300:])[1:] for files in (did, wanted))
    return "{} ends in {} instead of {}".format(name, *texts)


# --- all of it --------------------------------------------------------------------------------------------------------


def lacking(needed: Iterable[str], contents: set[str]) -> None:
    """Check that all that is *needed* is among the *contents*.

    :raises Fault: something is not.
    """
    if missing := sorted(name for name in needed if name not in contents):
        raise Fault(f"these are missing: {', '.join(missing)}")


def main() -> None:
    """Make the program, and check it."""
    target = Path(sys.argv[1]).resolve() / name()
    with tempfile.TemporaryDirectory() as room:
        make(target, Path(room))
    try:
        lacking(needed(), contents(target))
        compare([str(target)], [sys.executable, "-m", PACKAGE])
    except Fault as fault:
        sys.exit(f"scripts/program: {target.name}: {fault}")


if __name__ == "__main__":
    main()

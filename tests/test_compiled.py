"""The wheel with compiled modules: what is in it, and that it converts as the interpreter does."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from jmjp_convert import __version__

ROOT = Path(__file__).parent.parent
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
    "wheel"
]["hooks"]["custom"]


def test_modules() -> None:
    """The list names modules that exist, in order, each once, and the hook is off by default."""
    assert sorted(set(HOOK["modules"])) == HOOK["modules"]
    assert [name for name in HOOK["modules"] if not (ROOT / name).is_file()] == []
    assert HOOK["enable-by-default"] is False


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="needs a C compiler")
def test_wheel(tmp_path: Path) -> None:
    """The wheel has the library and a compiled module for each of the list beside its source, says so, and converts as
    the interpreter does; nothing is left in the checkout."""
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    done = subprocess.run(
        build, check=False, capture_output=True, text=True, env=os.environ | {"HATCH_BUILD_HOOKS_ENABLE": "1"}
    )
    if "No matching distribution" in done.stdout + done.stderr:
        pytest.skip("pip reaches no package index")
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "package")
    compiled = {name.partition(".")[0] for name in names if name.endswith(".so")}
    assert compiled == {"jmjp_convert/compiled__mypyc", *(name.removesuffix(".py") for name in HOOK["modules"])}
    assert names.issuperset(HOOK["modules"])
    assert [*ROOT.joinpath("jmjp_convert").rglob("*.so")] == []
    command = [sys.executable, "-m", "jmjp_convert"]
    here = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(tmp_path / "package")}}
    version = subprocess.run([*command, "-V"], check=True, capture_output=True, text=True, **here)  # type: ignore[call-overload]
    assert version.stdout == f"jmjp {__version__} (compiled)\n"
    for log in sorted(ROOT.glob("fixtures/valid/*.xml"))[:20]:
        written = subprocess.run([*command, "convert", "-q", "-o", "-", log], check=True, capture_output=True, **here)  # type: ignore[call-overload]
        assert written.stdout == log.with_suffix(".jmjp").read_bytes(), log

"""The pages for contributors, held to the tree."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jmjp_convert"
ARCHITECTURE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")

_ENTRY = re.compile(r"^((?:│   |    )*)[├└]── (\S+)", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"`([\w/.]+(?:/|\.(?:py|md|js|css|html|json|txt)))`")


def drawn() -> list[str]:
    """Return the paths below the package that the tree draws, those of folders with a slash at the end."""
    _, _, tree = ARCHITECTURE.partition("```text\njmjp_convert/\n")
    above: list[str] = []
    paths = []
    for indent, name in _ENTRY.findall(tree.partition("```")[0]):
        del above[len(indent) // 4 :]
        paths.append("".join(above) + name)
        above.append(name)
    return paths


def test_tree() -> None:
    """The tree has every folder of the package and every module at its top, once, and nothing else."""
    folders = {f"{path.relative_to(PACKAGE).as_posix()}/" for path in PACKAGE.rglob("*") if any(path.glob("*.py"))}
    modules = {path.name for path in PACKAGE.glob("*.py")}
    assert sorted(drawn()) == sorted(folders | modules)


def test_paths() -> None:
    """Every path that the page names is in the repository."""
    prose = _FENCED.sub("", ARCHITECTURE)
    paths = {path for path in _PATH.findall(prose) if not {"NAME", "COMMAND"} & set(re.split(r"[_.]", path))}
    roots = (ROOT, PACKAGE, PACKAGE / "formats/mjlog", PACKAGE / "formats/jmjp", PACKAGE / "files/archives")
    assert paths
    assert {path for path in paths if not any((root / path).exists() for root in roots)} == set()


def test_workflow() -> None:
    """The workflow runs what is run by hand: everything on Linux, the tests of the command on Windows and macOS; and
    every week more examples."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
    commands = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()}
    assert commands["linux"] == [".ci/run"]
    assert commands["long"] == ["scripts/test --long"]
    assert "schedule" in jobs["long"]["if"]
    assert commands["command-line"][-1].startswith("python -m pytest ")
    assert jobs["command-line"]["strategy"]["matrix"]["os"] == ["windows-latest", "macos-latest"]


def test_hooks() -> None:
    """The hooks before a commit are the linters of scripts/test."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    tools = {hook["entry"].removeprefix(".venv/bin/python -m ").removesuffix(" --fix") for hook in hooks}
    assert tools == {"ruff check", "ruff format", "mypy"}
    assert all(f'"$python" -m {tool}' in script for tool in tools)

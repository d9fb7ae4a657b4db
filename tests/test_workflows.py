"""The workflows of GitHub and the lock files: only what is pinned is run and installed, with the least rights."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.y*ml"))
LOCKS = {"package": [], "dev": ["dev"], "program": ["score", "zstd", "program"], "wheels": ["wheels"]}

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def loaded(path: Path) -> dict[Any, Any]:
    """Return a workflow."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the steps of a workflow."""
    for job in loaded(path)["jobs"].values():
        yield from job["steps"]


def test_there_are_workflows() -> None:
    """There is one that tests, and one that publishes."""
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "publish.yml"]


@each_workflow
def test_actions(path: Path) -> None:
    """Every action is named by its commit, with its version as a comment: a tag can move to other code."""
    lines = re.findall(r"uses: *(.+)", path.read_text(encoding="utf-8"))
    assert len(lines) == sum("uses" in step for step in steps(path)) > 0
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+)*", line)] == []


def test_one_commit_per_action() -> None:
    """All workflows use the same commit of an action."""
    used = {step["uses"] for path in WORKFLOWS for step in steps(path) if "uses" in step}
    assert len({action.partition("@")[0] for action in used}) == len(used)


@each_workflow
def test_permissions(path: Path) -> None:
    """A workflow has no rights by default but to read, and every job of the one that publishes states its own."""
    flow = loaded(path)
    assert flow["permissions"] in ({}, {"contents": "read"})
    given = {name: job.get("permissions", flow["permissions"]) for name, job in flow["jobs"].items()}
    if path.name == "publish.yml":
        assert given == {
            "build": {"contents": "read"},
            "programs": {"contents": "read"},
            "wheels": {"contents": "read"},
            "attest": {"attestations": "write", "id-token": "write"},
            "publish": {"id-token": "write"},
            "attach": {"contents": "write"},
        }
    else:
        assert all(rights == {"contents": "read"} for rights in given.values())


@each_workflow
def test_untrusted_texts(path: Path) -> None:
    """No text that others choose, such as the title of a pull request, is put into a command; no secret is used, and
    every job has an end."""
    for step in steps(path):
        assert "${{" not in step.get("run", "")
    assert "secrets." not in path.read_text(encoding="utf-8")
    assert "pull_request_target" not in path.read_text(encoding="utf-8")
    assert all(0 < job["timeout-minutes"] <= 30 for job in loaded(path)["jobs"].values())


def test_publishing() -> None:
    """What is published is what was built, checked and attested: each job needs the one before, compares the
    checksums, and only one is in the environment that PyPI trusts."""
    path = ROOT / ".github/workflows/publish.yml"
    flow = loaded(path)
    assert flow[True] == {"release": {"types": ["published"]}}  # YAML 1.1 takes "on" for true
    jobs = flow["jobs"]
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "build": None,
        "programs": "build",
        "wheels": "build",
        "attest": ["build", "programs", "wheels"],
        "publish": "attest",
        "attach": "attest",
    }
    assert {name: job["environment"]["name"] for name, job in jobs.items() if "environment" in job} == {
        "publish": "pypi"
    }
    for name in ("attest", "publish", "attach"):
        assert any("sha256sum --check --strict SHA256SUMS" in step.get("run", "") for step in jobs[name]["steps"])
        assert not any("checkout" in step.get("uses", "") for step in jobs[name]["steps"])
    assert {"run": "scripts/release"} in jobs["build"]["steps"]
    last = jobs["publish"]["steps"][-1]
    assert last["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert last["with"] == {"attestations": True}
    assert path.read_text(encoding="utf-8").startswith("# Not run yet")


def test_programs() -> None:
    """The single-file programs are made from the wheel that was built, on Windows, macOS and Linux; the checksums of
    all files are attested."""
    jobs = loaded(ROOT / ".github/workflows/publish.yml")["jobs"]
    systems = jobs["programs"]["strategy"]["matrix"]["os"]
    assert {name.partition("-")[0] for name in (*systems, jobs["build"]["runs-on"])} == {"windows", "macos", "ubuntu"}
    steps = jobs["programs"]["steps"]
    fetched = next(step for step in steps if "download-artifact" in step.get("uses", ""))
    assert fetched["with"] == {"name": "dist", "path": "dist/"}
    assert {
        "run": "scripts/program dist/*-any.whl program",
        "shell": "bash",
    } in steps  # on Windows, another is the default
    kept = [step["with"] for job in jobs.values() for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
    assert [(files["name"], files["path"]) for files in kept] == [
        ("dist", "dist/"),
        ("program-${{ matrix.os }}", "program/"),
        ("wheels-${{ matrix.os }}", "wheels/"),
        ("release", "release/"),
    ]
    assert all(files["if-no-files-found"] == "error" for files in kept)
    (attested,) = [step for step in jobs["attest"]["steps"] if "attest-build-provenance" in step.get("uses", "")]
    assert attested["with"] == {"subject-checksums": "release/SHA256SUMS"}


def test_wheels() -> None:
    """The wheels with compiled modules are built on Windows, macOS and Linux with the hook on and nothing fetched
    unlocked, and tested; each supported Python has one."""
    jobs = loaded(ROOT / ".github/workflows/publish.yml")["jobs"]
    systems = jobs["wheels"]["strategy"]["matrix"]["os"]
    assert {name.partition("-")[0] for name in systems} == {"windows", "macos", "ubuntu"}
    runs = [step.get("run", "").partition(" #")[0] for step in jobs["wheels"]["steps"]]
    locked_install = "python -m pip install --require-hashes --requirement"
    assert runs[2:5] == [
        f"{locked_install} scripts/locks/wheels.txt",
        "python -m cibuildwheel --output-dir wheels",
        "source scripts/setup && python=python write_checksums wheels",
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options = project["tool"]["cibuildwheel"]
    assert options["environment"] == {"HATCH_BUILD_HOOKS_ENABLE": "1"}
    assert options["build-frontend"]["args"] == ["--no-isolation"]
    assert options["before-build"] == f"{locked_install} scripts/locks/wheels.txt"
    assert options["before-test"] == f"{locked_install} {{project}}/scripts/locks/package.txt"
    supported = re.findall(r"Python :: 3\.(\d+)", "\n".join(project["project"]["classifiers"]))
    assert options["build"].split() == [f"cp3{minor}-*" for minor in supported]


@pytest.mark.skipif(sys.platform == "win32", reason="it runs on Linux")
@pytest.mark.parametrize(("content", "code"), [("jmjp.exe", 0), ("another", 1)], ids=["as built", "changed"])
def test_gathering(content: str, code: int, tmp_path: Path) -> None:
    """All that was made is gathered in one folder with all checksums; a file that is not what was built stops it."""
    jobs = loaded(ROOT / ".github/workflows/publish.yml")["jobs"]
    (script,) = [step["run"] for step in jobs["attest"]["steps"] if "run" in step]
    for folder, name in (("dist", "a.whl"), ("program-windows-latest", "jmjp.exe")):
        made = tmp_path / "built" / folder
        made.mkdir(parents=True)
        (made / name).write_text(name, encoding="utf-8")
        digest = hashlib.sha256(name.encode()).hexdigest()
        (made / "SHA256SUMS").write_text(f"{digest}  {name}\n", encoding="utf-8")
    (tmp_path / "built/program-windows-latest/jmjp.exe").write_text(content, encoding="utf-8")
    line = ["bash", "-eo", "pipefail", "-c", script]
    assert subprocess.run(line, cwd=tmp_path, check=False, capture_output=True).returncode == code
    assert sorted(path.name for path in (tmp_path / "release").iterdir()) == ["SHA256SUMS", "a.whl", "jmjp.exe"]
    assert len((tmp_path / "release/SHA256SUMS").read_text(encoding="utf-8").splitlines()) == 2


# --- locks -----------------------------------------------------------------------------------------------------------


def locked(name: str) -> dict[str, tuple[set[str], list[str]]]:
    """Return the versions of each package in a lock, which may depend on the system, and the hashes of their files."""
    text = (ROOT / "scripts/locks" / f"{name}.txt").read_text(encoding="utf-8")
    by_name: dict[str, tuple[set[str], list[str]]] = {}
    for entry in re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines():
        requirement, *hashes = entry.split(" --hash=")
        match = re.fullmatch(r"([a-z0-9-]+)(?:\[[a-z]+\])?==([\w.+!]+)(?: ; .+)?", requirement.strip())
        assert match, requirement
        versions, files = by_name.setdefault(match[1], (set(), []))
        versions.add(match[2])
        assert hashes, requirement
        files += map(str.strip, hashes)
    return by_name


@pytest.mark.parametrize("name", LOCKS)
def test_locks(name: str) -> None:
    """Every package that pyproject.toml asks for is in the lock, in a version that it allows, with hashes of files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = project["project"]["dependencies"] + project["build-system"]["requires"]
    asked += [text for extra in LOCKS[name] for text in project["project"]["optional-dependencies"][extra]]
    by_name = locked(name)
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", file) for _, files in by_name.values() for file in files)
    for text in asked:
        requirement = Requirement(text)
        versions, _ = by_name[re.sub(r"[-_.]+", "-", requirement.name).lower()]
        assert all(requirement.specifier.contains(version) for version in versions), text


@pytest.mark.parametrize("name", LOCKS)
def test_locks_name_no_host(name: str) -> None:
    """A lock says what to install, not where from: that is up to the user's settings."""
    text = (ROOT / "scripts/locks" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|--(?:index|extra-index|find-links|trusted)|(?m:^-)", text)


@pytest.mark.parametrize(
    "path", [ROOT / "scripts/setup", ROOT / ".github/workflows/ci.yml"], ids=lambda path: path.name
)
def test_only_locked_packages_are_installed(path: Path) -> None:
    """The set-up and CI install with hashes, then the package alone, without fetching what builds it."""
    text = path.read_text(encoding="utf-8")
    locked_installs = re.findall(r"install --require-hashes --requirement \"?scripts/locks/", text)
    alone = re.findall(r"install --no-deps --no-build-isolation --editable \.", text)
    assert len(locked_installs) == len(alone) == 1


posix = pytest.mark.skipif(os.name != "posix", reason="scripts/program is for POSIX")


@pytest.mark.parametrize(
    ("command", "usage"),
    [("lock --all", "lock [--upgrade]"), pytest.param("program a.whl", "program WHEEL DIR", marks=posix)],
)
def test_usage(command: str, usage: str) -> None:
    """`scripts/lock` takes only --upgrade, `scripts/program` a wheel and a folder."""
    arguments = ["bash", *f"scripts/{command}".split()]
    done = subprocess.run(arguments, check=False, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (2, f"Usage: scripts/{usage}\n")

"""``scripts/release``: what it builds, and when it stops."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from jmjp_convert import __version__

ROOT = Path(__file__).parent.parent
DEPENDENCIES = {"click", "lxml", "requests", "tqdm"}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="scripts/release is a bash script")


def release(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``scripts/release`` in *folder*, a checkout."""
    return subprocess.run(
        ["bash", "scripts/release", *arguments],  # noqa: S607 - any bash will do
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable, **environment},
        check=False,
        capture_output=True,
        text=True,
    )


def git(folder: Path, *arguments: str) -> None:
    """Run git in *folder*."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    command = ["git", *identity, *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clean checkout with what a release looks at first, and a dated changelog."""
    for name in ("scripts/release", "scripts/setup", "jmjp_convert/__init__.py"):
        copy = tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, copy)
    (tmp_path / "CHANGELOG.md").write_text(f"## {__version__} – 2026-01-31\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Date the changelog")
    return tmp_path


def stopped_by(folder: Path) -> str:
    """Return why a release of *folder* stops, and check that it leaves nothing behind."""
    done = release(folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert not (folder / "dist").exists()
    return done.stderr


def test_uncommitted(checkout: Path) -> None:
    """Uncommitted changes stop a release."""
    (checkout / "new.txt").touch()
    assert stopped_by(checkout) == "scripts/release: uncommitted changes\n"


def test_undated(checkout: Path) -> None:
    """A version without a date in the changelog stops a release."""
    (checkout / "CHANGELOG.md").write_text(f"## {__version__} – unreleased\n", encoding="utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message", "Take the date out")
    assert stopped_by(checkout) == f"scripts/release: CHANGELOG.md has no date for {__version__}\n"


def test_tagged(checkout: Path) -> None:
    """A version that is already tagged stops a release."""
    git(checkout, "tag", f"v{__version__}")
    assert stopped_by(checkout) == f"scripts/release: v{__version__} is already tagged\n"


def test_usage() -> None:
    """Any other argument than --draft and --packages is a usage error."""
    done = release(ROOT, "--draft", "--dry-run")
    assert (done.returncode, done.stderr) == (2, "Usage: scripts/release [--draft] [--packages]\n")


@pytest.mark.long
def test_draft(tmp_path: Path) -> None:
    """A draft is a wheel that holds only the package, and an sdist of the whole project; both work when installed."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    index = [*pip, "download", "--retries", "1", "--no-deps", "--dest", str(tmp_path), "click"]
    if subprocess.run(index, check=False, capture_output=True).returncode:
        pytest.skip("pip reaches no package index")
    done = release(ROOT, "--draft", "--packages", DIST=str(tmp_path / "dist"))
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("dist/*.whl")
    (sdist,) = tmp_path.glob("dist/*.tar.gz")
    expect_contents(wheel)
    listed = dict(line.split("  ")[::-1] for line in (tmp_path / "dist/SHA256SUMS").read_text().splitlines())
    assert listed == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (wheel, sdist)}
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "scripts/test", "tests/test_release.py"} <= names


def expect_contents(wheel: Path) -> None:
    """Check that *wheel* holds all of the package, the manual pages and nothing else, and requires the four packages
    only."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        required = re.findall(r"^Requires-Dist: (\w+)(?!.*extra ==)", archive.read(about).decode(), re.MULTILINE)
    package = ROOT / "jmjp_convert"
    kinds = ("*.py", "*.pyi", "*.json", "*.html", "*.css", "*.js", "*.svg", "*.po")
    wanted = [*(path for kind in kinds for path in package.rglob(kind)), package / "py.typed"]
    data = {name for name in names if ".data/" in name}
    assert {name.partition(".data/data/")[2] for name in data} == {
        f"share/man/man1/{path.name}" for path in ROOT.glob("docs/man/*.1")
    }
    assert names - data == {path.relative_to(ROOT).as_posix() for path in wanted}
    assert set(required) == DEPENDENCIES

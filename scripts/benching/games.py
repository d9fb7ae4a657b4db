"""The games to measure with: different ones, played once and kept in the user's cache folder, or the user's own."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
HOME = SCRIPTS.parent
PLAYED = 2_000


def played(number: int = PLAYED) -> list[Path]:
    """Return *number* games that `scripts/play.py` plays with seed 1; they are played again if the simulator has
    changed."""
    sources = [SCRIPTS / "play.py", *sorted((SCRIPTS / "simulator").glob("*.py"))]
    version = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "jmjp-bench")
    folder = cache / f"{number}-{version}"
    if not folder.exists():
        print(f"playing {number:,} games into {folder}", file=sys.stderr)
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as room:
            made = Path(room, "games")
            command = [sys.executable, f"{SCRIPTS}/play.py", "--seed", "1", "--games", f"{number}", "-o", f"{made}"]
            subprocess.run(command, check=True, env=environment(HOME))  # noqa: S603 - our own
            made.rename(folder)
    return sorted(folder.iterdir())


def own(paths: Sequence[Path], names: Sequence[str] = ()) -> list[Path]:
    """Return those of the logs *paths*, files or folders of them, that lxml parses and `jmjp convert` accepts without a
    problem; only those with these *names*, in their order, if there are any."""
    files = [
        file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path]) if file.is_file()
    ]
    if names:
        by_name = {file.name: file for file in files}
        if missing := [name for name in names if name not in by_name]:
            sys.exit(f"bench: {len(missing)} of {len(names)} named logs are not there, such as {missing[0]}")
        files = [by_name[name] for name in names]
    with tempfile.TemporaryDirectory() as room:
        command = [
            sys.executable,
            "-m",
            "jmjp_convert",
            "convert",
            "--strict",
            "-qo",
            f"{room}/out/",
            *map(os.path.abspath, files),
        ]
        subprocess.run(command, check=False, env=environment(HOME), cwd=room, stderr=subprocess.DEVNULL)  # noqa: S603
        accepted = {path.stem for path in Path(room).rglob("*.jmjp")}
    return [file for file in files if file.stem in accepted and _is_well_formed(file)]


def _is_well_formed(file: Path) -> bool:
    from lxml.etree import XMLSyntaxError, fromstring

    try:
        fromstring(file.read_bytes())
    except XMLSyntaxError:
        return False
    return True


def chosen(games: Sequence[Path], number: int) -> list[Path]:
    """Return *number* of *games*, if there are as many, always the same and in mixed order: names begin with the date,
    and old games are shorter."""
    return random.Random(1).sample(games, min(number, len(games)))  # noqa: S311 - not for secrets


def chunks(files: Sequence[Path], size: int, room: Path) -> list[list[Path]]:
    """Copy *files* to folders of *size* in *room*, as evenly as possible; return the copies of each."""
    number = max(1, round(len(files) / size))
    made = []
    for which in range(number):
        folder = room / f"games-{which}"
        folder.mkdir()
        made.append([Path(shutil.copy(file, folder)) for file in files[which::number]])
    return made


def environment(checkout: Path) -> dict[str, str]:
    """Return the environment of a program that uses the package in *checkout*; its compiled files are kept."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(checkout)}

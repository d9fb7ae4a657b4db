"""Give up the rights of root for a while, to which every file is readable."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_NOBODY = 65534


@contextmanager
def plain_user() -> Iterator[None]:
    """Act as a user without any rights, if this is root."""
    if os.name != "posix" or os.geteuid() != 0:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    try:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, group)
        os.setresuid(_NOBODY, _NOBODY, 0)
    except OSError as error:  # as in some containers
        pytest.skip(f"root cannot give up its rights: {error}")
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(group, group, group)
        os.setgroups(groups)


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty directory in which every user can write, unlike pytest's own, and read new files."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    mask = os.umask(0o022)
    monkeypatch.chdir(folder)
    yield folder
    monkeypatch.undo()
    os.umask(mask)
    for parent, names, _ in os.walk(folder):
        for name in names:
            Path(parent, name).chmod(0o700)
    shutil.rmtree(folder)

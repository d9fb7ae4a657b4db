"""Derive the names of output files from those of the inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from jmjp_convert.files.compression import COMPRESSIONS
from jmjp_convert.files.durability import Path_
from jmjp_convert.files.inputs import STDIN, is_link
from jmjp_convert.files.outputs import usable
from jmjp_convert.formats import suffix_of
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import SEATS, Match

_VIEWPOINT = regex(r"&tw=([0-9]+)(?![0-9])", re.IGNORECASE)
_DIGITS_FOR_LINK = 8
_DIGITS_FOR_GAME = 12
_PACKED = frozenset([compression.extension for compression in COMPRESSIONS])


def output_name(name: str, suffix: str) -> str:
    """Return the file name of the output for the input *name* (source: ``docs/design/mapping.md``, Files).

    >>> output_name("2009081211gm-0061-0000-184f512b&tw=1.mjlog.gz", ".jmjp")
    '2009081211gm-0061-0000-184f512b.jmjp'
    >>> output_name("game.tenhou6.json", ".jmjp")
    'game.jmjp'
    """
    name = os.path.basename(name)
    if "&" in name:
        name = _VIEWPOINT.sub("", name)
    stem, extension = os.path.splitext(name)
    return usable(_without_suffix(stem if extension.lower() in _PACKED else name) + suffix)


def viewpoint(name: str) -> int | None:
    """Return the player from whose seat a link or the name of a file shows its game; ``None`` if it does not say.

    >>> viewpoint("2009081211gm-0061-0000-184f512b&tw=1.mjlog.gz")
    1
    """
    match = _VIEWPOINT.search(name)
    return int(match[1]) if match and int(match[1]) < SEATS else None


def _without_suffix(name: str) -> str:
    """Return *name* without the suffix of a format."""
    return name[: len(name) - len(suffix_of(name))] or name


def output_path(source: str, directory: Path_ | None, suffix: str, log_id: str | None = None) -> str:
    """Return the path of the output for *source*: in *directory*, or next to the input if that is ``None``.

    For standard input, which has no name, *log_id* is used, and for a link, which is too long for a name, its digest.
    Both need a *directory*.
    """
    if source == STDIN:
        name = f"{log_id}{suffix}"
    elif is_link(source):
        import hashlib

        name = f"link-{hashlib.sha256(source.encode(errors='surrogateescape')).hexdigest()[:_DIGITS_FOR_LINK]}{suffix}"
    else:
        name = output_name(source, suffix)
    folder = os.path.dirname(source) if directory is None else os.fspath(directory)
    return name if folder == os.curdir else os.path.join(folder, name)


def anonymous_path(path: str, suffix: str, content: bytes) -> str:
    """Return *path*, which has a *suffix*, with the digest of *content* in place of its name, which may be a log ID."""
    return os.path.join(os.path.dirname(path), digest_name(content) + suffix)


def digest_name(content: bytes) -> str:
    """Return the name, by its digest, of an output with this *content*, without suffix."""
    import hashlib

    return f"game-{hashlib.sha256(content).hexdigest()[:_DIGITS_FOR_GAME]}"


def paths_of(path: str, suffix: str, matches: Sequence[Match]) -> list[str]:
    """Return a path for each of *matches*, given the output *path* with its *suffix*: *path* itself for a single match,
    otherwise names with the log IDs, or numbers where an ID is missing or not unique."""
    if len(matches) == 1:
        return [path]
    ids = [match.id for match in matches]
    folder, name = os.path.split(path)
    stem = name.removesuffix(suffix)
    numbered = (f"{stem}-{number}" for number in range(1, len(matches) + 1))
    names = (log_id if log_id and ids.count(log_id) == 1 else name for log_id, name in zip(ids, numbered, strict=True))
    return [os.path.join(folder, name + suffix) for name in names]

"""The registry of formats: it alone knows them by name, and detects them by their first bytes.

To add one, make a folder with an object :class:`~jmjp_convert.formats.format.Format`, and list it here. Two of these
objects may look alike: they share a shape, and no fact.
"""

from __future__ import annotations

from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import UTF16
from jmjp_convert.formats import jmjp, json, majiang, mjai, mjlog, riichi_advanced, tenhou6
from jmjp_convert.formats.format import Format

_ALL = (mjlog, jmjp, json, tenhou6, mjai, majiang, riichi_advanced)

FORMATS: dict[str, Format] = {module.FORMAT.name: module.FORMAT for module in _ALL}
"""By name, in the order in which they are tried and listed."""

DEFAULT = jmjp.FORMAT
"""What is written unless something else is asked for."""

COMPLETE = json.FORMAT
"""What holds all that the model does."""

_BEGINNING = 1 << 16  # bytes


def register(new: Format) -> None:
    """Add a format to all that is read and written, in this process. A batch's workers know only those listed here.

    :raises ValueError: there is one of that name.
    """
    if new.name in FORMATS:
        raise ValueError(f"there is already a format named {new.name}")
    FORMATS[new.name] = new


def readable() -> list[Format]:
    """Return the formats that are read."""
    return [one for one in FORMATS.values() if one.read is not None]


def writable() -> list[Format]:
    """Return the formats that are written, the usual one first."""
    return [one for one in FORMATS.values() if one.write is not None]


def detect(start: bytes) -> Format | None:
    """Return the format of a file by its first bytes, whether it is read or only written; ``None`` if it is none."""
    encoding = "utf-16" if start.startswith(UTF16) else "utf-8-sig"
    text = start[:_BEGINNING].decode(encoding, "ignore").lstrip()
    return next((one for one in FORMATS.values() if one.begins(text)), None)


def unknown() -> str:
    """Return the error message for a file in none of the readable formats."""
    return f"unknown format; expected one of: {', '.join(one.noun or one.name for one in readable())}"


def expect_readable(found: Format | None) -> Format:
    """Return the format that was detected, if it is read.

    :raises FileError: it is only written, or there was none.
    """
    if found is None:
        raise FileError(unknown())
    if found.read is None:
        raise FileError(f"jmjp can write {found.name} but cannot read it")
    return found


def by_suffix(name: str) -> Format | None:
    """Return the format of which the files are called so: ``by_suffix("game.mjson").name == "mjai"``.

    Of endings that several have, the longest that fits counts; ``None`` if none does.
    """
    lower = name.lower()
    fitting = [(len(end), one) for one in FORMATS.values() for end in one.suffixes if lower.endswith(end)]
    return max(fitting, key=lambda pair: pair[0], default=(0, None))[1]

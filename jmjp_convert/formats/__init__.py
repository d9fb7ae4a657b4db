"""The registry of formats: the only place that knows them by name, and detects them by their first bytes.

To add a format, make a folder with a :class:`~jmjp_convert.formats.format.Format` object and list it here. Two of these
objects may look alike, but they share only their shape, no facts.
"""

from __future__ import annotations

from codecs import BOM_UTF8

from jmjp_convert.errors import FileError
from jmjp_convert.files.compression import without_extension
from jmjp_convert.files.inputs import UTF16
from jmjp_convert.formats import jmjp, json, mahjong_soul, majiang, mjai, mjlog, riichi_advanced, riichi_city, tenhou6
from jmjp_convert.formats.format import Format

_ALL = (mjlog, jmjp, json, tenhou6, mjai, majiang, mahjong_soul, riichi_city, riichi_advanced)

FORMATS: dict[str, Format] = {module.FORMAT.name: module.FORMAT for module in _ALL}
"""The formats by name, in the order in which they are tried and listed."""

DEFAULT = jmjp.FORMAT
"""The default output format."""

COMPLETE = json.FORMAT
"""The format that holds everything in the model."""

LINKED = tenhou6.FORMAT
"""The format that a link to Tenhou's viewer contains, one frame per link."""

_BEGINNINGS = (1 << 16, 1 << 20)  # bytes: usually enough, and the most, as for long comments before the header


def register(new: Format) -> None:
    """Add a format to those of this process. The workers of a batch know only the formats listed here.

    :raises ValueError: a format of that name exists.
    """
    if new.name in FORMATS:
        raise ValueError(f"there is already a format named {new.name}")
    FORMATS[new.name] = new


def readable() -> list[Format]:
    """Return the formats that can be read."""
    return [format_ for format_ in FORMATS.values() if format_.read is not None]


def writable() -> list[Format]:
    """Return the formats that can be written, the default first."""
    return [format_ for format_ in FORMATS.values() if format_.write is not None]


def detect(start: bytes) -> Format | None:
    """Return the format of a file by its first bytes, even if it can only be written; ``None`` if unknown."""
    binary = next((format_ for format_ in FORMATS.values() if format_.signs(start)), None)
    if binary is not None:
        return binary
    encoding = "utf-16" if start.startswith(UTF16) else "utf-8"
    start = start.lstrip().removeprefix(BOM_UTF8)
    sizes = _BEGINNINGS if len(start) > _BEGINNINGS[0] else _BEGINNINGS[:1]
    texts = (start[:size].decode(encoding, "ignore").lstrip() for size in sizes)
    return next((format_ for text in texts for format_ in FORMATS.values() if format_.begins(text)), None)


def unknown(start: bytes) -> str:
    """Return the error message for a file in none of the readable formats, by its first bytes: what it is, if it is
    known."""
    from jmjp_convert.formats.unreadable import named

    names = ", ".join(format_.noun for format_ in readable())
    return named(start) or f"unknown format; expected one of: {names}"


def expect_readable(detected: Format | None, start: bytes) -> Format:
    """Return the detected format if it can be read.

    :param start: the first bytes of the file.
    :raises FileError: the format can only be written, or is unknown.
    """
    if detected is None:
        raise FileError(unknown(start))
    if detected.read is None:
        raise FileError(f"jmjp can write {detected.name} but cannot read it")
    return detected


def by_suffix(name: str) -> Format | None:
    """Return the format of a file, which may be compressed, by its name: ``by_suffix("game.mjson").name == "mjai"``.

    The longest matching suffix wins; ``None`` if none matches.
    """
    return _unshared_suffix(without_extension(name))[1]


def suffix_of(name: str) -> str:
    """Return the suffix in the file name *name*, in lower case, if files of some format have it; otherwise ""."""
    shared = (end for format_ in FORMATS.values() for end in format_.shared if name.lower().endswith(end))
    return _unshared_suffix(name)[0] or max(shared, key=len, default="")


def sharing(name: str) -> list[Format]:
    """Return the formats that can be written and whose files may have the extension of the file *name*, or whose name
    it is, if no format has it alone: of ``game.json`` json, tenhou6, mjai and majiang."""
    name = without_extension(name).lower()
    if _unshared_suffix(name)[1] is not None:
        return []
    shared = [format_ for format_ in writable() if any(map(name.endswith, format_.shared))]
    return (
        [format_ for format_ in writable() if format_ in shared or name.endswith(f".{format_.name}")] if shared else []
    )


def contradiction(name: str, to: Format) -> str:
    """Return why a file called *name* should not be of the format *to*, if it has the suffix of another one that can be
    written; otherwise ""."""
    suffix, format_ = _unshared_suffix(without_extension(name))
    if format_ is None or format_ is to or format_.write is None or suffix in to.shared:
        return ""
    return f"{name} has the extension of {format_.name}, not of {to.name}"


def _unshared_suffix(name: str) -> tuple[str, Format | None]:
    """Return the longest suffix in *name* that only one format has, and that format."""
    lower = name.lower()
    fitting = [(end, format_) for format_ in FORMATS.values() for end in format_.suffixes if lower.endswith(end)]
    return max(fitting, key=lambda pair: len(pair[0]), default=("", None))

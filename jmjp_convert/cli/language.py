"""The language that users read: which one it is, and whether a text is translated on its way to the terminal."""

from __future__ import annotations

import os
import sys
from functools import cache

ENGLISH, JAPANESE = "en", "ja"
LANGUAGES = (ENGLISH, JAPANESE)

_VARIABLES = ("JMJP_LANG", "LC_ALL", "LC_MESSAGES", "LANG")

_chosen: list[str] = []


def choose(language: str | None) -> None:
    """Use *language*, one of :data:`LANGUAGES`, from now on; ``None``: that of the system."""
    _chosen[:] = [language] if language else []


def language() -> str:
    """Return the language: the one chosen, else that of ``JMJP_LANG``, else that of the locale."""
    return _chosen[0] if _chosen else _of_system()


def _of_system() -> str:
    for value in filter(None, map(os.environ.get, _VARIABLES)):
        return JAPANESE if value.lower().split("_")[0].split(".")[0] in (JAPANESE, "japanese") else ENGLISH
    if sys.platform == "win32":
        import ctypes

        if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x11:  # noqa: PLR2004 - LANG_JAPANESE
            return JAPANESE
    return ENGLISH


def translated(text: str, encoding: str | None = None) -> str:
    """Return *text* in the language of the user; as it is if that is English, if the catalogue does not have it, or if
    the *encoding* of the terminal has no Japanese characters."""
    if language() == ENGLISH or not shows_japanese(encoding or "utf-8"):
        return text
    from jmjp_convert.cli.japanese import in_japanese

    return in_japanese(text)


@cache
def shows_japanese(encoding: str) -> bool:
    """Return whether *encoding* has Japanese characters."""
    try:
        "あア漢".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True

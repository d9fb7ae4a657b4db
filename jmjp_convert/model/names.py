"""Texts and people's names, in Japanese and Roman script."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.model.record import record


@record
class Text:
    """A text in its native script, in Roman letters, or both."""

    native: str | None = None
    roman: str | None = None


@record
class Name:
    """A person's name: *family* and *given* name. A handle is a family name in its native script."""

    family: Text | None = None
    given: Text | None = None

    def __str__(self) -> str:
        """Return the display name: each part in its native script if recorded, otherwise in Roman letters."""
        return _joined(part.native or part.roman for part in self._parts())

    @property
    def roman(self) -> str | None:
        """The name in Roman letters, except for parts not recorded in them; ``None``: no part is."""
        parts = self._parts()
        return _joined(part.roman or part.native for part in parts) if any(part.roman for part in parts) else None

    def _parts(self) -> list[Text]:
        return [part for part in (self.family, self.given) if part is not None]


def _joined(parts: Iterable[str | None]) -> str:
    return " ".join(filter(None, parts))


def handle(text: str | None) -> Name | None:
    """Return the handle *text* as a name; ``None`` if it is missing or empty."""
    return Name(Text(text)) if text else None


class Named:
    """Something with a *full_name*."""

    __slots__ = ()

    full_name: Name | None

    @property
    def name(self) -> str | None:
        """The display name, in the native script if recorded; ``None``: not recorded."""
        return str(self.full_name) or None if self.full_name else None

    @property
    def roman_name(self) -> str | None:
        """The name in Roman letters; ``None``: not recorded."""
        return self.full_name.roman if self.full_name else None

"""Texts and names."""

from __future__ import annotations

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
        """Return the name as a person reads it: each part in its native script, if it has one, or in Roman letters."""
        parts = (self.family, self.given)
        return " ".join(filter(None, ((part.native or part.roman or "") if part else "" for part in parts)))


def handle(text: str) -> Name | None:
    """Return the name of a player who is known by the handle *text*; none for an empty one."""
    return Name(Text(text)) if text else None

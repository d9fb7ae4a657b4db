# The types of `dumps` and `write`, one signature per format. Made by scripts/signatures.py.

from collections.abc import Iterable
from os import PathLike
from typing import Any, Literal, overload

from jmjp_convert.formats.format import Format
from jmjp_convert.formats.session import Notice
from jmjp_convert.model import Match

@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["jmjp"] = "jmjp",
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    spec: Literal["0", "1.0", "1.0-beta"] = "1.0",
    compact: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["json"],
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["tenhou6"],
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    per_frame: bool = False,
    url: bool = False,
    raise_points: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["mjai"],
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    details: bool = False,
    nukidora: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["majiang"],
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Literal["riichi-advanced"],
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    frame: str | None = None,
    config: bool = False,
) -> str: ...
@overload
def dumps(
    matches: Match | Iterable[Match],
    to: Format,
    *,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    **options: Any,
) -> str: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["jmjp"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    spec: Literal["0", "1.0", "1.0-beta"] = "1.0",
    compact: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["json"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["tenhou6"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    per_frame: bool = False,
    url: bool = False,
    raise_points: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["mjai"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    details: bool = False,
    nukidora: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["majiang"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Literal["riichi-advanced"],
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    frame: str | None = None,
    config: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: None = None,
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    spec: Literal["0", "1.0", "1.0-beta"] = "1.0",
    compact: bool = False,
    per_frame: bool = False,
    url: bool = False,
    raise_points: bool = False,
    details: bool = False,
    nukidora: bool = False,
    frame: str | None = None,
    config: bool = False,
) -> None: ...
@overload
def write(
    matches: Match | Iterable[Match],
    path: str | PathLike[str],
    to: Format,
    *,
    force: bool = False,
    notice: Notice | None = None,
    verify: bool = True,
    wall: bool = False,
    anonymous: bool = False,
    **options: Any,
) -> None: ...

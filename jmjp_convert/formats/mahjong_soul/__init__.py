"""The records of Mahjong Soul."""

from __future__ import annotations

from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats.format import About, Format, holds, later

_FIRST_BYTES = b"\x01\x02\x03\n\x10\x12\x1a\x22"
_FIRST_CHARACTERS = ("{", "[", *"ACEGI", *"012")  # of JSON, and of these bytes in base64 and as digits
_signs = later(f"{__name__}.wrappings", "signs")
_begins = later(f"{__name__}.wrappings", "begins")

FORMAT = Format(
    name="mahjong-soul",
    noun="Mahjong Soul",
    suffixes=(".rec",),
    shared=(".json", ".txt", ".bin", ".har"),
    begins=lambda text: text[:1] in _FIRST_CHARACTERS and _begins(text),
    signs=lambda start: start[:1] != b"" and start[:1] in _FIRST_BYTES and _signs(start),
    read=later(f"{__name__}.reader", "read_mahjong_soul"),
    error=MahjongSoulError,
    about=About("Mahjong Soul", "", ""),
    players=frozenset({3, 4}),
    holding=holds(
        *("id", "house", "red_fives", "lobby", "custom", "point_rule", "tournament", "date", "time", "clock"),
        *("ranks", "sex", "accounts", "rank_points", "connections"),
        *("walls", "thinking", "order", "indicators", "ura", "turns"),
        *("scores", "pao", "draw_kinds", "shown", "results", "final_points"),
    ),
)

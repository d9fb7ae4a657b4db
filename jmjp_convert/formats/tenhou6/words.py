"""The words of results that only tenhou.net/6 has: Tenhou's own, written and read, and what other programs put there.

Source: ``docs/design/formats.md`` 1.
"""

from __future__ import annotations

from jmjp_convert.formats import words
from jmjp_convert.formats.words import plain
from jmjp_convert.model import DrawKind
from jmjp_convert.model.yaku import NAMES

WON = "和了"
DRAWN = "流局"
ALL_TENPAI, ALL_NOTEN = "全員聴牌", "全員不聴"
UNFINISHED = "不明"
"""The word that the editor itself writes until a result is chosen."""

YAKU = [name.japanese.replace("13", "１３") for name in NAMES]  # noqa: RUF001 - Tenhou's own digits
"""The yaku by number."""

_TENPAI = {ALL_TENPAI: True, "all-tenpai": True, "all-tempai": True, ALL_NOTEN: False, "all-noten": False}

DRAW_KINDS = words.DRAW_KINDS | {plain(word): DrawKind.EXHAUSTIVE for word in _TENPAI}
"""The kinds of draws by their plain words."""

TENPAI = {plain(word): tenpai for word, tenpai in _TENPAI.items()}
"""By the plain words of draws that say it: whether all players are tenpai, or none is."""

WINS = frozenset(map(plain, (WON, "和牌", "和", "agari", "ron", "tsumo", "hora")))
"""The plain words of a frame that ends with a win."""

OPEN = frozenset(map(plain, (UNFINISHED, "", "unknown")))
"""The plain words of a frame that has not ended."""

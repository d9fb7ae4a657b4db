"""The words and numbers of Mahjong Soul: tiles, ranks, yaku, limits, kinds of draws, special modes.

Sources: ``liqi.proto``; Equim-chan/tensoul (``data.json``) for yaku and ranks; GrandDawn/majsoul-replay-editor for
limits, draws and modes. Compared with real records.
"""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import DrawKind, Limit
from jmjp_convert.model.tiles import FACES, HONOR_FACES, any_copy

# --- tiles ------------------------------------------------------------------------------------------------------------

TILES: dict[str, int] = {
    **{face: any_copy(face) for face in FACES if face not in HONOR_FACES},
    **{f"{number}z": any_copy(face) for number, face in enumerate(HONOR_FACES, 1)},
}
"""The tiles by name: ``0m`` is a red five, ``1z`` East."""

NORTH = TILES["4z"]

# --- yaku -------------------------------------------------------------------------------------------------------------

SEAT_WIND, ROUND_WIND, NORTH_DORA, DORA = 10, 11, 34, 31
"""The yaku, by their numbers there, that are several here, or one with another."""

YAKU: dict[int, int] = {
    1: 0,
    2: 1,
    3: 3,
    4: 4,
    5: 5,
    6: 6,
    7: 18,
    8: 19,
    9: 20,
    SEAT_WIND: 10,
    ROUND_WIND: 14,
    12: 8,
    13: 9,
    14: 7,
    15: 23,
    16: 24,
    17: 25,
    18: 21,
    19: 26,
    20: 27,
    21: 28,
    22: 29,
    23: 30,
    24: 31,
    25: 22,
    26: 33,
    27: 34,
    28: 32,
    29: 35,
    30: 2,
    DORA: 52,
    32: 54,
    33: 53,
    NORTH_DORA: 52,
    35: 37,
    36: 38,
    37: 39,
    38: 40,
    39: 42,
    40: 43,
    41: 44,
    42: 47,
    43: 50,
    44: 51,
    45: 45,
    46: 68,
    47: 46,
    48: 41,
    49: 48,
    50: 49,
    # Those of the old rules (Melee rooms); 59 and 65 are the same yaku, as a yakuman and as a mangan.
    51: 55,
    52: 56,
    53: 57,
    54: 58,
    55: 59,
    56: 60,
    57: 61,
    58: 62,
    59: 36,
    60: 63,
    61: 64,
    62: 65,
    63: 66,
    64: 67,
    65: 36,
}
"""The numbers of yaku by theirs; the winds are those of East."""

LIMITS = {1: Limit.MANGAN, 2: Limit.HANEMAN, 3: Limit.BAIMAN, 4: Limit.SANBAIMAN} | dict.fromkeys(
    range(5, 12), Limit.YAKUMAN
)
"""The limits by the number of their title: 5 to 10 are one to six yakuman, 11 is a counted one."""

DRAWS = {
    1: DrawKind.NINE_TERMINALS,
    2: DrawKind.FOUR_WINDS,
    3: DrawKind.FOUR_KANS,
    4: DrawKind.FOUR_RIICHI,
    5: DrawKind.TRIPLE_RON,
}
"""The kinds of abortive draws by their type."""

# --- ranks ------------------------------------------------------------------------------------------------------------

_RANKS = {1: "初心", 2: "雀士", 3: "雀傑", 4: "雀豪", 5: "雀聖", 6: "魂天", 7: "魂天"}
_CELESTIAL, _CELESTIAL_LEVELS = 6, 7  # until August 2021 without levels


def rank(level: int) -> str:
    """Return the name of the rank *level*, such as 10303 or, for three players, 20303; its digits if unknown.

    >>> rank(10303)
    '雀傑★3'
    """
    major, minor = divmod(level % 10_000, 100)
    name = _RANKS.get(major)
    if name is None or level // 10_000 not in (1, 2):
        return str(level)
    if major == _CELESTIAL:
        return name
    return f"{name}Lv{minor}" if major == _CELESTIAL_LEVELS else f"{name}★{minor}"


# --- special modes ----------------------------------------------------------------------------------------------------


class Mode(NamedTuple):
    """A special mode.

    :ivar names: in Japanese, and as a key of the rules, as far as they are known.
    :ivar room: the number of its room.
    :ivar records: the names of records that only it has.
    :ivar deal: a key of RecordNewRound that is zero in every other mode.
    :ivar yaku: the numbers of the yaku that only this mode has.
    """

    names: tuple[str, ...]
    room: int | None = None
    records: tuple[str, ...] = ()
    deal: str = ""
    yaku: range = range(0)

    def __str__(self) -> str:
        return ", ".join(self.names)


MODES = (
    Mode(("ドラ三昧", "dora3_mode"), 33),
    Mode(("配牌公開", "begin_open_mode"), 34),
    Mode(("龍の目玉", "muyu_mode"), 35),
    Mode(
        ("修羅の戦", "xuezhandaodi"),
        40,
        ("RecordHuleXueZhanMid", "RecordHuleXueZhanEnd"),
    ),
    Mode(
        ("赤血の戦", "chuanma"),
        41,
        ("RecordSelectGap", "RecordChangeTile", "RecordGangResult", "RecordGangResultEnd"),
        yaku=range(1000, 1022),
    ),
    Mode(("明鏡の戦", "jiuchao_mode"), 44),
    Mode(("闇夜の戦", "reveal_discard"), 45, ("RecordRevealTile", "RecordLockTile", "RecordUnveilTile")),
    Mode(("幻界の戦", "field_spell_mode"), 46, deal="field_spell"),
    Mode(("占星の戦", "zhanxing"), 47, ("RecordFillAwaitingTiles",)),
    Mode(("天命の戦", "tianming_mode"), 48),
    Mode(("詠唱の戦", "yongchang_mode"), 49, yaku=range(801, 803)),
    Mode(("魂之一撃", "hunzhiyiji_mode"), 50, yaku=range(803, 806)),
    Mode(("万象修羅", "wanxiangxiuluo_mode"), 51),
    Mode(("背水の戦", "beishuizhizhan_mode"), 52, yaku=range(806, 810)),
    Mode(("下克上の戦", "amusement_switches"), 53, ("RecordNewCard", "RecordTake", "RecordSubmit")),
    Mode(("huansanzhang",)),
)
"""The special modes, which have rules or tiles that no other game has."""

MODES_BY_RULE = {name: mode for mode in MODES for name in mode.names if name.isascii()}
MODES_BY_ROOM = {mode.room: mode for mode in MODES if mode.room is not None}
MODES_BY_RECORD = {record: mode for mode in MODES for record in mode.records}
MODES_BY_DEAL = {mode.deal: mode for mode in MODES if mode.deal}
MODES_BY_YAKU = {number: mode for mode in MODES for number in mode.yaku}

"""The words and numbers of Mahjong Soul: ranks, yaku, limits, kinds of draws, special modes.

Sources: ``liqi.proto``; Equim-chan/tensoul (``data.json``) for yaku and ranks; GrandDawn/majsoul-replay-editor for
limits, draws and modes. Compared with real records.
"""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import DrawKind, Limit

# --- yaku -------------------------------------------------------------------------------------------------------------

SEAT_WIND, ROUND_WIND, NORTH_DORA, DORA = 10, 11, 34, 31
"""The yaku, by their numbers there, that are several here, or one with another."""

YAKU: dict[int, int] = dict(
    enumerate(
        (
            *(0, 1, 3, 4, 5, 6, 18, 19, 20, 10),
            *(14, 8, 9, 7, 23, 24, 25, 21, 26, 27),
            *(28, 29, 30, 31, 22, 33, 34, 32, 35, 2),
            *(52, 54, 53, 52, 37, 38, 39, 40, 42, 43),
            *(44, 47, 50, 51, 45, 68, 46, 41, 48, 49),
            # From 51, those of the old rules (Melee rooms); 59 and 65 are the same yaku, as a yakuman and as a mangan.
            *(55, 56, 57, 58, 59, 60, 61, 62, 36, 63, 64, 65, 66, 67, 36),
        ),
        1,
    )
)
"""The numbers of yaku by theirs, from 1; the winds are those of East."""

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
    """A special mode."""

    names: tuple[str, ...]  # in Japanese, and as a key of the rules, as far as they are known
    room: int | None = None  # the number of its room
    records: tuple[str, ...] = ()  # the names of records that only it has
    deal: str = ""  # a key of RecordNewRound that is zero in every other mode
    yaku: range = range(0)  # the numbers of the yaku that only this mode has

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

"""The tables of a data set and their columns.

``None`` in a row means "not recorded", never a guess, unless the column says otherwise. Tiles are faces as in jmjp:
``5m``, ``0m`` for a red five, ``ew`` ``sw`` ``ww`` ``nw`` for winds, ``wd`` ``gd`` ``rd`` for dragons; several are
separated by spaces. As a tile type, a red five is a plain five. Turns count a player's discards, from
1: whatever a player does before their third discard is in turn 3, a ron in the turn of the last discard.
"""

from __future__ import annotations

from typing import Any, NamedTuple

VERSION = 2
"""The version of the schema, raised when columns are added or changed."""


class Column(NamedTuple):
    """A column."""

    name: str
    type: str  # text, bool, int16, int32, int64, float (64 bits), date or time: in a row, the last two of datetime
    doc: str  # what it contains, in a sentence of Markdown
    unit: str = ""  # the unit of its numbers; empty for counts
    null: str = ""  # when it is null; empty: never


class DataTable(NamedTuple):
    """A table: its *doc* says what a row is; the columns of *key* identify a row."""

    name: str
    doc: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]


Row = tuple[Any, ...]
"""The values of a row, in the order of the columns of its table."""

_UNRECORDED = "not recorded"
_NO_POINTS = "the final points are not known"
_NO_PLAY = "the play is not recorded"
_NO_SCORE = "the value is not recorded"
_NO_YAKU = "the yaku are not recorded"
_NO_HAND = "the hand is not known"
_NO_INDICATORS = "it is not recorded when they were turned"
_NO_TILE = "the tile is not known"

_MATCH = Column("match_id", "text", "The match: its log ID, otherwise a digest of its file.")
_FRAME = Column("frame", "int16", "The frame's number in the match, from 1.")
_PLAYER = Column("player", "int16", "The player, 0 to 3; player 0 is the first dealer.")
_SEAT = Column("seat", "text", "The player's seat in this hand: `E` (the dealer), `S`, `W` or `N`.")
_TURN = Column("turn", "int16", "The player's turn, from 1.", "turns")

MATCHES = DataTable(
    "matches",
    "A match.",
    ("match_id",),
    (
        _MATCH,
        Column(
            "log_id",
            "text",
            "The log ID on Tenhou, Mahjong Soul or Riichi City; one of Tenhou's begins with the date and hour.",
            null=_UNRECORDED,
        ),
        Column("date", "date", "The date, local to the place.", null=_UNRECORDED),
        Column("time", "time", "The time at which it started, local to the place.", null=_UNRECORDED),
        Column("started", "int64", "When it started, since 1970 (UTC).", "seconds", null=_UNRECORDED),
        Column("ended", "int64", "When it ended, since 1970 (UTC).", "seconds", null=_UNRECORDED),
        Column(
            "house",
            "text",
            "The server whose rules apply: `tenhou`, `mahjong-soul` or `riichi-city`.",
            null=_UNRECORDED,
        ),
        Column("rules", "int32", "Tenhou's rules number (`GO type`).", null=_UNRECORDED),
        Column("lobby", "int32", "The lobby; 0 for ranked games.", null=_UNRECORDED),
        Column("ranked", "bool", "Whether the rules are those of ranked games.", null=_UNRECORDED),
        Column(
            "room",
            "text",
            "Tenhou's room: `General`, `Advanced`, `Expert` or `Phoenix`.",
            null="it is a private lobby, a table with custom rules (a number of 256 or more), or not recorded",
        ),
        Column("players", "int16", "The number of players, 4 or 3."),
        Column("length", "text", "`east` for an East-only game, `east-south` for a longer one.", null=_UNRECORDED),
        Column("red_fives", "int16", "The number of red fives in the set of tiles.", "tiles", null=_UNRECORDED),
        Column("open_tanyao", "bool", "Whether open tanyao is allowed.", null=_UNRECORDED),
        Column("fast", "bool", "Whether the time to think is short.", null=_UNRECORDED),
        Column("frames", "int16", "The number of hands recorded."),
    ),
)

PLAYERS = DataTable(
    "players",
    "A player of a match.",
    ("match_id", "player"),
    (
        _MATCH,
        _PLAYER,
        Column("name", "text", "The name.", null=_UNRECORDED),
        Column("account", "int64", "The account number on the server.", null=_UNRECORDED),
        Column(
            "shared_name",
            "bool",
            "Whether many players have the name: guests of Tenhou (`NoName`), or computers on other servers (`AI`). "
            "Leave them out where you group by name.",
            null="the name is not recorded",
        ),
        Column(
            "dan",
            "int32",
            "Tenhou's rank: 0 (newcomer), 1 to 9 (9 to 1 kyu), 10 to 19 (1 to 10 dan), 20 (tenhou).",
            null=_UNRECORDED,
        ),
        Column("rank", "text", "The name of the rank on another server.", null=_UNRECORDED),
        Column("rank_points", "int64", "The points within the rank, before the match.", null=_UNRECORDED),
        Column("rank_change", "int64", "How the match changed the points within the rank.", null=_UNRECORDED),
        Column("rating", "float", "The rating before the match.", null=_UNRECORDED),
        Column("sex", "text", "`M`, `F`, or `C` for a computer.", null=_UNRECORDED),
        Column("place", "int16", "The placement, from 1. Ties go to the earlier player.", null=_NO_POINTS),
        Column("points", "int64", "The final points, with the riichi sticks left over.", "points", null=_NO_POINTS),
        Column("result", "int64", "The result, after uma and oka: 47000 is +47.0.", "points", null=_UNRECORDED),
    ),
)

FRAMES = DataTable(
    "frames",
    "A frame of a match: one hand (kyoku).",
    ("match_id", "frame"),
    (
        _MATCH,
        _FRAME,
        Column("name", "text", "Its name: `S2-1` is South 2, one honba."),
        Column("round", "int16", "0 to 3 for East 1 to 4, 4 to 7 for South 1 to 4, …"),
        Column("honba", "int32", "The honba count."),
        Column("sticks", "int32", "The number of riichi sticks on the table at the start.", null=_UNRECORDED),
        Column("dealer", "int16", "The player who deals."),
        Column(
            "played",
            "bool",
            "Whether its play is recorded; if not, it has no rows in `calls`, `riichi` and `discards`.",
        ),
        Column(
            "ending",
            "text",
            "`tsumo`, `ron`, or the kind of draw: `exhaustive`, `nagashi mangan`, `nine terminals`, "
            "`four winds`, `four riichi`, `four kans` or `triple ron`; `draw` if the kind is not recorded.",
            null=_UNRECORDED,
        ),
        Column("wins", "int16", "The number of wins: 2 for a double ron.", null="the ending is not recorded"),
        Column("indicators", "text", "The dora indicators turned, in order.", null=_UNRECORDED),
        Column("ura_indicators", "text", "The ura dora indicators shown by a winner in riichi.", null="none are shown"),
        Column("tiles_left", "int16", "The number of tiles left to draw at the end.", "tiles", null=_NO_PLAY),
    ),
)

SEATS = DataTable(
    "seats",
    "A player in a hand.",
    ("match_id", "frame", "player"),
    (
        _MATCH,
        _FRAME,
        _PLAYER,
        _SEAT,
        Column("points", "int64", "The points at the start.", "points", null=_UNRECORDED),
        Column(
            "change",
            "int64",
            "The points gained or lost in the hand, including riichi sticks.",
            "points",
            null=_UNRECORDED,
        ),
        Column("shanten", "int16", "The shanten of the 13 tiles dealt.", null=_NO_HAND),
        Column(
            "tenpai",
            "bool",
            "Whether the hand was shown at an exhaustive draw or nagashi mangan.",
            null="the hand ended otherwise, or it is not recorded who showed their hand",
        ),
        Column(
            "outcome",
            "text",
            "`tsumo` or `ron` (this player won), `deal-in`, `other win` (without this player's tile) or `draw`.",
            null="the ending is not recorded",
        ),
    ),
)

WINS = DataTable(
    "wins",
    "A win.",
    ("match_id", "frame", "player"),
    (
        _MATCH,
        _FRAME,
        Column("player", "int16", "The winner, 0 to 3."),
        _SEAT,
        Column(
            "number", "int16", "1 for the frame's first win, which takes honba and riichi sticks; 2 for the second …"
        ),
        Column("source", "int16", "The player whose tile was won on.", null="it is a tsumo"),
        Column("tsumo", "bool", "Whether it is a tsumo."),
        Column("pao", "int16", "The player responsible (pao).", null="nobody is responsible"),
        Column(
            "second_pao",
            "int16",
            "The player responsible for a second yakuman.",
            null="nobody is responsible for a second",
        ),
        Column("tile", "text", "The winning tile.", null=_NO_TILE),
        Column(
            "turn",
            "int16",
            "For a tsumo, the number of the winner's discards plus 1; for a ron, that number itself, which may be 0.",
            "turns",
            null=_NO_PLAY,
        ),
        Column(
            "discard",
            "int16",
            "The number of discards so far; for a ron, including the winning tile unless it is from a kan or kita.",
            null=_NO_PLAY,
        ),
        Column("riichi", "bool", "Whether the winner was in riichi.", null=_NO_PLAY),
        Column("open", "bool", "Whether the winner had called a tile.", null=_NO_PLAY),
        Column(
            "han",
            "int32",
            "The total han, including dora.",
            "han",
            null="it is a yakuman, or the value is not recorded",
        ),
        Column("fu", "int32", "The fu, as recorded.", "fu", null=_UNRECORDED),
        Column(
            "points",
            "int64",
            "The value of the hand, without honba and sticks; for a tsumo, all payments together.",
            "points",
            null=_NO_SCORE,
        ),
        Column(
            "limit_name",
            "text",
            "`none`, `mangan`, `haneman`, `baiman`, `sanbaiman` or `yakuman`, also if it is counted.",
            null=_NO_SCORE,
        ),
        Column(
            "dora",
            "int32",
            "The han of dora, with three players including kita; 0 for a yakuman.",
            "han",
            null=_NO_YAKU,
        ),
        Column("ura", "int32", "The han of ura dora; 0 for a yakuman.", "han", null=_NO_YAKU),
        Column("red", "int32", "The han of red fives; 0 for a yakuman.", "han", null=_NO_YAKU),
        Column("sticks", "int32", "The number of riichi sticks taken.", null="neither they nor the play are recorded"),
        Column(
            "gain", "int64", "What the winner receives: points, honba and riichi sticks.", "points", null=_UNRECORDED
        ),
    ),
)

YAKU = DataTable(
    "yaku",
    "A yaku or kind of dora of a win.",
    ("match_id", "frame", "player", "name"),
    (
        _MATCH,
        _FRAME,
        Column("player", "int16", "The winner, 0 to 3."),
        Column(
            "yaku",
            "int16",
            "Its number: Tenhou's, 0 to 54, or 55 and up for one that only other servers have.",
            null="the yaku is unknown: both names are as recorded",
        ),
        Column("name", "text", "Its name in Roman letters: `Riichi`."),
        Column("japanese", "text", "Its name in Japanese: `立直`."),
        Column("han", "int32", "Its han. Ura dora worth 0 han are left out.", "han", null="it is a yakuman"),
    ),
)

CALLS = DataTable(
    "calls",
    "A chi, pon, kan or kita.",
    ("match_id", "frame", "number"),
    (
        _MATCH,
        _FRAME,
        Column("number", "int16", "1 for the frame's first."),
        _PLAYER,
        _SEAT,
        Column("turn", "int16", "The player's turn: that of the discard that follows.", "turns"),
        Column("discard", "int16", "The number of discards before it, which is the number of the tile called."),
        Column("kind", "text", "`chi`, `pon`, `daiminkan`, `kakan`, `ankan` or `kita`."),
        Column(
            "tile",
            "text",
            "The tile called; for a kakan, the tile added.",
            null="it is an ankan or kita, or the tile is not known",
        ),
        Column("tiles", "text", "All its tiles, in tile order."),
        Column("source", "int16", "The player whose discard is called.", null="it is a kakan, ankan or kita"),
        Column("open", "bool", "Whether it opens the hand: not an ankan or kita."),
    ),
)

RIICHI = DataTable(
    "riichi",
    "A declaration of riichi.",
    ("match_id", "frame", "player"),
    (
        _MATCH,
        _FRAME,
        _PLAYER,
        _SEAT,
        _TURN,
        Column("discard", "int16", "The number of the riichi tile in `discards`."),
        Column("number", "int16", "1 for the frame's first riichi, 2 for the second …"),
        Column("accepted", "bool", "Whether the stick was paid: nobody won on the riichi tile."),
        Column("double", "bool", "Whether it is a double riichi: in the first turn, before any meld."),
        Column("waits", "text", "The tile types waited for, by shape.", null="the hand is not known or not tenpai"),
        Column("wait_kinds", "int16", "Their number.", "tile types", null=_NO_HAND),
        Column(
            "wait_tiles",
            "int16",
            "The number of such tiles that the player does not see.",
            "tiles",
            null="the hand or the indicators turned so far are not known",
        ),
        Column("furiten", "bool", "Whether the player is in furiten after the riichi tile.", null=_NO_HAND),
        Column("outcome", "text", "As in `seats`.", null="the ending is not recorded"),
    ),
)

DISCARDS = DataTable(
    "discards",
    "A discard: the decision that a player makes each turn.",
    ("match_id", "frame", "discard"),
    (
        _MATCH,
        _FRAME,
        Column("discard", "int16", "Its number in the hand, from 1."),
        _PLAYER,
        _SEAT,
        _TURN,
        Column("tile", "text", "The tile discarded.", null=_NO_TILE),
        Column("drawn", "text", "The tile drawn before it.", null="it follows a chi or pon, or the tile is not known"),
        Column("tsumogiri", "bool", "Whether the tile is the one just drawn, not from the hand.", null=_UNRECORDED),
        Column(
            "shanten", "int16", "The shanten with the tile drawn: -1 is a complete hand, 0 is tenpai.", null=_NO_HAND
        ),
        Column("shanten_after", "int16", "The shanten after the discard.", null=_NO_HAND),
        Column(
            "dora",
            "int16",
            "The number of dora held before the discard: one for each indicator of a tile in hand or "
            "melds, one for each red five, and one more for each kita.",
            "dora",
            null="the hand or the dora are not known",
        ),
        Column("indicators", "int16", "The number of dora indicators turned.", null=_NO_INDICATORS),
        Column("points", "int64", "The player's points before the discard.", "points", null=_UNRECORDED),
        Column("tiles_left", "int16", "The number of tiles left to draw.", "tiles"),
        Column("melds", "int16", "The player's number of called melds, without ankan and kita."),
        Column("declares", "bool", "Whether the player declares riichi with it."),
        Column("riichi", "bool", "Whether the player is in riichi already."),
        Column("riichi_others", "int16", "The number of other players in riichi."),
        Column("thinking", "int32", "The thinking time.", "milliseconds", null=_UNRECORDED),
        Column("autoplay", "bool", "Whether the server discarded in the player's place.", null=_UNRECORDED),
        Column("called_by", "int16", "The player who calls it.", null="nobody does"),
        Column("wins", "int16", "The number of wins by ron on it: with 1 or more, it deals in."),
    ),
)

TABLES = (MATCHES, PLAYERS, FRAMES, SEATS, WINS, YAKU, CALLS, RIICHI, DISCARDS)

"""Convert riichi mahjong game records between mjlog, jmjp, tenhou6, mjai, majiang and JSON; every game is verified.

Reading and writing:

    read             read the matches in a file
    games            read the games in files, directories, archives and databases
    Game             a match, with its file and its position there
    write            write matches to a file
    dumps            return matches as text
    anonymous        a match without its players' names and its log ID
    register         add a format
    Format           a format
    Option           an option of a format

A game:

    Match            a match, with its players, rules and frames
    Player           a player: name, rank, rating
    Rules            the rules of a match
    House            the servers whose rules apply
    Frame            one hand or round: its start, events and end
    Start            how a frame starts: round, points, hands
    RecordedWall     a wall as its server records it

Events:

    Draw             a player draws a tile
    Discard          a player discards a tile
    Chi              a call for a run
    Pon              a call for a triplet
    Daiminkan        a call for a kan
    Kakan            a kan by adding a tile to a pon
    Ankan            a closed kan
    Kita             a north set aside, with three players
    RiichiDeclared   a riichi, before its discard
    RiichiAccepted   the riichi stick is on the table
    DoraRevealed     another dora indicator is turned
    Win              a win, by tsumo or ron
    Yaku             a yaku or dora of a win
    Limit            the limit of a win: mangan to yakuman
    Ryuukyoku        a hand without a winner
    DrawKind         why a hand has no winner
    Disconnected     a player disconnects
    Returned         a player reconnects

The play:

    walk             play a frame event by event, with the table before each
    Table            a frame in play
    Legal            what a player may do
    Seen             what a player sees
    SeenDiscard      a discard, as everybody sees it
    Thrown           a tile in a pond
    check            the problems of a match: play, points, wall, score
    shanten          how far a hand is from tenpai
    useful           the tile types that lower the shanten of a hand
    replay           play a whole frame, which is faster
    tiles            tiles: parse, show, types, faces, dora
    verified_walls   the wall of each frame, compared with the game
    Wall             a wall, with its tiles grouped by use

Errors:

    ConvertError     any error of this package
    FileError        a file cannot be opened, read or written
    FormatError      a format cannot hold a match
    UnprovenError    an output does not read back the same
    TextError        any of the next seven: broken text
    JmjpError        broken or impossible jmjp
    JsonError        broken or impossible JSON
    Tenhou6Error     broken or impossible tenhou6
    MjaiError        broken or impossible mjai
    MajiangError     broken or impossible majiang
    MahjongSoulError broken or impossible record of Mahjong Soul
    RiichiCityError  broken or impossible record of Riichi City
    MjlogError       broken or impossible mjlog
    PlayError        an impossible event
    MatchError       a problem of a whole match
    WallError        a wall that is missing or differs from the match

The reader and writer of a format are in its folder below :mod:`jmjp_convert.formats`.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from jmjp_convert.batch.games import Game, games
    from jmjp_convert.checks.wall import verified_walls
    from jmjp_convert.errors import (
        ConvertError,
        FileError,
        FormatError,
        JmjpError,
        JsonError,
        MahjongSoulError,
        MajiangError,
        MatchError,
        MjaiError,
        MjlogError,
        PlayError,
        RiichiCityError,
        Tenhou6Error,
        TextError,
        UnprovenError,
        WallError,
    )
    from jmjp_convert.findings import check
    from jmjp_convert.formats import register
    from jmjp_convert.formats.anonymous import anonymous
    from jmjp_convert.formats.format import Format, Option
    from jmjp_convert.formats.reading import read
    from jmjp_convert.model import (
        Ankan,
        Chi,
        Daiminkan,
        Discard,
        Disconnected,
        DoraRevealed,
        Draw,
        DrawKind,
        Frame,
        House,
        Kakan,
        Kita,
        Limit,
        Match,
        Player,
        Pon,
        RecordedWall,
        Returned,
        RiichiAccepted,
        RiichiDeclared,
        Rules,
        Ryuukyoku,
        Start,
        Wall,
        Win,
        Yaku,
        tiles,
    )
    from jmjp_convert.play.legal import Legal
    from jmjp_convert.play.ponds import Seen, SeenDiscard, Thrown
    from jmjp_convert.play.shanten import shanten, useful
    from jmjp_convert.signatures import dumps, write
    from jmjp_convert.table import Table, replay, walk

_HOMES = {
    "api": "dumps write",
    "batch.games": "Game games",
    "findings": "check",
    "errors": "ConvertError FileError FormatError JmjpError JsonError MahjongSoulError MajiangError MatchError"
    " MjaiError MjlogError PlayError RiichiCityError Tenhou6Error TextError UnprovenError WallError",
    "formats": "register",
    "formats.anonymous": "anonymous",
    "formats.format": "Format Option",
    "formats.reading": "read",
    "model": "Ankan Chi Daiminkan Discard Disconnected DoraRevealed Draw DrawKind Frame House Kakan Kita Limit Match"
    " Player Pon RecordedWall Returned RiichiAccepted RiichiDeclared Rules Ryuukyoku Start Wall Win Yaku tiles",
    "checks.wall": "verified_walls",
    "play.legal": "Legal",
    "play.ponds": "Seen SeenDiscard Thrown",
    "play.shanten": "shanten useful",
    "table": "Table replay walk",
}
"""By module, the public names in it."""

_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Ankan",
    "Chi",
    "ConvertError",
    "Daiminkan",
    "Discard",
    "Disconnected",
    "DoraRevealed",
    "Draw",
    "DrawKind",
    "FileError",
    "Format",
    "FormatError",
    "Frame",
    "Game",
    "House",
    "JmjpError",
    "JsonError",
    "Kakan",
    "Kita",
    "Legal",
    "Limit",
    "MahjongSoulError",
    "MajiangError",
    "Match",
    "MatchError",
    "MjaiError",
    "MjlogError",
    "Option",
    "PlayError",
    "Player",
    "Pon",
    "RecordedWall",
    "Returned",
    "RiichiAccepted",
    "RiichiCityError",
    "RiichiDeclared",
    "Rules",
    "Ryuukyoku",
    "Seen",
    "SeenDiscard",
    "Start",
    "Table",
    "Tenhou6Error",
    "TextError",
    "Thrown",
    "UnprovenError",
    "Wall",
    "WallError",
    "Win",
    "Yaku",
    "__version__",
    "anonymous",
    "check",
    "dumps",
    "games",
    "read",
    "register",
    "replay",
    "shanten",
    "tiles",
    "useful",
    "verified_walls",
    "walk",
    "write",
]


def __getattr__(name: str) -> object:
    # Names are imported on demand, so that `jmjp --version` need not wait for them.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__

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

__version__ = "0.1.0"
TYPE_CHECKING = False
"""As in :mod:`typing`, which takes so long to load that Ctrl-C may come before ``__main__`` can handle it."""

if TYPE_CHECKING:
    from jmjp_convert.api import check as check
    from jmjp_convert.batch.games import Game as Game
    from jmjp_convert.batch.games import games as games
    from jmjp_convert.checks.wall import verified_walls as verified_walls
    from jmjp_convert.errors import ConvertError as ConvertError
    from jmjp_convert.errors import FileError as FileError
    from jmjp_convert.errors import FormatError as FormatError
    from jmjp_convert.errors import JmjpError as JmjpError
    from jmjp_convert.errors import JsonError as JsonError
    from jmjp_convert.errors import MahjongSoulError as MahjongSoulError
    from jmjp_convert.errors import MajiangError as MajiangError
    from jmjp_convert.errors import MatchError as MatchError
    from jmjp_convert.errors import MjaiError as MjaiError
    from jmjp_convert.errors import MjlogError as MjlogError
    from jmjp_convert.errors import PlayError as PlayError
    from jmjp_convert.errors import RiichiCityError as RiichiCityError
    from jmjp_convert.errors import Tenhou6Error as Tenhou6Error
    from jmjp_convert.errors import TextError as TextError
    from jmjp_convert.errors import UnprovenError as UnprovenError
    from jmjp_convert.errors import WallError as WallError
    from jmjp_convert.formats import register as register
    from jmjp_convert.formats.anonymous import anonymous as anonymous
    from jmjp_convert.formats.format import Format as Format
    from jmjp_convert.formats.format import Option as Option
    from jmjp_convert.formats.reading import read as read
    from jmjp_convert.model import Ankan as Ankan
    from jmjp_convert.model import Chi as Chi
    from jmjp_convert.model import Daiminkan as Daiminkan
    from jmjp_convert.model import Discard as Discard
    from jmjp_convert.model import Disconnected as Disconnected
    from jmjp_convert.model import DoraRevealed as DoraRevealed
    from jmjp_convert.model import Draw as Draw
    from jmjp_convert.model import DrawKind as DrawKind
    from jmjp_convert.model import Frame as Frame
    from jmjp_convert.model import House as House
    from jmjp_convert.model import Kakan as Kakan
    from jmjp_convert.model import Kita as Kita
    from jmjp_convert.model import Limit as Limit
    from jmjp_convert.model import Match as Match
    from jmjp_convert.model import Player as Player
    from jmjp_convert.model import Pon as Pon
    from jmjp_convert.model import RecordedWall as RecordedWall
    from jmjp_convert.model import Returned as Returned
    from jmjp_convert.model import RiichiAccepted as RiichiAccepted
    from jmjp_convert.model import RiichiDeclared as RiichiDeclared
    from jmjp_convert.model import Rules as Rules
    from jmjp_convert.model import Ryuukyoku as Ryuukyoku
    from jmjp_convert.model import Start as Start
    from jmjp_convert.model import Wall as Wall
    from jmjp_convert.model import Win as Win
    from jmjp_convert.model import Yaku as Yaku
    from jmjp_convert.model import tiles as tiles
    from jmjp_convert.play.legal import Legal as Legal
    from jmjp_convert.play.ponds import Seen as Seen
    from jmjp_convert.play.ponds import SeenDiscard as SeenDiscard
    from jmjp_convert.play.ponds import Thrown as Thrown
    from jmjp_convert.play.shanten import shanten as shanten
    from jmjp_convert.play.shanten import useful as useful
    from jmjp_convert.signatures import dumps as dumps
    from jmjp_convert.signatures import write as write
    from jmjp_convert.table import Table as Table
    from jmjp_convert.table import replay as replay
    from jmjp_convert.table import walk as walk

_HOMES = {
    "api": "check dumps write",
    "batch.games": "Game games",
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


def __getattr__(name: str) -> object:
    # Names are imported on demand, so that `jmjp --version` need not wait for them.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return ["__version__", *_HOME]


if not TYPE_CHECKING:  # type checkers read the imports above
    __all__ = list(__dir__())

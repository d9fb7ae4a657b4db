"""The format-neutral model of a match: readers return it and writers accept it.

Units and names throughout the model:

- *points* are points: 25000, or -3200 for 3,200 below zero. Results are points too: 47000 is +47.0. Readers return
  multiples of 100; jmjp and JSON cannot represent anything finer.
- *sticks* (riichi sticks) and *honba* are counts; in a point rule, *honba* is the points that each honba adds.
- *tiles* are ids as in :mod:`jmjp_convert.model.tiles`.
- *players* are 0–3 (0–2 with three players); player 0 is the first dealer. Tuples of points are indexed by player.
- *names* of people are strings, built from the parts in *full_name*.
- *texts* contain no lone surrogates (U+D800 to U+DFFF), which UTF-8 cannot encode.
- ``None`` means "not recorded", never a guess. Only the *source* of a tsumo and the *han* of a yakuman are ``None``
  because they do not exist.

All objects are frozen and compare by value: :class:`Record`.
"""

from __future__ import annotations

from jmjp_convert.model.events import DISCARDS as DISCARDS
from jmjp_convert.model.events import DRAWS as DRAWS
from jmjp_convert.model.events import TO_THE_LAST as TO_THE_LAST
from jmjp_convert.model.events import Ankan as Ankan
from jmjp_convert.model.events import Call as Call
from jmjp_convert.model.events import Chi as Chi
from jmjp_convert.model.events import Daiminkan as Daiminkan
from jmjp_convert.model.events import Discard as Discard
from jmjp_convert.model.events import Disconnected as Disconnected
from jmjp_convert.model.events import DoraRevealed as DoraRevealed
from jmjp_convert.model.events import Draw as Draw
from jmjp_convert.model.events import DrawKind as DrawKind
from jmjp_convert.model.events import Ending as Ending
from jmjp_convert.model.events import Event as Event
from jmjp_convert.model.events import Kakan as Kakan
from jmjp_convert.model.events import Kan as Kan
from jmjp_convert.model.events import Kita as Kita
from jmjp_convert.model.events import Meld as Meld
from jmjp_convert.model.events import Pon as Pon
from jmjp_convert.model.events import Presence as Presence
from jmjp_convert.model.events import Returned as Returned
from jmjp_convert.model.events import RiichiAccepted as RiichiAccepted
from jmjp_convert.model.events import RiichiDeclared as RiichiDeclared
from jmjp_convert.model.events import Ryuukyoku as Ryuukyoku
from jmjp_convert.model.events import Score as Score
from jmjp_convert.model.events import Win as Win
from jmjp_convert.model.events import in_riichi as in_riichi
from jmjp_convert.model.match import DORA as DORA
from jmjp_convert.model.match import PLAYS as PLAYS
from jmjp_convert.model.match import SEATS as SEATS
from jmjp_convert.model.match import WINDS as WINDS
from jmjp_convert.model.match import End as End
from jmjp_convert.model.match import Frame as Frame
from jmjp_convert.model.match import Hand as Hand
from jmjp_convert.model.match import House as House
from jmjp_convert.model.match import Match as Match
from jmjp_convert.model.match import Name as Name
from jmjp_convert.model.match import Note as Note
from jmjp_convert.model.match import Player as Player
from jmjp_convert.model.match import PointRule as PointRule
from jmjp_convert.model.match import RecordedWall as RecordedWall
from jmjp_convert.model.match import Recorder as Recorder
from jmjp_convert.model.match import Rules as Rules
from jmjp_convert.model.match import Shuffle as Shuffle
from jmjp_convert.model.match import ShuffleForm as ShuffleForm
from jmjp_convert.model.match import Start as Start
from jmjp_convert.model.match import Text as Text
from jmjp_convert.model.match import Thinking as Thinking
from jmjp_convert.model.match import Tournament as Tournament
from jmjp_convert.model.match import TourPoints as TourPoints
from jmjp_convert.model.match import Wall as Wall
from jmjp_convert.model.match import frame_name as frame_name
from jmjp_convert.model.match import handle as handle
from jmjp_convert.model.record import Record as Record
from jmjp_convert.model.record import fields as fields
from jmjp_convert.model.record import replace as replace
from jmjp_convert.model.tiles import THREE_PLAYERS as THREE_PLAYERS
from jmjp_convert.model.yaku import Limit as Limit
from jmjp_convert.model.yaku import Yaku as Yaku

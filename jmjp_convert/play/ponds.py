"""A table that also tracks the ponds."""

from __future__ import annotations

from jmjp_convert.model import Chi, Daiminkan, Discard, Event, Pon, Rules, Start
from jmjp_convert.model.record import record, replace
from jmjp_convert.model.tiles import either_copy_of
from jmjp_convert.play.table import Table, play_all

_CALLS = (Chi, Pon, Daiminkan)


@record
class Thrown:
    """A tile in a pond.

    :ivar tile: the tile discarded.
    :ivar drawn: the tile drawn before it; ``None`` after a call.
    :ivar riichi: whether it is a riichi tile.
    :ivar taken: the player who called it.
    """

    tile: int
    drawn: int | None
    riichi: bool
    taken: int | None = None

    @property
    def tsumogiri(self) -> bool | None:
        """Whether it is the tile just drawn; ``None`` if unknown."""
        if self.drawn is None or self.tile == self.drawn:
            return self.drawn is not None
        return None if self.tile == either_copy_of(self.drawn) else False


class PondTable(Table):
    """A table that tracks the ponds.

    :ivar ponds: by player, the discards in order; called tiles stay in place.
    """

    def __init__(self, start: Start, rules: Rules) -> None:
        super().__init__(start, rules)
        self.ponds: list[list[Thrown]] = [[] for _ in start.hands]

    def play(self, event: Event) -> None:
        """Play *event*.

        :raises PlayError: it is impossible.
        """
        drawn = self.drawn
        play_all(self, (event,))
        if type(event) is Discard:
            self.ponds[event.player].append(Thrown(event.tile, drawn, self.declared == event.player))
        elif isinstance(event, _CALLS):
            pond = self.ponds[event.source]
            pond[-1] = replace(pond[-1], taken=event.player)

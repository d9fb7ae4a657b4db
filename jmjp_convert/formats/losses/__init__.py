"""What formats can hold of a match: the only place that says so, over the model and the play alone.

A *trait* is something that a match may have, such as ratings; a format holds it, or drops it. An *approximation* is
something that a format writes differently. What an output must read back as is the match without what its format drops
and approximates; what that is, is reported and listed in the docs. Nothing here comes from a format's reader or writer,
so a fault there does not hide itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.losses.loss import Loss, clear_frame, clear_match, reduced
from jmjp_convert.formats.losses.play import drop_copies
from jmjp_convert.formats.losses.traits import REPORTED, TRAITS
from jmjp_convert.model import Match


class Holding:
    """What a format holds of a match.

    :param holds: the keys of the traits that it holds, wholly or in part.
    :param infer: its approximations, which may read fields that are then dropped.
    :param derive: what a reader derives from the rest, after traits are dropped.
    :param usual: the keys of traits that nearly every match has: only the full list of what is lost has them.
    :param quiet: the keys of traits that an approximation reports when they are lost.
    """

    def __init__(
        self,
        holds: Collection[str],
        infer: Sequence[Loss] = (),
        derive: Sequence[Loss] = (),
        *,
        usual: Collection[str] = (),
        quiet: Collection[str] = (),
    ) -> None:
        if unknown := {*holds, *usual, *quiet} - TRAITS.keys():
            raise KeyError(*unknown)
        self.approximations = (*infer, *derive)
        self._usual = {*usual}
        self._quiet = {*quiet}
        self._dropped = TRAITS.keys() - {*holds}
        dropped = [loss for key, loss in TRAITS.items() if key in self._dropped and key != "copies"]
        clears = tuple([clear for loss in (*infer, *dropped, *derive) for clear in loss.clears])
        copies = "copies" in self._dropped
        cleared = drop_copies(clears) if copies else clear_frame(clears)  # either replaces each frame once
        first = next((index for index, loss in enumerate(derive) if loss.match), len(derive))
        # Those of the frames together, which take one pass over them.
        plan = (
            *infer,
            *([Loss(frame=cleared)] if copies or clears else []),
            *[loss for loss in dropped if loss.frame],
            *derive[:first],
            *([Loss(match=clear_match(clears))] if clears else []),
            *[loss for loss in dropped if loss.match],
            *derive[first:],
        )
        self._plan = [loss for loss in plan if loss.frame or loss.match]

    def expected(self, match: Match) -> Match:
        """Return *match* as it must read back."""
        return reduced(match, self._plan)

    def lost(self, match: Match) -> Lost:
        """Return what is lost of *match*."""
        clauses = tuple([loss.phrase for loss in self.approximations if loss.phrase and loss.affects(match)])
        in_part = [loss.parts for loss in self.approximations if loss.parts and not loss.phrase and loss.affects(match)]
        keys = self._dropped.union(*in_part) - self._quiet
        phrases = {key: trait.phrase for key, trait in REPORTED.items() if key in keys and trait.affects(match)}
        usual = tuple([phrases.pop(key) for key in list(phrases) if key in self._usual])
        return Lost(tuple(phrases.values()), clauses, usual)

    def holds(self, key: str) -> bool:
        """Return whether the trait *key* is held, wholly or in part."""
        return key not in self._dropped

    def in_part(self, key: str) -> bool:
        """Return whether the trait *key* is held in part."""
        return any(key in loss.parts for loss in self.approximations)

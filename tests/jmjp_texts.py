"""Small jmjp texts."""

from __future__ import annotations

from pathlib import Path

HEAD = "mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]"
EAST = "1m3m9m1p9p1s9sewswwwnwwdgd"
SOUTH = "2m3m4m6m7m8m2p3p4p5s5s6s7s"
WEST = "1m1m9m9m1p1p9p9p1s1s9s9sew"
NORTH = "4mswswwwwwnwnwwdwdgdgdrdrd"
DEALT = {"e": EAST, "s": SOUTH, "w": WEST, "n": NORTH}
EVEN = "25.0,25.0,25.0,25.0"


def four_hands(hands: dict[str, str]) -> str:
    """Return four hands of the given tiles, each with an optional fourteenth after a comma."""
    return "\n".join(f"({seat},hnd[{hand if ',' in hand else f'{hand},'},])" for seat, hand in hands.items())


def frame(
    acts: str = "", *, name: str = "E1-0", sticks: str = "0.0", pfs: str = EVEN, pfe: str = "", **left: str
) -> str:
    """Return a frame of *acts*; the ending hands are the dealt ones, except those in *left*."""
    end = f"pfe[{pfe}]" if pfe else ""
    return f"frm[{name},{sticks},3-4,pfs[{pfs}],,\n{four_hands(DEALT)}\n{acts}\n{four_hands(DEALT | left)}\n,{end},]"


def spec_of(path: Path) -> str:
    """Return the dialect of a file in ``fixtures/jmjp/valid``, which its name tells."""
    return {"0": "0", "beta": "1.0-beta"}.get(path.name.partition("-")[0], "1.0")

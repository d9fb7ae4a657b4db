"""Generates any number of invented games of realistic size: drawn frames without calls."""

from __future__ import annotations

import base64
import random

FRAMES = 8
TILES = 136
DEALT = 13
DRAWS = 70
NAMES = ("%4B%61%65%64%65", "%54%73%75%62%61%6B%69", "%E5%B1%B1%E8%8C%B6%E8%8A%B1", "%4E%61%7A%75%6E%61")


def game_id(number: int) -> str:
    """Return the log ID of game *number*; the dates run through ten years."""
    year, month, day = 2010 + number // 28 // 12 % 10, 1 + number // 28 % 12, 1 + number % 28
    return f"{year}{month:02}{day:02}{number % 24:02}gm-00a9-0000-{number:08x}"


def hanchan(seed: int) -> str:
    """Return an invented game as mjlog; the same *seed* gives the same game."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    shuffle = base64.b64encode(chance.randbytes(2496)).decode()
    names = " ".join(f'n{who}="{name}"' for who, name in enumerate(NAMES))
    rates = ",".join(f"{chance.randrange(1500, 2300)}.{chance.randrange(100):02}" for _ in NAMES)
    frames = "".join(_frame(chance, number) for number in range(FRAMES))
    return (
        f'<mjloggm ver="2.3"><SHUFFLE seed="mt19937ar-sha512-n288-base64,{shuffle}" ref=""/><GO type="169" lobby="0"/>'
        f'<UN {names} dan="16,17,16,18" rate="{rates}" sx="M,F,M,F"/><TAIKYOKU oya="0"/>{frames}</mjloggm>'
    )


def _frame(chance: random.Random, number: int) -> str:
    wall = list(range(TILES))
    chance.shuffle(wall)
    hands = [sorted(wall[who * DEALT : (who + 1) * DEALT]) for who in range(4)]
    indicator, *draws = wall[4 * DEALT : 4 * DEALT + 1 + DRAWS]
    dealt = " ".join(f'hai{who}="{",".join(map(str, hand))}"' for who, hand in enumerate(hands))
    dice = f"{chance.randrange(6)},{chance.randrange(6)}"
    parts = [f'<INIT seed="{number},{number},0,{dice},{indicator}" ten="250,250,250,250" oya="{number % 4}" {dealt}/>']
    for turn, tile in enumerate(draws):
        who = (number + turn) % 4
        hand = [*hands[who], tile]
        # More than half of all discards are the tile just drawn.
        discarded = tile if chance.random() < 0.5 else chance.choice(hand)  # noqa: PLR2004
        hand.remove(discarded)
        hands[who] = hand
        parts.append(f"<{'TUVW'[who]}{tile}/><{'DEFG'[who]}{discarded}/>")
    end = ' owari="250,35.0,250,5.0,250,-15.0,250,-25.0"' if number == FRAMES - 1 else ""
    return f'{"".join(parts)}<RYUUKYOKU ba="{number},0" sc="250,0,250,0,250,0,250,0"{end} />'

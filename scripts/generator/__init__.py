"""The parts of `scripts/play.py`, which plays games of riichi and writes them as mjlog.

The rules here are its own: of the package it takes the tiles, the wall and the names, but neither replay nor score, so
that the two can find each other wrong. From the bottom up:

- `chance`, `rules`, `times`: what all follows from: the seed, the number of the rules, the day
- `shapes`, `melds`, `seat`, `table`, `legal`: the hands, the table, and what may be played
- `value`, `payments`, `ending`, `result`: what wins are worth, who pays, when a game is over
- `grammar`, `scribe`, `people`, `deal`: the log
- `plans`, `mind`, `wishes`: what the players choose
- `frame`, `game`: the play
- `coverage`, `counting`: what has occurred
"""

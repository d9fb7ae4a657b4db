"""The parts of `scripts/play.py`, which plays games of riichi and writes them as mjlog.

The rules here are its own: of the package it takes the tiles, the wall and the names, but neither replay nor score, so
that the two can find each other wrong. From the bottom up:

- `random_source`, `rules`, `eras`: what all follows from: the seed, the number of the rules, the day
- `hand_shapes`, `melds`, `seat`, `table`, `legal_actions`: the hands, the table, and what may be played
- `hand_value`, `payments`, `endings`, `game_end`: what wins are worth, who pays, when a game is over
- `mjlog_grammar`, `mjlog_writer`, `profiles`, `walls`: the log
- `plans`, `policy`, `targets`: what the players choose
- `frame`, `game`: the play
- `coverage`, `coverage_conditions`, `coverage_counts`: what has occurred
"""

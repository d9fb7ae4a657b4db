"""The parts of `scripts/play.py`, which plays games of riichi and writes them as mjlog.

The rules here are its own: of the package it takes the tiles, the wall and the names, but neither replay nor score, so
that the two can find each other wrong. From the bottom up, each importing only what stands before it:

- `random_source`, `rules`, `eras`: what all follows from: the seed, the number of the rules, the day
- `mjlog_grammar`, `coverage_conditions`, `coverage`: the elements of a log, and what can occur in a game
- `hand_shapes`, `melds`, `seat`, `hand_value`, `payments`, `table`: the hands, what wins are worth, and the table
- `legal_actions`, `plans`, `policy`: what may be played, and what the players choose
- `profiles`, `walls`, `mjlog_writer`: the log
- `endings`, `game_end`, `coverage_counts`: how frames and games end, and what has occurred
- `frame`, `game`, `targets`: the play
"""

"""The parts of `scripts/play.py`, which plays games and writes them as mjlog, and as records of other servers.

The rules here are its own: from the package it uses the walls and a few types, but neither replay nor score, so that
errors in either can be found by comparison. Each module imports only modules listed before it:

- `random_source`, `rules`, `eras`: the inputs of a game: its seed, its rules, its day
- `mjlog_grammar`, `coverage_conditions`, `coverage`: the elements of a log, and what can occur in a game
- `tile_kinds`, `hand_shapes`, `melds`: tiles and hands
- `seat`, `hand_value`, `payments`, `table`: the table, what a win is worth, and who pays
- `legal_actions`, `policy`: what a player may do, and the choices of a player
- `plans`, `plan_policy`, `planners`: what a player aims for, and does
- `profiles`, `connections`, `walls`, `mjlog_writer`: the rest of a log, and how it is written
- `endings`, `game_end`, `coverage_counts`: how a frame and a game end, and what has occurred
- `frame`, `players`, `game`: the play
- `targets`: how a rare game is found
- `mahjong_soul_records`, `mahjong_soul_files`: a game as Mahjong Soul records it, in all wrappings
- `riichi_city_writer`: a game as Riichi City records it
"""

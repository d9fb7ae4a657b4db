"""The parts of `scripts/play.py`, which plays games of riichi and writes them as mjlog."""

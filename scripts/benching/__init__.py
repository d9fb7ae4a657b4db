"""The parts of `scripts/bench.py`, which measures the speed of the commands."""

"""The parts of `scripts/fuzz.py`, which searches for inputs that break the readers."""

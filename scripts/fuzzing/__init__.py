"""The parts of `scripts/fuzz.py`, which looks for inputs that the readers cannot bear."""

"""Judges of a match: its order and result, its wall, its score."""

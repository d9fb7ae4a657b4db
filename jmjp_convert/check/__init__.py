"""Judges of whole matches: order and result, the wall, the score."""

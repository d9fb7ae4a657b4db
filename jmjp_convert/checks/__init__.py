"""Checks of whole matches: order and result, wall, score."""

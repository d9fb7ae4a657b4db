"""A data set of games: tables of matches, frames and decisions."""

"""A game in motion: the table, the replay, how frames end and points move."""

"""A game in motion: the table, the replay, and how points move."""

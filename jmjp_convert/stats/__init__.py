"""Statistics of players over many games."""

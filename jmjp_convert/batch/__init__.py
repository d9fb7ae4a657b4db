"""Many games, by two engines: runs with workers and a ledger, and surveys without."""

"""Many games: what is to be converted, the workers, the ledger, the summary."""

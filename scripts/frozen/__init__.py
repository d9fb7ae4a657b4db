"""The single-file program: `scripts/program` makes it and tries it."""

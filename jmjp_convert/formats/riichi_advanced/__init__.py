"""One frame as JSON for Riichi Advanced."""

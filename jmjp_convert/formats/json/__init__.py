"""The model as lines of JSON, and back: the format for programs, ``schema.json`` describes it."""

"""The formats, one folder each, and what several of them share."""

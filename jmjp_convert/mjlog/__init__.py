"""The mjlog format: its tables, its codes, and the reader."""

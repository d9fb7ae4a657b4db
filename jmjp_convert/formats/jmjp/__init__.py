"""The jmjp format: its words, and the writer."""

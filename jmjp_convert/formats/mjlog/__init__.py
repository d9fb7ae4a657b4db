"""Tenhou's mjlog: its tables, its codes, and the reader."""

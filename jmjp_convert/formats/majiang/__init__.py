"""The records of 電脳麻将 (majiang)."""

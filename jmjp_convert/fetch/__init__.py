"""Fetches logs and lists of logs from Tenhou, one request at a time."""

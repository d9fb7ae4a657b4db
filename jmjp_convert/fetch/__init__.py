"""Logs and lists of logs from Tenhou, by one request at a time."""

"""Feeds, fetched side by side."""

"""The story of ``crashwright generate``."""

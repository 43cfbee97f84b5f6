"""The story of ``crashwright reproduce``."""

"""Texts in the formats that programs read: samples to begin a search with, what they may be made of."""

"""Syntax trees to instructions, split by what of the language is lowered."""

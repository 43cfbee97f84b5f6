"""A small language for recipes."""

from recipes.parser import parse

__all__ = ["parse"]

"""The mutants of each operator that subsume all others on numbers (paper 004, section 3.4).

Derived with z3 by ``scripts/derive_subsumption.py``; do not edit.
"""

from collections.abc import Mapping
from types import MappingProxyType

Table = Mapping[str, tuple[str, ...]]

RELATIONAL: Table = MappingProxyType(
    {
        "<": ("<=", "!=", "False"),
        "<=": ("<", "==", "True"),
        "==": ("<=", ">=", "False"),
        "!=": ("<", ">", "True"),
        ">": ("!=", ">=", "False"),
        ">=": ("==", ">", "True"),
    }
)
"""Comparisons of numbers."""
RELATIONAL_OF_BRANCHES: Table = MappingProxyType(
    {
        "<": ("<=", "!="),
        "<=": ("<", "=="),
        "==": ("<=", ">="),
        "!=": ("<", ">"),
        ">": ("!=", ">="),
        ">=": ("==", ">"),
    }
)
"""Comparisons of numbers both outcomes of which are branch goals: those kill the other mutants."""
ARITHMETIC: Table = MappingProxyType(
    {
        "+": ("*",),
        "-": ("//", "%"),
        "*": ("**",),
        "/": ("+",),
        "//": ("-", "*", "%"),
        "%": ("-", "//", "**"),
        "**": ("*", "%"),
    }
)
"""Arithmetic on positive ints."""
BITWISE: Table = MappingProxyType(
    {
        "&": ("|",),
        "|": ("&", "^"),
        "^": ("|",),
    }
)
"""Bitwise operators on ints."""

"""Calls of methods of texts with literal arguments: ``_.rstrip(', ')``, a part of what they give (``_.split(',')[1]``), or how many
parts that is (``len(_.split(','))``). ``_`` is the text. A term has such a call as its payload (``core.terms.Op.CALLED``): one
writing that people read, that is computed on live texts, and that the solver is told what it knows of. Calls of regular
expressions are such calls too (``core.pattern_calls``).
"""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from crashwright.core.pattern_calls import PatternCall, read_pattern

CHANGES: Final = frozenset(
    (
        "capitalize casefold center expandtabs ljust lstrip removeprefix removesuffix replace rjust rstrip strip swapcase title "
        "zfill"
    ).split()
)
TESTS: Final = frozenset(
    "isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper".split()
)
NUMBERS: Final = frozenset({"count", "rfind"})
LISTS: Final = frozenset({"split", "rsplit", "splitlines", "rpartition"})
LONGEST: Final = 100_000
"""Characters of texts that are looked at."""


class TextCall(NamedTuple):
    """``part``: which part of the result; ``counted``: how many there are. Parts and counts are of ``LISTS`` alone."""

    method: str
    args: tuple[str | int | None, ...] = ()
    part: int | None = None
    counted: bool = False

    @property
    def written(self) -> str:
        """As an expression of ``_``."""
        return self.written_of("_")

    def written_of(self, text: str) -> str:
        """As an expression of a text."""
        call = f"{text}.{self.method}({', '.join(map(repr, self.args))})"
        return f"len({call})" if self.counted else call if self.part is None else f"{call}[{self.part}]"

    @property
    def kind(self) -> type[str] | type[bool] | type[int]:
        """The type of what it makes."""
        if self.method in TESTS:
            return bool
        return int if self.counted or self.method in NUMBERS else str

    def of(self, text: str) -> str | bool | int | None:
        """What it makes of a text; None where that fails, is too long, or has no such part."""
        if len(text) > LONGEST or any(isinstance(one, int) and one > LONGEST for one in self.args):
            return None
        try:
            found = getattr(text, self.method)(*self.args)
            if self.counted:
                return len(found)
            made: str | bool | int = found if self.part is None else found[self.part]
            return made
        except (TypeError, ValueError, LookupError):
            return None


def read(text: str) -> TextCall | PatternCall:
    """The inverse of ``written``. Raises ValueError for anything else."""
    if (pattern := read_pattern(text)) is not None:
        return pattern
    try:
        tree: ast.expr = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(str(error)) from None
    counted = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "len" and len(tree.args) == 1
    part: int | None = None
    if counted and isinstance(tree, ast.Call):
        tree = tree.args[0]
    elif isinstance(tree, ast.Subscript):
        part = ast.literal_eval(tree.slice)
        tree = tree.value
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and not tree.keywords):
        raise ValueError(f"no call of a text: {text:.80}")
    found = TextCall(tree.func.attr, tuple([ast.literal_eval(one) for one in tree.args]), part, counted)
    if found.written != text or found.method not in CHANGES | TESTS | NUMBERS | LISTS:
        raise ValueError(f"no call of a text: {text:.80}")
    return found

"""Calls of regular expressions with a literal pattern: ``re.search('a+', _) is not None``, a group of what they find
(``re.match('(a)b', _)[1]``), whether that is there (``re.match('(a)?b', _)[1] is not None``), and ``re.sub('a', 'b', _)``. ``_`` is
the text. Flags stand in the pattern (``(?i)``). They are payloads of terms as other calls of texts are (``core.text_calls``).
"""

from __future__ import annotations

import ast
import re
from typing import Final, NamedTuple

FINDING: Final = frozenset({"match", "search", "fullmatch"})
LONGEST: Final = 2_000
"""Characters of texts that are looked at: a pattern may take very long on others."""
_TESTED: Final = " is not None"


class PatternCall(NamedTuple):
    """``method`` is one of FINDING, or "sub" with its ``replacement``. ``group``: by its number; where it is None, the whole."""

    method: str
    pattern: str
    replacement: str = ""
    group: int | None = None
    tested: bool = False

    def written_of(self, text: str) -> str:
        """As an expression of a text."""
        if self.method == "sub":
            return f"re.sub({self.pattern!r}, {self.replacement!r}, {text})"
        group = "" if self.group is None else f"[{self.group}]"
        return f"re.{self.method}({self.pattern!r}, {text}){group}{_TESTED if self.tested else ''}"

    @property
    def written(self) -> str:
        """As an expression of ``_``."""
        return self.written_of("_")

    @property
    def kind(self) -> type[str] | type[bool] | type[int]:
        """The type of what it makes."""
        return bool if self.tested else str

    def of(self, text: str) -> str | bool | int | None:
        """What it makes of a text; None where that fails, takes too long, or there is no such group."""
        if len(text) > LONGEST:
            return None
        try:
            if self.method == "sub":
                return re.sub(self.pattern, self.replacement, text)
            found: re.Match[str] | None = getattr(re, self.method)(self.pattern, text)
            if self.tested:
                return found is not None and (self.group is None or found[self.group] is not None)
            group: str | None = None if found is None else found[self.group or 0]
        except (re.error, IndexError, RecursionError, OverflowError):
            return None
        return group


def read_pattern(text: str) -> PatternCall | None:
    """The inverse of ``written``; None for anything else."""
    tested = text.endswith(_TESTED)
    try:
        tree: ast.expr = ast.parse(text.removesuffix(_TESTED), mode="eval").body
        group: int | None = None
        if isinstance(tree, ast.Subscript):
            group = ast.literal_eval(tree.slice)
            tree = tree.value
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute) or ast.unparse(tree.func.value) != "re":
            return None
        literal = [ast.literal_eval(one) for one in tree.args[:-1]]
    except (SyntaxError, ValueError):
        return None
    if len(literal) not in (1, 2) or not all(isinstance(one, str) for one in literal):
        return None
    found = PatternCall(tree.func.attr, literal[0], literal[1] if len(literal) > 1 else "", group, tested)
    return found if found.written == text and found.method in FINDING | {"sub"} else None

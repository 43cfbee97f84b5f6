"""How ``--update`` knows what we wrote: each test's fingerprint stands in a comment at the end of the file. A test or import that
was edited, comments included, no longer has a fingerprint there, and is its author's; one that was reformatted still has."""

from __future__ import annotations

import ast
import hashlib
import io
import re
import tokenize
from collections.abc import Iterable

_MARK = "# crashwright: "
_HEADING = "# What was generated, by fingerprint: --update replaces that and nothing else."
_LINE = re.compile(r"# crashwright:((?: [0-9a-f]{8})+)")
_PER_LINE = 8
_NEW = frozenset({"is_lazy"})
"""Fields that older versions of Python do not have: 3.15 says of each import whether it is lazy. They count if they say so."""


def fingerprint(node: ast.AST, source: str) -> str:
    """Eight hex digits for a definition or an import whose text is ``source``."""
    content = _structure(node) + "\n".join(_comments(source))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def fingerprint_lines(prints: Iterable[str]) -> list[str]:
    """The comment."""
    ordered = sorted(set(prints))
    rows = [ordered[start : start + _PER_LINE] for start in range(0, len(ordered), _PER_LINE)]
    return [_HEADING, *(_MARK + " ".join(row) for row in rows)] if rows else []


def is_fingerprint_line(line: str) -> bool:
    """Is it a line of the comment?"""
    return line.rstrip() == _HEADING or _LINE.fullmatch(line.rstrip()) is not None


def known_fingerprints(text: str) -> frozenset[str]:
    """Those in the comment of a file."""
    found = (_LINE.fullmatch(line.rstrip()) for line in text.splitlines())
    return frozenset(word for match in found if match is not None for word in match[1].split())


def _structure(node: object) -> str:
    """As ``ast.dump``, but the same in every version of Python."""
    if isinstance(node, ast.AST):
        told = [
            (name, value) for name, value in ast.iter_fields(node) if value not in (None, [], "") and (value or name not in _NEW)
        ]
        fields = [f"{name}={_structure(value)}" for name, value in told]
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(_structure, node))}]"
    return repr(node)


def _comments(source: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):  # a method's text alone is indented: then what looks like a comment counts
        return [line.strip() for line in source.splitlines() if line.lstrip().startswith("#")]
    return [token.string for token in tokens if token.type == tokenize.COMMENT]

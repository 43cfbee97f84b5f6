"""What ``pytest.raises`` matches: the beginning of a message as a regular expression that can be read."""

from __future__ import annotations

import re

from crashwright.engine.testcase.printing.literals import quoted

LONGEST = 60
"""Characters of a pattern, quotes included."""
_HARMLESS = re.compile(r"\\([ #&~-])")


def pattern(message: str, longest: int = LONGEST) -> str:
    """The regular expression for what a message begins with, as a literal; "" where there is nothing to match."""
    text = message.strip().partition("\n")[0].strip()
    if not text or not text.isprintable():
        return ""
    while len(_pattern_literal(text)) > longest:
        shorter = text[: min(len(text) - 1, longest)]
        text = shorter[: shorter.rfind(" ")] if " " in shorter[longest // 3 :] else shorter
        if len(text) < 3:
            return ""
    return _pattern_literal(text)


def _pattern_literal(text: str) -> str:
    escaped = _HARMLESS.sub(r"\1", re.escape(text))
    if "\\" not in escaped:
        return quoted(escaped)
    if '"' not in escaped:
        return f'r"{escaped}"'
    return f"r'{escaped}'" if "'" not in escaped else quoted(escaped)

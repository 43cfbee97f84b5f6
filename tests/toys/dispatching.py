"""A computed name, and a guard on a field that another method writes."""

from __future__ import annotations

CALLS = 0


class Visitor:
    """Comes to ``visit_zork_mid`` by the word alone."""

    def __init__(self) -> None:
        self.mode = "plain"
        self.seen: list[str] = []

    def visit(self, word: str, value: str) -> str:
        """What the report begins with."""
        name = f"visit_{word}"
        self.seen.append(word)
        return str(getattr(self, name.replace("-", "_"), self.other)(value))

    def other(self, value: str) -> str:
        """Any word."""
        return value

    def visit_zork_mid(self, value: str) -> str:
        """What crashes."""
        if self.mode == "open" and CALLS >= 0:
            return value[99]
        return value

    def set_mode(self, mode: str) -> None:
        """Whoever calls this writes the field."""
        self.mode = "open" if mode == "brmk-9" else "plain"

    def counted(self) -> int:
        """Writes another field."""
        self.seen.clear()
        return 17_171

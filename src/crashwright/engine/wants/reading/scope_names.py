"""The names that an expression can see, and what they mean."""

from __future__ import annotations

from crashwright.engine.wants.reading.values import ClassSymbol, FunctionSymbol, Term


class ScopeNames:
    """The names of one function, class or module, and what is around it."""

    __slots__ = ("function", "is_class", "known", "outer", "owner", "prefix")

    def __init__(self, outer: ScopeNames | None, known: dict[str, Term], prefix: str = "") -> None:
        self.outer = outer
        self.known = known
        self.prefix = prefix
        self.is_class = False
        self.function: FunctionSymbol | None = None if outer is None else outer.function
        self.owner: ClassSymbol | None = None if outer is None else outer.owner

    def find(self, name: str) -> Term:
        """None where no function around has it: then it is one of the module."""
        here: ScopeNames | None = self
        while here is not None and here.outer is not None:
            if name in here.known and (not here.is_class or here is self):
                return here.known[name]
            here = here.outer
        return None

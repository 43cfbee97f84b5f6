"""A test that is being written: its statements so far, and the numbers of their variables."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.testcase import statements as st


class ComposedDraft:
    """Of one test."""

    def __init__(self) -> None:
        self.statements: list[st.Statement] = []
        self._variables = 0

    def fresh(self) -> st.Variable:
        """A variable that nothing holds yet."""
        self._variables += 1
        return self._variables - 1

    def append(self, made: Callable[[st.Variable], st.Statement]) -> st.Variable:
        """A statement that makes a new variable, which is returned."""
        variable = self.fresh()
        self.statements.append(made(variable))
        return variable

    def held(self, value: st.Value) -> st.Variable:
        """The variable of a value: a new one, where it is no reference to one."""
        if isinstance(value, st.Ref):
            return value.variable
        return self.append(lambda variable: st.Literal(variable, value))

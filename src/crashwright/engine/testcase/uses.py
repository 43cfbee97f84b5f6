"""Who uses what in a test, with each definition apart even where a variable is defined twice, and what can be written in
place of its name."""

from __future__ import annotations

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import is_pure
from crashwright.engine.testcase.statements import Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.variables import defined, used

_LAZY = (st.StubCallable, st.StubClass, st.Definition)
_TINY = 8
_LONG = 40


class Uses:
    """``users[i]`` are the statements that read what statement i defines, with repetitions; ``needed[i]`` is false for
    statements that have no effect and no needed user."""

    __slots__ = ("needed", "statements", "users")

    def __init__(self, statements: tuple[Statement, ...]) -> None:
        self.statements = statements
        self.users: list[list[int]] = [[] for _ in statements]
        sources: list[list[int]] = []
        current: dict[Variable, int] = {}
        for index, statement in enumerate(statements):
            sources.append([current[variable] for variable in used(statement)])
            variable = defined(statement)
            if variable is not None:
                current[variable] = index
        self.needed = [False] * len(statements)
        for index in range(len(statements) - 1, -1, -1):
            if self.users[index] or not is_pure(statements[index]):
                self.needed[index] = True
                for source in sources[index]:
                    self.users[source].append(index)

    def in_place(self, index: int, length: int) -> bool:
        """Can the statement be written where it is used: no effect, and used once or tiny or a mere name? ``length`` is that
        of its text."""
        statement = self.statements[index]
        if not is_pure(statement):
            return False
        users = self.users[index]
        plain = isinstance(statement, st.Literal) and type(statement.value) is not Display
        if isinstance(statement, st.Literal) and any(_odd_literal(self.statements[user], statement.variable) for user in users):
            return False
        if any(type(self.statements[user]) in _LAZY for user in users):
            return isinstance(statement, st.Reference) or (plain and length <= _LONG)
        if isinstance(statement, st.Reference) or (plain and length <= _TINY):
            return True
        if len(users) > 1 or (isinstance(statement, st.StubCallable) and statement.raises is not None):
            return False
        return length <= _LONG or self._is_item(index, self.statements[users[0]])

    def moves_to(self, index: int, inlined: set[int]) -> bool:
        """Can the expression of this effectful statement be written inside the next statement: its only user, with nothing
        between but what is written in place (``inlined``) or not at all?"""
        users = self.users[index]
        if len(users) != 1 or is_pure(self.statements[index]) or type(self.statements[users[0]]) in _LAZY:
            return False
        user = users[0]
        reader = self.statements[user]
        if isinstance(reader, st.Within) and reader.manager != defined(self.statements[index]):
            return False  # it would be evaluated within the block
        between = range(index + 1, user)
        return user not in inlined and all(not self.needed[k] or k in inlined for k in between)

    def _is_item(self, index: int, user: Statement) -> bool:
        """Is it passed as an argument or an element, where a long text can be broken over lines?"""
        variable = defined(self.statements[index])
        match user:
            case st.Literal(value=value):
                return _directly(value, variable)
            case st.MethodCall():
                return user.receiver != variable and not user.name.startswith("__")
            case st.CallValue():
                return user.function != variable
            case st.SetAttribute():
                return user.value == variable
        return isinstance(user, st.Call)


def _odd_literal(user: Statement, variable: Variable | None) -> bool:
    """Would Python warn about a literal in this place: subscripted, called, compared by identity?"""
    match user:
        case st.GetItem() | st.SetItem() | st.DeleteItem():
            return user.receiver == variable
        case st.MethodCall():
            return user.receiver == variable and user.name.startswith("__")
        case st.CallValue():
            return user.function == variable
    return isinstance(user, st.Operation) and user.operator in ("is", "is not")


def _directly(value: Value, variable: Variable | None) -> bool:
    """As an element, not as a key."""
    if type(value) is not Display:
        return False
    for item in value.items:
        part = item[1] if type(item) is tuple and type(item) not in (Ref, Display) else item
        if type(part) is Ref and part.variable == variable:
            return True
        if type(part) is Display and _directly(part, variable):
            return True
    return False

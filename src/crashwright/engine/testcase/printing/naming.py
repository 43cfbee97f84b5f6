"""Names for the variables of a printed test: after the classes that they are of and the parameters that they are passed to."""

from __future__ import annotations

from typing import Protocol, TypeGuard

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import is_class_source, name_of
from crashwright.engine.testcase.statements import INVOKE, Arguments, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.wants.parameter_names import snake_case

_LONGEST = 30
_STANDARD = {
    "datetime:date": ("year", "month", "day"),
    "datetime:datetime": ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    "datetime:time": ("hour", "minute", "second", "microsecond"),
    "datetime:timedelta": ("days", "seconds", "microseconds"),
    "decimal:Decimal": ("number",),
    "fractions:Fraction": ("numerator", "denominator"),
    "uuid:UUID": ("digits",),
}
"""Parameters of constructors written in C, which have no signature to read."""
_MOCK = "unittest.mock:Mock"
_VERBS = ("test_", "get_", "make_", "create_", "build_", "load_", "read_", "parse_", "to_", "from_", "new_")


class Naming(Protocol):
    """Names variables. The printer makes the names unique and keeps them off keywords, builtins and imports."""

    def name(self, statement: Statement, test: TestCase) -> str | None:
        """A name for the variable that ``statement`` defines in ``test``; None for the default."""
        ...


class DefaultNaming:
    """The default names."""

    def name(self, statement: Statement, test: TestCase) -> str | None:
        """See :class:`Naming`."""
        return default_name(statement, test)


def default_name(statement: Statement, test: TestCase) -> str:
    """Instances after their class, the rest after the first parameter that they are passed to, or after how they were made."""
    if isinstance(statement, st.Call) and statement.callee.address == _MOCK:
        return _double_name(statement.variable, test)
    if isinstance(statement, st.Call) and statement.callee.kind is CalleeKind.CLASS:
        return _tidy(snake_case(statement.callee.name)) or "value"
    if isinstance(statement, st.CallValue):
        made = next((one for one in test.statements if isinstance(one, st.Definition) and one.variable == statement.function), None)
        if made is not None and is_class_source(made.source):
            return _tidy(snake_case(name_of(made.source))) or "instance"
        called = next((one.named.qualname for one in test.statements if _holds(one, statement.function)), "").rpartition(".")[2]
        if called[:1].isupper() and not called.isupper():
            return _tidy(snake_case(called)) or "instance"
    if isinstance(statement, st.StubClass):
        return _tidy(snake_case(statement.name)) or "stub"
    if isinstance(statement, st.Within) and statement.content is not None:
        makers = (one.name for one in test.statements if isinstance(one, st.MethodCall) and one.variable == statement.manager)
        return _tidy(next(makers, "").partition("_")[0]) or "entered"
    if isinstance(statement, st.Enter | st.Within):
        return _entered_name(statement.manager, test)
    if isinstance(statement, st.FileFixture):
        return "path"
    return _parameter_name(statement[0], test) or _made_name(statement)


def _entered_name(manager: Variable, test: TestCase) -> str:
    """After the class of what is entered, which most often gives itself: ``with TestClient(app) as client``."""
    made = (one.callee for one in test.statements if isinstance(one, st.Call) and one.variable == manager)
    cls = next((one.name for one in made if one.kind is CalleeKind.CLASS), "")
    return _tidy(snake_case(cls).removeprefix("test_")) or "entered"


def _double_name(variable: Variable, test: TestCase) -> str:
    """After what it stands for, or what it is passed as."""
    for statement in test.statements:
        if isinstance(statement, st.Ambient) and statement.content == st.Ref(variable):
            return _tidy(statement.name.rpartition(".")[2].rpartition(":")[2]) or "double"
    name = _parameter_name(variable, test)
    return "answer" if name in (None, "return_value", "side_effect") else name or "answer"


def _holds(statement: Statement, variable: Variable) -> TypeGuard[st.Reference]:
    return isinstance(statement, st.Reference) and statement.variable == variable


def _parameter_name(variable: Variable, test: TestCase) -> str | None:
    for statement in test.statements:
        if isinstance(statement, st.MethodCall) and statement.name == INVOKE and statement.callee is None:
            name = "arguments" if variable in statement.arguments.positional[1:2] else None
        elif isinstance(statement, st.Call | st.MethodCall):
            name = _passed_as(variable, statement.arguments, statement.callee)
        elif isinstance(statement, st.SetAttribute) and statement.value == variable:
            name = statement.name
        elif isinstance(statement, st.Ambient) and statement.place == "attribute" and statement.content == st.Ref(variable):
            name = statement.name.rpartition(".")[2]
        else:
            continue
        if name is not None and _tidy(name):
            return _tidy(name)
    return None


def _passed_as(variable: Variable, arguments: Arguments, callee: Callee | None) -> str | None:
    for name, passed in arguments.keywords:
        if passed == variable:
            return name
    if callee is not None and not callee.name.startswith("__"):
        names = _STANDARD.get(callee.address) or [parameter.name for parameter in callee.parameters]
        for passed, name in zip(arguments.positional, names, strict=False):
            if passed == variable:
                return name
    if variable == arguments.star:
        return "args"
    return "kwargs" if variable == arguments.double_star else None


def _made_name(statement: Statement) -> str:
    if isinstance(statement, st.Call | st.MethodCall):
        name = statement.callee.name if isinstance(statement, st.Call) else statement.name
        for verb in _VERBS:
            if name.startswith(verb):
                return _tidy(name.removeprefix(verb)) or "result"
        return "result"
    if isinstance(statement, st.GetAttribute):
        return _tidy(statement.name) or "value"
    return _BY_KIND.get(type(statement), "value")


def _tidy(name: str) -> str:
    """As an identifier in snake case; "" where nothing remains of it."""
    plain = snake_case(name.strip("_"))
    return plain if plain.isidentifier() and len(plain) <= _LONGEST else ""


_BY_KIND: dict[type, str] = {
    st.CallValue: "result",
    st.Await: "result",
    st.Iterate: "items",
    st.GetItem: "item",
    st.StubCallable: "function",
    st.RunModule: "module",
}

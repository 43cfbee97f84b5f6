"""Mocks that a test hands over: of what a protocol asks for, of classes that only say what others have to do, and of functions.

A class of the test answers too, but nobody can ask it afterwards what it was called with: a mock says what the code did with it.
``Mock(spec=Accounts, get=Mock(return_value=Account(1, "ann")))``.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from random import Random

from crashwright.engine.subject.api.callee import MOCKS
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, accepts, is_any
from crashwright.engine.subject.introspection import (
    abstract_methods,
    class_dict,
    class_home,
    class_mro,
    identities,
    is_class,
    is_protocol,
    static_attribute,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.testcase.making.declaring import ClassMember, is_not_implemented, member_of, missing_members
from crashwright.engine.testcase.making.definitions import constructor_of, result_of
from crashwright.engine.testcase.making.demanded import NAMESPACES
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Arguments, Call, Named, Reference, Statement, Value, Variable

_DEPTH = 2  # however deep the mock itself: an answer is looked at as an argument of the call is
_NOTHING = type(None)
_OF_TYPES = ("typing", "typing_extensions", "types", "enum", "abc")
"""Libraries that say what others are."""
_DECLARING = ("abc", "typing", "typing_extensions")
"""Homes of bases that only say that a class is abstract."""
_FUNCTIONS = identities(type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
NO_RESULTS: Mapping[str, Value] = types.MappingProxyType({})


def _empty() -> None: ...


def _documented() -> None:
    """Nothing."""


_EMPTY = frozenset({_empty.__code__.co_code, _documented.__code__.co_code})


def mock_of(
    builder: StatementBuilder, statements: list[Statement], cls: type, rng: Random, results: Mapping[str, Value] = NO_RESULTS
) -> Variable:
    """Appends a mock of ``cls``, whose methods return what they declare to return; some of these values may be known."""
    spec = builder.new()
    constructor = constructor_of(builder, cls)
    statements.append(Reference(spec, Named(constructor.module, constructor.qualname, cls)))
    keywords = [("spec", spec)]
    for member in members_of(cls):
        result = result_of(cls, member.name)
        if member.yields or not _is_told(result):
            continue
        if member.name in results:
            value = builder.literal(statements, results[member.name])
        else:
            value = builder.argument(statements, result, rng, _DEPTH, member.name, legal=True)
        if not (member.attribute or member.before == "@property"):
            value = mock_call(builder, statements, "AsyncMock" if member.is_async else "Mock", (("return_value", value),))
        keywords.append((member.name, value))
    return mock_call(builder, statements, "Mock", tuple(keywords))


def mock_call(
    builder: StatementBuilder, statements: list[Statement], name: str, keywords: tuple[tuple[str, Variable], ...]
) -> Variable:
    """Appends a call of ``name`` of the standard library's module of mocks."""
    variable = builder.new()
    statements.append(Call(variable, builder.api.standard(MOCKS, name), Arguments((), keywords)))
    return variable


def mocked_function(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random) -> Variable:
    """Appends a mock of the function that ``hint`` asks for."""
    arguments = hint.arguments if isinstance(hint, ClassHint) else ()
    result = arguments[-1] if arguments else None
    if result is None or not _is_told(result):
        return mock_call(builder, statements, "Mock", ())
    value = builder.argument(statements, result, rng, _DEPTH, legal=True)
    return mock_call(builder, statements, "Mock", (("return_value", value),))


def is_meant_to_be_called(statement: Statement, cls: type, hint: Hint, is_own: Callable[[type], bool]) -> bool:
    """Whether the object of ``cls`` that the statement makes is there to be called as the callable ``hint`` says. A connection of
    sqlite3 can be called as well, but nobody hands it over in place of a function; and a class only makes its instances."""
    arguments = hint.arguments if isinstance(hint, ClassHint) else ()
    if cls is type and isinstance(statement, Reference) and is_class(statement.named.live):
        return not arguments or not _is_told(arguments[-1]) or accepts(arguments[-1], statement.named.live)
    return id(cls) in _FUNCTIONS or class_home(cls) == MOCKS or is_own(cls)


def members_of(cls: type) -> list[ClassMember]:
    """What somebody else has to do for ``cls``: its missing members, or methods that do nothing."""
    return missing_members(cls) or [member_of(cls, name) for name in _idle(cls)]


def can_mock(cls: type) -> bool:
    """Whether a mock can do what is asked for: be called by name, and not with operators or in a loop."""
    return not any(member.name.startswith("_") or member.yields for member in members_of(cls))


def is_interface(cls: type) -> bool:
    """Whether all that the class does itself is to say that others have to: each public method is empty or not implemented."""
    own = _own(cls)
    return bool(own) and len(class_mro(cls)) == 2 and own == [*_idle(cls)]


def _own(cls: type) -> list[str]:
    return [name for name, member in class_dict(cls).items() if type(member) is types.FunctionType and not name.startswith("_")]


def _is_abstract(cls: type) -> bool:
    """Whether each of its public methods is abstract, and it has no other base than those that say that it is."""
    bases = [base for base in class_mro(cls)[1:-1] if class_home(base) not in _DECLARING]
    return not bases and bool(_own(cls)) and abstract_methods(cls).issuperset(_own(cls))


def stands_for_others(cls: type) -> bool:
    """Whether a mock says more than any other stand-in for an object of the class."""
    return (is_protocol(cls) or is_interface(cls) or _is_abstract(cls)) and bool(members_of(cls)) and can_mock(cls)


def answers_of(cls: type) -> dict[str, Hint]:
    """What the methods of a mock of the class declare to return, those that do."""
    found = {one.name: result_of(cls, one.name) for one in members_of(cls) if not one.yields}
    return {name: hint for name, hint in found.items() if _is_told(hint)}


def _idle(cls: type) -> Iterator[str]:
    for name, member in class_dict(cls).items():
        function = function_of(member)
        if function is not None and not name.startswith("_") and _does_nothing(function.__code__):
            yield name


def _does_nothing(code: types.CodeType) -> bool:
    """Or only says that it is not implemented."""
    return is_not_implemented(code) or (code.co_code in _EMPTY and code.co_consts[-1:] == (None,))


def _is_told(hint: Hint) -> bool:
    """Whether it says what comes back, and that something does."""
    if isinstance(hint, UnionHint):
        return True
    return not is_any(hint) and not (isinstance(hint, ClassHint) and hint.cls is _NOTHING)


def mocked_class(hint: Hint, module: str) -> type | None:
    """The class of another ``module`` that a mock may answer for where ``hint`` is asked for, if there is one."""
    if isinstance(hint, UnionHint):
        return next((found for one in hint.members if (found := mocked_class(one, module)) is not None), None)
    if not isinstance(hint, ClassHint) or id(hint.cls) in NAMESPACES:
        return None
    return hint.cls if _can_answer_for(hint.cls, module) else None


def _can_answer_for(cls: type, module: str) -> bool:
    """Whether a mock may answer for an object of the class: one of another module that does something. A value is its own best
    stand-in, a container too."""
    home = class_home(cls)
    if home == module or home.partition(".")[0] in _OF_TYPES or home == "collections.abc" or is_protocol(cls):
        return False
    if any(class_home(base) == "builtins" for base in class_mro(cls)[:-1]) or "__dataclass_fields__" in class_dict(cls):
        return False
    compares = static_attribute(cls, "__eq__")
    hashes = static_attribute(cls, "__hash__")
    return compares is None or compares[0] is object or hashes is None or hashes[1] is None

"""The statements that a test is made of: immutable values, each defining at most one variable.

A variable is a plain int, unique to the statement that created it and kept when the statement is mutated, so that tests which share
an ancestor share names and a crossover needs no renumbering: a later statement that defines a variable again simply rebinds it.
Definition before use is the one invariant; ``TestCase.is_valid`` checks it and every edit keeps it.

Statements are named tuples: cheap to make, immutable, and the interpreter dispatches on their class. Compare them with
:func:`same`, never ``==``: named tuples of different classes can be equal.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeGuard

from crashwright.engine.subject.api.callee import MOCKS, Callee

Variable = int
Scalar = None | bool | int | float | complex | str | bytes


class Ref(NamedTuple):
    """The value of a variable, inside a display."""

    variable: Variable


class Display(NamedTuple):
    """A container built afresh at each run: kind is list, tuple, set, frozenset, dict or bytearray. Items are values; those of a
    dict are (key, value) pairs as tuples of two values; a bytearray has one item, its bytes."""

    kind: str
    items: tuple[object, ...]


Value = Scalar | Ref | Display


def same_value(one: Value, other: Value) -> bool:
    """Whether two literals are written alike: nan is nan, 1 is not True, 0.0 is not -0.0."""
    return type(one) is type(other) and repr(one) == repr(other)


def one_nan(value: Value) -> Value:
    """``value``, where it is a nan the one of ``math``: nan is only found again, and hashed alike, by its identity."""
    return math.nan if type(value) is float and value != value else value


"""A literal as a tree. ``Ref`` points to earlier variables."""


class Named(NamedTuple):
    """Something importable by address: a class, function, constant, enum member. ``live`` is the object (None on the host).
    Compared and shown by address: the subject's own ``__eq__``, ``__hash__`` and ``__repr__`` are none of our business."""

    module: str
    qualname: str
    live: object = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:2])

    def __repr__(self) -> str:
        return f"Named({self.module!r}, {self.qualname!r})"


class Made(NamedTuple):
    """``named(*positional, **keywords)``: in the expected value of an assertion alone, and there in whatever containers, as is
    ``Named``. No test is made of it."""

    named: Named
    positional: tuple[object, ...] = ()
    keywords: tuple[tuple[str, object], ...] = ()


Expected = Value | Named | Made
"""What an assertion compares with."""


class Literal(NamedTuple):
    """``variable = value``"""

    variable: Variable
    value: Value


class Reference(NamedTuple):
    """``variable = module.qualname``: classes and functions as values, constants, enum members."""

    variable: Variable
    named: Named


class Arguments(NamedTuple):
    """What is passed: positional variables, keywords, and at the end ``*star`` and ``**double_star``."""

    positional: tuple[Variable, ...] = ()
    keywords: tuple[tuple[str, Variable], ...] = ()
    star: Variable | None = None
    double_star: Variable | None = None


NO_ARGUMENTS = Arguments()


class Call(NamedTuple):
    """``variable = module.qualname(arguments)`` for functions, classes, static and class methods."""

    variable: Variable
    callee: Callee
    arguments: Arguments


def is_mock(statement: object) -> TypeGuard[Call]:
    """Whether it makes a mock."""
    return isinstance(statement, Call) and statement.callee.module == MOCKS


class MethodCall(NamedTuple):
    """``variable = receiver.name(arguments)``; ``callee`` is what the factory meant to call, where it knew (None: by name only)."""

    variable: Variable
    receiver: Variable
    name: str
    arguments: Arguments
    callee: Callee | None = None


class CallValue(NamedTuple):
    """``variable = function(arguments)``: a variable that holds a callable is called; ``callee`` is what that stands in for, where
    it is known (the base of a class that the test defines)."""

    variable: Variable
    function: Variable
    arguments: Arguments
    callee: Callee | None = None


class GetAttribute(NamedTuple):
    """``variable = receiver.name``"""

    variable: Variable
    receiver: Variable
    name: str


class SetAttribute(NamedTuple):
    """``receiver.name = value``"""

    receiver: Variable
    name: str
    value: Variable


class DeleteAttribute(NamedTuple):
    """``del receiver.name``"""

    receiver: Variable
    name: str


class GetItem(NamedTuple):
    """``variable = receiver[key]``"""

    variable: Variable
    receiver: Variable
    key: Variable


class SetItem(NamedTuple):
    """``receiver[key] = value``"""

    receiver: Variable
    key: Variable
    value: Variable


class DeleteItem(NamedTuple):
    """``del receiver[key]``"""

    receiver: Variable
    key: Variable


class Operation(NamedTuple):
    """``variable = left operator right`` or ``operator operand``. Operators as in source:
    ``+ - * / // % ** @ << >> & | ^ == != < <= > >= in "not in" is "is not"``; unary ``- + ~ not`` with one operand; ``slice`` with
    three operands builds ``slice(a, b, c)``."""

    variable: Variable
    operator: str
    operands: tuple[Variable, ...]


class Iterate(NamedTuple):
    """Drives an iterable. mode ``for`` exhausts it in a loop, ``list`` collects it, ``next`` takes one item; ``for`` and ``list``
    stop after ``limit`` items where it is given (infinite generators)."""

    variable: Variable
    iterable: Variable
    mode: str
    limit: int | None = None


class Enter(NamedTuple):
    """``with manager as variable:`` around all that follows; ``is_async`` for ``async with``."""

    variable: Variable
    manager: Variable
    is_async: bool = False


class Within(NamedTuple):
    """``with manager as variable:`` around one line, ``raise error`` or (None) ``pass``: what follows stands behind the block;
    ``is_async`` for ``async with``. ``content``, a dictionary, is what what is entered gets for its items:
    ``variable[key] = value``."""

    variable: Variable
    manager: Variable
    error: Variable | None = None
    is_async: bool = False
    content: Value = None

    @property
    def filling(self) -> tuple[tuple[Value, Value], ...]:
        """The items, key and value."""
        return self.content.items if type(self.content) is Display else ()  # type: ignore[return-value]


class Await(NamedTuple):
    """``variable = await awaitable``; the whole test then runs under one ``asyncio.run``. mode ``await``, or
    ``list`` for ``[x async for x in awaitable]``."""

    variable: Variable
    awaitable: Variable
    mode: str = "await"


class StubCallable(NamedTuple):
    """``variable = lambda PARAMETERS: result``. ``parameters`` is the text between ``lambda`` and the colon, such as ``x`` or
    ``*args, **kwargs``. ``raises`` names a builtin exception class that the stub raises instead (printed as a small ``def``)."""

    variable: Variable
    parameters: str
    result: Value
    raises: str | None = None


class StubClass(NamedTuple):
    """A small class defined in the test, and ``variable`` bound to the class (``instantiate`` false) or to an instance of it.
    ``members`` are (name, kind, value): kind ``attribute`` (class attribute), ``method`` (returns value for any arguments),
    ``property``."""

    variable: Variable
    name: str
    bases: tuple[Named, ...]
    members: tuple[tuple[str, str, Value], ...]
    instantiate: bool = True


class Definition(NamedTuple):
    """``variable`` is the class or function that ``source``, one statement, defines (``testcase.definitions``). ``names`` are those
    that it takes from around it, but for builtins: importable objects, and variables."""

    variable: Variable
    source: str
    names: tuple[tuple[str, Named | Ref], ...] = ()


class FileFixture(NamedTuple):
    """``variable = str(path)`` of a file ``name`` in the test's own temporary folder (``tmp_path``) with this content; text is
    UTF-8."""

    variable: Variable
    name: str
    content: str | bytes


USUAL_UMASK = 0o022
PROGRAM = "program"
"""What stands before the arguments of a program without a name."""


INVOKE = "invoke"
"""The method of a runner for tests that gives a program the words of a command line."""
CAPTURES = {"output": "capsys", "log": "caplog"}
"""Places of an ``Ambient`` that note what a test does, and pytest's fixtures for that."""


HOME_OF_TESTS = "__main__"
"""The module that classes have which a test defines, while it is run here."""


class Ambient(NamedTuple):
    """What the process has around the calls until the test is over. ``variable`` is that content. By ``place``:

    - ``environ``, ``argv``, ``stdin``: the variable ``name`` of the environment (None: it is not set), the arguments of the program
      ``name`` (a list; "" if nobody says what it is called), a text;
    - ``folder``, ``home``: the current folder, the user's own one, is new and empty;
    - ``project``: ``name``, written as ``subject.project_files`` has it, is copied there from the project;
    - ``loop``: an event loop is the current one, of a test that is not asynchronous itself;
    - ``attribute``: ``name``, written ``module:qualname``, is ``content``; ``absent``: that too, though it may not be there
      (what a failed import would have bound); ``copied``: it is a copy of what it is; ``kept``: it is
      what it is, and is so again when the test is over;
    - ``output``, ``log``: what is printed, and logged, is noted; the variable is what tells of it (``capsys``, ``caplog``);
    - ``trace``, ``umask``: so is the trace function, the mask for new files."""

    variable: Variable
    place: str
    name: str
    content: Value


def as_ambient(text: str) -> str:
    """``text`` as a process can be given it: no system takes the character 0, or half of a pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


class RunModule(NamedTuple):
    """A fresh import of ``module``; with ``as_main`` it is run as a script, or the file ``path`` where that is given (``<module>``
    frames)."""

    variable: Variable
    module: str
    path: str | None = None
    as_main: bool = False


Statement = (
    Literal
    | Reference
    | Call
    | MethodCall
    | CallValue
    | GetAttribute
    | SetAttribute
    | DeleteAttribute
    | GetItem
    | SetItem
    | DeleteItem
    | Operation
    | Iterate
    | Enter
    | Within
    | Await
    | StubCallable
    | StubClass
    | Definition
    | FileFixture
    | Ambient
    | RunModule
)


def same(one: Statement, other: Statement) -> bool:
    """Equal, class included."""
    return type(one) is type(other) and one == other

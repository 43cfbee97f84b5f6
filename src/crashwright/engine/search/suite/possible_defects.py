"""Exceptions that look like defects: Python raises them in the module itself, though everything that the test passes is legal.

``mean([])`` that ends by ZeroDivisionError is no test to keep, as nobody meant it (``accidents``), but its reader may want to know.
So what the search meets on its way is noted, one call for each place and kind of exception, and told apart from the suite.

What says more of the call than of the code is left out: arguments of types that nothing declares, where the exception is one of
types; a key that a dict of the test lacks; doubles and definitions of the test; special methods, whose exceptions are answers
(``__getitem__``); private functions, since their callers may know better.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from crashwright.core.suite import PossibleDefect
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.suite.scorer import size_of
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import VARIADIC, ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.introspection import class_name, identities
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.statements import Display, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used

OF_VALUES = identities(IndexError, ZeroDivisionError, UnboundLocalError)
"""What values bring about, of whatever types they are declared."""
OF_TYPES = identities(AttributeError, TypeError)
OF_KEYS = identities(KeyError)
MOST = 6
CHECKS = 80
"""Runs that make the call of one of them smaller."""
_PLAIN = (st.Literal, st.Reference, st.FileFixture)
_SCALARS = identities(str, int, float, bytes, bool, type(None))
_CONTAINERS = identities(list, dict, tuple, set, frozenset)


class _Place(NamedTuple):
    line: int
    kind: str


class _Met(NamedTuple):
    test: TestCase
    size: int
    qualname: str


class PossibleDefects:
    """``path`` is the file of the module; ``meant`` says whether the package raises or documents what ended a run."""

    def __init__(self, path: str, meant: Callable[[TestCase, Outcome], bool]) -> None:
        self._path = path
        self._meant = meant
        self._met: dict[_Place, _Met] = {}
        self._latest: _Place | None = None
        self._message = ""

    def note(self, test: TestCase, outcome: Outcome) -> None:
        """A run has ended so."""
        self._latest = None
        error = outcome.error
        kind = id(type(error))
        if error is None or not outcome.frames or not (kind in OF_VALUES or kind in OF_TYPES or kind in OF_KEYS):
            return
        code, line, _ = outcome.frames[-1]
        if code.co_filename != self._path:
            return
        place = _Place(line, class_name(type(error)))
        cut = prune(edits.chop(test, outcome.executed + 1))
        size, known = size_of(cut), self._met.get(place)
        if not _is_legal(cut, kind) or self._meant(test, outcome):
            return
        self._latest = place
        self._message = _message(error)
        if known is None or size < known.size:
            self._met[place] = _Met(cut, size, code.co_qualname)

    def found(self, run: Callable[[TestCase], object], is_time: Callable[[], bool]) -> tuple[PossibleDefect, ...]:
        """Those that there are, in the order of their lines, their calls made smaller while there is time. ``run`` runs a test, of
        which it is told here how it ended."""
        places = sorted(self._met)[:MOST]
        return tuple([one for place in places if (one := self._told(place, run, is_time)) is not None])

    def _told(self, place: _Place, run: Callable[[TestCase], object], is_time: Callable[[], bool]) -> PossibleDefect | None:
        def ends_so(test: TestCase) -> bool:
            self._latest = None
            if is_time():
                run(test)
            return self._latest == place

        met = self._met[place]
        if not ends_so(met.test):
            return None  # it took more than the test
        smallest = minimise(met.test, ends_so, CHECKS)
        message = self._message if ends_so(smallest) else ""
        error = f"{place.kind}: {message}" if message else place.kind
        return PossibleDefect(_in_a_line(smallest), error, place.line, met.qualname)


def _message(error: BaseException) -> str:
    """As a traceback shows it."""
    said = error.args[0] if error.args else None
    if id(type(error)) in OF_KEYS:
        return repr(said) if id(type(said)) in _SCALARS else ""
    return said if type(said) is str else ""


def _in_a_line(test: TestCase) -> str:
    """The body of the test as one would say it."""
    tree = ast.parse("\n".join(print_test(test, setting=Setting(depth=0)).body))
    return "; ".join(ast.unparse(one) for one in tree.body)


def _is_legal(test: TestCase, kind: int) -> bool:
    statements = test.statements
    if not statements or not all(_is_plain(one, kind) for one in statements):
        return False
    literals = [one for one in statements if isinstance(one, st.Literal)]
    if kind in OF_KEYS and any(_has_mapping(one.value) for one in literals):
        return False
    shared = [one.variable for one in literals if isinstance(one.value, Display)]
    if any(sum(variable in used(one) for one in statements) > 1 for variable in shared):
        return False  # what one call puts into it another one may not take
    return takes_what_is_declared(test)


def _is_plain(statement: Statement, kind: int) -> bool:
    if isinstance(statement, st.Call | st.MethodCall):
        callee, arguments = statement.callee, statement.arguments
        if callee is None or _is_hidden(callee) or arguments.star is not None or arguments.double_star is not None:
            return False
        given = bound(callee, arguments.positional, arguments.keywords)
        return kind in OF_VALUES or all(_says_all(parameter.hint) for parameter, _ in given)
    return isinstance(statement, _PLAIN)


def _is_hidden(callee: Callee) -> bool:
    return callee.private or callee.name.startswith("_") or callee.module.startswith("unittest.")


def _says_all(hint: Hint) -> bool:
    """Whether the hint leaves nothing open: ``list`` does not say of what."""
    if isinstance(hint, UnionHint):
        return all(map(_says_all, hint.members))
    if not isinstance(hint, ClassHint):
        return not is_any(hint)
    return hint.cls is not object and (id(hint.cls) not in _CONTAINERS or _of_something(hint))


def _of_something(hint: ClassHint) -> bool:
    return bool(hint.arguments) and all(one == VARIADIC or _says_all(one) for one in hint.arguments)


def _has_mapping(value: object) -> bool:
    return isinstance(value, Display) and (value.kind == "dict" or any(map(_parts_have_mapping, value.items)))


def _parts_have_mapping(item: object) -> bool:
    return any(map(_has_mapping, item)) if type(item) is tuple else _has_mapping(item)

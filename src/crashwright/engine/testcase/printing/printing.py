"""Tests as source: what a person would write, laid out as Black would.

Values that are used once stand where they are used as long as nothing is evaluated in another order; results nobody uses are not
assigned; names come from a ``Naming``. A test is printed twice: the first time only to learn what must be imported.
"""

# ruff: noqa: ARG002 (all writers have one signature)
from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from functools import partial
from keyword import iskeyword, issoftkeyword
from typing import NamedTuple

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.definitions.source import bound_names, name_of
from crashwright.engine.testcase.editing.deletion import is_pure
from crashwright.engine.testcase.printing.around import around
from crashwright.engine.testcase.printing.check_text import check_parts
from crashwright.engine.testcase.printing.definitions import definition_lines
from crashwright.engine.testcase.printing.expressions import attribute, call, expression, limited, named, subscript
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import INDENT, Doc, lay_out, prefixed
from crashwright.engine.testcase.printing.literals import quoted, value_doc
from crashwright.engine.testcase.printing.module_lines import going_on, import_of, is_program, run_of
from crashwright.engine.testcase.printing.naming import DefaultNaming, Naming, default_name
from crashwright.engine.testcase.printing.stubs import class_lines, function_lines
from crashwright.engine.testcase.printing.written import written_lines
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.uses import Uses
from crashwright.engine.testcase.variables import defined, is_async

__all__ = ["DefaultNaming", "Naming", "PrintedTest", "print_test"]

WIDTH = 88
_RESERVED = frozenset(dir(builtins)) | {
    "tmp_path",
    "monkeypatch",
    "request",
    "capsys",
    "caplog",
    "pytest",
    "asyncio",
    "scenario",
    "item",
    "self",
    "args",
    "kwargs",
}
_FOLDERS, _FINALLY = frozenset({"folder", "home", "project"}), frozenset({"trace", "umask"})
_Build = Callable[[], Doc]
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


class PrintedTest(NamedTuple):
    """``imports`` and ``body`` are lines without indentation of their own (an async body is to be put into an ``async def``);
    ``fixtures`` are the pytest fixtures that the body uses."""

    imports: tuple[str, ...]
    body: tuple[str, ...]
    fixtures: tuple[str, ...] = ()
    is_async: bool = False
    above: tuple[str, ...] = ()
    """Definitions that stand before the test, in the module."""


class Setting(NamedTuple):
    """Where a test is printed: ``depth`` is how often its body is indented (an async one once more), ``imports`` those that the
    tests of a file share; the last statement of one that ``raises`` is to stand one level deeper. ``alone``: the file has no other
    test, and definitions may stand above it. ``ends``: a module that is run as a program may end the process, as programs do."""

    depth: int = 1
    imports: Imports | None = None
    raises: bool = False
    alone: bool = False
    ends: bool = False


def print_test(test: TestCase, naming: Naming | None = None, setting: Setting = Setting()) -> PrintedTest:  # noqa: B008 (immutable)
    """The source of ``test``. Live objects are not looked at: a decoded test prints the same. ``test`` may hold checks, and given
    values, which become fixtures."""
    uses = Uses(test.statements)
    awaits = is_async(test.statements)
    width = WIDTH - len(INDENT) * (setting.depth + awaits)
    imports = Imports() if setting.imports is None else setting.imports
    chosen = DefaultNaming() if naming is None else naming
    _Printer(test, uses, chosen, imports, width, frozenset(), setting).lines()
    ours = written_lines(imports, WIDTH)
    printer = _Printer(test, uses, chosen, imports, width, imports.bound, setting)
    printer.above += ours
    lines = printer.lines()
    files = any(type(s) is st.FileFixture and uses.needed[i] for i, s in enumerate(test.statements))
    places = {s.place for s in test.statements if isinstance(s, st.Ambient)}
    needed = {
        "tmp_path": files or bool(places & _FOLDERS),
        "monkeypatch": bool(places - _FINALLY - {"loop", "project"} - st.CAPTURES.keys()),
        "request": bool(places & _FINALLY),
        **{fixture: place in places for place, fixture in st.CAPTURES.items()},
    }
    fixtures = tuple([name for name, is_needed in needed.items() if is_needed])
    return PrintedTest(imports.lines(), tuple(lines), fixtures, awaits, tuple(printer.above))


class _Printer:
    """One printing: ``_docs`` are the expressions that stand in place of names, ``_held`` the one whose effect comes last so
    far."""

    def __init__(
        self, test: TestCase, uses: Uses, naming: Naming, imports: Imports, width: int, imported: frozenset[str], setting: Setting
    ) -> None:
        self._test = test
        self._uses = uses
        self._naming = naming
        self._imports = imports
        self._width = width
        self._raises = setting.raises
        self._alone = setting.alone
        self._ends = setting.ends
        self.above: list[str] = []
        self._last = False  # in the last statement, which stands one level deeper
        self._depth = 0
        self._lines: list[str] = []
        self._gap = False
        self._current: dict[Variable, int] = {}
        self._docs: dict[int, Doc] = {}
        self._names: dict[int, str] = {}
        self._held: int | None = None
        self._outside: set[Variable | None] = set()
        self._inlined: set[int] = set()
        lambdas = (s.parameters for s in test.statements if isinstance(s, st.StubCallable))
        self._banned = set(_RESERVED | imported).union(*(_IDENTIFIER.findall(parameters) for parameters in lambdas))
        for local in sorted(
            frozenset().union(
                *(bound_names(s.source) - {name_of(s.source)} for s in test.statements if isinstance(s, st.Definition))
            )
        ):
            imports.bind("", "", local)  # an import would hide behind it
        statements: tuple[Statement | Check | Given, ...] = test.statements
        self._given = {index: s.name for index, s in enumerate(statements) if isinstance(s, Given)}
        expected = {s.expected.name for s in statements if isinstance(s, Check) and isinstance(s.expected, Given)}
        self._taken = self._banned.union(self._given.values(), expected)

    def lines(self) -> list[str]:
        """The body, never empty."""
        self._plan()
        for index, statement in enumerate(self._test.statements):
            if self._raises and index == len(self._test) - 1:
                self._last = True
                self._statement(index, statement)
            elif self._uses.needed[index]:
                self._statement(index, statement)
            variable = defined(statement)
            if variable is not None:
                self._current[variable] = index
        if not self._lines or self._lines[-1].endswith(":"):
            self._emit("pass")
        return self._lines

    def _plan(self) -> None:
        """Which statements are written in place of their names. Lengths are measured with placeholders for the names they
        contain."""
        placeholder = Doc("a_variable")
        self._docs.update({index: Doc(name) for index, name in self._given.items()})
        self._inlined.update(self._given)
        for index, statement in enumerate(self._test.statements):
            doc = expression(statement, lambda _: placeholder, self._imports) if self._uses.needed[index] else None
            if doc is not None and self._uses.in_place(index, len(doc.flat)):
                self._inlined.add(index)

    def _refer(self, variable: Variable) -> Doc:
        index = self._current[variable]
        return self._docs[index] if index in self._docs else Doc(self._name(index))

    def _name(self, index: int) -> str:
        name = self._names.get(index)
        if name is None:
            statement = self._test.statements[index]
            wanted = self._naming.name(statement, self._test) or default_name(statement, self._test)
            name = self._names[index] = self._unique(wanted)
        return name

    def _unique(self, wanted: str) -> str:
        if not wanted.isidentifier():
            wanted = "value"
        if wanted in self._banned or iskeyword(wanted) or issoftkeyword(wanted):
            wanted += "_"  # the custom for names that clash with the language
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted.rstrip('_')}_{number}"
        self._taken.add(name)
        return name

    # Statements

    def _statement(self, index: int, statement: Statement) -> None:
        writer = _WRITERS.get(type(statement))
        if index in self._given or (writer is not None and writer(self, index, statement)):
            return
        doc = self._document(index, statement)
        if index in self._inlined:
            self._docs[index] = doc
        elif self._uses.moves_to(index, self._inlined) and len(doc.flat) <= self._room:
            self._release()
            self._held = index
            self._docs[index] = doc
        else:
            self._put(doc, prefix=f"{self._name(index)} = " if self._uses.users[index] else "")

    def _document(self, index: int, statement: Statement) -> Doc:
        """The expression of the statement; where it would be long with the one that is held, that one is assigned first."""
        doc = expression(statement, self._refer, self._imports)
        if doc is None:
            raise ValueError(f"not an expression: {statement!r}")
        if self._held is not None and index not in self._inlined:
            name = len(default_name(statement, self._test)) + 3 if self._uses.users[index] else 0
            if name + len(doc.flat) > self._room:
                self._assign_held()
                return self._document(index, statement)
            self._release()
        return doc

    def _release(self) -> None:
        """The held expression has found its place."""
        self._held = None

    def _assign_held(self) -> None:
        held, last = self._held, self._last
        if held is not None:
            self._held, self._last = None, False
            self._put(self._docs.pop(held), prefix=f"{self._name(held)} = ")
            self._last = last

    @property
    def _room(self) -> int:
        return self._width - len(INDENT) * (self._depth + self._last)

    def _put(self, doc: Doc, prefix: str = "", suffix: str = "") -> None:
        self._emit(*lay_out(doc, self._room, prefix, suffix))

    def _emit(self, *lines: str) -> None:
        if self._gap and self._lines:
            self._lines.append("")
        self._gap = False
        self._lines.extend(INDENT * self._depth + line if line else "" for line in lines)

    def _block(self, *lines: str) -> None:
        """A definition: blank lines around it, none at the start of a block."""
        if self._lines and not self._lines[-1].endswith(":"):
            self._gap = True
        self._emit(*lines)
        self._gap = True

    def _fitting(self, build: _Build) -> Doc:
        """The document of a statement that is no expression, the held expression in its place where the line stays short."""
        doc = build()
        if self._held is not None:
            if len(doc.flat) > self._room:
                self._assign_held()
                return build()
            self._release()
        return doc

    # Kinds that are more than an expression

    def _enter(self, index: int, statement: st.Enter | st.Within) -> bool:
        manager = self._fitting(lambda: prefixed("async with " if statement.is_async else "with ", self._refer(statement.manager)))
        filled = isinstance(statement, st.Within) and statement.filling
        self._put(manager, suffix=f" as {self._name(index)}:" if self._uses.users[index] or filled else ":")
        self._depth += 1
        return True

    def _within(self, index: int, statement: st.Within) -> bool:
        self._enter(index, statement)
        for key, value in statement.filling:
            target = subscript(Doc(self._name(index)), value_doc(key, self._refer))
            self._assignment(partial(prefixed, f"{target} = ", value_doc(value, self._refer)))
        error = None if statement.error is None else self._refer(statement.error)
        if error is not None or not statement.filling:
            self._put(Doc("pass") if error is None else Doc(f"raise {error.flat.removesuffix('()')}"))
        self._depth -= 1
        return True

    def _iterate(self, index: int, statement: st.Iterate) -> bool:
        if statement.mode != "for":
            return False
        name = "item"
        if self._uses.users[index]:
            name = self._name(index)
            self._assign_held()
            self._emit(f"{name} = None")
        doc = self._fitting(
            lambda: prefixed(f"for {name} in ", limited(self._refer(statement.iterable), statement.limit, self._imports))
        )
        self._put(doc, suffix=":")
        self._emit(f"{INDENT}pass")
        return True

    def _set_attribute(self, index: int, statement: st.SetAttribute) -> bool:
        def build() -> Doc:
            receiver, value = self._refer(statement.receiver), self._refer(statement.value)
            if not statement.name.isidentifier():
                return call("setattr", receiver, Doc(quoted(statement.name)), value)
            return prefixed(f"{attribute(receiver, statement.name)} = ", value)

        self._assignment(build)
        return True

    def _delete_attribute(self, index: int, statement: st.DeleteAttribute) -> bool:
        def build() -> Doc:
            receiver = self._refer(statement.receiver)
            if not statement.name.isidentifier():
                return call("delattr", receiver, Doc(quoted(statement.name)))
            return Doc(f"del {attribute(receiver, statement.name)}")

        self._put(self._fitting(build))
        return True

    def _set_item(self, index: int, statement: st.SetItem) -> bool:
        self._assignment(lambda: self._item_assignment(statement.receiver, statement.key, statement.value))
        return True

    def _delete_item(self, index: int, statement: st.DeleteItem) -> bool:
        self._put(self._fitting(lambda: Doc(f"del {subscript(self._refer(statement.receiver), self._refer(statement.key))}")))
        return True

    def _method_call(self, index: int, statement: st.MethodCall) -> bool:
        """Those that are statements: setting and deleting items."""
        positional, plain = statement.arguments.positional, statement.arguments[1:] == ((), None, None)
        if self._uses.users[index] or not plain:
            return False
        if statement.name == "__setitem__" and len(positional) == 2:
            self._assignment(lambda: self._item_assignment(statement.receiver, *positional))
            return True
        if statement.name == "__delitem__" and len(positional) == 1:
            self._put(self._fitting(lambda: Doc(f"del {subscript(self._refer(statement.receiver), self._refer(positional[0]))}")))
            return True
        return False

    def _item_assignment(self, receiver: Variable, key: Variable, value: Variable) -> Doc:
        return prefixed(f"{subscript(self._refer(receiver), self._refer(key))} = ", self._refer(value))

    def _assignment(self, build: _Build) -> None:
        doc = self._fitting(build)
        target, equals, rest = doc.head.partition(" = ")
        if doc.items and equals:
            self._put(doc._replace(flat=doc.flat.removeprefix(target + equals), head=rest), prefix=target + equals)
        else:
            self._put(doc)

    def _check(self, index: int, check: Check) -> bool:
        """An assertion that is too long for a line is taken apart: first what is looked at gets a name, then what is expected."""
        parts = check_parts(check, self._refer, self._imports)
        if len(parts.flat) > self._room and self._held is not None:
            self._assign_held()
            parts = check_parts(check, self._refer, self._imports)
        self._release()
        if len(parts.flat) <= self._room or not parts.operator:
            self._put(parts.left if not parts.operator else Doc(parts.flat), prefix="" if parts.operator else "assert ")
        elif parts.right.items and len(parts.opening + parts.right.head) <= self._room:
            self._put(parts.right, prefix=parts.opening)
        else:
            name = self._unique("expected")
            self._put(parts.right, prefix=f"{name} = ")
            self._emit(f"{parts.opening}{name}")
        return True

    def _stub_callable(self, index: int, statement: st.StubCallable) -> bool:
        if index in self._inlined:
            return False
        self._assign_held()
        self._block(*function_lines(statement, self._name(index), self._refer, self._room))
        return True

    def _stub_class(self, index: int, statement: st.StubClass) -> bool:
        self._assign_held()
        name = self._unique(statement.name)
        bases = [named(base, self._imports).flat for base in statement.bases]
        self._block(*class_lines(statement, name, bases, self._refer, self._room))
        if not statement.instantiate:
            self._docs[index] = Doc(name)
        elif len(self._uses.users[index]) == 1 and not statement.bases:
            self._docs[index] = Doc(f"{name}()")
        else:
            self._put(Doc(f"{name}()"), prefix=f"{self._name(index)} = " if self._uses.users[index] else "")
        return True

    def _definition(self, index: int, statement: st.Definition) -> bool:
        self._assign_held()
        names, wanted = dict(statement.names), name_of(statement.source)
        name = self._unique(wanted)

        def written(identifier: str) -> Doc | None:
            bound = names.get(identifier)
            if bound is None:
                return None
            return self._refer(bound.variable) if isinstance(bound, st.Ref) else named(bound, self._imports)

        if self._alone and self._stands_above(index, statement):
            lines = definition_lines(statement.source, name, written, WIDTH)
            self.above.extend([*([""] * 2 if self.above else []), *lines])
            self._outside.add(statement.variable)
        else:
            self._block(*definition_lines(statement.source, name, written, self._room))
        self._docs[index] = Doc(name)
        return True

    def _stands_above(self, index: int, statement: st.Definition) -> bool:
        """Whether nothing that is run before it can matter to it, and pytest does not take it for a test."""
        taken = [
            bound.variable for _, bound in statement.names if isinstance(bound, st.Ref) and bound.variable not in self._outside
        ]
        inside = any(self._current[variable] not in self._inlined for variable in taken)
        before = [one for one in self._test.statements[:index] if defined(one) not in self._outside]
        return (
            not inside
            and index < len(self._test) - 1
            and not name_of(statement.source).lower().startswith("test")
            and all(map(is_pure, before))
        )

    def _file(self, index: int, statement: st.FileFixture) -> bool:
        self._assign_held()
        name = self._name(index)
        self._put(Doc(f"tmp_path / {quoted(statement.name)}"), prefix=f"{name} = ")
        if "/" in statement.name:
            self._emit(f"{name}.parent.mkdir(parents=True, exist_ok=True)")
        content = value_doc(statement.content, self._refer)
        if isinstance(statement.content, bytes):
            self._put(call(f"{name}.write_bytes", content))
        elif statement.content.isascii():
            self._put(call(f"{name}.write_text", content))
        else:
            self._put(call(f"{name}.write_text", content, Doc('encoding="utf-8"')))
        self._docs[index] = call("str", Doc(name))
        return True

    def _ambient(self, index: int, statement: st.Ambient) -> bool:
        self._assign_held()
        if statement.place in st.CAPTURES:
            self._docs[index] = Doc(st.CAPTURES[statement.place])
            if statement.place == "log":
                self._put(call("caplog.set_level", Doc('"DEBUG"')))
            return True
        content = self._docs[index] = value_doc(statement.content, self._refer)
        self._put(around(statement, content, self._imports))
        return True

    def _run_module(self, index: int, statement: st.RunModule) -> bool:
        self._assign_held()
        ends = self._ends and is_program(statement, self._test.statements[:index])
        self._emit(*([going_on(self._imports)] if ends else []))
        self._depth += ends
        run, name = run_of(statement, self._imports), self._name(index) if self._uses.users[index] else ""
        if run is not None:
            self._put(run, prefix=f"{name} = " if name else "")
        else:
            self._emit(import_of(statement, self._imports, name, lambda: self._name(index)))
            self._gap = True
        self._depth -= ends
        return True


_WRITERS: dict[type, Callable[..., bool]] = {
    st.Enter: _Printer._enter,
    st.Within: _Printer._within,
    st.Iterate: _Printer._iterate,
    st.SetAttribute: _Printer._set_attribute,
    st.DeleteAttribute: _Printer._delete_attribute,
    st.SetItem: _Printer._set_item,
    st.DeleteItem: _Printer._delete_item,
    st.MethodCall: _Printer._method_call,
    st.StubCallable: _Printer._stub_callable,
    st.StubClass: _Printer._stub_class,
    st.Definition: _Printer._definition,
    st.FileFixture: _Printer._file,
    st.Ambient: _Printer._ambient,
    st.RunModule: _Printer._run_module,
    Check: _Printer._check,
}

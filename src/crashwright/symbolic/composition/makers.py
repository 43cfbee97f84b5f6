"""What a test can write to get an object of a class, and what changes one: constructors, members, methods, assignments."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.composition.summaries import Summaries, Summary, array_before
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.ir.declared import Class, fields_of_record
from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Call, Function, NamedCallee, Parameter
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import equal
from crashwright.symbolic.values.substitution import all_substituted

RECEIVER: Final = "self"
_ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_DEFAULTS: Final = frozenset({"default", "default_factory", "factory"})
NAMESPACE: Final = "types:SimpleNamespace"
MADE: Final = "what is made"
"""The name of what a factory returns, which none of its parameters has."""
_HELPER: Final = "?"
"""How the names of modules begin whose functions nobody has written."""


class WrittenForm(Enum):
    """How a test writes it."""

    CONSTRUCTOR = "constructor"
    FACTORY = "factory"
    MEMBER = "member"
    NAMESPACE = "namespace"
    METHOD = "method"
    APPEND = "append"
    STORE = "store"
    ASSIGNMENT = "assignment"


_STATEMENTS: Final = {
    WrittenForm.APPEND: (".append(value)", frozenset({"size", "elements"})),
    WrittenForm.STORE: ("[key] = value", frozenset({"size", "keys", "mappings"})),
}
"""How a list and a dictionary get something, and the arrays that it writes."""


class MakingWay(NamedTuple):
    """One way through something that a test can write. ``name``: of the class (``module:qualname``), the member, the method or the
    attribute; ``receiver``: the name of the parameter that the object is."""

    form: WrittenForm
    name: str
    parameters: tuple[Parameter, ...]
    summary: Summary
    receiver: str = RECEIVER
    function: Function | None = None

    @property
    def makes(self) -> bool:
        """Whether the object is not there before."""
        return self.form in (WrittenForm.CONSTRUCTOR, WrittenForm.FACTORY, WrittenForm.MEMBER, WrittenForm.NAMESPACE)


class Makers:
    """Of the classes of a program."""

    def __init__(self, program: SourceProgram, summaries: Summaries) -> None:
        self._program = program
        self._summaries = summaries
        self._helpers: dict[tuple[WrittenForm, str], Function] = {}

    def of(self, address: str, names: frozenset[str]) -> Iterator[MakingWay]:
        """Ways to make an object of exactly this class, of whose arrays ``names`` matter."""
        classes = list(self._program.above(address))
        if any(base.rpartition(".")[2] in _ENUMS for cls in classes for base in cls.bases):
            yield from _members(address, classes)
            return
        constructor = self._program.method(address, "__init__")
        if constructor is not None:
            yield from self._ways(WrittenForm.CONSTRUCTOR, address, constructor, names)
        else:
            yield _record(address, classes, names)
        for function, name in self._factories(address):
            yield from self._made_by(function, name, address, names)

    def _factories(self, address: str) -> Iterator[tuple[Function, str]]:
        """Public class methods and static methods of the class, and functions of its module, that may return an object of it."""
        module, _, qualname = address.partition(":")
        last = qualname.rpartition(".")[2]
        for cls in self._program.above(address):
            for name, one in cls.methods.items():
                function = self._program.method(address, name) if one.form in ("class", "static") else None
                if function is not None and not name.startswith("_") and _returns_new(function, {last, _first(function)}):
                    yield function, f"{address}.{name}"
        for function in self._program.functions(module):
            is_plain = function.class_name is None and "." not in function.qualname and not function.decorators
            if is_plain and not function.qualname.startswith("_") and _returns_new(function, {last}):
                yield function, f"{module}:{function.qualname}"

    def _made_by(self, function: Function, name: str, address: str, names: frozenset[str]) -> Iterator[MakingWay]:
        is_bound = function.class_name is not None and self._program.form(address, name.rpartition(".")[2]) == "class"
        parameters = function.parameters[1:] if is_bound else function.parameters
        known = {literals.given(Sort.VALUE, _first(function)): tags.of(literals.class_named(address))} if is_bound else {}
        for one in self._summaries.of(function, names, MADE):
            effects = zip(dict(one.effects), all_substituted([term for _, term in one.effects], known), strict=True)
            summary = Summary(tuple(effects), all_substituted(one.conditions, known), one.unmodelled)
            yield MakingWay(WrittenForm.FACTORY, name, tuple(parameters), summary, MADE, function)

    def changing(self, address: str, names: frozenset[str], read: frozenset[str] = frozenset()) -> Iterator[MakingWay]:
        """Ways to change an object so that one of ``names`` is another: methods, then what an attribute holds, then assignments;
        of public ones that it has. ``read``: the arrays that are asked for at all, of which a method may write others too."""
        for name in self._methods(address):
            function = self._program.method(address, name)
            if function is not None and _is_plain(function) and self._program.heap_written(function) & names:
                yield from self._ways(WrittenForm.METHOD, name, function, names | read)
        for name in sorted(read):
            if name.startswith(".") and not name.startswith("._") and name[1:] in self._program.fields(address):
                yield from self._filled(name[1:], names, names | read)
        for name in sorted(names):
            if name.startswith(".") and not name.startswith("._") and self._program.can_be_set(address, name[1:]):
                yield assignment(name)

    def _filled(self, name: str, wanted: frozenset[str], names: frozenset[str]) -> Iterator[MakingWay]:
        """``object.name.append(value)`` and ``object.name[key] = value``, as functions, where these write what is ``wanted``."""
        for form, (_, written) in _STATEMENTS.items():
            if not wanted & written or not names & written - {"size"}:
                continue
            function = self._helper(form, name)
            parameters = function.parameters[1 if form is WrittenForm.STORE else 2 :]
            for summary in self._summaries.of(function, names & written):
                yield MakingWay(form, name, tuple(parameters), summary, RECEIVER)

    def _helper(self, form: WrittenForm, name: str) -> Function:
        if (form, name) not in self._helpers:
            source = f"def change(self, key, value):\n    self.{name}{_STATEMENTS[form][0]}\n"
            made = functions_of(source, f"{_HELPER}{form.value} {name}").function("change")
            assert made is not None
            self._helpers[form, name] = made
        return self._helpers[form, name]

    def _methods(self, address: str) -> list[str]:
        found: dict[str, None] = {}
        for cls in self._program.above(address):
            found.update(dict.fromkeys(name for name, one in cls.methods.items() if one.form == "method"))
        return [name for name in found if not name.startswith("_")]

    def _ways(self, form: WrittenForm, name: str, function: Function, names: frozenset[str]) -> Iterator[MakingWay]:
        if not function.parameters:
            return
        receiver, *parameters = function.parameters
        # What is not understood can be called too; nothing is known of what is there afterwards.
        ways = self._summaries.of(function, names) or (_opaque(receiver.name, names),)
        for summary in sorted(ways, key=lambda one: _unusual(one, parameters)):
            yield MakingWay(form, name, tuple(parameters), summary, receiver.name, function)


def _first(function: Function) -> str:
    return function.parameters[0].name if function.parameters else ""


def _returns_new(function: Function, names: Collection[str]) -> bool:
    """Whether it calls something of one of these names, as one sees."""
    called = {node.detail.callee for node in function.nodes if isinstance(node.detail, Call)}
    return any(isinstance(one, NamedCallee) and one.text.rpartition(".")[2] in names for one in called)


def assignment(name: str) -> MakingWay:
    """``object.name = value``; ``name`` is that of the array."""
    held = tags.reference_in(literals.given(Sort.VALUE, RECEIVER))
    effect = arrays.store(array_before(name), held, literals.given(Sort.VALUE, "value"))
    return MakingWay(WrittenForm.ASSIGNMENT, name[1:], (Parameter("value"),), Summary(((name, effect),)))


def namespace(names: Sequence[str]) -> MakingWay:
    """An object that has these attributes, and nothing else."""
    parameters = tuple([Parameter(name[1:], "keyword only") for name in names])
    return MakingWay(WrittenForm.NAMESPACE, NAMESPACE, parameters, _stored({name: name[1:] for name in names}))


def _stored(fields: Mapping[str, str]) -> Summary:
    """What is passed is kept: arrays by the names of parameters."""
    held = tags.reference_in(literals.given(Sort.VALUE, RECEIVER))
    return Summary(
        tuple(
            [
                (name, arrays.store(array_before(name), held, literals.given(Sort.VALUE, parameter)))
                for name, parameter in fields.items()
            ]
        )
    )


def _unusual(summary: Summary, parameters: Sequence[Parameter]) -> int:
    """How many conditions do not hold where nothing is passed for what has a default."""
    usual = {literals.given(Sort.VALUE, one.name): value for one in parameters if (value := default_of(one)) is not None}
    return sum(term == literals.FALSE for term in all_substituted(summary.conditions, usual)) if usual else 0


def default_of(parameter: Parameter) -> Term | None:
    """What a parameter is where nothing is passed, where that is a constant."""
    try:
        return None if parameter.default is None else tags.constant(ast.literal_eval(parameter.default))
    except (ValueError, SyntaxError):
        return None


def _opaque(receiver: str, names: frozenset[str]) -> Summary:
    """That the object has any attributes afterwards."""
    held = tags.reference_in(literals.given(Sort.VALUE, receiver))
    anything = {name: literals.unknown(Sort.VALUE, number, "what is left") for number, name in enumerate(sorted(names))}
    return Summary(
        tuple([(name, arrays.store(array_before(name), held, value)) for name, value in anything.items() if name.startswith(".")])
    )


def _members(address: str, classes: Sequence[Class]) -> Iterator[MakingWay]:
    held = tags.reference_in(literals.given(Sort.VALUE, RECEIVER))
    for cls in classes:
        for name, attribute in cls.attributes.items():
            if name.startswith("_") or not attribute.value:
                continue
            known: list[Term] = [equal(arrays.select(array_before(".name"), held), tags.of(literals.text(name)))]
            value = None if attribute.constant is None else tags.constant(attribute.constant.value)
            if value is not None:
                known.append(equal(arrays.select(array_before(".value"), held), value))
            yield MakingWay(WrittenForm.MEMBER, f"{address}.{name}", (), Summary(conditions=tuple(known)))


def _record(address: str, classes: Sequence[Class], names: frozenset[str]) -> MakingWay:
    """A class without a constructor of its own; that of a record takes its fields in their order."""
    parameters: dict[str, Parameter] = {}
    for cls in reversed(classes):
        if fields_of_record(cls):
            strips = not any("dataclass" in one for one in cls.decorators)
            for name in fields_of_record(cls):
                passed, attribute = name.lstrip("_") if strips else name, cls.attributes[name]
                parameters[f".{name}"] = Parameter(passed, "either", attribute.annotation, _default(attribute.value))
    stored = _stored({name: one.name for name, one in parameters.items() if name in names})
    return MakingWay(WrittenForm.CONSTRUCTOR, address, tuple(parameters.values()), stored)


def _default(value: str) -> str | None:
    """The text of a default: that of a call is shown as it is, which no literal equals."""
    if not value:
        return None
    made = ast.parse(value, mode="eval").body
    if isinstance(made, ast.Call) and ast.unparse(made.func).rpartition(".")[2] in ("field", "ib", "attrib"):
        known = [one for one in made.keywords if one.arg in _DEFAULTS]
        if not known:
            return None
        return ast.unparse(known[0].value) if known[0].arg == "default" else value
    return value


def _is_plain(function: Function) -> bool:
    return function.kind == "function" and not function.decorators

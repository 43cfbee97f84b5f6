"""What a test can write to get an object of a class, and what changes one: constructors, members, methods, assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.composition.summaries import Summaries, Summary, array_before
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.ir.declared import Class, fields_of_record
from crashwright.symbolic.ir.nodes import Function, Parameter
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import equal
from crashwright.symbolic.values.substitution import all_substituted

RECEIVER: Final = "self"
_ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_DEFAULTS: Final = frozenset({"default", "default_factory", "factory"})
NAMESPACE: Final = "types:SimpleNamespace"


class WrittenForm(Enum):
    """How a test writes it."""

    CONSTRUCTOR = "constructor"
    MEMBER = "member"
    NAMESPACE = "namespace"
    METHOD = "method"
    ASSIGNMENT = "assignment"


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
        return self.form in (WrittenForm.CONSTRUCTOR, WrittenForm.MEMBER, WrittenForm.NAMESPACE)


class Makers:
    """Of the classes of a program."""

    def __init__(self, program: SourceProgram, summaries: Summaries) -> None:
        self._program = program
        self._summaries = summaries

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

    def changing(self, address: str, names: frozenset[str]) -> Iterator[MakingWay]:
        """Ways to change an object so that one of ``names`` is another: methods, public ones alone, then assignments."""
        for name in self._methods(address):
            function = self._program.method(address, name)
            if function is not None and _is_plain(function) and self._program.heap_written(function) & names:
                yield from self._ways(WrittenForm.METHOD, name, function, names)
        for name in sorted(names):
            if name.startswith(".") and not name.startswith("._"):
                yield assignment(name)

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

"""Classes made for a test: subclasses of what is abstract, unfinished, a protocol, or there to be declared from.

Everything in them comes from the subject: the members that a base asks for, the classes on the path as values of class attributes,
annotations two deep, names that the report quotes.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.hints import HintScope, hint_of, hint_of_value
from crashwright.engine.subject.api.signatures import SignatureReader
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, is_any
from crashwright.engine.subject.introspection import (
    attribute_of,
    class_module,
    class_mro,
    class_name,
    class_qualname,
    derives,
    is_protocol,
    loaded_dict,
    own_annotations,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.testcase.definitions.inline import InlineNames, expression_of
from crashwright.engine.testcase.definitions.source import is_class_source, is_clear, name_of, parsed, source_of
from crashwright.engine.testcase.making.declaring import (
    ClassMember,
    is_declarative,
    missing_members,
    settings_of,
    unfinished_members,
)
from crashwright.engine.testcase.making.functions import function_definition
from crashwright.engine.testcase.making.stubs import declared_result
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Definition, Named, Ref, Statement, Variable

_FIELDS = ("name", "value", "items", "other")
_SCALARS = ("int", "str", "float", "bool", "bytes")
NEAR, _FAR = 0.5, 0.1
_SETTING, _NEIGHBOUR, _VALUE = 0.3, 0.4, 0.6
_OPTIONAL, _HELD = 0.08, 0.7
_DATACLASS, _HOLDING = 0.25, 0.25
_DEPTH = 3  # what is made for a member is made simply


class Definer:
    """``path`` are the classes whose methods the report shows, ``quoted`` names of classes and fields that its message quotes,
    ``exceptions`` what functions of a test may raise, ``near`` how often a class on the path is declared anew; ``members``
    gives types of what a class leaves to its subclasses, with weights."""

    def __init__(
        self,
        path: Sequence[type] = (),
        quoted: Sequence[str] = (),
        exceptions: Sequence[Named] = (),
        near: float = NEAR,
        members: Callable[[type, str], Sequence[tuple[Hint, float]]] | None = None,
    ) -> None:
        self._path = tuple(path)
        known = [class_name(cls) for cls in path]
        self._quoted = tuple(name for name in quoted if name[:1].isupper() and name not in known)
        self._fields = (*(name for name in quoted if not name[:1].isupper()), *_FIELDS)
        self._exceptions = tuple(exceptions)
        self._near = near
        self._members = members
        self._derived: dict[type, bool] = {}
        self._unfinished: dict[type, list[ClassMember]] = {}
        self._making: list[type] = []
        """The classes that the ones in the making derive from, the outermost first: what a member returns may need another one."""

    def wants(self, cls: type, rng: Random) -> bool:
        """Whether a test that needs ``cls`` or an instance should now declare a class of its own: often where such classes are on
        the path, else now and then; each second time where ``cls`` leaves members to its subclasses."""
        derived = self._derived.get(cls)
        if derived is None:
            derived = self._derived[cls] = is_declarative(cls) or bool(self._left(cls))
        if not derived:
            return False
        if self._left(cls):
            return rng.random() < NEAR
        near = any(derives(known, cls) or derives(cls, known) for known in self._path)
        return rng.random() < (self._near if near else _FAR)

    def subclass(self, builder: StatementBuilder, statements: list[Statement], cls: type, rng: Random, name: str = "") -> Variable:
        """Appends a class that derives from ``cls``, or passes for the protocol ``cls``; ``name`` is what it is called, where that
        is known."""
        self._making.append(cls)
        try:
            return self._subclass(_Maker(builder, statements, rng, bare=cls in self._making[:-1]), cls, name)
        finally:
            self._making.pop()

    def _subclass(self, maker: _Maker, cls: type, name: str) -> Variable:
        builder, rng = maker.builder, maker.rng
        declares = is_declarative(cls)
        if declares and rng.random() < _NEIGHBOUR:
            self._neighbour(maker, cls)
        members = {member.name: member for member in (*missing_members(cls), *self._left(cls))}
        lines = [line for member in members.values() for line in maker.member(member, self._result(cls, member.name, rng))]
        settings = settings_of(cls)
        if settings and rng.random() < _SETTING:
            name = [*settings][int(rng.random() * len(settings))]
            lines[:0] = maker.assigned(name, hint_of_value(settings[name]))
        if declares:
            lines[:0] = [
                line for name in self._fields[: 1 + int(rng.random() * rng.random() * 4)] for line in self._field(maker, name, cls)
            ]
        base = "" if is_protocol(cls) else f"({maker.names.of(_address(builder, cls))})"
        return maker.finish(name or self._name(cls, rng), base, lines)

    def _left(self, cls: type) -> list[ClassMember]:
        """What ``cls`` leaves to its subclasses."""
        left = self._unfinished.get(cls)
        if left is None:
            left = self._unfinished[cls] = unfinished_members(cls)
        return left

    def _result(self, cls: type, name: str, rng: Random) -> Hint:
        """What a member is to be or return: as it is declared, else as it is used."""
        declared = result_of(cls, name)
        found = self._members(cls, name) if self._members is not None and is_any(declared) else ()
        return rng.choices([hint for hint, _ in found], [weight for _, weight in found])[0] if found else declared

    def plain(self, builder: StatementBuilder, statements: list[Statement], name: str, rng: Random) -> Variable:
        """Appends a class of that name that has nothing to do with the subject: an empty one, one that holds what it is made with,
        a dataclass."""
        maker = _Maker(builder, statements, rng)
        roll = rng.random()
        if roll < _DATACLASS:
            decorator = maker.names.of(Named("dataclasses", "dataclass", dataclasses.dataclass))
            lines = [f"{field}: {maker.annotation()}" for field in self._fields[: 1 + int(rng.random() * 2)]]
            return maker.finish(name, "", lines, f"@{decorator}\n")
        if roll < _DATACLASS + _HOLDING:
            return maker.finish(name, "", ["def __init__(self, *args, **kwargs):", "    vars(self).update(kwargs)"])
        return maker.finish(name, "", [])

    def holding(self, builder: StatementBuilder, statements: list[Statement], cls: type, rng: Random) -> Variable:
        """Appends a class whose body holds an instance of ``cls``, or two."""
        maker = _Maker(builder, statements, rng)
        names = self._fields[: 1 + int(rng.random() * 2)]
        return maker.finish("Holder", "", [line for name in names for line in maker.assigned_of(name, [cls])])

    def function(self, builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random) -> Variable | None:
        """Appends a function for the callable that ``hint`` asks for; None where a lambda will do."""
        return function_definition(builder, statements, hint, rng, self._exceptions)

    def _name(self, cls: type, rng: Random) -> str:
        if self._quoted and rng.random() < NEAR:
            return self._quoted[int(rng.random() * len(self._quoted))]
        plain = class_name(cls).strip("_").removeprefix("Abstract").removeprefix("Base")
        return f"My{plain[:1].upper()}{plain[1:]}"

    def _neighbour(self, maker: _Maker, cls: type) -> None:
        """Appends another class for the one that is being made: a dataclass, or a subclass of the same base, with a plain field."""
        other = _Maker(maker.builder, maker.statements, maker.rng)
        plain = _SCALARS[int(maker.rng.random() * len(_SCALARS))]
        name = self._quoted[int(maker.rng.random() * len(self._quoted))] if self._quoted else "Item"
        if maker.rng.random() < 0.5:
            decorator = other.names.of(Named("dataclasses", "dataclass", dataclasses.dataclass))
            other.finish(name, "", [f"name: {plain}"], f"@{decorator}\n")
        else:
            other.finish(name, f"({other.names.of(_address(maker.builder, cls))})", [f"name: {plain}"])

    def _field(self, maker: _Maker, name: str, cls: type) -> list[str]:
        """A class attribute: an instance of a class on the path, or an annotation with or without a value."""
        others = [known for known in self._path if not derives(known, cls) and not derives(cls, known)]
        if others and maker.rng.random() < _VALUE:
            return maker.assigned_of(name, others)
        annotation = maker.annotation()
        return [f"{name}: {annotation}{' = None' if maker.rng.random() < 0.3 else ''}"]


class _Maker:
    """One class in the making. ``bare``: its members are and return nothing."""

    def __init__(self, builder: StatementBuilder, statements: list[Statement], rng: Random, bare: bool = False) -> None:
        self._bare = bare
        self.builder = builder
        self.statements = statements
        self.rng = rng
        self.names = InlineNames(("self", "cls", "args", "kwargs"))

    def finish(self, name: str, base: str, lines: list[str], before: str = "") -> Variable:
        """Appends the definition."""
        while name in self.names.known:
            name = f"{name}_"
        body = "\n    ".join(lines or ["pass"])
        source = source_of(parsed(f"{before}class {name}{base}:\n    {body}\n"))
        if not is_clear(source):
            source, self.names.known = source_of(parsed(f"class {name}:\n    pass\n")), {}
        variable = self.builder.new()
        self.statements.append(Definition(variable, source, tuple(sorted(self.names.known.items(), key=lambda pair: pair[0]))))
        return variable

    def member(self, member: ClassMember, hint: Hint) -> list[str]:
        """A member that a class asks for, which is or returns what ``hint`` says."""
        value = self.value(hint)
        if member.attribute:
            return [f"{member.name} = {value}"]
        before = [member.before] if member.before else []
        head = f"{'async ' if member.is_async else ''}def {member.name}({member.parameters}):"
        return [*before, head, f"    {'yield' if member.yields else 'return'} {value}"]

    def assigned(self, name: str, hint: Hint) -> list[str]:
        return [f"{name} = {self.value(hint)}"]

    def assigned_of(self, name: str, classes: Sequence[type]) -> list[str]:
        """An instance of one of ``classes``, which may hold instances of the others."""
        return [f"{name} = {self._instance(classes, 0)}"]

    def _instance(self, classes: Sequence[type], depth: int) -> str:
        """A call with what is required, of what is optional little: what code holds of its own kind it takes as an argument."""
        rng = self.rng
        cls = classes[int(rng.random() * len(classes))]
        others = [known for known in classes if known is not cls]
        callee = constructor_of(self.builder, cls)
        given: list[str] = []
        for parameter in callee.parameters:
            starred = parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
            if starred or (not parameter.required and rng.random() > _OPTIONAL):
                continue
            holds = parameter.required and others and depth < 2 and self._may_hold(parameter.hint, others)
            value = self._instance(others, depth + 1) if holds and rng.random() < _HELD else self.value(parameter.hint)
            by_name = not parameter.required or parameter.kind is ParameterKind.KEYWORD_ONLY
            given.append(f"{parameter.name}={value}" if by_name else value)
        return f"{self.names.of(Named(callee.module, callee.qualname, cls))}({', '.join(given)})"

    def _may_hold(self, hint: Hint, classes: Sequence[type]) -> bool:
        return is_any(hint) or any(self.builder.accepts(hint, cls) for cls in classes)

    def value(self, hint: Hint) -> str:
        """An expression of the type that is asked for; None where that takes more than an expression."""
        if self._bare:
            return "None"
        made: list[Statement] = []
        before = dict(self.names.known)
        variable = self.builder.argument(made, hint, self.rng, _DEPTH, legal=True)
        text = expression_of(made, variable, self.names)
        if text is None:
            self.names.known = before
        return text or "None"

    def annotation(self, depth: int = 0) -> str:
        """A type, two deep."""
        rng = self.rng
        roll = rng.random()
        if depth < 2 and roll < 0.55:
            inner = self.annotation(depth + 1)
            kind = ("Optional", "List", "Dict", "Union")[int(rng.random() * 4)]
            name = self.names.of(_typing(kind))
            if kind == "Dict":
                return f"{name}[str, {inner}]"
            return f"{name}[{inner}, {self.annotation(2)}]" if kind == "Union" else f"{name}[{inner}]"
        if roll < 0.8 or depth > 2:
            return _SCALARS[int(rng.random() * len(_SCALARS))]
        return self._neighbour()

    def _neighbour(self) -> str:
        """A class defined in the test too."""
        for statement in self.statements:
            if isinstance(statement, Definition):
                name = name_of(statement.source)
                if is_class_source(statement.source) and name not in self.names.known:
                    self.names.known[name] = Ref(statement.variable)
                if self.names.known.get(name) == Ref(statement.variable):
                    return name
        return "str"


def _typing(name: str) -> Named:
    return Named("typing", name, getattr(typing, name))


def _address(builder: StatementBuilder, cls: type) -> Named:
    """The class by the address that tests use."""
    constructor = constructor_of(builder, cls)
    return Named(constructor.module, constructor.qualname, cls)


def constructor_of(builder: StatementBuilder, cls: type) -> Callee:
    """What calls ``cls``, and so its subclasses; of an abstract class too."""
    for callee in builder.constructors_of(ClassHint(cls)):
        if callee.kind is CalleeKind.CLASS and callee.live is cls:
            return callee
    signature = SignatureReader(lambda _name: None).constructor(cls)
    return Callee(class_module(cls), class_qualname(cls), CalleeKind.CLASS, signature.parameters, ClassHint(cls), cls, cls)


def result_of(cls: type, name: str) -> Hint:
    """What an abstract member declares to return, or an attribute to be."""
    function = function_of(attribute_of(cls, name))
    if function is not None:
        return declared_result(function, cls)
    for part in class_mro(cls):
        annotation = own_annotations(part).get(name)
        if annotation is not None:
            return hint_of(annotation, HintScope(loaded_dict(class_module(part)), part))
    return ANY

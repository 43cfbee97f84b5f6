"""Seeds from the local values of a report: a call of the entry with the very arguments that the target frame had (DESIGN: "reports
with locals give whole values").

Locals are those at the time of the crash: a parameter may have been assigned to since. So they are seeds, not the truth.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence

from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.subject.introspection import is_class, is_sound
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.echo import Translator, Untranslatable
from crashwright.engine.testcase.echoing.echoed_tests import Echo
from crashwright.engine.testcase.echoing.repr_source import parse_repr
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase

_LIMIT = 50
"""Items taken from a generator."""


class FrameLocals:
    """The locals of one frame as expressions. ``function`` is its name."""

    def __init__(self, function: str, local_values: Mapping[str, str]) -> None:
        self.function = function
        self.trees: dict[str, ast.expr] = {}
        self.classes: dict[str, str] = {}
        for name, text in local_values.items():
            found = parse_repr(text)
            if found is None:
                continue
            # Placeholders of different values must not be taken for one.
            names = {old: f"{name}.{old}" for old in found.classes}
            self.trees[name] = _Renamed(names).visit(found.tree)
            self.classes.update({names[old]: printed for old, printed in found.classes.items()})


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._names.get(node.id, node.id), ast.Load())


def reported_test(callee: Callee, frame: FrameLocals, names: NameChain, factory: Factory, rng: random.Random) -> Echo | None:
    """A test that calls ``callee`` with the values that ``frame`` had for its parameters; what is not known is filled in at random.
    None where the frame knows no parameter of it."""
    known = {parameter.name for parameter in callee.parameters} | ({"self"} if callee.owner is not None else set())
    if not known.intersection(frame.trees):
        return None
    translator = _Values(frame, names, factory, rng)
    try:
        translator.entry_call(callee)
    except Untranslatable:
        return None
    return Echo(TestCase(tuple(translator.statements)), {})


class _Values(Translator):
    """Translates reprs: names are placeholders of objects, whose classes the report tells."""

    def __init__(self, frame: FrameLocals, names: NameChain, factory: Factory, rng: random.Random) -> None:
        super().__init__(names, factory, rng, {})
        self._frame = frame
        self._known = names

    def entry_call(self, callee: Callee) -> Variable:
        """Append the call and what drives its result."""
        if callee.kind in (CalleeKind.METHOD, CalleeKind.PROPERTY):
            owner = ANY if callee.owner is None else ClassHint(callee.owner)
            receiver = self.expression(self._frame.trees.get("self", ast.Name("self.unknown", ast.Load())), owner, "self")
            if callee.kind is CalleeKind.PROPERTY:
                return self.append(st.GetAttribute(self.fresh(), receiver, callee.name))
            arguments = self._passed(callee)
            variable = self.append(st.MethodCall(self.fresh(), receiver, callee.name, arguments, callee))
        else:
            arguments = self._passed(callee)
            variable = self.append(st.Call(self.fresh(), callee, arguments))
        if callee.is_async:
            return self.append(st.Await(self.fresh(), variable, "list" if callee.is_generator else "await"))
        if callee.is_generator:
            return self.append(st.Iterate(self.fresh(), variable, "list", _LIMIT))
        return variable

    def _passed(self, callee: Callee) -> st.Arguments:
        positional: list[Variable] = []
        keywords: list[tuple[str, Variable]] = []
        by_position = True
        for parameter in callee.parameters:
            tree = self._frame.trees.get(parameter.name)
            if parameter.kind is ParameterKind.VAR_POSITIONAL:
                items = tree.elts if by_position and isinstance(tree, ast.Tuple | ast.List) else ()
                positional += [self.expression(item) for item in items]
            elif parameter.kind is ParameterKind.VAR_KEYWORD:
                keywords += self._more(tree)
            elif tree is None and not parameter.required:
                by_position = False
            else:
                # No identifier: what is not known must not be taken for a class or builtin of that name.
                value = tree if tree is not None else ast.Name(f"{parameter.name}.unknown", ast.Load())
                variable = self.expression(value, parameter.hint, parameter.name)
                if by_position and parameter.kind is not ParameterKind.KEYWORD_ONLY:
                    positional.append(variable)
                elif parameter.kind is not ParameterKind.POSITIONAL_ONLY:
                    keywords.append((parameter.name, variable))
        return st.Arguments(tuple(positional), tuple(keywords))

    def _more(self, tree: ast.expr | None) -> list[tuple[str, Variable]]:
        if not isinstance(tree, ast.Dict):
            return []
        pairs: Sequence[tuple[ast.expr | None, ast.expr]] = list(zip(tree.keys, tree.values, strict=True))
        return [
            (key.value, self.expression(value))
            for key, value in pairs
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()
        ]

    def expression(self, node: ast.expr, hint: Hint = ANY, name: str = "") -> Variable:
        """As of an echo, but a repr has no calls and attributes of what is not known."""
        match node:
            case ast.Call(func=function) if self._known.callee(function, self._rng) is None:
                return self.unknown(hint, name)
            case ast.Attribute(value=ast.Name(id=holder)) if self._known.value(holder) is None:
                return self.unknown(hint, name)
            case _:
                return super().expression(node, hint, name)

    def unknown(self, hint: Hint, name: str, identifier: str = "") -> Variable:
        """An object of which the report tells the class at most."""
        printed = self._frame.classes.get(identifier, "")
        named = self._known.value(printed.rpartition(".")[2]) if printed else None
        live = named.live if named is not None else None
        if is_class(live) and is_sound(live):
            return self._factory.argument(self.statements, ClassHint(live), self._rng, 0, legal=True)
        return super().unknown(hint, name if name.isidentifier() else "")

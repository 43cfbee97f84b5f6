"""What a line of a report says, statement by statement: the very call, with its literals; names that the report does not explain
become fresh values of the parameter's type (SPEC 2, "In Python")."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, is_any
from crashwright.engine.subject.introspection import instance_of
from crashwright.engine.subject.usage.usage import TEXT_OF, called_name, filled_by
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import Definable
from crashwright.engine.testcase.echoing.callers_classes import callers_class, is_class_name, may_be_class
from crashwright.engine.testcase.echoing.definitions import shown_definition
from crashwright.engine.testcase.echoing.patched import attribute_set_by, patched_by
from crashwright.engine.testcase.echoing.process import taken
from crashwright.engine.testcase.echoing.source import driven_by_loop, one_by_one
from crashwright.engine.testcase.echoing.symbols import ARITHMETIC, BUILTIN_DUNDERS, COMPARISONS, DISPLAYS, DUNDERS, OF_ONE, UNARY
from crashwright.engine.testcase.echoing.unknowns import Unknowns, other_operand, positional_hints
from crashwright.engine.testcase.making.calls_in_turn import led_to
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.recipes import RECIPES, Recipe
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import dotted_parts
from crashwright.engine.testcase.statements import Statement, Variable, one_nan
from crashwright.engine.testcase.variables import defined

_BY_RECIPE = 0.8
_AS_SHOWN = 0.5
"""How often a parameter gets what examples pass for one of that name."""


class Untranslatable(Exception):
    """The echoed code has something that a test cannot say."""


class Translator:
    """Appends the statements of expressions and statements that a report or a document shows."""

    def __init__(
        self,
        names: NameChain,
        factory: Factory,
        rng: random.Random,
        local_values: Mapping[str, str],
        unknowns: Unknowns | None = None,
    ) -> None:
        """``unknowns`` are told of a line that stands alone. Without them what assigns to variables is shown too, so that all other
        names are imported."""
        self._shows_all = unknowns is None
        self._unknowns = unknowns or Unknowns()
        self.statements: list[Statement] = []
        self.quoted: dict[Variable, st.Value] = {}
        self.called: list[Variable] = []
        """What the calls return that are shown."""
        self._names = names
        self._factory = factory
        self._rng = rng
        self._locals = local_values
        self._variables: dict[str, Variable] = {}
        self._defined: dict[str, Callee | None] = {}
        """What the test defines, with the base of a class."""

    def statement(self, node: ast.stmt) -> None:
        patched = patched_by(node) if self._shows_all else None
        if patched is not None:
            self.append(st.Ambient(self.fresh(), *patched))
            return
        match node:
            case ast.Expr(value=ast.Call(args=[_, value])) if self._shows_all and (name := attribute_set_by(node)):
                given = self.expression(value)
                self.append(st.Ambient(self.fresh(), "attribute", name, st.Ref(given)))
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value) | ast.AugAssign(value=value):
                self.expression(value)
            case ast.Assign(targets=[ast.Subscript(value=receiver, slice=key)], value=value):
                self._effect("__setitem__", receiver, (key, value))
            case ast.Assign(targets=[ast.Attribute(value=receiver, attr=name)], value=value):
                entry = self._names.entry_named(name, CalleeKind.PROPERTY)
                owner = None if entry is None else entry.owner
                held = self.expression(receiver, ANY if owner is None else ClassHint(owner))
                self.append(st.SetAttribute(held, name, self.expression(value, name=name)))
            case ast.Assign() if pairs := one_by_one(node):
                for place, made in [(place, self.expression(shown)) for place, shown in pairs]:
                    self._assign(place, made)
            case ast.Assign(targets=targets, value=value):
                made = self.expression(value)
                for target in targets:
                    self._assign(target, made)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self.expression(value))
            case ast.Delete(targets=[ast.Subscript(value=receiver, slice=key)]):
                self._effect("__delitem__", receiver, (key,))
            case ast.Delete(targets=[ast.Attribute(value=receiver, attr=name)]):
                self.append(st.DeleteAttribute(self.expression(receiver), name))
            case ast.For(iter=iterable):
                self.append(st.Iterate(self.fresh(), self.expression(iterable), "for", 1000))
            case ast.With(items=[item]) if filled := filled_by(node):
                manager = self.expression(item.context_expr)
                filling = st.Display(
                    "dict", tuple((st.Ref(self.expression(key)), st.Ref(self.expression(value))) for key, value in filled)
                )
                self.append(st.Within(self.fresh(), manager, content=filling))
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    manager = self.expression(item.context_expr)
                    entered = self.append(st.Enter(self.fresh(), manager, isinstance(node, ast.AsyncWith)))
                    if isinstance(item.optional_vars, ast.Name):
                        self._variables[item.optional_vars.id] = entered
            case ast.ClassDef() | ast.FunctionDef() if self._names.defines and node.decorator_list and not self._shows_all:
                bare = copy.copy(node)
                bare.decorator_list = []
                self._define(bare)
                for decorator in reversed(node.decorator_list):  # a call that the test makes: it may be that of the entry
                    self.expression(ast.Call(decorator, [ast.Name(node.name, ast.Load())], []))
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if self._names.defines:
                self._define(node)
            case ast.Assert(test=test) | ast.If(test=test) | ast.While(test=test):
                self.expression(test)
            case _:
                raise Untranslatable

    def _assign(self, target: ast.expr, made: Variable) -> None:
        """``target = made``; of several names each gets its item. What begins with a star stays unknown."""
        match target:
            case ast.Name(id=name):
                self._variables[name] = made
            case ast.Attribute(value=receiver, attr=name):
                self.append(st.SetAttribute(self.expression(receiver), name, made))
            case ast.Subscript(value=receiver, slice=key):
                self.append(st.SetItem(self.expression(receiver), self.expression(key), made))
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if not any(isinstance(one, ast.Starred) for one in targets):
                for place, one in enumerate(targets):
                    self._assign(one, self.append(st.GetItem(self.fresh(), made, self._literal(place))))

    def expression(self, node: ast.expr, hint: Hint = ANY, name: str = "") -> Variable:
        """The variable that holds the value of ``node``."""
        if self._names.are_exported and not self._shows_all:
            given = taken(self._factory, self.statements, node, hint, name, self._rng)
            if given is not None:
                return given
        match node:
            case ast.Constant(value=value) if not isinstance(value, type(...)):
                return self._quoted(value)
            case ast.List() | ast.Tuple() | ast.Set():
                items = tuple(st.Ref(self.expression(item)) for item in node.elts)
                return self._literal(st.Display(DISPLAYS[type(node)], items))
            case ast.Dict():
                pairs = tuple(
                    (st.Ref(self.expression(key)), st.Ref(self.expression(value)))
                    for key, value in zip(node.keys, node.values, strict=True)
                    if key is not None
                )
                return self._literal(st.Display("dict", pairs))
            case ast.Name(id=identifier):
                return self._name(identifier, hint, name)
            case ast.Call():
                self.called.append(self._call(node, hint))
                return self.called[-1]
            case ast.Attribute(value=receiver, attr=attribute):
                return self._attribute(node, receiver, attribute)
            case ast.Subscript(value=receiver, slice=key):
                return self._operation("[]", "__getitem__", (receiver, key))
            case ast.BinOp(left=left, op=operator, right=right):
                symbol = ARITHMETIC[type(operator)]
                return self._operation(symbol, DUNDERS[symbol], (left, right))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                symbol = COMPARISONS[type(operator)]
                if symbol in ("in", "not in"):
                    return self._operation(symbol, "__contains__", (right, left))
                return self._operation(symbol, DUNDERS.get(symbol, ""), (left, right))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return self._quoted(-number)
            case ast.UnaryOp(op=operator, operand=operand):
                return self._operation(*UNARY[type(operator)], (operand,))
            case ast.Await(value=value):
                return self.append(st.Await(self.fresh(), self.expression(value)))
            case ast.Lambda(args=arguments, body=body):
                held = self._variables.get(body.id) if isinstance(body, ast.Name) else None
                plain = body.value if isinstance(body, ast.Constant) and not isinstance(body.value, type(...)) else None
                result = plain if held is None else st.Ref(held)
                return self.append(st.StubCallable(self.fresh(), ast.unparse(arguments), result))
            case (
                ast.ListComp(generators=[first, *_])
                | ast.SetComp(generators=[first, *_])
                | ast.GeneratorExp(generators=[first, *_])
            ):
                return self.expression(first.iter)
            case ast.Starred(value=value):
                return self.expression(value)
            case _:
                return self.unknown(hint, name)

    def _define(self, node: Definable) -> None:
        try:
            made = shown_definition(self.fresh(), node, self._variables, self._names.in_definition)
        except ValueError as error:
            raise Untranslatable from error
        self._variables[node.name] = self.append(made)
        base = node.bases[0] if isinstance(node, ast.ClassDef) and node.bases else None
        self._defined[node.name] = None if base is None else self._names.callee(base, self._rng)

    def append(self, statement: Statement) -> Variable:
        """Append it; the variable that it defines."""
        self.statements.append(statement)
        return statement[0]

    def fresh(self) -> Variable:
        """A variable that no test has yet."""
        return next(self._factory.fresh)

    def _quoted(self, value: st.Value) -> Variable:
        variable = self._literal(value)
        self.quoted[variable] = value
        return variable

    def _literal(self, value: st.Value) -> Variable:
        return self.append(st.Literal(self.fresh(), value))

    def unknown(self, hint: Hint, name: str, identifier: str = "") -> Variable:  # noqa: ARG002 - subclasses know more of names
        """A value for what is not known, by its type and name. ``identifier`` is what stands there."""
        shown = self._factory.suggestions.shown(name, hint, _AS_SHOWN, self._rng)
        if shown is not None:
            return self._literal(shown.value)
        return self._factory.argument(self.statements, hint, self._rng, 0, name)

    def _name(self, identifier: str, hint: Hint, name: str) -> Variable:
        known = self._variables.get(identifier)
        if known is not None:
            return known
        value = self._local_value(identifier)
        if value is not None:
            variable = self._literal(value)
        else:
            named = self._names.value(identifier)
            if named is None and may_be_class(hint, self._factory) and self._is_callers_class(identifier):
                return self._declare(identifier, hint)
            if named is not None and self._is_meant(identifier, named, hint):
                variable = self.append(st.Reference(self.fresh(), named))
            else:
                variable = self.unknown(self._unknowns.hint(identifier, hint, self._rng), name or identifier, identifier)
        self._variables[identifier] = variable
        return variable

    def _is_callers_class(self, identifier: str) -> bool:
        """Whether the name is that of a class that nothing explains."""
        defines = self._factory.definer is not None and self._names.are_exported
        return defines and is_class_name(identifier) and identifier not in self._variables and not self._is_known(identifier)

    def _declare(self, identifier: str, hint: Hint) -> Variable:
        made, base = callers_class(self._factory, self.statements, identifier, hint, self._rng)
        self._variables[identifier], self._defined[identifier] = made, base
        return made

    def _is_meant(self, identifier: str, named: st.Named, hint: Hint) -> bool:
        """Whether a bare name is what the package has by it, and not a variable of the caller's that is called alike."""
        if not self._names.are_exported or not identifier.islower() or named.module == "builtins":
            return True
        if is_any(hint):
            return self._shows_all or self._rng.random() < 0.5
        return self._factory.accepts(hint, type(named.live))

    def _local_value(self, identifier: str) -> st.Value | None:
        text = self._locals.get(identifier)
        if text is None:
            return None
        try:
            return as_value(ast.literal_eval(text))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None  # a repr that is no literal: the name stays unknown

    def _attribute(self, node: ast.Attribute, receiver: ast.expr, attribute: str) -> Variable:
        named = None if self._is_local(node) else self._names.value(*dotted_parts(node) or ())
        if named is not None:
            return self.append(st.Reference(self.fresh(), named))
        entry = self._names.entry_named(attribute, CalleeKind.PROPERTY)
        if entry is not None and entry.owner is not None:
            held = self.expression(receiver, ClassHint(entry.owner))
            return self.append(st.GetAttribute(self.fresh(), held, attribute))
        return self.append(st.GetAttribute(self.fresh(), self.expression(receiver), attribute))

    def _is_local(self, node: ast.expr) -> bool:
        """Whether a dotted name begins with a variable that is known already."""
        parts = dotted_parts(node) if self._names.are_exported else None
        return parts is not None and (parts[0] in self._variables or parts[0] in self._locals)

    def _call(self, node: ast.Call, hint: Hint = ANY) -> Variable:
        function = node.func
        if isinstance(function, ast.Name) and self._is_callers_class(function.id):
            self._declare(function.id, hint)
        coroutine = driven_by_loop(node) if self._names.are_exported else None
        if coroutine is not None:
            return self.append(st.Await(self.fresh(), self.expression(coroutine)))
        if isinstance(function, ast.Name) and node.args:
            for dunder in TEXT_OF.get(function.id, (BUILTIN_DUNDERS.get(function.id, ""),)):
                if self._names.entry_named(dunder, CalleeKind.METHOD) is not None:
                    return self._asked(node, dunder)
        if isinstance(function, ast.Name) and function.id == "print":
            return [self.expression(argument) for argument in node.args][-1] if node.args else self._literal(None)
        if isinstance(function, ast.Name) and function.id in self._defined:
            base = self._defined[function.id]
            return self.append(st.CallValue(self.fresh(), self._variables[function.id], self._arguments(node, base), base))
        local = self._is_local(function)
        callee = None if local else self._names.called(function, self._rng)
        if isinstance(callee, Callee):
            recipe = self._recipe(callee, node)
            if recipe is not None:
                return recipe(self._factory, self.statements, ClassHint(cast(type, callee.live)), self._rng, 1)
            arguments = self._arguments(node, callee)
            return self.append(st.Call(self.fresh(), callee, arguments))
        if callee is not None:
            return self._call_thing(node, callee)
        if isinstance(function, ast.Attribute):
            return self._method_call(node, function)
        if isinstance(function, ast.Name):
            entry = self._names.entry_named("__call__", CalleeKind.METHOD)
            if entry is not None and entry.owner is not None and function.id not in self._variables:
                held = self.expression(function, ClassHint(entry.owner))
                return self.append(st.MethodCall(self.fresh(), held, "__call__", self._arguments(node, entry), entry))
        closure = self._factory.preferences.closure
        if closure is not None and isinstance(function, ast.Name) and not closure.attribute and not self._is_known(function.id):
            held = led_to(self._factory, self.statements, closure, self._rng)
            return self.append(st.CallValue(self.fresh(), held, self._arguments(node, closure.last)))
        held = self.expression(function)
        return self.append(st.CallValue(self.fresh(), held, self._arguments(node, None)))

    def _asked(self, node: ast.Call, dunder: str) -> Variable:
        """What is printed is asked one by one; texts that stand there are asked nothing."""
        if called_name(node) != "print":
            return self._operation("", dunder, node.args)
        shown = [one for one in node.args if not isinstance(one, ast.Constant | ast.JoinedStr)]
        return [self._operation("", dunder, [one]) for one in shown or node.args[:1]][-1]

    def _recipe(self, callee: Callee, node: ast.Call) -> Recipe | None:
        """How an instance of a class of the standard library is made, mostly, where the line does not show of what."""
        if not self._names.are_exported or callee.kind is not CalleeKind.CLASS or self._names.is_own(callee):
            return None
        inner = [one for argument in (*node.args, *node.keywords) for one in walk(argument)]
        shown = any(
            isinstance(one, ast.Constant | ast.Call) or (isinstance(one, ast.Name) and self._is_known(one.id)) for one in inner
        )
        if shown or not inner or self._rng.random() >= _BY_RECIPE:
            return None
        return RECIPES.get(cast(type, callee.live))

    def _is_known(self, identifier: str) -> bool:
        return identifier in self._variables or identifier in self._locals or self._names.value(identifier) is not None

    def _call_thing(self, node: ast.Call, thing: st.Named) -> Variable:
        """A call of an object that the package exports."""
        held = self.append(st.Reference(self.fresh(), thing))
        entry = self._names.entry_named("__call__", CalleeKind.METHOD)
        if entry is not None and entry.owner is not None and instance_of(thing.live, entry.owner):
            return self.append(st.MethodCall(self.fresh(), held, "__call__", self._arguments(node, entry), entry))
        return self.append(st.CallValue(self.fresh(), held, self._arguments(node, None)))

    def _method_call(self, node: ast.Call, function: ast.Attribute) -> Variable:
        closure, receiver = self._factory.preferences.closure, function.value
        if closure is not None and function.attr == closure.last.name and isinstance(receiver, ast.Name):
            held = self._variables.get(receiver.id)
            if held is None:
                held = self._variables[receiver.id] = led_to(self._factory, self.statements, closure, self._rng)
            return self.append(st.MethodCall(self.fresh(), held, function.attr, self._arguments(node, closure.last)))
        known = isinstance(function.value, ast.Name) and function.value.id in self._variables
        method = self._names.method_of(ast.unparse(function)) if known else None
        method = (
            method or self._names.own.methods.get(function.attr) or self._names.entry_named(function.attr, CalleeKind.CLASSMETHOD)
        )
        hint = ClassHint(method.owner) if method is not None and method.owner is not None and not known else ANY
        held = self.expression(function.value, hint)
        return self.append(st.MethodCall(self.fresh(), held, function.attr, self._arguments(node, method), method))

    def _arguments(self, node: ast.Call, callee: Callee | None) -> st.Arguments:
        positional: list[Variable] = []
        star = double_star = None
        hints = positional_hints(callee)
        for index, argument in enumerate(node.args):
            hint, name = hints[index] if index < len(hints) else (ANY, "")
            if isinstance(argument, ast.Starred):
                star = self.expression(argument.value, ClassHint(list))
            else:
                positional.append(self.expression(argument, self._suggested(callee, name, hint), name))
        keywords: list[tuple[str, Variable]] = []
        by_name = {parameter.name: parameter.hint for parameter in callee.parameters} if callee is not None else {}
        for keyword in node.keywords:
            if keyword.arg is None:
                double_star = self.expression(keyword.value, ClassHint(dict))
            else:
                hint = self._suggested(callee, keyword.arg, by_name.get(keyword.arg, ANY))
                value = self.expression(keyword.value, hint, keyword.arg)
                keywords.append((keyword.arg, value))
        return st.Arguments(tuple(positional), tuple(keywords), star, double_star)

    def _suggested(self, callee: Callee | None, name: str, hint: Hint) -> Hint:
        """What a parameter without a type probably takes."""
        if callee is None or not self._names.are_exported or not is_any(hint):
            return hint
        said = self._unknowns.said(self._rng)
        return self._factory.suggestions.draw(callee, name, self._rng) if is_any(said) else said

    def _operation(self, symbol: str, dunder: str, operands: Sequence[ast.expr]) -> Variable:
        """An operator: a method call where that method is the entry (so that the test is known to drive it), else an operation."""
        entry = self._names.entry_named(dunder, CalleeKind.METHOD)
        if entry is not None and entry.owner is not None:
            held = self.expression(operands[0], ClassHint(entry.owner))
            arguments = tuple(self.expression(operand) for operand in operands[1:])
            return self.append(st.MethodCall(self.fresh(), held, dunder, st.Arguments(arguments), entry))
        values = self._reflected(dunder, operands) or self._operands(symbol, operands)
        if symbol == "[]":
            return self.append(st.GetItem(self.fresh(), values[0], values[1]))
        if dunder == "__contains__":
            values = values[::-1]
        return self.append(st.Operation(self.fresh(), symbol, values))

    def _reflected(self, dunder: str, operands: Sequence[ast.expr]) -> tuple[Variable, ...]:
        """The operands where the method of the second is the entry."""
        entry = self._names.entry_named(f"__r{dunder.lstrip('_')}", CalleeKind.METHOD)
        if entry is None or entry.owner is None or len(operands) != 2 or not self._names.are_exported:
            return ()
        return self.expression(operands[0]), self.expression(operands[1], ClassHint(entry.owner))

    def _operands(self, symbol: str, operands: Sequence[ast.expr]) -> tuple[Variable, ...]:
        """Two operands that the line does not explain are of types that go together."""
        if not self._names.are_exported or len(operands) != 2 or symbol in OF_ONE:
            return tuple(self.expression(operand) for operand in operands)
        left, right = operands
        if isinstance(left, ast.Name) and not isinstance(right, ast.Name):
            second = self.expression(right)
            return self.expression(left, other_operand(symbol, self._hint_of(second))), second
        first = self.expression(left)
        return first, self.expression(right, other_operand(symbol, self._hint_of(first)))

    def _hint_of(self, variable: Variable) -> Hint:
        made = next((one for one in reversed(self.statements) if defined(one) == variable), None)
        return ANY if made is None else self._factory.hint_of_statement(made)

    def _effect(self, dunder: str, receiver: ast.expr, operands: Iterable[ast.expr]) -> None:
        entry = self._names.entry_named(dunder, CalleeKind.METHOD)
        hint = ClassHint(entry.owner) if entry is not None and entry.owner is not None else ANY
        held = self.expression(receiver, hint)
        values = tuple(self.expression(operand) for operand in operands)
        if entry is not None:
            self.append(st.MethodCall(self.fresh(), held, dunder, st.Arguments(values), entry))
        elif dunder == "__setitem__":
            self.append(st.SetItem(held, values[0], values[1]))
        else:
            self.append(st.DeleteItem(held, values[0]))


def as_value(value: object) -> st.Value:
    """A live literal as a tree. TypeError for anything that is not made of literals."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return one_nan(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return st.Display(type(value).__name__, tuple(as_value(item) for item in value))
    if isinstance(value, dict):
        return st.Display("dict", tuple((as_value(key), as_value(item)) for key, item in value.items()))
    raise TypeError(f"no literal for {type(value).__name__}")

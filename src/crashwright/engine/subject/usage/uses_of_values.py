"""How functions use their parameters, read off the syntax: attributes, operations, comparisons, tests of type (duck typing).

Aliases, ``self.x = parameter``, loops over a parameter and calls of functions of the same module are followed; the flow of control
is not. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from crashwright.engine.subject.usage.match_patterns import use_in_pattern
from crashwright.engine.subject.usage.roles import ASYNC, role_of_attribute, role_of_call
from crashwright.engine.subject.usage.same_places import same_place
from crashwright.engine.subject.usage.use import FILE, FOLDER, Use
from crashwright.engine.subject.walking import children, walk

_ITERATING = frozenset(
    {"list", "tuple", "set", "frozenset", "sorted", "iter", "enumerate", "reversed", "any", "all", "sum", "join"}
)
_ITERATING_MANY = frozenset({"zip", "min", "max", "map", "filter", "chain"})
_SAME_ELEMENTS = frozenset({"list", "tuple", "set", "frozenset", "sorted", "iter", "reversed"})
_NUMERIC = frozenset({"range", "abs", "divmod", "pow", "chr", "hex", "bin", "oct", "islice"})
_NUMERIC_MODULES = frozenset({"math", "cmath", "operator"})
_TEXTUAL_MODULES = frozenset({"re", "path", "json", "textwrap", "ast", "unicodedata", "shlex"})
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mult: "multiply",
    ast.Mod: "modulo",
    ast.Sub: "subtract",
    ast.BitAnd: "combine",
    ast.BitOr: "combine",
    ast.BitXor: "combine",
}
"""What an operator does with its operands."""
_FOLDERS = frozenset({"listdir", "scandir", "walk", "iterdir", "glob", "iglob", "rglob", "chdir", "rmtree", "copytree", "isdir"})
_OPENING = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes", "isfile", "getsize", "is_file"})
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Passed = list[tuple[int | str, Use]]
"""What a call gets, by position or keyword."""


class ModuleUses:
    """The uses of all parameters of one module's functions, by qualified name of the function and name of the parameter."""

    __slots__ = ("_attributes", "_functions", "_waiting", "outward")

    def __init__(self, tree: ast.Module) -> None:
        self._functions: dict[str, tuple[list[str], dict[str, Use]]] = {}
        self._attributes: dict[str, dict[str, Use]] = {}
        self.outward: list[tuple[ast.expr, Passed]] = []
        """Calls of what is not a function of the module, with what is passed."""
        self._waiting: list[tuple[str, ast.Call, Passed]] = []
        self._visit(tree, "", None, "")
        for owner, call, arguments in self._waiting:
            self._connect(owner, call, arguments)

    def use_of(self, qualname: str, parameter: str) -> Use | None:
        """All that is known of the parameter, merged; None where that is nothing."""
        found = self._functions.get(qualname)
        use = None if found is None else found[1].get(parameter)
        if use is None:
            return None
        merged = use.merged()
        return merged if merged else None

    def attributes_of(self, qualname: str) -> frozenset[str]:
        """The attributes that the methods of a class set or read on ``self``."""
        return frozenset(self._attributes.get(qualname, ()))

    def _visit(self, node: ast.AST, prefix: str, owner: str | None, around: str) -> None:
        """``owner`` is the class whose methods are visited, ``around`` that in which also the functions within them stand."""
        for child in children(node):
            if isinstance(child, ast.ClassDef):
                self._attributes.setdefault(prefix + child.name, {})
                self._visit(child, f"{prefix}{child.name}.", prefix + child.name, prefix + child.name)
            elif isinstance(child, Function):
                self._function(child, prefix + child.name, owner, around)
                self._visit(child, f"{prefix}{child.name}.<locals>.", None, around)
            elif isinstance(child, ast.stmt):
                self._visit(child, prefix, owner, around)

    def _function(self, node: Function, qualname: str, owner: str | None, around: str) -> None:
        arguments = node.args
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
        receiver = names.pop(0) if owner is not None and names and not static else ""
        uses = {name: Use() for name in names}
        for star in (arguments.vararg, arguments.kwarg):
            if star is not None:
                uses[star.arg] = Use()
        self._functions.setdefault(qualname, (names, uses))
        attributes = self._attributes.setdefault(owner, {}) if owner is not None else {}
        reader = _Reader(uses, receiver, attributes)
        reader.block(node.body, True)
        self._waiting.extend((around, call, passed) for call, passed in reader.calls)

    def _connect(self, owner: str, call: ast.Call, arguments: Passed) -> None:
        """Let what is passed flow into the parameters of the function that is called, where that is one of the module."""
        function = call.func
        if isinstance(function, ast.Name):
            qualname = function.id if function.id in self._functions else f"{function.id}.__init__"
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            qualname = f"{owner if function.value.id in ('self', 'cls') else function.value.id}.{function.attr}"
        else:
            qualname = ""
        if qualname in self._functions:
            self.flow_into(qualname, arguments)
        else:
            self.outward.append((function, arguments))

    def flow_into(self, qualname: str, arguments: Passed) -> None:
        """A function of the module is called with these, perhaps from another module."""
        names, uses = self._functions.get(qualname, ([], {}))
        for place, use in arguments:
            name = place if isinstance(place, str) else names[place] if place < len(names) else ""
            if name in uses and uses[name] is not use:
                use.links.append(uses[name])


class _Reader:
    """Reads one function. ``calls`` are those that get something known, by position or keyword."""

    def __init__(self, parameters: dict[str, Use], receiver: str, attributes: dict[str, Use]) -> None:
        self._names = dict(parameters)
        self._receiver = receiver
        self._attributes = attributes
        self.calls: list[tuple[ast.Call, Passed]] = []

    def block(self, statements: list[ast.stmt], straight: bool) -> None:
        """Statements in order. Only on the straight way does an assignment give a name another meaning."""
        for statement in statements:
            self._statement(statement, straight)

    def _statement(self, node: ast.stmt, straight: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not isinstance(node, ast.ClassDef):
                self.block(node.body, False)  # a closure uses what is around it
            return
        for expression in _expressions(node):
            self._expression(expression)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                self._assign(target, node.value, straight)
        elif isinstance(node, ast.AugAssign):
            self._operation(node.op, node.target, node.value)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._loop(node.target, node.iter)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._note(item.context_expr, "with")
        elif isinstance(node, ast.If | ast.While):
            self._test(node.test)
        elif isinstance(node, ast.Match):
            use = self._use(node.subject)
            for case in node.cases:
                use_in_pattern(case.pattern, Use() if use is None else use, self._names.__setitem__)
                if case.guard is not None:
                    self._expression(case.guard)
        for body in _blocks(node):
            self.block(body, False)

    def _use(self, node: ast.AST | None) -> Use | None:
        """The use of what an expression names: a variable, an attribute of ``self``, an element of one of them."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self._receiver != "":
            return self._attributes.setdefault(node.attr, Use())
        if isinstance(node, ast.Subscript):
            whole = self._use(node.value)
            if whole is None:
                return None
            return whole if isinstance(node.slice, ast.Slice) else whole.elements()
        if isinstance(node, ast.BoolOp):
            return next((use for value in node.values if (use := self._use(value)) is not None), None)
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self._use(node.value)
        return self._place(node)

    def _place(self, node: ast.AST | None) -> Use | None:
        """The use of another spelling of a path."""
        path = same_place(node) if isinstance(node, ast.Call) else None
        use = None if path is None else self._use(path)
        if use is None:
            return None
        place = Use()
        use.places.append(place)
        return place

    def _note(self, node: ast.AST | None, operation: str) -> None:
        use = self._use(node)
        if use is not None:
            use.note(operation)

    def _assign(self, target: ast.expr, value: ast.expr | None, straight: bool) -> None:
        use = self._use(value)
        if isinstance(target, ast.Name):
            if use is not None:
                self._names[target.id] = use
            elif straight and target.id in self._names:
                self._names[target.id] = Use()
        elif isinstance(target, ast.Attribute):
            owner = self._use(target.value)
            if owner is not None:
                owner.attributes[target.attr] = None
            held = self._use(target)
            if held is not None and use is not None and held is not use:
                use.links.append(held)
        elif isinstance(target, ast.Subscript):
            self._note(target.value, "store")
        elif isinstance(target, ast.Tuple | ast.List) and use is not None:
            use.note("unpack")
            use.width = max(use.width, len(target.elts))

    def _loop(self, target: ast.expr, source: ast.expr) -> None:
        use = self._iterated(source)
        if use is None:
            return
        element = use.elements()
        if isinstance(target, ast.Name):
            self._names[target.id] = element
        elif isinstance(target, ast.Tuple | ast.List):
            element.note("unpack")
            element.width = max(element.width, len(target.elts))

    def _iterated(self, source: ast.expr) -> Use | None:
        if isinstance(source, ast.Call) and source.args and _called(source) in _SAME_ELEMENTS:
            source = source.args[0]
        use = self._use(source)
        if use is not None:
            use.note("iterate")
        return use

    def _test(self, node: ast.expr) -> None:
        """``if x`` and ``if not x`` say that it may be missing, and little else."""
        inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else node
        if isinstance(inner, ast.Name):
            self._note(inner, "optional")

    def _expression(self, root: ast.expr) -> None:
        # Comprehensions bind their targets for the expressions inside, whatever the order of the walk: first all of them.
        nodes = walk(root)  # not remembered: expressions are many, and would displace the modules
        for node in nodes:
            if isinstance(node, ast.comprehension):
                self._loop(node.target, node.iter)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                use = self._use(node.value)
                if use is not None:
                    use.attributes[node.attr] = None
                    role = role_of_attribute(node.attr)
                    if role is not None:
                        use.note(role)
                    if node.attr in _FOLDERS or node.attr in _OPENING - {"open"}:
                        use.note(FOLDER if node.attr in _FOLDERS else FILE)
            elif isinstance(node, ast.Subscript):
                self._note(node.value, _subscript(node.slice))
            elif isinstance(node, ast.Compare):
                self._comparison(node)
            elif isinstance(node, ast.BinOp):
                self._operation(node.op, node.left, node.right)
                if isinstance(node.op, ast.Div) and isinstance(node.right, ast.Constant) and type(node.right.value) is str:
                    self._note(node.left, FOLDER)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd | ast.Invert):
                self._note(node.operand, "number")
            elif isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Await):
                self._note(node.value, "await")
                if isinstance(node.value, ast.Call):
                    self._note(node.value.func, ASYNC)
            elif isinstance(node, ast.YieldFrom | ast.Starred):
                self._note(node.value, "iterate")
            elif isinstance(node, ast.IfExp):
                self._test(node.test)

    def _comparison(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(operator, ast.In | ast.NotIn):
                self._note(right, "contains")
                if isinstance(right, ast.Constant | ast.Tuple | ast.List | ast.Set):
                    self._constant(left, right.elts[0] if not isinstance(right, ast.Constant) and right.elts else right)
                for one in right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else ():
                    self._equal(left, one)
                continue
            for side, other in ((left, right), (right, left)):
                if isinstance(operator, _ORDER):
                    self._note(side, "order")
                else:
                    self._equal(side, other)
                self._constant(side, other)

    def _equal(self, side: ast.expr, other: ast.expr) -> None:
        """It may be what has a name, a class (``kind is bool``) or a member of an enumeration."""
        use = self._use(side) if isinstance(other, ast.Name | ast.Attribute) else None
        if use is not None and self._use(other) is None:
            use.equals[ast.unparse(other)] = None

    def _constant(self, side: ast.expr, other: ast.expr) -> None:
        """A value that is compared with a constant is probably of its kind."""
        if isinstance(other, ast.UnaryOp):
            other = other.operand
        if not isinstance(other, ast.Constant):
            return
        kinds: dict[type, str] = {str: "text", bytes: "bytes", int: "number", float: "number", type(None): "optional"}
        kind = kinds.get(type(other.value))
        if kind is not None:
            self._note(side, kind)

    def _operation(self, operator: ast.operator, left: ast.expr, right: ast.expr) -> None:
        name = OPERATORS.get(type(operator), "number")
        for side, other in ((left, right), (right, left)):
            use = self._use(side)
            if use is None:
                continue
            use.note(name)
            constant = other.value if isinstance(other, ast.Constant) else None
            if isinstance(other, ast.JoinedStr) or (isinstance(constant, str) and name == "add"):
                use.note("text")
            elif type(constant) in (int, float) and name != "multiply":
                use.note("number")

    def _call(self, node: ast.Call) -> None:
        name = _called(node)
        self._called_with(node)
        module = node.func.value if isinstance(node.func, ast.Attribute) else None
        of = module.id if isinstance(module, ast.Name) else module.attr if isinstance(module, ast.Attribute) else ""
        known: Passed = []
        for place, argument in enumerate(node.args):
            use = self._use(argument)
            if use is None:
                continue
            known.append((place, use))
            role = role_of_call(name, of, place)
            if role is not None:
                use.note(role)
            if place == 0 and (name in _FOLDERS or (name == "join" and of == "path")):
                use.note(FOLDER)
            elif place == 0 and name in _OPENING:
                use.note(FILE)
            if name == "isinstance" and place == 0 and len(node.args) == 2:
                use.classes |= dict.fromkeys(_class_names(node.args[1]))
            elif name in ("hasattr", "getattr") and place == 0 and len(node.args) > 1:
                self._asked_for(use, node.args[1])
            elif (name in _ITERATING and place == 0) or name in _ITERATING_MANY:
                if name not in ("map", "filter") or place > 0:
                    use.note("iterate")
            elif name == "len":
                use.note("length")
            elif name == "next":
                use.note("next")
            elif name == "callable":
                use.note("call")
            elif name in _NUMERIC or of in _NUMERIC_MODULES:
                use.note("number")
            elif of in _TEXTUAL_MODULES or name in ("open", "ord"):
                use.note("text")
        known.extend(
            (keyword.arg, use) for keyword in node.keywords if keyword.arg and (use := self._use(keyword.value)) is not None
        )
        if known:
            self.calls.append((node, known))

    def _called_with(self, node: ast.Call) -> None:
        use = self._use(node.func)
        if use is not None:
            use.note("call")
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            use.arities[None if starred else len(node.args)] = None

    def _asked_for(self, use: Use, name: ast.expr) -> None:
        """``hasattr``, or ``getattr`` with a name that is written there."""
        if isinstance(name, ast.Constant) and type(name.value) is str:
            use.asked[name.value] = None
            role = role_of_attribute(name.value)
            if role is not None:
                use.note(role)


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, without those of the blocks in it."""
    for child in children(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr
        elif isinstance(child, ast.keyword):
            yield child.value


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _subscript(index: ast.expr) -> str:
    if isinstance(index, ast.Slice):
        return "slice"
    if isinstance(index, ast.UnaryOp):
        return "index"
    if isinstance(index, ast.Constant):
        return "index" if isinstance(index.value, int) else "key"
    return "item"


def _called(node: ast.Call) -> str:
    function = node.func
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


def _class_names(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Tuple):
        for part in node.elts:
            yield from _class_names(part)
    elif isinstance(node, ast.BinOp):
        yield from _class_names(node.left)
        yield from _class_names(node.right)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield ast.unparse(node)

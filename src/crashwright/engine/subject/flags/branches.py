"""Flag branches: atomic conditions whose outcome is told by what called Python code returns (paper 003, section 3.1; SPEC 8).

In Python flags are everywhere and untyped: a candidate is the result of a call, property or operator that is used for its truth,
compared with None or with a constant, or tested through ``any``, ``all``, ``bool``, ``in`` or ``==``; also a local that such a
result was assigned to just before, or that gathers such results by ``|=`` or ``&=``.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.core.report import Unknown
from crashwright.engine.subject.api.call_graph import own_expressions
from crashwright.engine.subject.flags.callees import LiveCallees
from crashwright.engine.subject.flow.conditions import atoms, position_of
from crashwright.engine.subject.source import CodeNode, Sources
from crashwright.engine.subject.walking import walk

DEPTH = 5
"""Calls below the branch that are looked into."""
MOST_PROBED = 400
"""Callees that are instrumented for flags at most."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Assignment = ast.Assign | ast.AnnAssign | ast.AugAssign
Stores = dict[str, list[Assignment | None]]
Constant = str | bytes | int | float | bool | None
_Comprehension = (ast.GeneratorExp, ast.ListComp, ast.SetComp)


class Asks(StrEnum):
    """What a condition asks of a result."""

    TRUTH = "truth"
    NONE = "none"
    EQUAL = "equal"


class WantedResult(NamedTuple):
    """A property that a result is to have (``holds``) or not to have. ``constant`` counts for EQUAL alone."""

    asks: Asks
    holds: bool
    constant: Constant = None

    @property
    def negated(self) -> WantedResult:
        """The opposite."""
        return self._replace(holds=not self.holds)


class Over(StrEnum):
    """How many results of a site decide: that of the call, any or all of those in a loop."""

    ONE = "one"
    ANY = "any"
    ALL = "all"


class FlagSite(NamedTuple):
    """A condition (``position`` is that of its predicate) that is told by a result. ``producers`` are the places at which the
    caller's frame may stand while the result is made, ``callees`` what may make it. The outcome is that of ``asks``, or its
    opposite where it is ``inverted``. ``loose``: the frame stands anywhere around the condition (truth of objects, operators)."""

    position: Position
    producers: tuple[Position, ...]
    callees: frozenset[CodeKey]
    asks: Asks = Asks.TRUTH
    constant: Constant = None
    inverted: bool = False
    over: Over = Over.ONE
    loose: bool = False

    def wanted(self, outcome: bool) -> WantedResult:
        """What the result must be for that outcome."""
        return WantedResult(self.asks, outcome is not self.inverted, self.constant)


class _Producer(NamedTuple):
    places: tuple[Position, ...]
    callees: tuple[CodeKey, ...]
    inverted: bool = False
    over: Over = Over.ONE
    loose: bool = False


_OPERATORS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("__eq__",),
    ast.NotEq: ("__ne__", "__eq__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
    ast.In: ("__contains__",),
    ast.NotIn: ("__contains__",),
}
_GATHERED: dict[type[ast.operator], Over] = {ast.BitOr: Over.ANY, ast.BitAnd: Over.ALL}
_INVERTED = (ast.NotEq, ast.NotIn, ast.IsNot)


class FlagAnalysis:
    """The flag sites of functions, by position; each function is looked at once. ``modules``: see ``LiveCallees``."""

    def __init__(self, sources: Sources, modules: Iterable[str]) -> None:
        self._sources = sources
        self._live = LiveCallees(modules)
        self._sites: dict[CodeKey, dict[Position, FlagSite]] = {}

    def sites(self, key: CodeKey) -> dict[Position, FlagSite]:
        """Those of a function: its conditions, and the results that it hands on in ``return`` and assignments."""
        known = self._sites.get(key)
        if known is None:
            node = self.node(key)
            known = self._sites[key] = {} if node is None else dict(self._found(key, node))
        return known

    def node(self, key: CodeKey) -> FunctionNode | None:
        """The tree of a function or lambda; None where there is no source, or the code is of another kind or a generator."""
        node = self._sources.node_of(key)
        return node if isinstance(node, FunctionNode) and not is_generator(node) else None

    def source(self, key: CodeKey) -> CodeNode | None:
        """The tree of any code with source."""
        return self._sources.node_of(key)

    def callees_to_probe(
        self, branches: Mapping[CodeKey, Container[Position] | None], left_alone: Container[str] = (), depth: int = DEPTH
    ) -> dict[str, frozenset[CodeKey]]:
        """The callees, down to ``depth`` calls, whose distances the flag branches of these functions need, by module, without those
        functions themselves. ``branches`` gives for each function the positions of the predicates in question (None: all).
        ``left_alone`` are modules that must not be touched, such as those that the engine itself runs."""
        known: dict[CodeKey, Container[Position] | None] = dict(branches)
        begin = frozenset(known)
        layer = list(known)
        for _ in range(depth):
            found = dict.fromkeys(callee for key in layer for callee in self._callees(key, known[key]))
            layer = [key for key in found if key not in known and key.module not in left_alone and self._has_source(key)]
            layer = layer[: max(0, MOST_PROBED - len(known) + len(begin))]
            known.update(dict.fromkeys(layer))
        chosen: dict[str, set[CodeKey]] = {}
        for key in known:
            if key not in begin:
                chosen.setdefault(key.module, set()).add(key)
        return {module: frozenset(keys) for module, keys in chosen.items()}

    def _callees(self, key: CodeKey, positions: Container[Position] | None) -> Iterator[CodeKey]:
        for position, site in self.sites(key).items():
            if positions is None or position in positions:
                yield from sorted(site.callees)

    def _has_source(self, key: CodeKey) -> bool:
        return not isinstance(self._sources.of_module(key.module), Unknown) and self.node(key) is not None

    # -- finding

    def _found(self, key: CodeKey, function: FunctionNode) -> Iterator[tuple[Position, FlagSite]]:
        stores = _stores(function)
        for node in _conditions(function):
            site = self._site(node, key, stores)
            if site is not None:
                yield site.position, site

    def _site(self, node: ast.expr, key: CodeKey, stores: Stores) -> FlagSite | None:
        at = position_of(node)
        inner = node.value if isinstance(node, ast.NamedExpr) else node
        if isinstance(inner, ast.Compare):
            return self._compared(inner, at, key, stores)
        producer = self._producer(inner, key, stores)
        if producer is None:
            return self._asked_itself(inner, at)
        return _made(at, producer, Asks.TRUTH, None, producer.inverted)

    def _compared(self, node: ast.Compare, at: Position, key: CodeKey, stores: Stores) -> FlagSite | None:
        if len(node.ops) != 1:
            return None
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        inverted = isinstance(operator, _INVERTED)
        if isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            if isinstance(left, ast.Constant):
                left, right = right, left
            if isinstance(right, ast.Constant) and isinstance(right.value, str | bytes | int | float | bool | None):
                value = left.value if isinstance(left, ast.NamedExpr) else left
                producer = self._producer(value, key, stores)
                if producer is not None and producer.over is Over.ONE:
                    asks = Asks.NONE if right.value is None else Asks.EQUAL
                    return _made(at, producer, asks, right.value, inverted)
        names = _OPERATORS.get(type(operator))
        callees = () if names is None else self._live.of_special(*names)
        if not callees or _is_builtin(left) or _is_builtin(right):
            return None
        return _made(at, _Producer((at,), callees, loose=True), Asks.TRUTH, None, inverted)

    def _producer(self, node: ast.expr, key: CodeKey, stores: Stores) -> _Producer | None:
        """What makes the value of ``node``, where that may be Python code."""
        at = position_of(node)
        match node:
            case ast.Await(value=value):
                awaited = self._producer(value, key, stores)
                return None if awaited is None else awaited._replace(places=(at, *awaited.places))
            case ast.NamedExpr(value=value):
                return self._producer(value, key, stores)
            case ast.Call(func=ast.Name(id="bool"), args=[value], keywords=[]):
                return self._producer(value, key, stores)
            case ast.Call(func=ast.Name(id="any" | "all" as name), args=[value], keywords=[]) if isinstance(value, _Comprehension):
                return self._quantified(node, value, Over(name), key, stores)
            case ast.Call(func=function):
                callees = self._live.of_call(function, key) or self._nested(function, key)
                return _Producer((at,), callees) if callees else None
            case ast.Attribute():
                callees = self._live.of_property(node, key)
                return _Producer((at,), callees) if callees else None
            case ast.Subscript():
                callees = self._live.of_special("__getitem__")
                return _Producer((at,), callees) if callees and not isinstance(node.slice, ast.Slice) else None
            case ast.Name(id=name) if name in stores:
                return self._assigned(node, stores[name], key, stores)
        return None

    def _assigned(self, node: ast.Name, assigned: list[Assignment | None], key: CodeKey, stores: Stores) -> _Producer | None:
        """Of a local: what made the value of the assignment just before, in order of the source."""
        if None in assigned:
            return None
        start = position_of(node)[:2]
        before = [one for one in assigned if one is not None and position_of(one)[2:] <= start]
        if not before:
            return None
        if isinstance(before[-1], ast.AugAssign):
            return self._gathered(before, key, stores)
        value = before[-1].value
        return None if value is None or isinstance(value, ast.Name) else self._producer(value, key, stores)

    def _gathered(self, assigned: list[Assignment], key: CodeKey, stores: Stores) -> _Producer | None:
        """``found |= f(x)`` is true where any of the results is, ``valid &= f(x)`` where all are: those since the last plain
        assignment, and its own."""
        places: list[Position] = []
        callees: list[CodeKey] = []
        last = assigned[-1]
        over = _GATHERED.get(type(last.op)) if isinstance(last, ast.AugAssign) else None
        for one in reversed(assigned):
            augmented = isinstance(one, ast.AugAssign)
            value = one.value
            if over is None or value is None or (isinstance(one, ast.AugAssign) and _GATHERED.get(type(one.op)) is not over):
                return None
            found = None if isinstance(value, ast.Name | ast.Constant) else self._producer(value, key, stores)
            if found is not None and found.over is Over.ONE and not found.inverted:
                places += found.places
                callees += found.callees
            elif augmented:
                return None
            if not augmented:
                break
        return _Producer(tuple(places), tuple(callees), over=over) if over is not None else None

    def _quantified(self, call: ast.Call, comprehension: ast.expr, over: Over, key: CodeKey, stores: Stores) -> _Producer | None:
        """``any(f(x) for x in y)``: a generator records to the function around, whose frame is at the call of ``any``, or, since
        Python 3.14 runs such a loop without calling it, at its name."""
        assert isinstance(comprehension, _Comprehension)
        element, negated = comprehension.elt, False
        while isinstance(element, ast.UnaryOp) and isinstance(element.op, ast.Not):
            element, negated = element.operand, not negated
        if isinstance(element, ast.Compare):
            site = self._compared(element, position_of(element), key, stores)
            inner = None
            if site is not None and site.asks is Asks.TRUTH:
                inner = _Producer(site.producers, tuple(site.callees), site.inverted)
        else:
            inner = self._producer(element, key, stores)
        if inner is None or inner.over is not Over.ONE:
            return None
        places = (position_of(call), position_of(call.func), position_of(comprehension), *inner.places)
        return _Producer(places, inner.callees, negated is not inner.inverted, over)

    def _nested(self, function: ast.expr, key: CodeKey) -> tuple[CodeKey, ...]:
        """A function defined in the calling one, or in those around it."""
        source = self._sources.of_module(key.module)
        if not isinstance(function, ast.Name) or isinstance(source, Unknown):
            return ()
        around = key.qualname
        while around:
            wanted = f"{around}.<locals>.{function.id}"
            found = tuple(other for other, _ in source.codes() if other.qualname == wanted)
            if found:
                return found
            around = around.rpartition(".<locals>.")[0]
        return ()

    def _asked_itself(self, node: ast.expr, at: Position) -> FlagSite | None:
        """The truth of an object, asked of its class."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return None
        callees = self._live.of_special("__bool__", "__len__")
        return _made(at, _Producer((at,), callees, loose=True), Asks.TRUTH, None, False) if callees else None


def _made(at: Position, producer: _Producer, asks: Asks, constant: Constant, inverted: bool) -> FlagSite:
    return FlagSite(
        position=at,
        producers=producer.places,
        callees=frozenset(producer.callees),
        asks=asks,
        constant=constant,
        inverted=inverted,
        over=producer.over,
        loose=producer.loose,
    )


def _is_builtin(node: ast.expr) -> bool:
    """Whether the operand surely is of a built-in type whose comparison is measured anyway."""
    return isinstance(node, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple | ast.Dict | ast.Set)


def _conditions(function: FunctionNode) -> Iterator[ast.expr]:
    """The expressions that carry predicates, or whose results are handed on."""
    nodes = list(_own(function))
    for node in nodes:
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
                yield from _structure(test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from _structure(test)
            case ast.match_case(guard=ast.expr() as guard):
                yield from _structure(guard)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from _structure(value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from _structure(operand)
            case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield from handed_on(value)
    if isinstance(function, ast.Lambda):
        yield from handed_on(function.body)


def _own(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function and of the comprehensions in it, which record to it."""
    yield from own_expressions(function)
    nested = [node for node in walk(function) if isinstance(node, (*_Comprehension, ast.DictComp))]
    inner = {id(part) for other in _codes_inside(function) for part in walk(other)}
    for comprehension in nested:
        if id(comprehension) not in inner:
            yield from comprehension.generators
            yield from (part for part in own_expressions(comprehension) if not isinstance(part, ast.comprehension))


def _codes_inside(function: FunctionNode) -> Iterator[ast.AST]:
    for node in walk(function):
        if node is not function and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield node


def _structure(test: ast.expr) -> Iterator[ast.expr]:
    for atom, _ in atoms(test):
        yield atom


def handed_on(value: ast.expr) -> Iterator[ast.expr]:
    """The parts of a returned or assigned expression that may be its value, or decide which part is."""
    if isinstance(value, ast.IfExp):
        yield from _structure(value.test)
        yield from handed_on(value.body)
        yield from handed_on(value.orelse)
    else:
        yield from _structure(value)


def _stores(function: FunctionNode) -> Stores:
    """The assignments to each local in order of the source; None among them for stores of another kind."""
    found: Stores = {}
    plain: set[int] = set()
    nodes = list(own_expressions(function))
    assignments = sorted((node for node in nodes if isinstance(node, Assignment)), key=position_of)
    for node in assignments:
        target = assigned_name(node)
        if target is not None:
            plain.add(id(target))
            if node.value is not None:
                found.setdefault(target.id, []).append(node)
    for other in nodes:
        if isinstance(other, ast.Name) and not isinstance(other.ctx, ast.Load) and id(other) not in plain:
            found.setdefault(other.id, []).append(None)
    return found


def assigned_name(node: Assignment) -> ast.Name | None:
    """The one local that an assignment is to."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return targets[0] if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def is_generator(function: FunctionNode) -> bool:
    """Whether a call gives a generator, whose truth says nothing."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_expressions(function))


def decides(analysis: FlagAnalysis, key: CodeKey) -> bool:
    """Whether a function has a condition at all."""
    node = analysis.node(key)
    return node is not None and any(True for _ in _tests(node))


def flag_positions(analysis: FlagAnalysis, key: CodeKey) -> Iterator[Position]:
    """The positions of a function's decisions that are flag branches. Operators and the truth of objects are left out: whether code
    of a class decides them is told by their operands alone."""
    node = analysis.node(key)
    tests = set() if node is None else {position_of(atom) for test in _tests(node) for atom in _structure(test)}
    for position, site in analysis.sites(key).items():
        if position in tests and not site.loose and any(analysis.node(callee) is not None for callee in site.callees):
            yield position


def _tests(function: FunctionNode) -> Iterator[ast.expr]:
    for node in _own(function):
        if isinstance(node, ast.If | ast.While | ast.Assert | ast.IfExp):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs

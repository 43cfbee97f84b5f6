"""What a module calls of others that a test cannot have for real: what confinement refuses (the network, processes), sleeps, and
what packages hold that are not installed.

Which calls these are is noticed while they run, by the module's innermost frame on the stack, and named as the module names them
(``package.module:requests.get``): there ``monkeypatch.setattr`` puts another thing. Where the module has no name for what it calls
(``super().__init__(command)``), the next frame of its package further in has one.

Later a search asks for more (:meth:`Collaborators.decide`): functions of other modules whose results decide what is still open.

# Deviation: the papers' tools run whatever the subject calls.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import BuiltinFunctionType, FrameType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.search.suite.left_out import chain_of, left_out, users
from crashwright.engine.subject.flow.deciding_calls import deciding_calls
from crashwright.engine.subject.introspection import (
    attribute_of,
    class_module,
    derives,
    function_home,
    is_class,
    is_module,
    loaded_dict,
    module_dict,
    same_package,
    static_attribute,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.walking import walk

REFUSED = frozenset({"network", "processes"})
"""Allowances without which a call stands in the way: files outside are refused for other reasons."""
MOST_NAMES = 12
"""Of one module."""
_FURTHER_IN = 3
"""Frames behind the module's own that are asked for a name."""
_ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_End = tuple[int | None, int | None]


class Collaborators:
    """``names`` are those that were noticed, or that the module does without, each with its functions that call it."""

    def __init__(self, source: ModuleSource, sources: Sources) -> None:
        self.names: dict[str, dict[str, None]] = {}
        self.deciding: dict[str, dict[str, None]] = {}
        """Likewise: what could be called for real, but whose answers decide what is open."""
        self._source = source
        self._module = source.module
        self._globals = loaded_dict(source.module)
        self._sources = sources
        self._calls: dict[str, dict[_End, ast.Call]] = {source.module: _calls_in(source.tree)}
        self._callers = _callers(source)
        self.absent = left_out(source, self._globals)
        """Names that the module does without, as it writes them."""
        for name, callers in [*users(source, self.absent).items()][:MOST_NAMES]:
            self.names[f"{source.module}:{name}"] = callers
        self._known = len(self.names)
        self._seen: set[tuple[int, int]] = set()

    def refused(self, allowance: str) -> None:
        """For :attr:`Guard.on_refusal`."""
        if allowance in REFUSED:
            self.notice()

    def notice(self) -> None:
        """Something is being called that a test cannot have: what the module calls just now is to be replaced."""
        frame: FrameType | None = sys._getframe(1)
        inner: deque[FrameType] = deque(maxlen=_FURTHER_IN)
        while frame is not None and frame.f_globals is not self._globals:
            inner.append(frame)
            frame = frame.f_back
        if frame is None or (place := (id(frame.f_code), frame.f_lasti)) in self._seen:
            return
        self._seen.add(place)
        steps = [*zip((frame, *reversed(inner)), (*reversed(inner), None), strict=True)]
        own = [steps[0], *(one for one in steps[1:] if same_package(str(one[0].f_globals.get("__name__")), self._module))]
        name = next((name for one, called in own if (name := self._name(one, called)) is not None), None)
        if name is not None and (name in self.names or len(self.names) - self._known < MOST_NAMES):
            caller = frame.f_code.co_qualname.partition(".<locals>")[0]
            self.names.setdefault(name, {})[caller] = None

    def decide(self, places: Mapping[str, Collection[Position]]) -> None:
        """These conditions of functions of the module are open: the functions of others whose results they depend on count too."""
        self.deciding.clear()
        for key, node in self._source.codes():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and key.qualname in places:
                local = _local_names(node)
                for call in deciding_calls(node, places[key.qualname]):
                    chain = chain_of(call.func)
                    if chain and chain[0] not in local and self._is_of_others(chain, call, local):
                        name, caller = f"{self._module}:{'.'.join(chain)}", key.qualname.partition(".<locals>")[0]
                        if name not in self.names and (name in self.deciding or len(self.deciding) < MOST_NAMES):
                            self.deciding.setdefault(name, {})[caller] = None

    def _is_of_others(self, chain: Sequence[str], call: ast.Call, local: Collection[str]) -> bool:
        """Whether it is a function of another module: of the package's own ones any, of libraries those that are always called with
        the same, as ``shutil.which("git")``: nothing that a test passes changes their answers."""
        owner, live = self._globals.get(chain[0]), self.live(f"{self._module}:{'.'.join(chain)}")
        if len(chain) > 1 and not is_module(owner if len(chain) == 2 else self.live(f"{self._module}:{'.'.join(chain[:-1])}")):
            return False
        function = function_of(live)
        if is_class(live) or (function is None and type(live) is not BuiltinFunctionType):
            return False
        if function is not None and function.__code__.co_flags & _ASYNCHRONOUS:
            return False
        if function is not None and same_package(function_home(function), self._module):
            return function_home(function) != self._module
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return not any(isinstance(part, ast.Name) and part.id in local for one in given for part in walk(one))

    def reached_from(self, keys: Iterable[CodeKey], deciding: bool = False) -> tuple[str, ...]:
        """The names that these functions of the module may come to call; ``deciding``: also what decides, if that is among them."""
        reached = self._reached(keys)
        found = tuple(name for name, callers in self.names.items() if not reached.isdisjoint(callers))
        more = tuple(name for name, callers in self.deciding.items() if not reached.isdisjoint(callers)) if deciding else ()
        return () if deciding and not more else (*found, *more)

    def may_reach(self, keys: Iterable[CodeKey], qualnames: Iterable[str]) -> bool:
        """Whether they may come to one of these functions."""
        return not self._reached(keys).isdisjoint(qualnames)

    def _reached(self, keys: Iterable[CodeKey]) -> set[str]:
        reached = {key.qualname for key in keys if key.module == self._module}
        waiting = list(reached)
        while waiting:
            for following in self._callers.get(waiting.pop(), ()):
                if following not in reached:
                    reached.add(following)
                    waiting.append(following)
        return reached

    def live(self, name: str) -> object:
        """What stands at a name now."""
        first, *rest = name.partition(":")[2].split(".")
        value: object = loaded_dict(name.partition(":")[0]).get(first)
        for part in rest:
            value = attribute_of(value, part)
        return value

    def spaces(self, name: str) -> list[object]:
        """The modules that lead to what stands at a name: of ``module:urllib.request.urlopen`` these are two."""
        *parts, _ = name.partition(":")[2].split(".")
        found = [self.live(f"{name.partition(':')[0]}:{'.'.join(parts[: place + 1])}") for place in range(len(parts))]
        return [one for one in found if is_module(one)]

    def _name(self, frame: FrameType, called: FrameType | None) -> str | None:
        """How the module of that frame names what is called in it, by which ``called`` runs; None where that is no name of its
        own."""
        module, held = frame.f_globals.get("__name__"), frame.f_globals
        if type(module) is not str or loaded_dict(module) is not held:
            return None
        end = list(frame.f_code.co_positions())[frame.f_lasti // 2][1::2]
        call = self._calls_of(module).get((end[0], end[1]))
        if call is None:
            return None
        for chain in _chains(call.func):
            if chain[0] not in frame.f_locals and chain[0] in held:
                first = held[chain[0]]
                foreign = is_module(first) or len(chain) > 1 or attribute_of(first, "__module__") != module
                return f"{module}:{'.'.join(chain)}" if foreign else None
            receiver: object = frame.f_locals.get(chain[0])
            if len(chain) > 1 and receiver is not None:
                for part in chain[1:-1]:
                    receiver = attribute_of(receiver, part)
                owner = _name_of(type(receiver), module, held)
                return None if owner is None else f"{module}:{owner}.{chain[-1]}"
        return _of_receiver(called, module, held)

    def _calls_of(self, module: str) -> dict[_End, ast.Call]:
        if module not in self._calls:
            source = self._sources.of_module(module)
            self._calls[module] = _calls_in(source.tree) if isinstance(source, ModuleSource) else {}
        return self._calls[module]


def _local_names(function: ast.AST) -> set[str]:
    nodes = walk(function)
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _chains(function: ast.expr) -> Iterator[list[str]]:
    """The dotted names that may be called there: one most often, more in ``(session or requests).get``."""
    chain = chain_of(function)
    if chain:
        yield chain
    elif isinstance(function, ast.Attribute):
        value = function.value
        parts = (
            value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse] if isinstance(value, ast.IfExp) else []
        )
        yield from ([*chain, function.attr] for part in parts if (chain := chain_of(part)))


def _of_receiver(called: FrameType | None, module: str, held: Mapping[str, object]) -> str | None:
    """By the object whose method runs, where the line only says how to come to it: ``make_session().get(url)``."""
    code = None if called is None else called.f_code
    if called is None or code is None or not code.co_argcount:
        return None
    cls = type(called.f_locals.get(code.co_varnames[0]))
    found = static_attribute(cls, code.co_name)
    if found is None:
        return None
    owner = next((name for one in (cls, found[0]) if (name := _name_of(one, module, held)) is not None), None)
    return None if owner is None else f"{module}:{owner}.{code.co_name}"


def _name_of(cls: type, module: str, held: Mapping[str, object]) -> str | None:
    """How a module comes to a class of others."""
    if class_module(cls) in ("builtins", module):
        return None
    for name, value in held.items():
        if value is cls:
            return name
        if is_module(value):
            found = next((one for one, inner in module_dict(value).items() if inner is cls and not one.startswith("_")), None)
            if found is not None:
                return f"{name}.{found}"
    return None


def _calls_in(tree: ast.Module) -> dict[_End, ast.Call]:
    """By where they end."""
    return {(node.end_lineno, node.end_col_offset): node for node in walk(tree) if isinstance(node, ast.Call)}


def _callers(source: ModuleSource) -> dict[str, tuple[str, ...]]:
    """For each function of the module those that it may call, by their last names alone."""
    by_name: dict[str, list[str]] = {}
    nodes = {key.qualname: node for key, node in source.codes() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for qualname in nodes:
        *owner, name = qualname.split(".")
        by_name.setdefault(name, []).append(qualname)
        if name == "__init__" and owner:
            by_name.setdefault(owner[-1], []).append(qualname)
    return {qualname: tuple(_called(node, by_name)) for qualname, node in nodes.items()}


def _called(node: ast.AST, by_name: dict[str, list[str]]) -> Iterator[str]:
    for one in walk(node):
        name = one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""
        yield from by_name.get(name, ())


def raising_classes(live: object, root: object) -> tuple[type[Exception], ...]:
    """The exceptions in the namespace that what is replaced is found in: those that it may raise."""
    found = [value for value in module_dict(root).values() if is_class(value)] if is_module(root) else []
    return tuple(cls for cls in found if derives(cls, Exception) and not derives(cls, Warning) and cls is not live)

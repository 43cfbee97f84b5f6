"""The state of the subject's modules as it was after import: what is in them, how to see that it changed, how to put it back.

Walks from the module globals through containers, classes, instances of the subject's classes, function defaults and closures.
Nothing is copied deeply and nothing of the subject is called: identity of the items decides, so that one pass in C checks 200
items in 5 us.
"""

from __future__ import annotations

import functools
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dis import get_instructions, opmap
from enum import Enum
from itertools import chain
from operator import is_
from threading import local
from typing import Any

from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.frameworks.click import declares_programs
from crashwright.engine.instrument.live import all_objects
from crashwright.engine.subject.introspection import (
    MODULES,
    class_dict,
    class_module,
    class_mro,
    class_name,
    derives,
    identities,
    instance_dict,
    module_dict,
    static_attribute,
    text,
)
from crashwright.engine.subject.layers import function_of

# What the subject holds can be anything: Any is the honest type for its objects.
_MISSING: Any = object()
EMPTY: Any = object()
"""In place of what a cell or slot holds that holds nothing."""
MAX_DEPTH = 6
MAX_HELD = 20_000
LARGE = 2_000
"""Containers with more items than this are checked by length only: they are tables."""
CHUNK = 100
"""Items in one step of the rotating check."""
VIEW_COST = 3
"""Looking into one more container costs as much as this many items."""
IGNORED_NAMES = frozenset({"__builtins__", "__warningregistry__", "__annotations__", "__doc__", "__weakref__", "__dict__"})


class HeldState:
    """One object with its saved items. ``view`` and ``key_view`` are live: iterating over them gives the items and keys of now."""

    __slots__ = ("items", "key_view", "keys", "kind", "target", "view")

    def __init__(self, kind: str, target: Any, view: Any, key_view: Any = ()) -> None:
        self.kind = kind
        self.target = target
        self.view = view
        self.key_view = key_view
        self.keys: tuple[Any, ...] = tuple(key_view)
        self.items: tuple[Any, ...] = tuple(view)

    def changed(self) -> bool:
        """Whether the object holds other items, other keys, or another number or order of them than it did."""
        return self.holds_other_items() or not all(map(is_, self.key_view, self.keys))

    def holds_other_items(self) -> bool:
        """The same but for keys that were exchanged under the same items: half the price, for the many modules of others."""
        view = self.view
        return len(view) != len(self.items) or not all(map(is_, view, self.items))

    def restore(self) -> None:
        """Put the saved items back."""
        _RESTORE[self.kind](self)

    def admit_submodules(self) -> bool:
        """For a module: modules inside it that were imported since belong there, since an import leaves them in ``sys.modules`` and
        would not bind them again. Whether there are any."""
        if self.kind != "module":
            return False
        live: dict[str, Any] = self.target
        saved, inside = set(map(id, self.keys)), f"{text(live.get('__name__'))}."
        new = [
            (name, value)
            for name, value in live.items()
            if type(name) is str and id(name) not in saved and type(value) is types.ModuleType
            if MODULES.get(inside + name) is value
        ]
        self.keys += tuple(name for name, _ in new)
        self.items += tuple(value for _, value in new)
        return bool(new)

    def settle(self) -> bool:
        """After a restore: take the order of now for the right one. False where the items themselves are not the saved ones."""
        items, keys = tuple(self.view), tuple(self.key_view)
        if keys:
            same = len(keys) == len(self.keys) and dict(zip(map(id, keys), map(id, items), strict=True)) == dict(
                zip(map(id, self.keys), map(id, self.items), strict=True)
            )
        else:
            same = sorted(map(id, items)) == sorted(map(id, self.items))
        if same:
            self.items, self.keys = items, keys
        return same


def _restore_dict(held: HeldState) -> None:
    live, kind = held.target, type(held.target)
    # The subject may have overridden these in a dict of its own; OrderedDict keeps a list beside the dict and needs its own.
    base = OrderedDict if issubclass(kind, OrderedDict) else dict
    base.clear(live)
    for key, value in zip(held.keys, held.items, strict=True):
        base.__setitem__(live, key, value)


def _restore_module(held: HeldState) -> None:
    live: dict[str, Any] = held.target
    saved = dict(zip(held.keys, held.items, strict=True))
    for name in [name for name in live if name not in saved]:
        del live[name]
    for name, value in saved.items():
        if live.get(name, _MISSING) is not value:
            live[name] = value


def _restore_class(held: HeldState) -> None:
    cls: type = held.target
    saved = dict(zip(held.keys, held.items, strict=True))
    # type.__setattr__ and not setattr: the metaclass (of an Enum, say) may refuse.
    for name in [name for name in class_dict(cls) if name not in saved]:
        type.__delattr__(cls, name)
    for name, value in saved.items():
        if class_dict(cls).get(name, _MISSING) is not value:
            type.__setattr__(cls, name, value)


def _restore_list(held: HeldState) -> None:
    list.__setitem__(held.target, slice(None), held.items)


def _restore_deque(held: HeldState) -> None:
    deque.clear(held.target)
    deque.extend(held.target, held.items)


def _restore_set(held: HeldState) -> None:
    set.clear(held.target)
    set.update(held.target, held.items)


def _restore_bytearray(held: HeldState) -> None:
    held.target[:] = bytes(held.items)


_RESTORE: dict[str, Callable[[HeldState], None]] = {
    "dict": _restore_dict,
    "module": _restore_module,
    "class": _restore_class,
    "list": _restore_list,
    "deque": _restore_deque,
    "set": _restore_set,
    "bytearray": _restore_bytearray,
}


def _stuck(held: HeldState) -> str:
    return f"a {class_name(type(held.target))} of the subject cannot be put back"


class Chunk:
    """A few held objects whose items are compared in one pass."""

    __slots__ = ("_items", "_lengths", "_tables", "_views", "held")

    def __init__(self, held: Sequence[HeldState]) -> None:
        self.held = tuple(held)
        small = [h for h in held if len(h.items) <= LARGE]
        # The last item is a sentinel: without it, items appended to the last view would go unseen.
        self._views: list[Any] = [*(h.view for h in small), (_MISSING,)]
        self._items = (*chain.from_iterable(h.items for h in small), _MISSING)
        self._tables = [h.view for h in held if len(h.items) > LARGE]
        self._lengths = [len(h.items) for h in held if len(h.items) > LARGE]

    def changed(self) -> bool:
        """Whether any of them changed (keys that were exchanged under the same values go unseen)."""
        if not all(map(is_, chain.from_iterable(self._views), self._items)):
            return True
        return bool(self._tables) and list(map(len, self._tables)) != self._lengths


def chunks(held: Iterable[HeldState]) -> list[Chunk]:
    """``held`` cut into chunks of about CHUNK items."""
    result: list[Chunk] = []
    part: list[HeldState] = []
    size = 0
    for one in held:
        part.append(one)
        size += VIEW_COST + (len(one.items) if len(one.items) <= LARGE else 0)
        if size >= CHUNK:
            result.append(Chunk(part))
            part, size = [], 0
    if part:
        result.append(Chunk(part))
    return result


class Snapshot:
    """The state of ``modules``, taken when made. ``hot`` is what running code usually changes, ``cold`` the rest."""

    def __init__(self, modules: Iterable[types.ModuleType]) -> None:
        self._modules = tuple(modules)
        self._globals = {id(module_dict(module)) for module in self._modules}
        self._names = {text(module_dict(module).get("__name__")) for module in self._modules}
        self._seen: set[int] = set()
        self.reordered = False
        """A restore put items back in another order, or let some in: the chunks made before no longer hold."""
        self.hot: list[HeldState] = []
        self.cold: list[HeldState] = []
        self.bindings: list[tuple[dict[str, Any], str, Any]] = []
        """Module globals that some function assigns to, with their values."""
        self.cells: list[tuple[types.CellType, Any]] = []
        """Closure cells that some function assigns to, with their contents."""
        self.slots: list[tuple[Any, Any, Any]] = []
        """(instance, member descriptor, value) of the subject's instances with ``__slots__``."""
        self.caches: list[Callable[[], None]] = []
        """``cache_clear`` of every ``lru_cache``."""
        self.generators: list[tuple[types.GeneratorType[Any, Any, Any], int]] = []
        """Generators held by a module, which cannot be put back once they went on."""
        for module in self._modules:
            self._take_module(module)
        self._take_functions()

    def restore(self) -> str | None:
        """Put everything back. The reason, where something would not go back. Make new chunks where :attr:`reordered` says so."""
        return self.restore_parts((*self.hot, *self.cold))

    def restore_parts(self, parts: Iterable[HeldState]) -> str | None:
        """Put back the bindings, cells and slots, and ``parts`` of what is held. Else as :meth:`restore`."""
        for live, name, value in self.bindings:
            if live.get(name, _MISSING) is not value:
                live[name] = value
        for cell, contents in self.cells:
            if cell_contents(cell) is not contents:
                cell.cell_contents = contents
        for instance, member, value in self.slots:
            if member_value(instance, member) is not value:
                member.__set__(instance, value)
        for held in parts:
            if held.changed():
                self.reordered |= held.admit_submodules()
                try:
                    held.restore()
                except TestTimeout:
                    raise
                except BaseException:  # noqa: BLE001 - the keys of the subject are hashed and compared, which may raise anything
                    return _stuck(held)
                if held.changed():
                    if not held.settle():
                        return _stuck(held)
                    self.reordered = True
        for generator, instruction in self.generators:
            if _instruction(generator) != instruction:
                return f"the module-level generator {generator.__qualname__} has gone on"
        return None

    def small_parts_changed(self) -> bool:
        """Whether one of the bindings, cells, slots or generators changed. Plain loops: most of these lists are empty."""
        for live, name, value in self.bindings:
            if live.get(name, _MISSING) is not value:
                return True
        for cell, contents in self.cells:
            if cell_contents(cell) is not contents:
                return True
        for instance, member, value in self.slots:
            if member_value(instance, member) is not value:
                return True
        for generator, instruction in self.generators:  # noqa: SIM110 (a generator expression takes longer than this)
            if _instruction(generator) != instruction:
                return True
        return False

    def _take_module(self, module: types.ModuleType) -> None:
        live = module_dict(module)
        live.setdefault("__warningregistry__", {})  # made by the first warning; not worth a restore after each
        self._seen.add(id(live))
        self.cold.append(HeldState("module", live, live.values(), live.keys()))
        for name, value in list(live.items()):
            if name not in IGNORED_NAMES:
                self._walk(value, 0)

    def _take_functions(self) -> None:
        """Defaults, closures and global assignments of every function of the modules, decorated and nested ones too."""
        for one in all_objects():
            if type(one) is types.FunctionType and id(one.__globals__) in self._globals:
                self._take_function(one, 0)
            elif type(one) is functools._lru_cache_wrapper and id(_globals_of(one)) in self._globals:
                self.caches.append(_CLEAR.__get__(one))

    def _take_function(self, function: types.FunctionType, depth: int) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        assigned = _assigned(function.__code__)
        live = function.__globals__
        self.bindings.extend((live, name, live[name]) for name in assigned if name in live)
        for value in (*(function.__defaults__ or ()), *dict.values(function.__kwdefaults__ or {})):
            self._walk(value, depth + 1)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            contents = cell_contents(cell)
            if name in assigned and contents is not EMPTY:
                self.cells.append((cell, contents))
            self._walk(contents, depth + 1)
        if function.__dict__:
            self._hold("dict", function.__dict__, depth)

    def _hold(self, kind: str, live: Any, depth: int, hot: bool = True) -> None:
        """Save a container and walk into it."""
        if len(self.hot) + len(self.cold) >= MAX_HELD:
            return
        held = (
            HeldState(kind, live, dict.values(live), dict.keys(live))
            if kind == "dict"
            else HeldState(kind, live, _view(live, kind))
        )
        (self.hot if hot and len(held.items) <= CHUNK else self.cold).append(held)
        if len(held.items) <= LARGE:
            for item in held.items:
                self._walk(item, depth + 1)

    def _walk(self, value: Any, depth: int) -> None:
        kind = type(value)
        if id(kind) in _ATOMS or depth > MAX_DEPTH or id(value) in self._seen:
            return
        if kind is types.FunctionType:
            if id(value.__globals__) in self._globals:
                self._take_function(value, depth)
            return
        self._seen.add(id(value))
        container = _container_kind(kind)
        if container is not None:
            self._hold(container, value, depth)
            if class_module(kind) not in self._names:
                return
        if kind is tuple or kind is frozenset:
            for item in value:
                self._walk(item, depth + 1)
        elif id(kind) in _WRAPPERS:
            for name in ("__func__", "fget", "fset", "func"):
                self._walk(getattr(value, name, None), depth + 1)
        elif issubclass(kind, type):
            if class_module(value) in self._names:
                self._take_class(value, depth)
        elif kind is types.GeneratorType:
            if value.gi_frame is not None and id(value.gi_frame.f_globals) in self._globals:
                self.generators.append((value, _instruction(value)))
        elif issubclass(kind, local):  # what this thread sees of it, which runs the tests
            self._take_local(value, depth)
        elif class_module(kind) in self._names or declares_programs(kind):
            self._take_instance(value, kind, depth)

    def _take_class(self, cls: type, depth: int) -> None:
        live = class_dict(cls)
        self.cold.append(HeldState("class", cls, live.values(), live.keys()))
        for name, value in list(live.items()):
            if name not in IGNORED_NAMES:
                self._walk(value, depth + 1)

    def _take_local(self, value: local, depth: int) -> None:
        try:
            live = local.__getattribute__(value, "__dict__")
        except BaseException:  # noqa: BLE001 - made in another thread, it is initialised for this one by code of the subject
            return
        self._hold("dict", live, depth)

    def _take_instance(self, value: Any, kind: type, depth: int) -> None:
        live = instance_dict(value)
        if type(live) is dict and id(live) not in self._seen:
            self._seen.add(id(live))
            self._hold("dict", live, depth, hot=not derives(kind, Enum))
        for cls in class_mro(kind):
            for member in list(class_dict(cls).values()):
                if type(member) is types.MemberDescriptorType and class_module(cls) in self._names:
                    content = member_value(value, member)
                    if content is not EMPTY and _keeps(value, member, content):
                        self.slots.append((value, member, content))
                        self._walk(content, depth + 1)


_ATOMS = identities(
    *(type(None), bool, int, float, complex, str, bytes, types.ModuleType, types.BuiltinFunctionType, types.CodeType)
)
_WRAPPERS = identities(staticmethod, classmethod, property, functools.cached_property)
_CLEAR = functools._lru_cache_wrapper.cache_clear


class _BaseView:
    """A container of a class that answers for itself, seen as its built-in base sees it."""

    __slots__ = ("_base", "_live")

    def __init__(self, live: Any, base: Any) -> None:
        self._live, self._base = live, base

    def __iter__(self) -> Iterator[Any]:
        return self._base.__iter__(self._live)  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return self._base.__len__(self._live)  # type: ignore[no-any-return]


def _view(live: Any, name: str) -> Any:
    base = _BASES[name]
    kind = type(live)
    definers = [static_attribute(kind, method) for method in ("__iter__", "__len__")]
    own = any(found is None or found[0] is not base for found in definers)
    return _BaseView(live, base) if own else live


def _container_kind(kind: type) -> str | None:
    for name, base in _BASES.items():
        if issubclass(kind, base):
            return name
    return None


_BASES: dict[str, type] = {"dict": dict, "list": list, "set": set, "deque": deque, "bytearray": bytearray}


def cell_contents(cell: types.CellType) -> Any:
    """What is in ``cell``, or EMPTY."""
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def member_value(instance: Any, member: Any) -> Any:
    """What the slot ``member`` of ``instance`` holds, or EMPTY."""
    try:
        return member.__get__(instance, type(instance))
    except AttributeError:
        return EMPTY


def _keeps(instance: Any, member: Any, content: Any) -> bool:
    """Whether the member takes ``content`` and gives the very same object back. Those of classes written in C may be read-only,
    or make a new int at each look."""
    try:
        member.__set__(instance, content)
    except (AttributeError, TypeError):
        return False
    return member_value(instance, member) is content


def _instruction(generator: types.GeneratorType[Any, Any, Any]) -> int:
    frame = generator.gi_frame
    return -2 if frame is None else frame.f_lasti


def _globals_of(wrapper: Any) -> object:
    function = function_of(instance_dict(wrapper).get("__wrapped__"))
    return None if function is None else function.__globals__


_STORES = tuple(opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF") if name in opmap)


def _assigned(code: types.CodeType) -> frozenset[str]:
    """The globals and free variables that ``code`` itself assigns to."""
    operations = code.co_code[::2]
    if not any(operation in operations for operation in _STORES):
        return frozenset()
    return frozenset(i.argval for i in get_instructions(code) if i.opcode in _STORES)

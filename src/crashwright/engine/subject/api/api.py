"""The live API of a package: every way in which a test can call it, get an instance of its classes, or name its constants.

The model is read from modules that are already imported, with static look-ups only; it imports nothing of the subject and calls
none of its code. Callees are made once each and compared by identity; signatures are read when first asked for.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import inspect
import sys
import types
from collections.abc import Iterable, Iterator
from functools import partial
from types import MethodType
from typing import NamedTuple, cast

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.addresses import AddressBook, Addressed, foreign_address, is_private, standard_home
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.code_index import CodeIndex
from crashwright.engine.subject.api.signatures import LazyCallee, Signature, SignatureReader, may_take_keywords, may_tell_result
from crashwright.engine.subject.api.types import ANY, Assignability, ClassHint, Hint, TypeHint, UnionHint
from crashwright.engine.subject.introspection import (
    MODULES,
    class_dict,
    class_home,
    class_module,
    class_mro,
    class_name,
    class_qualname,
    derives,
    function_home,
    identities,
    instance_of,
    is_abstract,
    is_callable,
    is_class,
    is_exception,
    is_sound,
    loaded_dict,
    static_attribute,
)
from crashwright.engine.subject.layers import function_of, layers_of, manager_of, setters_of

_TESTS = frozenset({"tests", "test", "testing", "conftest"})
CONSTRUCTING = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__"})
_HIDDEN = CONSTRUCTING | {
    f"__{name}__"
    for name in (
        *("init_subclass", "class_getitem", "getattr", "getattribute", "setattr", "delattr", "del", "reduce", "reduce_ex"),
        *("getstate", "setstate", "getnewargs", "getnewargs_ex", "subclasshook", "instancecheck", "subclasscheck", "set_name"),
        *("get", "set", "delete", "dir", "sizeof", "prepare", "mro_entries", "replace", "weakref", "dict", "class", "doc"),
        *("module", "slots", "annotations", "annotate", "wrapped"),
    )
}
_OF_CLASSES = identities(classmethod, types.ClassMethodDescriptorType)
_OF_INSTANCES = identities(types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_SLOTS = identities(types.GetSetDescriptorType, types.MemberDescriptorType)
_ALTERNATIVE = ("from", "parse", "create", "make", "build", "load", "new", "of", "get_default", "open", "read", "empty")


class NamedValue(NamedTuple):
    """A public instance that a test can import: a module-level object, an enum member, a class attribute."""

    module: str
    qualname: str
    value: object


class ApiModel:
    """The API of ``package`` as found in those of ``modules`` that are loaded. ``preferred`` is the module from which tests shall
    import what it offers."""

    __slots__ = (
        "_assignable",
        "_book",
        "_by_name",
        "_callables",
        "_codes",
        "_homes",
        "_keys",
        "_made",
        "_produced",
        "_reader",
        "_subclasses",
        "package",
    )

    def __init__(self, package: str, modules: Iterable[str], preferred: str = "") -> None:
        self.package = package
        loaded = ((name, live) for name in sorted(set(modules)) if (live := MODULES.get(name)) is not None)
        self._book = AddressBook(package, loaded, preferred)
        self._made: dict[tuple[object, ...], Callee | None] = {}
        self._assignable = Assignability()
        self._callables: tuple[Callee, ...] | None = None
        self._codes: CodeIndex | None = None
        self._homes: dict[str, list[type]] | None = None
        self._keys: dict[Callee, frozenset[CodeKey]] = {}
        self._by_name: dict[str, object] | None = None
        self._subclasses: dict[type, list[tuple[int, Addressed]]] | None = None
        self._produced: list[tuple[type, Callee]] | None = None
        self._reader = SignatureReader(self._class_named)

    @property
    def callables(self) -> tuple[Callee, ...]:
        """All public ways to call the package: functions, constructors of concrete classes (not of exceptions), and the methods and
        properties that public classes define themselves; :meth:`methods_of` adds the inherited ones."""
        if self._callables is None:
            self._callables = tuple(self._public())
        return self._callables

    @property
    def classes(self) -> tuple[type, ...]:
        """All classes of the package that have an address, private and abstract ones included."""
        return tuple(cast(type, item.value) for item in self._book.classes)

    @property
    def constants(self) -> tuple[NamedValue, ...]:
        """Module-level public instances of package classes, enum members, and instances kept as class attributes."""
        return tuple(NamedValue(*item) for item in self._book.constants)

    def functions_in(self, module: str) -> tuple[Callee, ...]:
        """The functions that ``module`` defines, private ones included."""
        return tuple(self._function(item) for item in self._book.functions if self._book.home_of(item) == module)

    def classes_in(self, module: str) -> tuple[type, ...]:
        """The classes that ``module`` defines, private, abstract and nested ones and exceptions included."""
        if self._homes is None:
            self._homes = {}
            for cls in self.classes:
                self._homes.setdefault(class_home(cls), []).append(cls)
        return tuple(self._homes.get(module, ()))

    def accepts(self, hint: Hint, cls: type) -> bool:
        """:func:`types.accepts`, remembered."""
        return self._assignable.accepts(hint, cls)

    def address_of(self, value: object) -> tuple[str, str] | None:
        """(module, qualname) by which a test imports that very object of the package."""
        item = self._book.of(value)
        return None if item is None else (item.module, item.qualname)

    def callee_of(self, value: object) -> Callee | None:
        """The callee for a function or class of the package, found by identity."""
        item = self._book.of(value)
        if item is None:
            return None
        return self._class(item) if is_class(value) else self._function(item)

    def callee_for(self, module: str, qualname: str, first_line: int) -> tuple[Callee, ...]:
        """The addressable callables that run this code, public and nearest first; empty where it has no address of its own. A
        method counts for the class that defines it and for the subclasses that inherit it; ``__init__`` for their constructors."""
        if self._codes is None:
            self._codes = CodeIndex(self._book)
        ranked: list[tuple[bool, int, int, Callee]] = []
        for holder in self._codes.holders(CodeKey(module, qualname, first_line)):
            if holder.cls is None:
                callee = self._function(holder.item)
                ranked.append((callee.private, 0, callee.module.count("."), callee))
            else:
                ranked.extend(self._inheriting(holder.cls, holder.name))
        ranked.sort(key=lambda entry: entry[:3])
        return tuple(dict.fromkeys(entry[3] for entry in ranked))

    def keys_of(self, callee: Callee) -> frozenset[CodeKey]:
        """The codes that calling ``callee`` is known to run, decorators and what they wrap; of a class its initialisers, of a
        property its setter too."""
        known = self._keys.get(callee)
        if known is None:
            known = self._keys[callee] = self._new_keys(callee)
        return known

    def _new_keys(self, callee: Callee) -> frozenset[CodeKey]:
        if self._codes is None:
            self._codes = CodeIndex(self._book)
        if callee.kind is CalleeKind.CLASS and is_class(callee.live):
            found = (static_attribute(callee.live, name) for name in sorted(CONSTRUCTING))
            return frozenset(key for entry in found if entry is not None for key in self._codes.keys(entry[1]))
        return frozenset(key for part in (callee.live, *setters_of(callee.live)) for key in self._codes.keys(part))

    def methods_of(self, cls: type, private: bool = False) -> tuple[Callee, ...]:
        """Methods, class and static methods and properties of ``cls``: its own and those inherited within the package (for a class
        from elsewhere: its own). Operators appear under their dunder names."""
        foreign = not self._book.owns(class_module(cls))
        names: dict[str, None] = {}
        for parent in class_mro(cls):
            if parent is object or not (foreign or self._book.owns(class_module(parent))):
                continue
            names.update(dict.fromkeys(class_dict(parent)))
        return tuple(self._members(cls, names, private))

    def member(self, cls: type, name: str) -> Callee | None:
        """The callee for the attribute ``name`` of ``cls`` or its bases; None for plain data and unknown names."""
        key = (cls, name)
        if key not in self._made:
            self._made[key] = self._new_member(cls, name)
        return self._made[key]

    def constructors_of(self, wanted: Hint | type, exceptions: bool = False) -> tuple[Callee, ...]:
        """Ways to get an instance: the class itself where concrete, its known subclasses (nearest and public first), then what
        declares to return one. Exceptions are left out unless asked for (or wanted by that very class)."""
        if isinstance(wanted, UnionHint):
            return tuple(dict.fromkeys(c for member in wanted.members for c in self.constructors_of(member, exceptions)))
        found = wanted.cls if isinstance(wanted, ClassHint | TypeHint) else wanted
        if not is_class(found):
            return ()
        cls = found
        ways = [self.constructor(cls)] if is_concrete(cls) and cls is not object else []
        for _, item in self._known_subclasses(cls):
            subclass = cast(type, item.value)
            if is_concrete(subclass) and (exceptions or not is_exception(subclass) or is_exception(cls)):
                ways.append(self.constructor(subclass))
        return tuple(dict.fromkeys((*ways, *self.producers(ClassHint(cls)))))

    def constructor(self, cls: type) -> Callee:
        """The callee for ``cls(...)``, of the package or not."""
        return self._class(self._book.of(cls) or standard_home(cls) or foreign_address(cls, MODULES))

    def producers(self, hint: Hint) -> tuple[Callee, ...]:
        """Public callables that declare to return what ``hint`` asks for, and class methods that are named like constructors."""
        if self._produced is None:
            self._produced = [(cls, callee) for callee in self.callables for cls in _returned(callee)]
        if not isinstance(hint, ClassHint | UnionHint):
            return ()
        return tuple(dict.fromkeys(callee for cls, callee in self._produced if self.accepts(hint, cls)))

    def builtin(self, name: str) -> Callee:
        """A builtin such as ``len`` or ``list``. Raises KeyError for other names."""
        return self._outside("builtins", name, vars(builtins)[name])

    def standard(self, module: str, name: str) -> Callee:
        """A callable of the standard library, such as ``io.BytesIO``. Raises ValueError for modules from elsewhere, AttributeError
        for unknown names."""
        if module.partition(".")[0] not in sys.stdlib_module_names:
            raise ValueError(f"{module} is not in the standard library")
        value = _attribute(module, name)
        public = module.lstrip("_")  # classes say that they are of _io, _collections: nobody imports them from there
        if public != module and public in sys.stdlib_module_names and _attribute(public, name, None) is value:
            module = public
        return self._outside(module, name, value)

    def named(self, module: str, name: str) -> Callee | None:
        """What ``module`` has by the name of one of its functions, where a decorator put an object there that does not tell what it
        runs; None where it has another function of its own there, or nothing that can be called."""
        value = loaded_dict(module).get(name)
        if value is None or not is_callable(value) or not is_sound(type(value)):
            return None
        function = function_of(value)
        own = function is not None and function_home(function) == module and function.__code__.co_qualname == name
        return None if own else self._outside(module, name, value)

    def _public(self) -> Iterator[Callee]:
        for item in self._book.functions:
            if not item.private and not is_example(callee := self._function(item)):
                yield callee
        for item in self._book.classes:
            cls = cast(type, item.value)
            if item.private or is_exception(cls):
                continue
            if is_concrete(cls):
                yield self._class(item)
            yield from self._members(cls, dict.fromkeys(class_dict(cls)), False)

    def _members(self, cls: type, names: Iterable[str], private: bool) -> Iterator[Callee]:
        for name in names:
            dunder = name.startswith("__") and name.endswith("__")
            if name in _HIDDEN or (not private and not dunder and name.startswith("_")):
                continue
            callee = self.member(cls, name)
            if callee is not None:
                yield callee

    def _inheriting(self, cls: type, name: str) -> Iterator[tuple[bool, int, int, Callee]]:
        """(private, distance, depth, callee) for the class and each subclass for which ``name`` means the same attribute."""
        if name == "__call__" and derives(cls, type):
            for item in self._book.classes:
                if instance_of(item.value, cls) and is_concrete(cast(type, item.value)):
                    yield item.private, 0, item.module.count("."), self._class(item)
            return
        wanted = class_dict(cls)[name]
        own = self._book.of(cls)
        for distance, item in (*(() if own is None else ((0, own),)), *self._known_subclasses(cls)):
            found = static_attribute(cast(type, item.value), name)
            if found is None or found[1] is not wanted:
                continue
            if name in CONSTRUCTING:
                callee = self._class(item) if is_concrete(cast(type, item.value)) else None
            else:
                callee = self.member(cast(type, item.value), name)
            if callee is not None:
                yield callee.private, distance, item.module.count("."), callee

    def _known_subclasses(self, cls: type) -> list[tuple[int, Addressed]]:
        if self._subclasses is None:
            self._subclasses = {}
            for item in self._book.classes:
                for distance, base in enumerate(class_mro(cast(type, item.value))[1:], 1):
                    self._subclasses.setdefault(base, []).append((distance, item))
            for known in self._subclasses.values():
                known.sort(key=lambda entry: (entry[1].private, entry[0]))
        return self._subclasses.get(cls, []) if cls is not object else []

    def _class_named(self, name: str) -> object | None:
        """The one class of the package with that bare name; None where there is none or several."""
        if self._by_name is None:
            self._by_name = {}
            for item in self._book.classes:
                bare = item.qualname.rpartition(".")[2]
                self._by_name[bare] = item.value if bare not in self._by_name else None
        return self._by_name.get(name)

    def _class(self, item: Addressed) -> Callee:
        key = (CalleeKind.CLASS, item.value)
        callee = self._made.get(key)
        if callee is None:
            cls = cast(type, item.value)
            read = partial(self._reader.constructor, cls)
            callee = self._made[key] = LazyCallee(item.module, item.qualname, CalleeKind.CLASS, read, cls, cls)
        return callee

    def _function(self, item: Addressed) -> Callee:
        key = (CalleeKind.FUNCTION, id(item.value))
        callee = self._made.get(key)
        if callee is None:
            read = partial(self._read_function, item.value, None, type(item.value) is MethodType)
            flags = _flags(item.value)
            callee = LazyCallee(item.module, item.qualname, CalleeKind.FUNCTION, read, item.value, None, *flags)
            self._made[key] = callee
        return callee

    def _outside(self, module: str, name: str, value: object) -> Callee:
        key = (module, name)
        callee = self._made.get(key)
        if callee is None:
            if is_class(value):
                read = partial(self._reader.constructor, value)
                callee = LazyCallee(module, name, CalleeKind.CLASS, read, value, value)
            else:
                read = partial(self._reader.function, value)
                callee = LazyCallee(module, name, CalleeKind.FUNCTION, read, value, None, *_flags(value))
            self._made[key] = callee
        return callee

    def _new_member(self, cls: type, name: str) -> Callee | None:
        found = static_attribute(cls, name)
        kind = None if found is None else _member_kind(found[1])
        if found is None or kind is None:
            return None
        raw = found[1]
        item = self._book.of(cls)
        module = class_module(cls) if item is None else item.module
        qualname = f"{class_qualname(cls) if item is None else item.qualname}.{name}"
        live = raw
        if kind is CalleeKind.PROPERTY:
            read = partial(self._reader.attribute, raw, cls)
            return LazyCallee(module, qualname, kind, read, raw, cls, *_flags(raw))
        if kind is CalleeKind.STATIC:
            live = raw.__func__ if type(raw) is staticmethod else raw
        elif kind is CalleeKind.CLASSMETHOD and type(raw) is classmethod:
            live = MethodType(raw.__func__, cls)
        read = partial(self._read_function, live, cls, kind is not CalleeKind.STATIC)
        return LazyCallee(module, qualname, kind, read, live, cls, *_flags(raw))

    def _read_function(self, value: object, owner: type | None, bound: bool) -> Signature:
        signature = self._reader.function(value, owner, bound)
        manager = manager_of(value)
        return signature if manager is None else signature._replace(returns=ClassHint(manager))


def is_example(callee: Callee) -> bool:
    """Whether it is a test among the modules of the package, which is read for the calls it makes and not called for its own sake.
    One that asks for arguments may be part of the API (``test_connection(url)``), unless its module is one of tests."""
    if callee.owner is not None or not callee.qualname.startswith("test_"):
        return False
    among_tests = any(part in _TESTS or part.startswith("test_") for part in callee.module.split("."))
    return among_tests or not any(parameter.required for parameter in callee.parameters)


def takes_keywords(callee: Callee) -> bool:
    """Whether it takes keywords that it does not name."""
    if callee.kind is not CalleeKind.CLASS and not may_take_keywords(callee.live):
        return False
    return any(parameter.kind is ParameterKind.VAR_KEYWORD for parameter in callee.parameters)


def is_concrete(cls: type) -> bool:
    """Whether calling the class makes an instance."""
    return not is_abstract(cls) and not derives(cls, type)


def _member_kind(raw: object) -> CalleeKind | None:
    cls = type(raw)
    if cls is staticmethod:
        return CalleeKind.STATIC
    if id(cls) in _OF_CLASSES:
        return CalleeKind.CLASSMETHOD
    if id(cls) in _OF_INSTANCES:
        return CalleeKind.METHOD
    if id(cls) in _SLOTS or is_class(raw):
        return None
    names = {name for parent in class_mro(cls)[:-1] for name in class_dict(parent)}
    if function_of(raw) is None or "__get__" not in names:
        return None
    if "__call__" in names or class_name(cls) in ("partialmethod", "singledispatchmethod"):
        return CalleeKind.METHOD
    return CalleeKind.PROPERTY


def _flags(value: object) -> tuple[bool, bool]:
    """(is_async, is_generator) of what a call returns, read from the code that runs first; a wrapper that only passes its arguments
    on returns what the wrapped function does."""
    for layer in layers_of(value):
        code = layer.__code__
        flags = code.co_flags
        is_async = bool(flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE))
        is_generator = bool(flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR))
        passes_on = code.co_argcount == 0 and flags & inspect.CO_VARARGS and flags & inspect.CO_VARKEYWORDS
        if is_async or is_generator or not passes_on or code.co_filename == contextlib.__file__:
            return is_async, is_generator
    return False, False


def _returned(callee: Callee) -> tuple[type, ...]:
    """The classes that ``callee`` declares to return, None and plain builtins left out."""
    if callee.kind is CalleeKind.CLASS:
        return ()
    hint = callee.returns if may_tell_result(callee.live) else ANY
    members = hint.members if isinstance(hint, UnionHint) else (hint,)
    classes = tuple(m.cls for m in members if isinstance(m, ClassHint) and class_module(m.cls) != "builtins")
    if classes or callee.kind is not CalleeKind.CLASSMETHOD or callee.owner is None:
        return classes
    return (callee.owner,) if callee.name.startswith(_ALTERNATIVE) and not is_private(callee.name) else ()


def _attribute(module: str, name: str, *default: object) -> object:
    """Raises AttributeError where there is none and no ``default``."""
    value: object = importlib.import_module(module)
    for part in name.split("."):
        value = getattr(value, part, *default)
    return value

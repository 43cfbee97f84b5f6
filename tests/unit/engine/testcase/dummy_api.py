"""A small subject for the factory: a shelf, and what can be done with one."""

from __future__ import annotations

import types

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint


class Shelf:
    def __init__(self, label: str, inner: Shelf | None = None) -> None: ...
    def __enter__(self):
        return self

    def __exit__(self, *details): ...


def parameter(name, hint=ANY, required=True, kind=ParameterKind.POSITIONAL_OR_KEYWORD, default=None):
    return Parameter(name, kind, hint, required, default)


SHELF = Callee(
    "m",
    "Shelf",
    CalleeKind.CLASS,
    (parameter("label", ClassHint(str)), parameter("inner", ClassHint(Shelf), False)),
    live=Shelf,
    owner=Shelf,
)
PUT = Callee("m", "Shelf.put", CalleeKind.METHOD, (parameter("item"),), owner=Shelf)
GENERATE = Callee("m", "generate", CalleeKind.FUNCTION, is_generator=True)
FETCH = Callee("m", "fetch", CalleeKind.FUNCTION, is_async=True)
FREE = Callee("m", "Shelf.free", CalleeKind.PROPERTY, owner=Shelf)


class DummyApi:
    callables = (SHELF, PUT)
    constants = (types.SimpleNamespace(module="m", qualname="DEFAULT", value=Shelf("")),)

    def methods_of(self, cls):
        return (PUT, FREE) if cls is Shelf else ()

    def constructors_of(self, hint):
        return (SHELF,) if hint.cls is Shelf else ()

    def producers(self, hint):
        return ()

    def builtin(self, name):
        return Callee("builtins", name, CalleeKind.FUNCTION, live=__builtins__[name])

    def standard(self, module, name):
        live = __import__(module)
        return Callee(module, name, CalleeKind.CLASS, live=getattr(live, name))

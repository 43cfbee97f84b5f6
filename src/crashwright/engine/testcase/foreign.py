"""From the addresses in an encoded test back to live objects and the API model's callees."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from crashwright.core.codec import Undecodable
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import MODULES, is_class, live_at
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.statements import Named
from crashwright.engine.testcase.testcase import TestCase

_MEMBERS = (CalleeKind.METHOD, CalleeKind.PROPERTY, CalleeKind.STATIC, CalleeKind.CLASSMETHOD)
_MISSING = object()


class ApiResolver:
    """See ``testcase.codec.Resolver``. Imports nothing: what a test names was loaded when it was encoded."""

    def __init__(self, api: ApiModel) -> None:
        self._api = api

    def callee(self, module: str, qualname: str, kind: CalleeKind) -> Callee | None:
        """The callee with that address; None where it is gone."""
        if kind in _MEMBERS:
            owner = live_at(module, qualname.rpartition(".")[0], _MISSING)
            return self._api.member(owner, qualname.rpartition(".")[2]) if is_class(owner) else None
        value = live_at(module, qualname, _MISSING)
        if value is _MISSING:
            return None
        known = self._api.callee_of(value)
        if known is not None:
            return known
        if is_class(value):
            return self._api.constructor(value)
        if module == "builtins":
            return self._api.builtin(qualname)
        return self._api.standard(module, qualname) if module.partition(".")[0] in sys.stdlib_module_names else None

    def named(self, module: str, qualname: str) -> Named | None:
        """The object with that address; None where it is gone."""
        value = live_at(module, qualname, _MISSING)
        return None if value is _MISSING else Named(module, qualname, value)


class ForeignResolver:
    """For tests that another process encoded, maybe long ago: what they name may be not loaded here, or gone. Raises KeyError for
    what cannot be found."""

    def __init__(self, api: ApiModel) -> None:
        self._resolver = ApiResolver(api)
        self._top = api.package.partition(".")[0]

    def callee(self, module: str, qualname: str, kind: CalleeKind) -> Callee:
        """The callee with that address."""
        self._load(module)
        found = self._resolver.callee(module, qualname, kind)
        if found is None:
            raise KeyError(f"{module}.{qualname}")
        return found

    def named(self, module: str, qualname: str) -> Named:
        """The object with that address."""
        self._load(module)
        found = self._resolver.named(module, qualname)
        if found is None:
            raise KeyError(f"{module}.{qualname}")
        return found

    def _load(self, module: str) -> None:
        """What the standard library has, and modules of the package or of a library that is loaded, which a function may import
        when it is called."""
        top = module.partition(".")[0]
        if module in MODULES or not (top in sys.stdlib_module_names or top == self._top or top in MODULES):
            return
        try:
            importlib.import_module(module)
        except Exception as error:
            raise KeyError(module) from error


def foreign_tests(encoded: Iterable[Mapping[str, Any]], api: ApiModel) -> list[TestCase]:
    """Tests from elsewhere; without those that are none, or do not fit this subject."""
    resolver = ForeignResolver(api)
    tests = []
    for data in encoded:
        try:
            test = decode(data, resolver)
        except Undecodable:
            continue  # of another version of the subject, or of a damaged cache
        if test.statements and test.is_valid():
            tests.append(test)
    return tests

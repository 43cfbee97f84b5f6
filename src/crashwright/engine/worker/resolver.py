"""From the addresses in an encoded test back to live objects and the API model's callees."""

from __future__ import annotations

import sys

from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Named

_MEMBERS = (CalleeKind.METHOD, CalleeKind.PROPERTY, CalleeKind.STATIC, CalleeKind.CLASSMETHOD)
_MISSING = object()


class ApiResolver:
    """See ``testcase.codec.Resolver``. Imports nothing: what a test names was loaded when it was encoded."""

    def __init__(self, api: ApiModel) -> None:
        self._api = api

    def callee(self, module: str, qualname: str, kind: CalleeKind) -> Callee | None:
        """The callee with that address; None where it is gone."""
        if kind in _MEMBERS:
            owner = _value(module, qualname.rpartition(".")[0])
            return self._api.member(owner, qualname.rpartition(".")[2]) if isinstance(owner, type) else None
        value = _value(module, qualname)
        if value is _MISSING:
            return None
        known = self._api.callee_of(value)
        if known is not None:
            return known
        if isinstance(value, type):
            return self._api.constructor(value)
        if module == "builtins":
            return self._api.builtin(qualname)
        return self._api.standard(module, qualname) if module.partition(".")[0] in sys.stdlib_module_names else None

    def named(self, module: str, qualname: str) -> Named | None:
        """The object with that address; None where it is gone."""
        value = _value(module, qualname)
        return None if value is _MISSING else Named(module, qualname, value)


def _value(module: str, qualname: str) -> object:
    value: object = sys.modules.get(module, _MISSING)
    for part in qualname.split("."):
        if value is _MISSING:
            break
        value = getattr(value, part, _MISSING)
    return value

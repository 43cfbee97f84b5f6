"""Certificates are loaded when somebody looks at them or connects: parsing those of all authorities takes 20 ms, which nine tenths
of the time go into where each test makes a client for HTTP.

What was loaded once without an error, from a file that has not changed since, is only noted the next time, and loaded before the
context is asked for certificates or wraps anything. So the subject sees nothing of it but the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from crashwright.engine.subject.introspection import loaded_module

LOADERS = ("load_verify_locations", "set_default_verify_paths")
USERS = ("get_ca_certs", "cert_store_stats", "wrap_socket", "wrap_bio")
Load = tuple[str, tuple[Any, ...], tuple[tuple[str, Any], ...]]


class LazyCertificates:
    """Of one process. Nothing happens where the subject has not imported ``ssl``."""

    def __init__(self) -> None:
        self._real: dict[str, Callable[..., Any]] = {}
        self._known: set[object] = set()
        self._pending: WeakKeyDictionary[Any, list[Load]] = WeakKeyDictionary()

    def install(self) -> None:
        """After the subject is imported."""
        module = loaded_module("ssl")
        if module is None or self._real:
            return
        context = module.SSLContext
        for name in (*LOADERS, *USERS):
            self._real[name] = getattr(context, name)
            setattr(context, name, self._lazy(name) if name in LOADERS else self._loaded(name))

    def _lazy(self, name: str) -> Callable[..., Any]:
        real = self._real[name]

        def load(context: Any, *given: Any, **named: Any) -> Any:
            key = _key(name, given, named)
            if key is None or key not in self._known:
                result = real(context, *given, **named)
                if key is not None:
                    self._known.add(key)
                return result
            self._pending.setdefault(context, []).append((name, given, tuple(named.items())))
            return None

        return _like(real, load)

    def _loaded(self, name: str) -> Callable[..., Any]:
        real = self._real[name]

        def use(context: Any, *given: Any, **named: Any) -> Any:
            for loader, first, rest in self._pending.pop(context, ()):
                self._real[loader](context, *first, **dict(rest))
            return real(context, *given, **named)

        return _like(real, use)


def _key(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> object | None:
    """What is loaded; None where that cannot be told from another time. A file is what it is as long as nobody has written it."""
    values = (*given, *(value for _, value in sorted(named.items())))
    if not all(value is None or type(value) is str for value in values):
        return None
    try:
        states = tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in (os.stat(path) for path in values if path))
    except (OSError, ValueError):
        return None
    return (name, len(given), tuple(sorted(named)), values, states)


def _like(real: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    ours.__name__, ours.__qualname__, ours.__doc__ = real.__name__, real.__qualname__, real.__doc__
    return ours

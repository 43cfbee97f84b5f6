"""The functions with which a subject reads documents, whatever they are called and wherever they are from: found by what they
return of a file that a test has written, a document with the key ``MARK``; and replaced for probing runs, in which they give a
value that notes what is asked of it (``recorded_documents``).

``configparser`` returns nothing: there it is what the parser holds.

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import configparser
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any, cast

from crashwright.engine.subject.introspection import class_dict, derives, is_class

MARK = "crashwright"
"""The key of the document by which it is known: no subject has one of that name."""
MARKED = {MARK: {"mark": "1"}}


def _trampoline(*args: Any, **kwargs: Any) -> Any:
    # This code runs with the names of another module, so it may use none: the hook takes the place of the constant, and has a
    # method of that name. What is ignored is that a text would not join these.
    return "the hook".join((args, kwargs))  # type: ignore[arg-type]


class ParsersMet:
    """While it is entered, notes the functions that return the marked document to code of another package, those that the subject
    calls itself first. A profiler that is there gets its place back."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._before: object = None
        self._own: dict[CodeType, FunctionType] = {}
        self._others: dict[CodeType, FunctionType] = {}
        self._within: dict[CodeType, FunctionType] = {}
        self.in_sections = False
        """A ``configparser`` has read it."""

    @property
    def found(self) -> tuple[FunctionType, ...]:
        """The functions."""
        return tuple((self._own or self._others).values()) or tuple(self._within.values())[:1]

    def __enter__(self) -> ParsersMet:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(cast(None, self._before))

    def _note(self, frame: FrameType, event: str, returned: object) -> None:
        if event != "return":
            return
        if frame.f_code is _SECTIONS_READ and _is_marked(frame.f_locals["self"]._sections):
            self.in_sections = True
        if frame.f_back is not None and _is_marked(returned) and not _was_given(frame, returned):
            home, asking = _package_of(frame), _package_of(frame.f_back)
            # A compiled parser is seen by nobody: there the first function of the subject that returns what it gave stands for it.
            found = self._within if home == self._package else self._own if asking == self._package else self._others
            function = _function_of(frame.f_code, frame.f_globals) if home != asking or home == self._package else None
            if function is not None:
                found[frame.f_code] = function


@contextmanager
def giving(parsers: tuple[FunctionType, ...], in_sections: bool, given: Callable[[], Any]) -> Iterator[None]:
    """Meanwhile these functions return what is ``given`` where they would return the marked document; so do sections of
    ``configparser``, where these are meant."""
    with ExitStack() as stack:
        for function in parsers:
            stack.enter_context(_replaced(function, given))
        if in_sections:
            stack.enter_context(_sections(given))
        yield


def _function_of(code: CodeType, names: Mapping[str, object]) -> FunctionType | None:
    """The function that a module, or a class of it, has by the name that ``code`` has; its code can be another's as it has no
    closure."""
    first, *parts = code.co_qualname.split(".")
    found = names.get(first)
    for part in parts:
        found = class_dict(found).get(part) if is_class(found) else None
    return found if type(found) is FunctionType and found.__code__ is code and not code.co_freevars else None


@contextmanager
def _replaced(function: FunctionType, given: Callable[[], Any]) -> Iterator[None]:
    """By its code, so that all who have the function at hand call what replaces it."""
    code = function.__code__
    as_ever = FunctionType(code, function.__globals__, code.co_name, function.__defaults__)
    as_ever.__kwdefaults__ = function.__kwdefaults__

    class Hook:
        @staticmethod
        def join(call: tuple[tuple[Any, ...], dict[str, Any]]) -> Any:
            args, kwargs = call
            result = as_ever(*args, **kwargs)
            return given() if _is_marked(result) else result

    trampoline = _trampoline.__code__
    constants = tuple(Hook if one == "the hook" else one for one in trampoline.co_consts)
    function.__code__ = trampoline.replace(co_consts=constants)
    try:
        yield
    finally:
        function.__code__ = code


@contextmanager
def _sections(given: Callable[[], Any]) -> Iterator[None]:
    parsers: Any = configparser.RawConfigParser
    as_ever = parsers._read

    def read(self: Any, *arguments: Any, **keywords: Any) -> Any:
        result = as_ever(self, *arguments, **keywords)
        if _is_marked(self._sections):
            self._sections = given()
            self._proxies = _Proxies(self, self._proxies)
        return result

    parsers._read = read
    try:
        yield
    finally:
        parsers._read = as_ever


class _Proxies(dict[str, Any]):
    """Of all sections that are asked for."""

    def __init__(self, parser: Any, known: dict[str, Any]) -> None:
        super().__init__(known)
        self._parser = parser

    def __missing__(self, key: str) -> Any:
        self[key] = configparser.SectionProxy(self._parser, key)
        return self[key]


_SECTIONS_READ: CodeType = cast(Any, configparser.RawConfigParser)._read.__code__


def _is_marked(value: object) -> bool:
    return derives(type(value), dict) and dict.__contains__(cast("dict[object, object]", value), MARK)


def _was_given(frame: FrameType, returned: object) -> bool:
    """Whether it has only handed on what it was given."""
    code = frame.f_code
    return any(frame.f_locals.get(name) is returned for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _package_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]

"""What users can ask of an application from outside, one thing at a time: a request to one of its routes, a command line of its
program. Each is a call whose places (a part of the path, what stands under a key of the body, a word of the line) can be filled.

A way to test services that are asked one thing after the other is known from RESTler (Atlidakis et al., ICSE 2019): what one
request gave is used by the next, and what succeeded is gone on with (``sources.in_turn``).
"""

from __future__ import annotations

import ast
import copy
import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, cast

from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.request_paths import places_in
from crashwright.engine.subject.introspection import derives, is_class, loaded_dict
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.walking import walk

MOST_WORDS = 12
"""Texts and numbers that the code of one operation knows."""
_LONGEST = 30
"""Characters of one."""
_SEVERAL = (ast.Tuple, ast.List, ast.Set)
ARGV = "sys.argv"
"""In the place of a keyword: the line is that of the process."""
_PLACE = re.compile(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>")


class AskedOperation(NamedTuple):
    """``ways`` are calls that ask it, the likeliest first; ``keys`` are what its document may have, ``words`` what its code
    compares with or looks up; ``choices`` are what it says may stand under a name, where that is few. ``ends``: what it works on is
    gone afterwards."""

    name: str
    ways: tuple[ast.Call, ...]
    keys: tuple[str, ...] = ()
    words: tuple[Plain, ...] = ()
    ends: bool = False
    choices: Mapping[str, tuple[Plain, ...]] = MappingProxyType({})
    typed: frozenset[str] = frozenset()
    """Names under which nothing but values of one kind may stand."""
    invented: frozenset[str] = frozenset()
    """Keys of its document that could have any name."""


class SentHeader(NamedTuple):
    """A header that the code reads of requests: ``written`` is the source of a call that has all requests carry it, with
    ``{value}`` for what is sent; ``document`` is the source of the document of an ``{answer}``. ``before``: texts that the code
    looks for in front of it."""

    written: str
    document: str
    before: tuple[str, ...]

    def sending(self, before: str, call: ast.Call, key: str) -> ast.Call:
        """With what ``call`` gives out under ``key``."""
        value = f"{self.document.format(answer=ast.unparse(statements_of(call)[-1]))}[{key!r}]"
        found = ast.parse(self.written.format(value=f"{before!r} + {value}" if before else value), mode="eval").body
        assert isinstance(found, ast.Call)
        return found


class OpeningWithRows(NamedTuple):
    """An ``opening`` that stores objects as well, and what makes these."""

    opening: tuple[ast.stmt, ...]
    made: tuple[ast.stmt, ...]


class Asking(NamedTuple):
    """``opening``: statements that come before all of it. ``targets`` come to the crash, ``others`` may make the state for that;
    ``told`` are the names of those that the report says were asked before, the first one first."""

    opening: tuple[ast.stmt, ...] = ()
    targets: tuple[AskedOperation, ...] = ()
    others: tuple[AskedOperation, ...] = ()
    told: tuple[str, ...] = ()
    session: tuple[ast.Call, ...] = ()
    """What the report says word for word, the target last."""
    runner: str = ""
    """A class whose instances run a program as a shell does: what is refused ends with a number, and the next line follows."""
    through: str = ""
    """A function that runs the program with the arguments of its process, and is further out."""
    headers: tuple[SentHeader, ...] = ()
    callers: tuple[Plain, ...] = ()
    """Words by which callers differ: roles that views were given."""
    with_rows: tuple[OpeningWithRows, ...] = ()
    """For what no operation stores."""
    made: tuple[ast.stmt, ...] = ()
    """What makes the objects that the opening stores."""
    in_folder: bool = False
    """What is asked reads and writes files of the folder that it is run in."""


class OpenPlace(NamedTuple):
    """A place of a call. ``value``: what it is filled with; None where it is open. ``in_path``: it is a part of an address."""

    name: str
    value: Plain | None
    in_path: bool = False


def call_in(text: str, route: Route | None = None) -> ast.Call | None:
    """The call that is a statement; the places of the ``route`` in its path are places of the call."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Call):
        return None
    match node.args[:1]:
        case [ast.Constant(value=str(path))] if route is not None:
            node.args[0] = _parted(path, route)
    return node


def _parted(path: str, route: Route) -> ast.expr:
    bare, mark, query = path.partition("?")
    places = places_in(route, bare)
    if not places:
        return ast.Constant(path)
    parts: list[ast.expr] = []
    end = 0
    for place in _PLACE.finditer(route.path):
        parts += [ast.Constant(route.path[end : place.start()]), _Named(place[1], places[place[1]])]
        end = place.end()
    return ast.JoinedStr([*parts, ast.Constant(route.path[end:] + mark + query)])


class _Named(ast.Constant):
    """A part of a path, or a word of a line, that has a name. ``word``: the second; None as its value: it is open."""

    def __init__(self, name: str = "", value: str | None = "", word: bool = False) -> None:
        super().__init__(value)
        self.name = name
        self.word = word


def leaves_of(call: ast.Call) -> list[OpenPlace]:
    """In the order of :func:`filled`."""
    found: list[OpenPlace] = []
    _visit(call, lambda name, node: found.append(OpenPlace(name, _plain(node), isinstance(node, _Named) and not node.word)))
    return found


def filled(call: ast.Call, values: Mapping[int, Plain]) -> ast.Call:
    """With other values at these leaves."""
    made = copy.deepcopy(call)
    number = -1

    def put(_: str, node: ast.expr) -> ast.expr:
        nonlocal number
        number += 1
        if number not in values:
            return node
        return _Named(node.name, str(values[number]), node.word) if isinstance(node, _Named) else ast.Constant(values[number])

    _visit(made, put)
    return made


def by_process(call: ast.Call) -> list[str] | None:
    """The arguments that the process has to have for it; None where it takes its line itself."""
    line = next((one.value for one in call.keywords if one.arg == ARGV), None)
    return None if not isinstance(line, ast.List) else [str(one.value) for one in line.elts if isinstance(one, ast.Constant)]


def statements_of(call: ast.Call) -> list[ast.stmt]:
    """What asks it, in a test."""
    words = by_process(call)
    if words is None:
        return [written(call)]
    return ast.parse(f"monkeypatch.setattr('sys.argv', {['program', *words]!r})\n{ast.unparse(call.func)}()").body


def run_by(runner: str, call: ast.Call) -> list[ast.stmt]:
    """What runs a line of a program by a ``runner``; another call as it is."""
    bare = written(call)
    match bare:
        case ast.Expr(value=ast.Call(func=ast.Name() as program, args=[ast.List() as line])):
            return ast.parse(f"{runner}.invoke({ast.unparse(program)}, {ast.unparse(line)})").body
        case _:
            return [bare]


def text_of(call: ast.Call) -> str:
    """The same as source."""
    return "\n".join(map(ast.unparse, statements_of(call)))


def written(call: ast.Call) -> ast.stmt:
    """As a statement: the parts of its path are one text."""
    made = copy.deepcopy(call)
    made.args = [_bare(one) for one in made.args]
    for keyword in made.keywords:
        keyword.value = _bare(keyword.value)
    return ast.parse(ast.unparse(ast.fix_missing_locations(made))).body[0]


def root_name(call: ast.Call) -> str:
    """Of what is called, or of what has the method that is."""
    node = call.func
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def last_name(call: ast.Call) -> str:
    """The last name in its address that is no place."""
    match call.args[:1]:
        case [ast.JoinedStr(values=parts)]:
            fixed = [str(one.value) for one in parts if isinstance(one, ast.Constant) and not isinstance(one, _Named)]
        case [ast.Constant(value=str(path))]:
            fixed = [path]
        case _:
            return ""
    return next((name for one in reversed(fixed) for name in reversed(one.partition("?")[0].split("/")) if name), "")


def _bare(node: ast.expr) -> ast.expr:
    match node:
        case ast.JoinedStr(values=parts):
            return ast.Constant("".join(str(one.value) for one in parts if isinstance(one, ast.Constant)))
        case ast.List(elts=items):
            return ast.List([_bare(one) for one in items])
        case _Named(value=value):
            return ast.Constant(value)
    return node


class Word(NamedTuple):
    """Of a command line. ``name``: what the program calls it, "" for what is always the same; ``text`` is None where it is open."""

    text: str | None
    name: str = ""


def line_of(
    function: ast.expr, words: Sequence[Word], keyword: str = "", others: Mapping[str, bool] = MappingProxyType({})
) -> ast.Call:
    """A call of a program with that line: its first argument, or the one of that name."""
    line = ast.List([_Named(one.name, one.text, True) if one.name else ast.Constant(one.text) for one in words])
    given = [ast.keyword(key, ast.Constant(value)) for key, value in others.items()]
    return ast.Call(function, [] if keyword else [line], [*([ast.keyword(keyword, line)] if keyword else []), *given])


def _plain(node: ast.expr) -> Plain | None:
    return cast(Plain, node.value) if isinstance(node, ast.Constant) else None


Put = Callable[[str, ast.expr], object]


def _visit(call: ast.Call, put: Put) -> None:
    """Calls ``put`` for each leaf; what it returns, if that is a node, takes the place. Of a path and of a line only what has a
    name is a place, of a document all that is not made of something else."""

    def into(name: str, node: ast.expr, inside: bool) -> ast.expr:
        match node:
            case ast.Dict(keys=keys, values=values):
                named = [one.value if isinstance(one, ast.Constant) and type(one.value) is str else name for one in keys]
                node.values = [into(each, one, True) for each, one in zip(named, values, strict=True)]
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.JoinedStr(values=items):
                items[:] = [into(name, one, inside) for one in items]
            case _Named():
                return _put(put, node.name, node)
            case ast.Constant() | ast.Name() if inside:
                return _put(put, name, node)
        return node

    call.args = [into("", one, False) for one in call.args]
    for keyword in call.keywords:
        keyword.value = into(keyword.arg or "", keyword.value, False)


def keys_in(call: ast.Call) -> frozenset[str]:
    """Of its document."""
    document = _document(call)
    keys = [] if document is None else [one.value for one in document.keys if isinstance(one, ast.Constant)]
    return frozenset(one for one in keys if type(one) is str)


def added(call: ast.Call, key: str, value: Plain) -> ast.Call:
    """With one more key in its document; as it is where it has none."""
    made = copy.deepcopy(call)
    document = _document(made)
    if document is not None:
        document.keys.append(ast.Constant(key))
        document.values.append(ast.Constant(value))
    return made


def without_keys(call: ast.Call) -> Iterator[ast.Call]:
    """Each with one key of its document less."""
    for place in range(len(document.keys) if (document := _document(call)) is not None else 0):
        made = copy.deepcopy(call)
        fewer = _document(made)
        assert fewer is not None
        del fewer.keys[place], fewer.values[place]
        yield made


def _document(call: ast.Call) -> ast.Dict | None:
    return next((one for one in (*call.args, *(each.value for each in call.keywords)) if isinstance(one, ast.Dict)), None)


def _put(put: Put, name: str, node: ast.expr) -> ast.expr:
    new = put(name, node)
    return new if isinstance(new, ast.expr) else node


def words_of(trees: Sequence[ast.AST], namespaces: Sequence[Mapping[str, object]], looked_up: Sequence[Plain]) -> tuple[Plain, ...]:
    """What functions look up, compare with, or know as the values of an enumeration."""
    found = [*looked_up, *(value for tree in trees for value in _compared(tree))]
    names = {node.id for tree in trees for node in walk(tree) if isinstance(node, ast.Name)}
    for namespace in namespaces:
        for name in sorted(names & namespace.keys()):
            live = namespace[name]
            if is_class(live) and derives(live, enum.Enum):
                found += [one.value for one in live.__members__.values() if type(one.value) in (str, int)]  # type: ignore[attr-defined]
    short = [one for one in found if type(one) is not str or 0 < len(one) <= _LONGEST]
    return tuple(dict.fromkeys(short))[:MOST_WORDS]


def names_in_calls(trees: Sequence[ast.AST]) -> tuple[str, ...]:
    """Names in quotes that methods are called with, the first of their arguments: what ``payload.number("seats")`` is about. In the
    order of the source."""
    found: list[tuple[int, int, str]] = []
    for node in (one for tree in trees for one in walk(tree)):
        match node:
            case ast.Call(func=ast.Attribute(), args=[ast.Constant(value=str(name)), *_]) if name.isidentifier():
                found.append((node.lineno, node.col_offset, name))
    return tuple(dict.fromkeys(name for *_, name in sorted(found)))


def _compared(tree: ast.AST) -> Iterator[Plain]:
    for node in walk(tree):
        match node:
            case ast.Compare(comparators=others):
                parts = [
                    each for one in others for each in (one.elts if isinstance(one, ast.Tuple | ast.List | ast.Set) else [one])
                ]
            case ast.MatchValue(value=one):
                parts = [one]
            case _:
                continue
        for one in parts:
            if isinstance(one, ast.Constant) and type(one.value) in (str, int) and one.value not in (0, "", 1):
                yield cast(Plain, one.value)


def namespaces_of(modules: Sequence[str]) -> list[Mapping[str, object]]:
    """The names of loaded modules."""
    return [loaded_dict(name) for name in dict.fromkeys(modules)]

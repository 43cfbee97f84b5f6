"""What the patterns of a ``match`` statement ask of its subject: keys, items, parts of a text, values, classes and attributes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import cast

from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.usage.shapes import TEXT, Plain, Shape, Split
from crashwright.engine.subject.usage.use import Use

_PLAIN = identities(str, int, float)
_OF_CLASSES: dict[str, Plain] = {"str": TEXT, "int": 1, "float": 1.5}
_OPERATIONS = {"str": "text", "bytes": "bytes", "int": "number", "float": "number"}


def shape_of_pattern(pattern: ast.pattern | None, shape: Shape, split: Split | None, named: Callable[[str, Shape], None]) -> None:
    """Put into ``shape`` what ``pattern`` asks of it, or into the parts of the text that was ``split``. ``named`` gets the names
    that the pattern binds."""
    match pattern:
        case ast.MatchValue(value=ast.Constant(value=value)) if id(type(value)) in _PLAIN:
            shape.expect(cast(Plain, value))
        case ast.MatchAs(pattern=inner, name=name):
            shape_of_pattern(inner, shape, split, named)
            if name is not None:
                named(name, shape)
        case ast.MatchOr(patterns=patterns):
            for one in patterns:
                shape_of_pattern(one, shape, split, named)
        case ast.MatchMapping(keys=keys, patterns=patterns):
            for key, one in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant) and type(key.value) is str:
                    shape_of_pattern(one, shape.field(key.value), None, named)
        case ast.MatchSequence(patterns=patterns):
            _sequence(patterns, shape, split, named)
        case ast.MatchClass(cls=ast.Name(id=name), patterns=patterns) if name in _OF_CLASSES:
            shape.expect(_OF_CLASSES[name])
            for one in patterns:
                shape_of_pattern(one, shape, split, named)


def _sequence(patterns: list[ast.pattern], shape: Shape, split: Split | None, named: Callable[[str, Shape], None]) -> None:
    for place, one in enumerate(patterns):
        if isinstance(one, ast.MatchStar):
            return  # what follows is counted from the end
        part = shape.item() if split is None else split.part(place)
        if part is not None:
            shape_of_pattern(one, part, None, named)


def use_in_pattern(pattern: ast.pattern | None, use: Use, named: Callable[[str, Use], None]) -> None:
    """Note what ``pattern`` asks of a value, as :func:`shape_of_pattern` does of a record."""
    match pattern:
        case ast.MatchValue(value=ast.Constant(value=value)):
            _note(use, type(value).__name__)
        case ast.MatchSingleton(value=None):
            use.note("optional")
        case ast.MatchAs(pattern=inner, name=name):
            use_in_pattern(inner, use, named)
            if name is not None:
                named(name, use)
        case ast.MatchOr(patterns=patterns):
            for one in patterns:
                use_in_pattern(one, use, named)
        case ast.MatchMapping(patterns=patterns):
            use.note("key")
            for one in patterns:
                use_in_pattern(one, use.elements(), named)
        case ast.MatchSequence(patterns=patterns):
            use.note("index")
            for one in patterns:
                use_in_pattern(one, use.elements(), named)
        case ast.MatchStar(name=str(name)):
            named(name, Use())
        case ast.MatchClass(cls=cls):
            _class(pattern, ast.unparse(cls), use, named)


def _class(pattern: ast.MatchClass, name: str, use: Use, named: Callable[[str, Use], None]) -> None:
    use.classes[name] = None
    for one in pattern.patterns if name in _OPERATIONS else ():
        use_in_pattern(one, use, named)  # of a builtin class the one positional pattern is for the value itself
    for attribute, one in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        use.attributes[attribute] = None
        use_in_pattern(one, Use(), named)


def _note(use: Use, kind: str) -> None:
    operation = _OPERATIONS.get(kind)
    if operation is not None:
        use.note(operation)

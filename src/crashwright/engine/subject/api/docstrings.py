"""Types that docstrings tell (reST, numpy, Google and epydoc style): weak hints for parameters without annotation."""

from __future__ import annotations

import re

from crashwright.engine.subject.api.hints import EMPTY_SCOPE, HintScope, hint_of
from crashwright.engine.subject.api.types import ANY, NONE, ChoiceHint, ClassHint, Hint, is_any, union_of
from crashwright.engine.subject.introspection import class_dict, instance_dict, is_class
from crashwright.engine.subject.layers import function_of

_SPHINX_TYPE = re.compile(r"^\s*[:@]type\s+\*{0,2}(\w+)\s*:\s*(.+?)\s*$", re.MULTILINE)
_SPHINX_PARAMETER = re.compile(r"^\s*[:@]param(?:eter)?\s+([^:]+?)\s+\*{0,2}(\w+)\s*:", re.MULTILINE)
_SPHINX_RETURN = re.compile(r"^\s*[:@]rtype\s*:\s*(.+?)\s*$", re.MULTILINE)
_NUMPY = re.compile(r"^\s*(\w+(?:\s*,\s*\w+)*)\s+:\s+(\S.*?)\s*$", re.MULTILINE)
_GOOGLE = re.compile(r"^\s*\*{0,2}(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*:", re.MULTILINE)
_SECTION = re.compile(r"^\s*(?:Parameters\s*\n\s*-{3,}|Args:|Arguments:|Parameters:)", re.MULTILINE)
_RESULT = re.compile(r"rtype|\breturn\s*[,:(]")
_CHOICES = re.compile(r"^\{(.+)\}$")
_ROLE = re.compile(r":[\w:]+:`~?([^`]+)`")
_OF = re.compile(r"^(list|tuple|set|sequence|iterable|array|dict|dictionary)s?\s+of\s+(.+)$", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+|\s*\|\s*|,\s*(?![^\[]*\])|(?<=\w)/(?=\w)")
_NOISE = re.compile(r"\b(optional|default\s*[:=]?\s*\S+|required|instance|object|an?|the|any)\b", re.IGNORECASE)
_WORDS = {
    "string": "str",
    "strings": "str",
    "text": "str",
    "unicode": "str",
    "basestring": "str",
    "integer": "int",
    "integers": "int",
    "ints": "int",
    "long": "int",
    "boolean": "bool",
    "double": "float",
    "number": "float",
    "numeric": "float",
    "floats": "float",
    "dictionary": "dict",
    "mapping": "dict",
    "hash": "dict",
    "array": "list",
    "lists": "list",
    "sequence": "Sequence",
    "iterable": "Iterable",
    "iterator": "Iterator",
    "function": "Callable",
    "callable": "Callable",
    "callback": "Callable",
    "nonetype": "None",
    "none": "None",
    "strs": "str",
    "byte": "bytes",
    "true": "bool",
    "false": "bool",
}


def docstring_hints(value: object, scope: HintScope = EMPTY_SCOPE) -> dict[str, Hint]:
    """The parameters whose type the docstring of a function or class tells; ``return`` is the result's."""
    documentation = documentation_of(value)
    return {} if documentation is None else parse_docstring(documentation, scope)


def tells_result(value: object) -> bool:
    """False where the docstring surely says nothing of the type of the result: asked for all functions of a package."""
    text = documentation_of(value)
    return text is not None and _RESULT.search(text) is not None


def documentation_of(value: object) -> str | None:
    """The docstring of a function or class, where it has one of a size to be read."""
    if is_class(value):
        text = class_dict(value).get("__doc__")
    else:
        function = function_of(value)
        text = instance_dict(value).get("__doc__") if function is None else function.__doc__
    return text if type(text) is str and len(text) < 20_000 else None


def parse_docstring(text: str, scope: HintScope = EMPTY_SCOPE) -> dict[str, Hint]:
    """As :func:`docstring_hints`, for the text itself."""
    found: dict[str, Hint] = {}
    if ":" not in text:
        return found
    if ":param" in text or "@param" in text or ":type" in text or "@type" in text or ":rtype" in text:
        for match in _SPHINX_PARAMETER.finditer(text):
            _note(found, match[2], match[1], scope)
        for match in _SPHINX_TYPE.finditer(text):
            _note(found, match[1], match[2], scope)
        for match in _SPHINX_RETURN.finditer(text):
            _note(found, "return", match[1], scope)
    section = _SECTION.search(text)
    if section is not None:
        pattern = _NUMPY if "-" in section[0] else _GOOGLE
        for match in pattern.finditer(text, section.end()):
            for name in match[1].split(","):
                _note(found, name.strip(), match[2], scope)
    return found


def _note(found: dict[str, Hint], name: str, text: str, scope: HintScope) -> None:
    hint = type_of_words(text, scope)
    if not is_any(hint) and name not in found:
        found[name] = hint


def type_of_words(text: str, scope: HintScope = EMPTY_SCOPE) -> Hint:
    """The hint for a type as people write it (``list of str or None``); ANY where it is not understood."""
    text = _ROLE.sub(r"\1", text).replace("`", "").strip().rstrip(".,;")
    choices = _CHOICES.match(text)
    if choices is not None:
        return _choices(choices[1])
    arms = [
        _arm(arm, scope)
        for arm in re.split(r"\s+or\s+|\s*\|\s*|,\s*(?![^\[]*\])|(?<=\w)/(?=\w)", _NOISE.sub("", text))
        if arm.strip()
    ]
    known = [arm for arm in arms if not is_any(arm)]
    # One arm that is not understood makes the whole unreliable, except for the words that only qualify the others.
    return union_of(known) if known and len(known) == len(arms) else ANY


def _arm(text: str, scope: HintScope) -> Hint:
    text = text.strip().strip("()*").strip()
    collection = _OF.match(text)
    if collection is not None:
        whole = _arm(collection[1], scope)
        part = type_of_words(collection[2], scope)
        return (
            whole._replace(arguments=(part,))
            if isinstance(whole, ClassHint) and not is_any(part) and whole.cls is not dict
            else whole
        )
    if text.lower() in ("none", "null"):
        return NONE
    return hint_of(_WORDS.get(text.lower(), text), scope) if re.fullmatch(r"[\w.]+(\[[\w\[\], .|]+\])?", text) else ANY


def _choices(text: str) -> Hint:
    values: list[object] = []
    for part in text.split(","):
        part = part.strip()
        if len(part) > 1 and part[0] == part[-1] and part[0] in "'\"":
            values.append(part[1:-1])
        elif part.lstrip("-").isdigit():
            values.append(int(part))
        elif part in ("None", "True", "False"):
            values.append({"None": None, "True": True, "False": False}[part])
        else:
            return ANY
    return ChoiceHint(tuple(values))

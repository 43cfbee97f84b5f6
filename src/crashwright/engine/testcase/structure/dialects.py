"""Languages in which files keep documents: how each is written, and read where the standard library reads it. One table: what makes
or edits documents knows none of them.

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, cast

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z_][\w./ -]*(?<! )", re.IGNORECASE)
"""Texts that YAML takes for what they are without quotation marks."""
_LIKE_TOML, _LIKE_INI = re.compile(r"^\s*(?:\[|[\w.\"'-]+\s*=)", re.MULTILINE), re.compile(r"^\[[^\]\n]+\]\s*$", re.MULTILINE)


class NotInDialect(Exception):
    """The document has what the language has not."""


class Dialect(NamedTuple):
    """``written`` raises :class:`NotInDialect`; ``read`` gives None for what is no text of the language, or none that it can
    read."""

    name: str
    written: Callable[[object], str]
    read: Callable[[str], object]


def _json(document: object) -> str:
    try:
        return json.dumps(document, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotInDialect(str(error)) from None


def _read_json(text: str) -> object:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _toml(document: object) -> str:
    return "\n".join(_toml_lines(_mapping(document), ()))


def _toml_lines(table: Mapping[str, object], above: tuple[str, ...]) -> Iterator[str]:
    """The plain keys of a table, then the tables in it; ends with an empty text, for the end of the last line."""
    plain = [(key, held) for key, held in table.items() if not _is_table(held)]
    tables = [(key, held) for key, held in table.items() if _is_table(held)]
    if above and (plain or not tables):
        yield f"[{'.'.join(map(_toml_key, above))}]"
    yield from (f"{_toml_key(key)} = {_toml_value(held)}" for key, held in plain)
    for number, (key, held) in enumerate(tables):
        if number or plain:
            yield ""
        yield from _toml_lines(cast("Mapping[str, object]", held), (*above, key))
    if not above:
        yield ""


def _is_table(held: object) -> bool:
    return type(held) is dict


def _toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _toml_value(value: object) -> str:
    if type(value) is list:
        return f"[{', '.join(map(_toml_value, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{_toml_key(key)} = {_toml_value(held)}" for key, held in value.items()) + "}"
    if value is None:
        raise NotInDialect("TOML has no null")
    if type(value) is float and value != value:
        return "nan"
    return _json(value).replace("\x7f", "\\u007f").replace("Infinity", "inf")


def _read_toml(text: str) -> object:
    if not _LIKE_TOML.search(text):
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _yaml(document: object) -> str:
    return "\n".join([*_yaml_lines(document, ""), ""])


def _yaml_lines(value: object, indent: str) -> Iterator[str]:
    if type(value) is dict and value:
        for key, held in value.items():
            yield from _yaml_item(f"{indent}{_yaml_scalar(key)}:", held, indent + "  ")
    elif type(value) is list and value:
        for held in value:
            yield from _yaml_item(f"{indent}-", held, indent + "  ")
    else:
        yield indent + _yaml_scalar(value)


def _yaml_item(begun: str, held: object, indent: str) -> Iterator[str]:
    if held and (type(held) is dict or type(held) is list):
        yield begun
        yield from _yaml_lines(held, indent)
    else:
        yield f"{begun} {_yaml_scalar(held)}"


def _yaml_scalar(value: object) -> str:
    return value if type(value) is str and _PLAIN.fullmatch(value) else _json(value)


def _ini(document: object) -> str:
    lines: list[str] = []
    for name, section in _mapping(document).items():
        lines += [f"[{_line(name)}]", *(f"{_line(key)} = {_indented(held)}" for key, held in _mapping(section).items()), ""]
    return "\n".join(lines)


def _line(text: object) -> str:
    if type(text) is not str or "\n" in text or "]" in text:
        raise NotInDialect(f"{text!r} is no name in INI")
    return text


def _indented(value: object) -> str:
    if type(value) is dict:
        raise NotInDialect("INI has no sections in sections")
    if type(value) is list:
        return "".join(f"\n    {_indented(one)}" for one in value)
    return "" if value is None else str(value).replace("\n", "\n    ")


def _read_ini(text: str) -> object:
    if not _LIKE_INI.search(text):
        return None
    parser = configparser.RawConfigParser(default_section="")
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _mapping(value: object) -> Mapping[str, object]:
    if type(value) is not dict or any(type(key) is not str for key in value):
        raise NotInDialect("a table is wanted there")
    return value


JSON, INI = Dialect("JSON", _json, _read_json), Dialect("INI", _ini, _read_ini)
DIALECTS = (JSON, Dialect("TOML", _toml, _read_toml), INI, Dialect("YAML", _yaml, lambda _: None))

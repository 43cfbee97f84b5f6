"""JSON Schemas of the documents that ``--json`` prints, made from the classes that the documents are made from.

``docs/schemas`` has them as files, and ``serve`` offers them to assistants. Fields may be added without a new ``schema`` number,
so the schemas permit fields that they do not name.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import types
import typing
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from crashwright.core.errors import ExitCode
from crashwright.reporting.batch import BatchDocument
from crashwright.reporting.doctor import DOCTOR_VERDICTS
from crashwright.reporting.json_result import SCHEMA_VERSION, SEARCHABLE, VERDICTS, ErrorDocument
from crashwright.reporting.suite_progress import SUITE_VERDICTS
from crashwright.workflows.generate.result import ModuleSuite, SuiteResult
from crashwright.workflows.inquiries.doctor import Diagnosis
from crashwright.workflows.inquiries.explanation import Explanation
from crashwright.workflows.inquiries.verification import FixVerdict, VerifyAnswer, VerifyResult
from crashwright.workflows.reproduce.result import Result

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", types.NoneType: "null"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
Schema = dict[str, Any]


class _Definitions:
    """The classes of one document: each is defined once, and referred to by its name."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def refer(self, kind: type) -> Schema:
        """A reference to the definition of a dataclass."""
        name = kind.__name__
        if name not in self.named:
            self.named[name] = {}  # a class may hold values of its own class
            self.named[name] = self.object_of(kind)
        return {"$ref": f"#/$defs/{name}"}

    def object_of(self, kind: type) -> Schema:
        """A dataclass as :func:`crashwright.core.codec.to_json` writes it: every field is there."""
        hints, told = typing.get_type_hints(kind), _told_of_fields(kind)
        properties = {}
        for field in dataclasses.fields(kind):
            properties[field.name] = self.value_of(hints[field.name])
            if field.name in told:
                properties[field.name] = {**properties[field.name], "description": told[field.name]}
        return {"type": "object", "description": _plain(kind.__doc__), "properties": properties, "required": list(properties)}

    def value_of(self, kind: Any) -> Schema:
        """What a value of this annotation is written as."""
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if kind in _SCALARS:
            return {"type": _SCALARS[kind]}
        if kind in (Any, object):
            return {}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.value_of(one) for one in arguments]}
        if origin is typing.Literal:
            return {"enum": list(arguments)}
        if origin is tuple and arguments[1:] == (Ellipsis,):
            return {"type": "array", "items": self.value_of(arguments[0])}
        if origin is tuple:
            return self._places(arguments)
        if origin is dict:
            return {"type": "object", "additionalProperties": self.value_of(arguments[1])}
        if issubclass(kind, Enum):
            return {"enum": [one.value for one in kind]}
        if issubclass(kind, tuple):
            return self._places([typing.get_type_hints(kind)[name] for name in kind._fields])
        return self.refer(kind)

    def _places(self, kinds: Sequence[Any]) -> Schema:
        return {
            "type": "array",
            "prefixItems": [self.value_of(one) for one in kinds],
            "minItems": len(kinds),
            "maxItems": len(kinds),
        }


def schemas() -> dict[str, Schema]:
    """The schema of each command's document. ``sentry`` prints that of ``batch``."""
    return {
        "reproduce": _document("reproduce", Result, VERDICTS.values()),
        "explain": _document("explain", Explanation, (SEARCHABLE, *VERDICTS.values())),
        "verify": _document("verify", VerifyResult, (*map(str, VerifyAnswer), *map(str, FixVerdict)), without=("answer",)),
        "generate": _document("generate", SuiteResult, SUITE_VERDICTS.values(), more={ModuleSuite: {"notes": _TEXTS}}),
        "batch": _document("batch", BatchDocument, VERDICTS.values()),
        "doctor": _document("doctor", Diagnosis, DOCTOR_VERDICTS.values()),
    }


def _document(
    command: str, kind: type, verdicts: Iterable[str], without: Sequence[str] = (), more: dict[type, Schema] | None = None
) -> Schema:
    definitions = _Definitions()
    result = definitions.object_of(kind)
    own = {name: one for name, one in result["properties"].items() if name not in without}
    result["properties"] = {**_head(verdicts), **own, "exit_code": _exit_code()}
    result["required"] = list(result["properties"])
    failed = definitions.object_of(ErrorDocument)
    failed["properties"] = {**_head(VERDICTS.values()), "exit_code": _exit_code(), **failed["properties"]}
    failed["required"] = list(failed["properties"])
    for module, fields in (more or {}).items():
        definitions.named[module.__name__]["properties"].update(fields)
    return {
        "$schema": DIALECT,
        "$id": f"urn:crashwright:schema:{SCHEMA_VERSION}:{command}",
        "title": f"What crashwright {command} --json prints",
        "anyOf": [result, failed],
        "$defs": dict(sorted(definitions.named.items())),
    }


def _head(verdicts: Iterable[str]) -> Schema:
    return {"schema": {"const": SCHEMA_VERSION}, "verdict": {"enum": list(dict.fromkeys(verdicts))}}


def _exit_code() -> Schema:
    return {"enum": [int(code) for code in ExitCode], "description": "The exit code of the command."}


@lru_cache(maxsize=256)
def _told_of_fields(kind: type) -> dict[str, str]:
    """The text under a field, for each field that has one."""
    (definition,) = ast.parse(inspect.cleandoc(f"\n{inspect.getsource(kind)}")).body
    told = {}
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    for field, after in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            told[field.target.id] = _plain(str(ast.literal_eval(after.value)))
    return told


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())

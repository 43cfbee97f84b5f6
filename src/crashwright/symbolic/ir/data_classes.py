"""Constructors that no source has: those that the decorator of a data class writes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.symbolic.ir.declared import Class
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.nodes import Function

_FACTORIES = {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()", "str": "''", "int": "0"}


def is_data_class(cls: Class) -> bool:
    """Whether a decorator writes its constructor."""
    return any(one.partition("(")[0].rpartition(".")[2] == "dataclass" for one in cls.decorators)


def constructor_of(lineage: Sequence[Class], version: tuple[int, int]) -> Function | None:
    """The constructor of a data class: ``lineage`` is the class and those that it inherits from, nearest first. None where it is
    not clear which one it is."""
    cls = lineage[0]
    if not is_data_class(cls) or "." in cls.key.qualname or any("init=False" in one for one in cls.decorators):
        return None
    fields: dict[str, str | None] = {}
    for one in reversed(lineage):
        if not is_data_class(one):
            continue
        for name, attribute in one.attributes.items():
            kind = attribute.annotation.partition("[")[0].rpartition(".")[2]
            if kind in ("InitVar", "KW_ONLY"):
                return None
            if attribute.annotation and kind != "ClassVar":
                fields[name] = attribute.value or None
    lines = [f"class {cls.key.qualname}:", "    def __init__(self, {}):"]
    parameters: list[str] = []
    for name, value in fields.items():
        made = "" if value is None else _default(value)
        if made is None:
            return None
        parameters.append(name + (f"={made}" if made else ""))
        lines.append(f"        self.{name} = {name}")
    if any("__post_init__" in one.methods for one in lineage):
        lines.append("        self.__post_init__()")
    source = "\n".join([*lines, "        return"]).replace("{}", ", ".join(parameters), 1)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None  # such as a default behind which a field has none
    return Functions(cls.key.module, tree, version).function(f"{cls.key.qualname}.__init__")


def _default(value: str) -> str | None:
    """The default as one would write it; None where it is not clear what it is. What a factory makes is a new object each time,
    which no default of a parameter is: here nobody can tell."""
    call = ast.parse(value, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute)):
        return value
    if ast.unparse(call.func).rpartition(".")[2] != "field":
        return value
    known = {one.arg: one.value for one in call.keywords}
    if "init" in known:
        return None
    if "default" in known:
        return ast.unparse(known["default"])
    if "default_factory" in known:
        return _FACTORIES.get(ast.unparse(known["default_factory"]), "object()")
    return ""

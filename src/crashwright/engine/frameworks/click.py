"""click, typer: programs that they make of decorated functions, objects that are called with the words of a line. Found
among the loaded modules of a package, with the grammar that each declares. Read by asking the library."""

from __future__ import annotations

import datetime
import importlib
import typing
import uuid
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import (
    class_home,
    class_mro,
    class_name,
    function_home,
    instance_dict,
    is_class,
    loaded_dict,
    loaded_names,
    static_attribute,
)
from crashwright.engine.subject.layers import function_of, layers_of
from crashwright.engine.subject.usage.asked_texts import texts_taken
from crashwright.engine.subject.usage.command_lines import Grammar, Taken

MOST = 8
RETURNING = "standalone_mode"
"""The keyword by which a program that is given False for it returns, and lets its errors through."""
_COMMANDS = ("click.core", "typer.core")
_MAKERS = "typer.main"
_DECLARING = ("click.core.", "typer.core.", "typer.main.", "typer.models.")
_LIBRARIES = ("click.", "typer.")
_DEEPEST = 2
_MOST_COMMANDS = 24
_MANY = 2
"""Words of an argument that takes any number."""
_NUMBERS = {"IntParamType": ("3", "0", "-1"), "FloatParamType": ("1.5", "0", "-1"), "BoolParamType": ("true", "false")}
_DAYS = datetime.datetime(2026, 1, 31), datetime.datetime(2024, 2, 29)
_BY_TYPE: tuple[tuple[object, tuple[str, ...]], ...] = (
    (int, ("3", "0", "-1")),
    (float, ("1.5", "0", "-1")),
    (datetime.datetime, ("2026-01-31", "2024-02-29")),
    (uuid.UUID, ("00000000-0000-4000-8000-000000000001",)),
)


class ClickProgram(NamedTuple):
    """The object ``name`` of ``module``. ``lines`` is the grammar of what it takes."""

    module: str
    name: str
    live: Any
    lines: Grammar


def programs_of(packages: Iterable[str], path: Collection[CodeKey] = ()) -> tuple[ClickProgram, ...]:
    """Those of ``packages``, each once; those with the most commands first, in groups too: the program, then its groups. Of
    several commands those count that lead to a function on the ``path``, if there are any."""
    found: dict[int, ClickProgram] = {}
    leaves: dict[int, int] = {}
    homes: dict[int, set[str]] = {}
    for module in [name for package in packages for name in sorted(loaded_names(package))]:
        for name, live in loaded_dict(module).items():
            command = _command_of(live, homes) if type(name) is str and not name.startswith("_") else None
            if command is not None and id(live) not in found:
                found[id(live)] = ClickProgram(module, name, live, _grammar(command, path, 0))
                leaves[id(live)] = _leaves(command, 0)
    return tuple(sorted(found.values(), key=lambda one: -leaves[id(one.live)]))[:MOST]


def declares_programs(cls: type) -> bool:
    """Whether objects of the class are parts of a program: it is made once, when the module is imported."""
    return any(f"{class_home(one)}.".startswith(_DECLARING) for one in class_mro(cls) if one is not object)


def live_command(live: object) -> Any:
    """The command of a library that an object is or makes; None where it is none."""
    return _command_of(live, {})


def grammar_of_command(command: Any) -> Grammar:
    """What a command, and those below it, take."""
    return _grammar(command, (), 0)


def is_program(live: object) -> bool:
    """Whether it is called with the words of a command line."""
    return _command_of(live, {}) is not None


def _command_of(live: object, known: dict[int, set[str]]) -> Any:
    """The command of a library that an object is or makes; None where it is none. ``known``: the homes of classes and their bases,
    by their identities; a package has thousands of objects, and most are of the same few classes."""
    homes = known.get(id(type(live)))
    if homes is None:
        homes = known[id(type(live))] = {class_home(cls) for cls in class_mro(type(live))}
    if _MAKERS in homes and class_name(type(live)) == "Typer":
        maker: Any = importlib.import_module(_MAKERS)
        try:
            return maker.get_command(live)
        except (RuntimeError, TypeError, ValueError):
            return None  # it has no commands, or parameters that the library refuses
    return live if homes.intersection(_COMMANDS) and static_attribute(type(live), "make_context") is not None else None


def _grammar(command: Any, path: Collection[CodeKey], depth: int) -> Grammar:
    options: list[Taken] = []
    places: list[Taken] = []
    for parameter in _held(command, "params") or ():
        taken = _taken(parameter)
        if taken is not None:
            (options if taken.flags else places).append(taken)
    inner = inner_commands(command)
    leading = [(name, one) for name, one in inner if _leads(one, path)] or inner
    commands = tuple((name, _grammar(one, path, depth + 1)) for name, one in leading[:_MOST_COMMANDS]) if depth < _DEEPEST else ()
    return Grammar(tuple(options), tuple(places), commands)


def _leaves(command: Any, depth: int) -> int:
    """How many commands there are below it."""
    return sum(max(1, _leaves(one, depth + 1)) for _, one in inner_commands(command)) if depth <= _DEEPEST else 0


def inner_commands(command: Any) -> list[tuple[str, Any]]:
    """Those of a group, with the words that choose them."""
    inner = _held(command, "commands")
    return [(str(name), one) for name, one in inner.items()] if type(inner) is dict else []


def _leads(command: Any, path: Collection[CodeKey]) -> bool:
    """Whether the command, or one below it, runs a function on the path."""
    keys = map(key_of, layers_of(_held(command, "callback")))
    return any(key in path for key in keys) or any(_leads(one, path) for _, one in inner_commands(command))


def _taken(parameter: Any) -> Taken | None:
    if _held(parameter, "is_eager") or _is_of_library(_held(parameter, "callback")):
        return None  # it prints and exits
    is_option = class_name(type(parameter)).endswith("Option")
    count = _held(parameter, "nargs")
    alone = bool(_held(parameter, "is_flag") or _held(parameter, "count"))
    needed = bool(_held(parameter, "required"))
    most = 0 if alone else count if type(count) is int and count > 0 else _MANY
    least = most if is_option or (needed and most != _MANY) else int(needed)
    flags = tuple(str(one) for one in _held(parameter, "opts") or ()) if is_option else ()
    return Taken(flags, _texts(parameter) if most else (), least, most, needed, str(_held(parameter, "name") or ""))


def _is_of_library(callback: object) -> bool:
    """Whether an option is one that a library adds to each program."""
    found = function_of(callback)
    return found is not None and f"{function_home(found)}.".startswith(_LIBRARIES)


def _texts(parameter: Any) -> tuple[str, ...]:
    """What an argument may be: one of its choices, the ends of its range, a number, a date, what its own conversion takes."""
    kind = _held(parameter, "type")
    choices = [one for one in _held(kind, "choices") or () if type(one) is str]
    if choices:
        return tuple(choices)
    ends = [_held(owner, end) for owner in (parameter, kind) for end in ("max", "min")]
    if any(type(one) is int or type(one) is float for one in ends):
        return tuple(dict.fromkeys(str(one) for one in ends if type(one) is int or type(one) is float))
    formats = _held(kind, "formats") or _held(_told_by(parameter), "formats")
    if formats:
        return tuple(day.strftime(str(formats[0])) for day in _DAYS)
    asked = _annotation(parameter)
    known = next((texts for cls, texts in _BY_TYPE if asked is cls), ())
    return known or _NUMBERS.get(class_name(type(kind)), ()) or texts_taken(asked if is_class(asked) else _held(kind, "func"))


def _held(owner: object, name: str) -> Any:
    return instance_dict(owner).get(name)


def _told_by(parameter: Any) -> Any:
    """What the function says of the parameter, where the library keeps it."""
    return _held(_held(parameter, "type_descriptor"), "parameter_info")


def _annotation(parameter: Any) -> Any:
    """The type that a function has the parameter with."""
    found = _held(_held(parameter, "type_descriptor"), "annotation")
    inside = [one for one in typing.get_args(found) if one is not type(None)]
    return inside[0] if len(inside) == 1 else found

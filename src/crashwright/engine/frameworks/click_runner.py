"""click, typer: the commands of a module's programs, and the runner by which tests run them and look at what came of it."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.frameworks.click import grammar_of_command, inner_commands, live_command
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import (
    class_home,
    class_mro,
    class_name,
    derives,
    instance_dict,
    is_class,
    loaded_dict,
)
from crashwright.engine.subject.layers import layers_of
from crashwright.engine.subject.usage.command_lines import Grammar
from crashwright.engine.testcase.statements import Named

LETTING_THROUGH = "catch_exceptions"
"""The keyword by which exceptions come through if it is False; else the result has them."""
SHOWN = ("exit_code", "output")
"""What a result shows of a run."""
_RUNNER, _RESULT = "CliRunner", "Result"
_IDLE = ("--help", "--no-such-option")
"""Lines that run nothing but the library."""
_TESTING = ("typer", "click")


class Command(NamedTuple):
    """``words`` are those that choose it, none for a program without commands; ``keys`` the functions that it runs, the innermost
    last."""

    words: tuple[str, ...]
    keys: tuple[CodeKey, ...]


class RunProgram(NamedTuple):
    """A program, by the name that a module has for it, and the class of what runs it in tests. ``commands`` are those that lead to
    functions of that module."""

    program: Named
    runner: type
    lines: Grammar
    commands: tuple[Command, ...]

    def command_of(self, words: Sequence[object]) -> Command | None:
        """The one that a line runs: that with the most of its words in it, in their order."""
        fitting = [one for one in self.commands if _is_within(one.words, words)]
        return max(fitting, key=lambda one: len(one.words), default=None)


def run_programs(module: str, names: Collection[str] = ()) -> tuple[RunProgram, ...]:
    """Those that the module has, but for what is a command of another one of them; private ones if there are no others. Their
    runner is imported. ``names`` are qualified names of functions to whose commands they are confined."""
    named = {name: live for name, live in loaded_dict(module).items() if type(name) is str}
    commands = {name: command for name, live in named.items() if (command := live_command(live)) is not None}
    inner = {id(one) for command in commands.values() for one in _below(command)}
    found: dict[int, RunProgram] = {}
    for name, command in sorted(commands.items(), key=lambda pair: pair[0].startswith("_")):
        private = name.startswith("_") and bool(found)
        if id(named[name]) in inner or id(named[name]) in found or private:
            continue
        made = _run(Named(module, name, named[name]), command, names)
        if made is not None:
            found[id(named[name])] = made
    return tuple(found.values())


def swallowed(value: object) -> bool:
    """Whether it is the result of a run that an exception ended, and not the program itself."""
    if class_name(type(value)) != _RESULT:
        return False
    kind = type(instance_dict(value).get("exception"))
    return is_result(value) and derives(kind, BaseException) and not derives(kind, SystemExit)


def is_runner(value: object) -> bool:
    """Whether it is a class of what runs programs."""
    return is_class(value) and class_name(value) == _RUNNER and class_home(value) in [f"{one}.testing" for one in _TESTING]


def is_result(value: object) -> bool:
    """Whether it is what a runner gives."""
    cls = type(value)
    results = [loaded_dict(f"{one}.testing").get(_RESULT) for one in _TESTING]
    return any(is_class(one) and one in class_mro(cls) for one in results)


def _run(program: Named, command: Any, names: Collection[str]) -> RunProgram | None:
    own = tuple(
        one
        for one in _commands(command, ())
        if any(key.module == program.module and (not names or key.qualname in names) for key in one.keys)
    )
    runner = runner_for(program.live) if own else None
    return None if runner is None else RunProgram(program, runner, grammar_of_command(command), own)


def runner_for(live: object) -> type | None:
    """The class of what runs such a program in tests, imported and tried out."""
    framework = _TESTING[0] if class_name(type(live)) == "Typer" else _framework_of(type(live_command(live)))
    home = f"{framework}.testing"
    try:
        importlib.import_module(home)
    except ImportError:
        return None
    runner = loaded_dict(home).get(_RUNNER)
    if not is_class(runner):
        return None
    _try_out(runner, live)
    return runner


def _try_out(runner: Any, live: Any) -> None:
    """Have the libraries load what they need to show help, to complain, and to run a command: that takes longer than a test may."""
    for line in _IDLE:
        with contextlib.suppress(BaseException):
            runner().invoke(live, [line])
    with contextlib.suppress(BaseException):
        runner().invoke(_idle_program(live), [])


def _idle_program(live: Any) -> Any:
    """One of the same library that does nothing."""

    def nothing() -> None: ...

    if class_name(type(live)) != "Typer":
        return importlib.import_module("click").Command("nothing", callback=nothing)
    program = importlib.import_module("typer").Typer()
    program.command()(nothing)
    return program


def _framework_of(cls: type) -> str:
    homes = {class_home(one).partition(".")[0] for one in class_mro(cls)}
    return next((one for one in reversed(_TESTING) if one in homes), _TESTING[1])


def _commands(command: Any, words: tuple[str, ...]) -> Iterator[Command]:
    inner = inner_commands(command)
    for name, one in inner:
        yield from _commands(one, (*words, name))
    callback = instance_dict(command).get("callback")
    if callback is not None:
        yield Command(words, tuple(key_of(one) for one in layers_of(callback)))


def _below(command: Any) -> Iterator[Any]:
    for _, one in inner_commands(command):
        yield one
        yield from _below(one)


def _is_within(wanted: Sequence[str], words: Sequence[object]) -> bool:
    left = iter(words)
    return all(one in left for one in wanted)

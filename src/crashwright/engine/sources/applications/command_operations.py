"""The operations of a program with commands: command lines, by the grammar that its parser declares."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from crashwright.core.invocation import GivenCommand
from crashwright.engine.sources.applications.operations import AskedOperation, Asking, Word, line_of
from crashwright.engine.sources.applications.reported_commands import near
from crashwright.engine.subject.usage.command_lines import Grammar, Taken
from crashwright.engine.subject.usage.shapes import Plain

MOST_COMMANDS, MOST_ASKED = 200, 12
"""Of one program; and of those, how many are asked, those of the report in any case."""
MOST_TARGETS = 4
"""Commands that may come to the crash, where the report does not say which does."""
OPENING = "monkeypatch.chdir(tmp_path)"
"""What programs store, they store where they are run."""


class LineProgram(NamedTuple):
    """A callable that takes command lines: ``function`` names it, ``keyword`` is the parameter of the line (the first if empty),
    ``before`` stands before each line, ``others`` are what it is called with besides."""

    function: str
    grammar: Grammar
    keyword: str = ""
    before: tuple[str, ...] = ()
    others: Mapping[str, bool] = MappingProxyType({})


def command_operations(
    program: LineProgram, told: Sequence[GivenCommand], words: Sequence[Plain], leading: Sequence[str]
) -> Asking:
    """What the report ``told`` of comes last of its commands, and is the target; else those commands whose functions are among the
    names ``leading`` to the crash. ``words``: what the code knows. A program with one command has no target, since nothing makes a
    state for it: what was typed is its session."""
    commands = dict(islice(_commands(program.grammar, ()), MOST_COMMANDS))
    known = (word for one in told if not one.documented for word in one.words)
    words = (*(one for one in known if not one.startswith("-") and not os.path.isabs(one)), *words)
    function = ast.parse(program.function, mode="eval").body
    if len(commands) < 2:
        lines = dict.fromkeys(tuple(map(near, one.words)) for one in told if not one.documented)
        alone = [line_of(function, [*map(Word, (*program.before, *line))], program.keyword, program.others) for line in lines]
        return Asking(tuple(ast.parse(OPENING).body), session=tuple(alone), in_folder=True) if alone else Asking()
    typed = [(one, path) for one in _typed(told) if (path := _met(one, commands)) is not None]
    said = [path for _, path in typed]
    likely = [path for path in commands if any(path[-1].replace("-", "_") in name for name in leading)]
    asked = {*said, *likely[:MOST_TARGETS]}
    asked.update(islice((path for path in commands if path not in asked), max(0, MOST_ASKED - len(asked))))
    operations = {
        path: AskedOperation(
            " ".join(path), tuple(_ways(program, path, grammar)), words=(*_texts(grammar), *words), choices=_choices(grammar)
        )
        for path, grammar in commands.items()
        if path in asked
    }
    session = [
        line_of(function, [*map(Word, (*program.before, *_line(one, path)))], program.keyword, program.others)
        for one, path in typed
    ]
    targets = said[-1:] or likely[:MOST_TARGETS] or list(operations)[:MOST_TARGETS]
    return Asking(
        tuple(ast.parse(OPENING).body),
        tuple(operations[path] for path in targets),
        tuple(operations.values()),
        tuple(dict.fromkeys(operations[path].name for path in said)),
        tuple(session),
        in_folder=True,
    )


def _typed(told: Sequence[GivenCommand]) -> Iterator[GivenCommand]:
    """What the report says was typed, in that order; what was run by another program once."""
    later: tuple[str, ...] = ()
    for one in reversed([one for one in told if not one.documented]):
        words = (one.program, *one.words)
        if words[1:] != later or not later:
            yield one
        later = words


def _line(command: GivenCommand, path: Sequence[str]) -> list[str]:
    """Its words, without the name of the program where it was run by another."""
    words = (command.program, *command.words)
    place = words.index(path[0])
    begun = 1 if any(word.startswith("-") for word in words[1:place]) else place
    return [near(word) for word in words[begun:]]


def _commands(grammar: Grammar, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Grammar]]:
    """Those that have none below them, by the words that lead to each."""
    for name, inner in grammar.commands:
        if inner.commands:
            yield from _commands(inner, (*path, name))
        else:
            yield (*path, name), inner


def _met(command: GivenCommand, commands: Mapping[tuple[str, ...], Grammar]) -> tuple[str, ...] | None:
    """The command that a line of the report gives: its words come in that order. A command below another looks like a program that
    this one ran, and is its first word then."""
    for path in commands:
        words = iter((command.program, *command.words))
        if all(name in words for name in path):
            return path
    return None


def _ways(program: LineProgram, path: Sequence[str], grammar: Grammar) -> Iterator[ast.Call]:
    """With what it cannot do without; with all that stands by its place; with each option."""
    function = ast.parse(program.function, mode="eval").body
    needed = [word for one in program.grammar.options if one.needed for word in _words(one)]
    begin = [*map(Word, program.before), *needed, *map(Word, path)]
    own = [word for one in grammar.options if one.needed for word in _words(one)]
    places = [word for one in grammar.places if one.needed or one.least for word in _words(one)]
    everywhere = [word for one in grammar.places for word in _words(one)]
    lines = [[*own, *places], [*own, *everywhere], *([*own, *_words(one), *places] for one in grammar.options if not one.needed)]
    for line in lines:
        yield line_of(function, [*begin, *line], program.keyword, program.others)


def _words(taken: Taken) -> list[Word]:
    name = taken.name or "value"
    values = [Word(None, name) for _ in range(max(taken.least, min(1, taken.most)))]
    return [*(Word(flag) for flag in taken.flags[-1:]), *values]


def _choices(grammar: Grammar) -> dict[str, tuple[Plain, ...]]:
    """The words of each place that takes or likes only some."""
    return {one.name: one.texts for one in (*grammar.places, *grammar.options) if one.name and len(one.texts) > 1}


def _texts(grammar: Grammar) -> Iterator[str]:
    for one in (*grammar.places, *grammar.options):
        yield from (text for text in one.texts if text and not os.path.isabs(text))

"""Files and folders for parameters that are names of such, as what the code does with them shows: named with the suffixes that the
module asks for, with contents of their formats."""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, Parameter
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.usage.use import FOLDER
from crashwright.engine.testcase.making.recipes import call_on, utf8
from crashwright.engine.testcase.making.text import random_text
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.samples.formats import FORMATS, Content
from crashwright.engine.testcase.statements import FileFixture, Statement, Variable

_SUFFIX = re.compile(r"\*?(\.[a-z][a-z0-9]{0,5})")
_STEM = re.compile(r"[A-Za-z][\w-]{0,11}")
_STEMS = ("a", "data", "en", "test")
_SUFFIXES = (".txt", ".json", ".py", ".csv", "")
_MOST_FILES = 3
_SAMPLES = 40
_NESTED, _EMPTY, _OWN, _SAMPLE = 0.2, 0.1, 0.6, 0.6
TRUSTED = 0.7
"""How often the name of a file or folder is one of what is there."""
_PATHS = (pathlib.Path, pathlib.PurePath)


class PathParameters:
    """Those that are names of files or folders. True where there are any."""

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places: dict[tuple[Callee, str], str] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def learn(self, callee: Callee, parameter: Parameter, place: str) -> None:
        """It is the name of a ``place``: a file or a folder."""
        if is_path(parameter.hint):
            self._places[callee, parameter.name] = place

    def draw(
        self, builder: StatementBuilder, statements: list[Statement], callee: Callee, parameter: Parameter, rng: Random
    ) -> Variable | None:
        """Appends what is there, and its name, most of the times; None else, and for another parameter."""
        place = self._places.get((callee, parameter.name))
        if place is None or rng.random() > TRUSTED:
            return None
        return path_fixture(builder, statements, parameter.hint, place, rng)


def is_path(hint: Hint) -> bool:
    """Whether the name of a file is of such a type."""
    if isinstance(hint, UnionHint):
        return any(map(is_path, hint.members))
    return is_any(hint) or (isinstance(hint, ClassHint) and (hint.cls is str or _is_pathlib(hint)))


def path_fixture(builder: StatementBuilder, statements: list[Statement], hint: Hint, place: str, rng: Random) -> Variable:
    """Appends a file, or a folder with some, and its name in the type that ``hint`` asks for."""
    made = _folder(builder, statements, rng) if place == FOLDER else _file(builder, statements, "", rng)
    wanted = hint.members if isinstance(hint, UnionHint) else (hint,)
    return call_on(builder, statements, "pathlib", "Path", made) if any(map(_is_pathlib, wanted)) else made


def _is_pathlib(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and hint.cls in _PATHS


def _folder(builder: StatementBuilder, statements: list[Statement], rng: Random) -> Variable:
    """The name of a folder with files, some of them in folders of their own."""
    count = 1 + int(rng.random() * _MOST_FILES)
    for _ in range(count):
        within = f"{_stem(builder, rng)}/" if rng.random() < _NESTED else ""
        _file(builder, statements, f"folder/{within}", rng)
    first = _file(builder, statements, "folder/", rng)
    return call_on(builder, statements, "os.path", "dirname", first)


def _file(builder: StatementBuilder, statements: list[Statement], folder: str, rng: Random) -> Variable:
    suffixes = [found[1] for token in builder.pool.tokens if (found := _SUFFIX.fullmatch(token))]
    known = suffixes if suffixes and rng.random() < _OWN else _SUFFIXES
    suffix = known[int(rng.random() * len(known))]
    variable = builder.new()
    statements.append(FileFixture(variable, f"{folder}{_stem(builder, rng)}{suffix}", _content(builder, suffix, rng)))
    return variable


def _stem(builder: StatementBuilder, rng: Random) -> str:
    token = builder.pool.token(rng) if rng.random() < _OWN else ""
    return token if _STEM.fullmatch(token) else _STEMS[int(rng.random() * len(_STEMS))]


@functools.cache
def samples_of(suffix: str) -> Sequence[Content]:
    """What files of such a name have."""
    return [sample for one in FORMATS if suffix and suffix in one.suffixes for sample in one.samples()[:_SAMPLES]]


def _content(builder: StatementBuilder, suffix: str, rng: Random) -> str | bytes:
    if rng.random() < _EMPTY:
        return ""
    if rng.random() < _SAMPLE:
        chosen = samples_of(suffix) or builder.pool.samples
        if chosen:
            sample = chosen[int(rng.random() * len(chosen))]
            return utf8(sample) if type(sample) is str else sample
    return utf8(random_text(rng, builder.pool))

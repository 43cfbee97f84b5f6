"""Tables as data-frame libraries have them: named columns of one length, made of a dictionary of lists.

Such a class is known by what it has, not by its name. Random calls of its constructor (whatever ``data`` may be) hardly ever give
columns that the subject asks for; the words of the functions on the path mostly do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import class_dict, class_mro, is_class
from crashwright.engine.testcase.making.text import random_text
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Arguments, Call, Display, Scalar, Statement, Value, Variable

Columns = Mapping[str, Sequence[Scalar]]
"""The columns that the code asks of a table, each with what may be in it, as far as that is known."""
_ASKED, _WHOLE = 0.8, 0.75
"""How often a table has columns that the code asks for, if any are known; how often of these all."""
_FEW = 2
"""Different values in such a column: rows that are alike in one are what groups and indexes are about."""
_HAS = ("columns", "shape", "__getitem__", "__len__")
_DATA = "data"
_MOST_COLUMNS, _MOST_ROWS = 6, 5
_INTEGERS = (0, 1, 1, 2, 3, 10, -1, 100)
_NUMBERS = (0.0, 1.0, 1.5, 2.0, 10.0, -0.5, 99.9)
_DAYS = ("2024-01-01", "2024-01-02", "2024-02-01", "2023-12-31")


def makes_tables(constructor: Callee) -> bool:
    """Whether calls of it give tables: instances have columns, rows and a shape, and the first parameter is the data."""
    cls = constructor.live
    if not is_class(cls) or not constructor.parameters or constructor.parameters[0].name != _DATA:
        return False
    parents = [class_dict(parent) for parent in class_mro(cls)]
    return all(any(name in names for names in parents) for name in _HAS)


def table(
    builder: StatementBuilder, statements: list[Statement], constructor: Callee, rng: Random, known: Sequence[Columns] = ()
) -> Variable:
    """Appends a table, mostly with columns that are ``known`` to be asked for, else with a few that are named as the subject's
    texts are."""
    rows = int(rng.random() * (_MOST_ROWS + 1))
    if known and rng.random() < _ASKED:
        asked = known[int(rng.random() * len(known))]
        return _made(builder, statements, constructor, _asked(builder, asked, rows, rng))
    wanted = 1 + int(rng.random() * _MOST_COLUMNS)
    names = dict.fromkeys(builder.pool.token(rng) for _ in range(wanted))
    columns = tuple((name, Display("list", _column(builder, rng, rows))) for name in names)
    return _made(builder, statements, constructor, columns)


def _made(
    builder: StatementBuilder, statements: list[Statement], constructor: Callee, columns: tuple[tuple[str, Display], ...]
) -> Variable:
    data = builder.literal(statements, Display("dict", columns))
    variable = builder.new()
    statements.append(Call(variable, constructor, Arguments((data,))))
    return variable


def _asked(builder: StatementBuilder, asked: Columns, rows: int, rng: Random) -> tuple[tuple[str, Display], ...]:
    """Those columns, or one less."""
    left_out = int(rng.random() * len(asked)) if rng.random() >= _WHOLE else None
    names = [name for place, name in enumerate(asked) if place != left_out]
    return tuple((name, Display("list", _cells(builder, asked[name], rows, rng))) for name in names)


def _cells(builder: StatementBuilder, values: Sequence[Scalar], rows: int, rng: Random) -> tuple[Value, ...]:
    if not values:
        few = _column(builder, rng, _FEW)
        return tuple(few[int(rng.random() * len(few))] for _ in range(rows))
    return _drawn(rng, tuple(values[:_FEW]), rows)


def _column(builder: StatementBuilder, rng: Random, rows: int) -> tuple[Value, ...]:
    """Values of one kind: numbers, days, or texts, of which a column mostly has few different ones."""
    roll = rng.random()
    if roll < 0.4:
        return _drawn(rng, _INTEGERS if roll < 0.2 else _NUMBERS, rows)
    if roll < 0.5:
        return _drawn(rng, _DAYS, rows)
    if roll < 0.9:
        return tuple(builder.pool.token(rng) for _ in range(rows))
    return tuple(random_text(rng, builder.pool) for _ in range(rows))


def _drawn(rng: Random, values: tuple[Scalar, ...], rows: int) -> tuple[Value, ...]:
    return tuple(values[int(rng.random() * len(values))] for _ in range(rows))

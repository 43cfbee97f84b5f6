from __future__ import annotations

import random

from dummy_api import DummyApi, parameter

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.tables import makes_tables, table
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Call, Display, Literal


class Rows:
    def __len__(self) -> int:
        return 0

    def __getitem__(self, name):
        raise KeyError(name)


class Frame(Rows):
    """What libraries of tables have; ``columns`` and ``shape`` fail when they are looked at without an instance's data."""

    @property
    def columns(self):
        raise RuntimeError("no data")

    shape = property(lambda self: (0, 0))

    def __init__(self, data=None, index=None) -> None: ...


class Grid(Rows):
    columns = ()
    shape = ()

    def __init__(self, width, height) -> None: ...


FRAME = Callee("m", "Frame", CalleeKind.CLASS, (parameter("data"), parameter("index", required=False)), live=Frame, owner=Frame)
GRID = Callee("m", "Grid", CalleeKind.CLASS, (parameter("width"), parameter("height")), live=Grid, owner=Grid)


class TableApi(DummyApi):
    callables = (FRAME,)

    def constructors_of(self, hint):
        return (FRAME,) if hint.cls is Frame else (GRID,)


def test_a_table_is_known_by_what_it_has():
    assert makes_tables(FRAME)
    assert not makes_tables(GRID)
    assert not makes_tables(Callee("m", "Rows", CalleeKind.CLASS, (parameter("data"),), live=Rows, owner=Rows))


def _factory() -> Factory:
    pool = SeedPool()
    for word in ("month", "region", "amount"):
        pool.add(word)
    return Factory(TableApi(), pool, (FRAME,))


def test_columns_are_of_one_length_and_named_by_the_subjects_words():
    factory, rng = _factory(), random.Random(3)
    whole = 0
    for _ in range(200):
        statements: list = []
        variable = table(factory, statements, FRAME, rng)
        data, made = statements
        assert isinstance(made, Call)
        assert (made.variable, made.callee, made.arguments.positional) == (variable, FRAME, (data.variable,))
        columns = dict(data.value.items)
        assert data.value.kind == "dict"
        assert len({len(column.items) for column in columns.values()}) == 1
        assert columns.keys() <= {"month", "region", "amount"}
        whole += len(columns) == 3
    assert whole > 40


def test_most_tables_have_the_columns_that_the_code_asks_for():
    factory, rng = _factory(), random.Random(3)
    known = [{"sku": (), "supplier": ("acme", "nord", "toolbox")}]
    asked = alike = 0
    for _ in range(200):
        statements: list = []
        table(factory, statements, FRAME, rng, known)
        columns = dict(statements[0].value.items)
        if columns.keys() == {"sku", "supplier"}:
            asked += 1
            assert set(columns["supplier"].items) <= {"acme", "nord"}
            rows = list(zip(columns["sku"].items, columns["supplier"].items, strict=True))
            alike += len(set(rows)) < len(rows)
    assert asked > 80
    assert alike > 20


def test_most_instances_of_such_a_class_are_tables():
    factory, rng = _factory(), random.Random(3)
    tables = 0
    for _ in range(100):
        statements: list = []
        factory.argument(statements, ClassHint(Frame), rng, legal=True)
        data = statements[0]
        tables += (
            isinstance(data, Literal) and isinstance(data.value, Display) and data.value.kind == "dict" and bool(data.value.items)
        )
    assert tables > 40

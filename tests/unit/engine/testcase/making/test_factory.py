from __future__ import annotations

import abc
import ast
import collections.abc
import contextlib
import datetime
import enum
import io
import pathlib
import random
import tempfile
import types
import typing
from collections import Counter

import pytest
from dummy_api import FETCH, FREE, GENERATE, PUT, SHELF, DummyApi, Shelf, parameter

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.types import ANY, ChoiceHint, ClassHint, TypeHint, UnionHint
from crashwright.engine.subject.layers import manager_of
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.guessing import NameModel
from crashwright.engine.testcase.making.variety import CRASH, PLAIN, Variety
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Named, Reference, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.wants.parameter_names import snake_case


class Size(enum.Enum):
    SMALL = 1


class Reader(typing.Protocol):
    name: str

    def read(self) -> str: ...


class Base(abc.ABC):
    @abc.abstractmethod
    def run(self): ...


class Point(typing.TypedDict):
    x: int


def factory(*entry: Callee) -> Factory:
    pool = SeedPool()
    pool.add("seed")
    return Factory(DummyApi(), pool, entry or (PUT,))


def made(hint, seed: int, name: str = "") -> tuple[list[Statement], object, Factory]:
    """The statements for an argument, and the value that they make."""
    built = factory()
    statements: list[Statement] = []
    variable = built.argument(statements, hint, random.Random(seed), name=name, legal=True)
    assert TestCase(tuple(statements)).is_valid()
    kept: list[object] = []
    keep = Callee("m", "keep", CalleeKind.FUNCTION, live=kept.append)
    with tempfile.TemporaryDirectory() as folder:
        outcome = Executor(folder=folder).run(TestCase((*statements, Call(10**9, keep, Arguments((variable,))))))
    assert outcome.error is None, (statements, outcome)
    return statements, kept[0], built


@pytest.mark.parametrize(
    ("hint", "cls"),
    [
        (ClassHint(str), str),
        (ClassHint(dict), dict),
        (ClassHint(list, (ClassHint(datetime.date),)), list),
        (ClassHint(dict, (ClassHint(str), ClassHint(Shelf))), dict),
        (ClassHint(tuple, (ClassHint(int), ClassHint(Shelf))), tuple),
        (ClassHint(datetime.datetime), datetime.datetime),
        (ClassHint(datetime.timedelta), datetime.timedelta),
        (ClassHint(datetime.tzinfo), datetime.tzinfo),
        (ClassHint(io.TextIOBase), io.StringIO),
        (ClassHint(io.BufferedIOBase), io.BytesIO),
        (ClassHint(io.IOBase), io.IOBase),
        (ClassHint(collections.abc.Mapping), dict),
        (ClassHint(collections.abc.Iterator, (ClassHint(int),)), collections.abc.Iterator),
        (ClassHint(collections.abc.Iterable, (ClassHint(int),)), collections.abc.Iterable),
        (ClassHint(collections.abc.Callable), collections.abc.Callable),
        (ClassHint(ValueError), ValueError),
        (ClassHint(Size), Size),
        (ClassHint(Shelf), Shelf),
        (ClassHint(Base), Base),
        (ClassHint(Point), dict),
        (ClassHint(slice), slice),
        (ClassHint(range), range),
        (ClassHint(bytearray), bytearray),
        (ClassHint(types.ModuleType), types.ModuleType),
        (TypeHint(Shelf), type),
        (UnionHint((ClassHint(int), ClassHint(type(None)))), (int, type(None))),
        (ChoiceHint(("a", Size.SMALL)), (str, Size)),
    ],
)
def test_arguments_are_of_the_type_asked_for(hint, cls):
    for seed in range(25):
        _, value, _ = made(hint, seed)
        assert isinstance(value, cls)


def test_protocols_are_stubbed():
    statements, value, _ = made(ClassHint(Reader), 1)
    assert isinstance(statements[-1], st.StubClass)
    assert hasattr(value, "name")
    value.read()  # type: ignore[attr-defined]


def test_paths_are_files():
    kinds = Counter(type(made(ClassHint(str), seed, "filename")[0][0]) for seed in range(60))
    assert kinds[st.FileFixture] > 20
    statements: list[Statement] = []
    factory().argument(statements, ClassHint(pathlib.Path), random.Random(1), legal=True)
    assert type_of(statements[-1]) is pathlib.Path or isinstance(statements[-1], Call)


def test_lambdas_have_the_arity_of_the_hint():
    hint = ClassHint(collections.abc.Callable, (ClassHint(int), ClassHint(str), ClassHint(bool)))
    seen = [statements[-1] for statements in (made(hint, seed)[0] for seed in range(60))]
    stubs = [stub for stub in seen if isinstance(stub, st.StubCallable)]
    assert {len(ast.parse(f"lambda {stub.parameters}: 0", mode="eval").body.args.args) for stub in stubs} == {2}  # type: ignore[attr-defined]
    assert {type(stub.result) for stub in stubs} <= {bool, type(None)}


def test_arguments_at_hand_are_used_again():
    built = factory()
    rng = random.Random(1)
    again = 0
    for _ in range(300):
        statements: list[Statement] = [Literal(0, "a"), Call(1, SHELF, Arguments((0,)))]
        again += built.argument(statements, ClassHint(Shelf), rng, legal=True) == 1
    assert 240 < again < 300


def test_now_and_then_an_argument_is_illegal():
    built = factory()
    rng = random.Random(1)
    wrong = 0
    for _ in range(1000):
        statements: list[Statement] = []
        built.argument(statements, ClassHint(int), rng)
        wrong += type_of(statements[-1]) is not int
    assert 10 < wrong < 80


def test_generators_are_consumed_and_coroutines_awaited():
    rng = random.Random(1)
    statements: list[Statement] = []
    assert factory().call(statements, GENERATE, rng) == statements[-1][0]
    assert isinstance(statements[-1], st.Iterate)
    factory().call(statements, FETCH, rng)
    assert isinstance(statements[-1], st.Await)


def test_methods_get_a_receiver_of_their_class():
    for seed in range(20):
        statements: list[Statement] = []
        built = factory()
        built.call(statements, PUT, random.Random(seed))
        assert isinstance(statements[-1], st.MethodCall)
        definers = {s[0]: s for s in statements}
        assert type_of(definers[statements[-1].receiver]) is Shelf


def test_properties_are_read():
    statements: list[Statement] = []
    factory(FREE).call_entry(statements, random.Random(1))
    assert isinstance(statements[-1], st.GetAttribute)


def test_context_managers_are_entered_now_and_then():
    rng = random.Random(1)
    entered = 0
    for _ in range(200):
        statements: list[Statement] = []
        factory().call(statements, SHELF, rng)
        entered += isinstance(statements[-1], st.Enter)
    assert 10 < entered < 80


def test_in_a_suite_they_are_also_entered_for_one_line_that_may_raise():
    rng = random.Random(1)
    made = factory()
    made.preferences.thrown = (KeyError, RuntimeError)
    blocks = []
    for _ in range(600):
        statements: list[Statement] = []
        made.call(statements, SHELF, rng)
        blocks += [(one, statements) for one in statements if isinstance(one, st.Within)]
    raised = [next(s for s in statements if s[0] == one.error) for one, statements in blocks if one.error is not None]
    assert 20 < len(raised) < len(blocks)
    assert {s.named.qualname for s in raised if isinstance(s, st.Reference)} == {"KeyError", "RuntimeError"}
    assert any(isinstance(s, Call) and s.callee.qualname == "KeyError" for s in raised)


@contextlib.contextmanager
def opened():
    yield


@contextlib.asynccontextmanager
async def connected():
    yield


def test_context_managers_made_of_generators_are_mostly_entered():
    rng = random.Random(1)
    for made, is_async in ((opened, False), (connected, True)):
        callee = Callee("m", made.__name__, CalleeKind.FUNCTION, live=made, returns=ClassHint(manager_of(made)))
        entered = 0
        for _ in range(100):
            statements: list[Statement] = []
            factory().call(statements, callee, rng)
            entered += isinstance(statements[-1], st.Enter) and statements[-1].is_async is is_async
        assert 70 < entered < 100


def test_a_property_that_is_a_generator_is_consumed():
    statements: list[Statement] = []
    items = Callee("m", "Shelf.items", CalleeKind.PROPERTY, owner=Shelf, is_generator=True)
    factory(items).call_entry(statements, random.Random(1))
    assert isinstance(statements[-1], st.Iterate)


def test_keyword_only_and_optional_parameters():
    only = parameter("only", ClassHint(int), True, ParameterKind.KEYWORD_ONLY)
    maybe = parameter("maybe", ClassHint(int), False)
    callee = Callee("m", "f", CalleeKind.FUNCTION, (parameter("first", ClassHint(int)), maybe, only))
    rng = random.Random(1)
    passed = 0
    for _ in range(200):
        statements: list[Statement] = []
        arguments = factory().arguments(statements, callee, rng, 0)
        assert "only" in dict(arguments.keywords)
        assert 1 <= len(arguments.positional) <= 2
        passed += len(arguments.positional) == 2 or "maybe" in dict(arguments.keywords)
    assert 30 < passed < 100


def test_observed_results_are_believed():
    built = factory()
    unknown = Callee("m", "g", CalleeKind.FUNCTION, (parameter("thing"),))
    call = Call(5, unknown, Arguments())
    assert built.hint_of_statement(call) == ANY
    built.observe(unknown, Shelf)
    assert built.hint_of_statement(call) == ClassHint(Shelf)


def test_names_tell_kinds():
    names = NameModel([Shelf])
    rng = random.Random(1)

    def commonest(name):
        return Counter(names.guess(name, rng) for _ in range(300)).most_common(1)[0][0]

    assert commonest("text") == ClassHint(str)
    assert commonest("max_width") == ClassHint(int)
    assert commonest("is_open") == ClassHint(bool)
    assert commonest("callback") == ClassHint(collections.abc.Callable)
    assert commonest("shelf") == ClassHint(Shelf)
    assert commonest("shelves_") == ClassHint(list)
    assert commonest("old_shelf") == ClassHint(Shelf)
    assert commonest("blorp") == ClassHint(str)


def test_snake_case():
    assert [snake_case(name) for name in ("HTMLParser", "Shelf", "JSONPath2", "_Hidden")] == [
        "html_parser",
        "shelf",
        "json_path2",
        "hidden",
    ]


def test_constants_can_be_arguments():
    found = [made(ClassHint(Shelf), seed)[0][-1] for seed in range(80)]
    references = [statement for statement in found if isinstance(statement, Reference)]
    assert references
    assert references[0].named == Named("m", "DEFAULT")


def test_seeds_of_one_callable_are_drawn_while_the_others_stay_in_place():
    built = factory()
    common = built.pool
    seen = []

    class Watching(SeedPool):
        def draw(self, rng, cls):
            seen.append(built.pool is common)
            return super().draw(rng, cls)

    own = Watching()
    own.add("rare")
    callee = Callee("m", "f", CalleeKind.FUNCTION, (parameter("text", ClassHint(str)),))
    built.seed(callee, own)
    rng = random.Random(1)
    texts = set()
    for _ in range(100):
        statements: list[Statement] = []
        built.call(statements, callee, rng)
        texts |= {statement.value for statement in statements if isinstance(statement, Literal)}
    assert "rare" in texts
    assert seen
    assert all(seen)


def _bare(variety: Variety, options: int = 10) -> int:
    """How many of a thousand calls of something with so many optional parameters have none of them."""
    many = Callee("m", "make", CalleeKind.FUNCTION, tuple(parameter(f"option{n}", required=False) for n in range(options)))
    built = Factory(DummyApi(), SeedPool(), (many,), variety=variety)
    rng = random.Random(1)
    return sum(built.arguments([], many, rng, 0) == Arguments() for _ in range(1000))


def test_what_takes_many_options_is_often_called_with_none_of_them_for_a_crash() -> None:
    assert _bare(PLAIN) < 100
    assert 300 < _bare(CRASH) < 500


def test_what_takes_few_options_is_called_with_them_as_often_as_ever() -> None:
    assert 420 < _bare(PLAIN, 2) < 560
    assert 420 < _bare(CRASH, 2) < 560

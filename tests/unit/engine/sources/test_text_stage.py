"""A stage of its own for open texts, with a search whose tests call a small scanner."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from lone_stage import LoneStage

from crashwright.core.portions import TEXTS_EARNED, TEXTS_FRUITLESS, TEXTS_PART
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.sources.source import Share, When
from crashwright.engine.sources.text_search import Attempt
from crashwright.engine.sources.text_stage import FileName, Place, TextStage
from crashwright.engine.sources.values.samples import Hole
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.testcase.statements import FileFixture, Literal
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
def read(text):
    head, _, rest = text.partition(":")
    return kind(head) and body(rest)


def kind(head):
    return head in ("alpha", "omega")


def body(rest):
    if rest.strip().startswith("%%"):
        return last(rest.strip()[2:])
    return 0


def last(word):
    return 1 if word == "finish" else 2
"""
PLACE: Place = (TestCase((Literal(0, ""),)), Hole(0, True, False))


@pytest.fixture
def scanner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "staged").mkdir()
    (tmp_path / "staged" / "__init__.py").write_text("")
    (tmp_path / "staged" / "scanner.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("staged.scanner")
    for name in ("staged", "staged.scanner"):
        sys.modules.pop(name, None)


def text_of(test: TestCase) -> str:
    statement = test.statements[0]
    assert isinstance(statement, Literal)
    assert isinstance(statement.value, str)
    return statement.value


class State(LoneStage[int]):
    """What a test gives is its score."""

    def __init__(self, read: Callable[[str], int], budget: int) -> None:
        super().__init__(budget)
        self.read = read
        self.texts: list[str] = []

    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[int]:
        self.meter.spend()
        self.texts.append(text_of(tests[0]))
        return [self.read(self.texts[-1])]


class Stage(TextStage[int]):
    found = False

    def _looked_at(self, score: int, is_new: Callable[[], bool]) -> Attempt:
        self.earned += score == 2 and not self.found
        self.found = self.found or score == 1
        return Attempt(is_new(), 1.0)


def staged(state: State, read: Callable[[TestCase], int] | None = None) -> Stage:
    called = read or (lambda test: state.read(text_of(test)))
    executor = SimpleNamespace(run_aside=lambda test: Outcome(called(test) and 1))
    guard = SimpleNamespace(redefined=set())
    quarantine = SimpleNamespace(holds=lambda _test: False)
    bench = cast(Any, SimpleNamespace(executor=executor, guard=guard))
    probes = WideProbes("staged", (), guard.redefined.clear)
    return Stage(probes, state, bench, cast(Any, quarantine))


def test_what_functions_off_the_path_compare_leads_on(scanner: ModuleType) -> None:
    state = State(lambda text: scanner.read(text), 2000)
    stage = staged(state)
    stage.begin([PLACE], ["a"], ())
    assert stage.found
    assert len(state.texts) <= (TEXTS_FRUITLESS + TEXTS_EARNED * stage.earned) / (1 - TEXTS_PART) + 2


def test_the_code_of_the_subject_is_its_own_again(scanner: ModuleType) -> None:
    before = scanner.read.__code__, scanner.last.__code__
    stage = staged(State(lambda text: scanner.read(text), 300))
    stage.begin([PLACE], ["a"], ())
    assert (scanner.read.__code__, scanner.last.__code__) == before


def test_it_has_its_share_if_nothing_comes_of_it(scanner: ModuleType) -> None:
    state = State(lambda _text: 0, 5000)
    stage = staged(state)
    stage.begin([PLACE], ["a (1) b\n[c]: d\ne"], ())
    ran = len(state.texts)
    assert TEXTS_FRUITLESS <= ran <= TEXTS_FRUITLESS / (1 - TEXTS_PART) + 2
    stage.go_on()
    assert len(state.texts) == ran
    for _ in range(1000):
        state.meter.spend()
    stage.go_on()
    assert len(state.texts) > ran


def test_the_budget_ends_it_and_it_goes_on_where_it_was_left(scanner: ModuleType) -> None:
    state = State(lambda text: scanner.read(text), 5000)
    stage = staged(state)
    state.begin(When.STANDSTILL, Share(turn=40))
    stage.begin([PLACE], ["a"], ())
    assert 40 <= state.meter.evaluations < 60, "what is looked at in one go is not broken off"
    ran = len(state.texts)
    state.begin(When.STANDSTILL, Share(turn=40))
    stage.go_on()
    assert 80 <= state.meter.evaluations < 120
    assert len(set(state.texts)) == len(state.texts) > ran


def test_what_the_code_wants_of_the_name_of_a_file_is_its_name(scanner: ModuleType) -> None:
    names: list[str] = []

    def read(test: TestCase) -> int:
        [file] = test.statements
        assert isinstance(file, FileFixture)
        names.append(file.name)
        return int(bool(scanner.read(file.name.rpartition("/")[2])))

    state = State(lambda _text: 0, 400)
    state.run = lambda tests, once=True: [read(test) for test in tests]  # type: ignore[method-assign]
    stage = staged(state, read)
    test = TestCase((FileFixture(0, "folder/a.txt", ""),))
    stage.begin([(test, FileName(0))], ["a"], ())
    assert "folder/omega" in names
    assert all(name.startswith("folder/") for name in names)


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\0", "b.txt", "a" * 200])
def test_names_that_no_file_of_the_test_can_have_are_left_alone(scanner: ModuleType, name: str) -> None:
    stage = staged(State(lambda _text: 0, 400))
    test = TestCase((FileFixture(0, "a.txt", ""), FileFixture(1, "b.txt", "")))
    assert stage.attempt((test, FileName(0)), name) is None

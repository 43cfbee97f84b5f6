"""Doubles answer what the code asks of the results of what they stand for."""

from __future__ import annotations

import random
import subprocess
import sys
import types
from collections.abc import Iterator

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.making.doubles import Doubles, Library
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Named, Statement
from crashwright.engine.testcase.testcase import TestCase

NAME = "tool_with_doubles"


@pytest.fixture
def factory() -> Iterator[Factory]:
    module = types.ModuleType(NAME)
    exec("def run(command):\n    return command\n", vars(module))
    sys.modules[NAME] = module
    api = ApiModel(NAME, [NAME])
    yield Factory(api, SeedPool(), api.callables)
    del sys.modules[NAME]


def printed(factory: Factory, library: Library, demand: Demand, seed: int = 1, full: bool = True) -> str:
    statements: list[Statement] = []
    maker = Doubles(factory, factory.names, random.Random(seed), library, full)
    maker.replace(statements, f"{NAME}:subprocess.run", demand)
    test = TestCase(tuple(statements))
    assert test.is_valid()
    return "\n".join(print_test(test).body)


def done(*texts: str) -> Demand:
    """What the code does with the results of calls: their code is compared, their output too."""
    double = Demand("", 0, DemandKind.DOUBLE)
    for number, text in enumerate(texts):
        result = double.item(number)
        result.attribute("returncode").kind = DemandKind.NUMBER
        result.attributes["returncode"].want(How.EQUAL, 0)
        result.attribute("stdout").kind = DemandKind.TEXT
        result.attributes["stdout"].want(How.EQUAL, text)
    return double


def completed(factory: Factory) -> Library:
    cls = subprocess.CompletedProcess
    return Library(((factory.api.standard("subprocess", "CompletedProcess"), Named("subprocess", "CompletedProcess", cls)),))


def test_results_are_of_the_librarys_own_class(factory: Factory) -> None:
    text = printed(factory, completed(factory), done("main"))
    assert 'CompletedProcess(args=[], returncode=0, stdout="main")' in text
    assert f'monkeypatch.setattr("{NAME}.subprocess.run", run)' in text
    assert "return_value=" in text


def test_calls_get_their_results_in_turn(factory: Factory) -> None:
    text = printed(factory, completed(factory), done("", "main"))
    assert "side_effect=[" in text
    assert text.index('stdout=""') < text.index('stdout="main"')


def test_a_class_that_cannot_be_made_so_is_the_specification_of_a_mock(factory: Factory) -> None:
    double = Demand("", 0, DemandKind.DOUBLE)
    result = double.item(0)
    result.attribute("status_code").kind = DemandKind.NUMBER
    wait = result.attribute("wait")
    wait.kind = DemandKind.CALLABLE
    wait.returned().kind = DemandKind.NUMBER
    popen = (factory.api.standard("subprocess", "Popen"), Named("subprocess", "Popen", subprocess.Popen))
    text = printed(factory, Library((popen,)), double)
    assert "spec=Popen" in text
    assert "wait=" in text


def test_what_nobody_looks_at_is_a_bare_mock(factory: Factory) -> None:
    double = Demand("", 0, DemandKind.DOUBLE)
    double.item(0)
    assert printed(factory, Library(), double).startswith("run = Mock()")


def test_some_calls_fail_as_the_library_fails(factory: Factory) -> None:
    library = completed(factory)._replace(errors=(FileNotFoundError,))
    texts = [printed(factory, library, done("main"), seed, full=False) for seed in range(30)]
    assert any("FileNotFoundError" in text and "side_effect=" in text for text in texts)
    assert any("return_value=" in text for text in texts)


def test_numbers_that_the_module_compares_with_are_tried(factory: Factory) -> None:
    library = completed(factory)._replace(numbers=(404,))
    texts = [printed(factory, library, done("main"), seed, full=False) for seed in range(30)]
    assert {code for code in (403, 404, 405) if any(f"returncode={code}" in text for text in texts)} == {403, 404, 405}

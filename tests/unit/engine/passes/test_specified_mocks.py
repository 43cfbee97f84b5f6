"""A mock that is passed where the class of a library is asked for says that it stands for one."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator

import pytest

from crashwright.engine.passes.specified_mocks import with_specs
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import MOCKS
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.variety import SUITE
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call
from crashwright.engine.testcase.testcase import TestCase

NAME = "desk_of_archives"
SOURCE = """
import datetime
import zipfile

class Shelf:
    pass

def members(archive: zipfile.ZipFile) -> int:
    return len(archive.infolist())

def opened(shelf: Shelf, day: datetime.date) -> bool:
    return True
"""


@pytest.fixture
def factory() -> Iterator[Factory]:
    module = types.ModuleType(NAME)
    sys.modules[NAME] = module
    exec(SOURCE, vars(module))
    api = ApiModel(NAME, [NAME])
    yield Factory(api, SeedPool(), api.callables, variety=SUITE)
    del sys.modules[NAME]


def mocked(factory: Factory, name: str, arguments: int) -> TestCase:
    mock = factory.api.standard(MOCKS, "Mock")
    callee = next(one for one in factory.entry if one.name == name)
    made = [Call(place, mock, Arguments()) for place in range(arguments)]
    return TestCase((*made, Call(arguments, callee, Arguments(tuple(range(arguments))))))


def test_the_declared_class_is_the_spec(factory: Factory) -> None:
    specified = with_specs(mocked(factory, "members", 1), takes_what_is_declared, factory)
    assert "Mock(spec=ZipFile)" in "\n".join(print_test(specified).body)
    assert with_specs(specified, takes_what_is_declared) is specified


def test_where_the_test_is_no_longer_good_it_stays_bare(factory: Factory) -> None:
    bare = mocked(factory, "members", 1)
    assert with_specs(bare, lambda _test: False, factory) is bare


def test_own_classes_and_values_have_none(factory: Factory) -> None:
    bare = mocked(factory, "opened", 2)
    assert with_specs(bare, lambda _test: True, factory) is bare

"""What names in an echoed line stand for, in a small package of its own."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.api.types import NONE, ClassHint
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.testcase.candidates.programs import programs
from crashwright.engine.testcase.candidates.translation import Translatable as Around
from crashwright.engine.testcase.candidates.translation import translations
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.echoing.unknowns import types_said
from crashwright.engine.testcase.editing.edits import end_of_entry, has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Named

SOURCES = {
    "__init__.py": "from .garden import Bed, bed, rake as comb, water\nfrom .garden import SUN\n",
    "garden.py": """
import concurrent.futures
import xml.etree.ElementTree as etree
from datetime import date as day, datetime
from textwrap import dedent


class Bed:
    def __init__(self, label: str) -> None:
        self.label = label

    def plant(self, seed, times=1): ...


class Gauge:
    def __call__(self, reading): ...


gauge = Gauge()
SUN = Bed("sun")


def bed(label: str) -> Bed:
    return Bed(label)


def water(bed: Bed, litres: float = 1.0): ...


def rake(rows): ...


async def grow(days: int): ...
""",
}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiModel]:
    folder: Path = tmp_path_factory.mktemp("subject")
    (folder / "allotment").mkdir()
    for name, source in SOURCES.items():
        (folder / "allotment" / name).write_text(source)
    sys.path.insert(0, str(folder))
    try:
        importlib.import_module("allotment")
        yield ApiModel("allotment", loaded_names("allotment"))
    finally:
        sys.path.remove(str(folder))
        for name in loaded_names("allotment"):
            del sys.modules[name]


def texts(api: ApiModel, source: str, entry: str, exported: bool = True, seeds: int = 12) -> list[str]:
    """The echoed call as tests say it, one for each of some seeds."""
    entries = tuple(one for one in api.callables if one.qualname == entry)
    assert entries
    factory = Factory(api, SeedPool(), entries)
    names = NameChain(api, entries, exports=Exports("allotment", ("allotment.garden",)) if exported else None)
    echoes = [next(echo_tests(source, {}, names, factory, random.Random(seed)), None) for seed in range(seeds)]
    return ["\n".join(print_test(echo.test).body) for echo in echoes if echo is not None]


def test_a_name_in_lower_case_is_a_variable_where_an_instance_is_wanted(api: ApiModel) -> None:
    assert any("Bed(" in text for text in texts(api, "water(bed)", "water"))
    assert not any("water(bed)" in text for text in texts(api, "water(bed)", "water"))
    assert all("water(bed)" in text for text in texts(api, "water(bed)", "water", exported=False))


def test_constants_and_aliases_of_the_package_are_objects(api: ApiModel) -> None:
    assert all("(SUN" in text for text in texts(api, "comb(SUN)", "comb"))


def test_a_module_says_which_object_is_called(api: ApiModel) -> None:
    found = texts(api, "garden.gauge(data)", "Gauge.__call__")
    assert found
    assert all("gauge(" in text and "Gauge()" not in text for text in found)


def test_an_object_that_the_users_own_line_calls_is_a_way_in(api: ApiModel) -> None:
    entries = tuple(one for one in api.callables if one.qualname == "comb")
    names = NameChain(api, entries, exports=Exports("allotment", ("allotment.garden",)))
    factory = Factory(api, SeedPool(), entries)
    assert next(echo_tests("garden.gauge(3)", {}, names, factory, random.Random(1)), None) is None
    echo = next(echo_tests("garden.gauge(3)", {}, names, factory, random.Random(1), is_own=True), None)
    assert echo is not None
    assert isinstance(echo.driver, Named)
    assert echo.driver.qualname == "gauge"
    assert has_entry(echo.test, frozenset(), {echo.driver})
    assert end_of_entry(echo.test, frozenset(), {echo.driver}) == len(echo.test.statements)


@pytest.mark.parametrize("source", ["asyncio.run(grow(3))", "loop.run_until_complete(grow(3))", "anyio.run(grow, 3)"])
def test_what_drives_a_coroutine_is_an_await(api: ApiModel, source: str) -> None:
    found = texts(api, source, "grow")
    assert found
    assert all("await grow(3)" in text for text in found)


def test_any_module_of_the_standard_library_may_be_named(api: ApiModel) -> None:
    assert all("SequenceMatcher()" in text for text in texts(api, "comb(difflib.SequenceMatcher())", "comb"))
    assert all("SimpleNamespace(" in text for text in texts(api, "comb(SimpleNamespace())", "comb"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("comb(etree.Element('a'))", 'Element("a")'),
        ("comb(ElementTree.Element('a'))", 'Element("a")'),
        ("comb(concurrent.futures.Future())", "Future()"),
    ],
)
def test_modules_of_other_packages_are_those_that_the_path_imports(api: ApiModel, line: str, said: str) -> None:
    assert all(f"comb({said})" in text.replace("\n", "") or f"= {said}" in text for text in texts(api, line, "comb"))


def test_an_entry_is_a_method_of_an_instance_and_no_function_behind_a_short_alias(api: ApiModel) -> None:
    assert all(".plant(1" in text for text in texts(api, "b.plant(1)", "Bed.plant"))


def test_what_the_line_does_with_a_name_says_its_type(api: ApiModel) -> None:
    found = texts(api, 'comb(data["key"])', "comb", seeds=40)
    assert sum("{" in text for text in found) > 20
    assert sum("{" in text for text in texts(api, 'comb(data["key"])', "comb", exported=False, seeds=40)) < 20


def test_two_operands_go_together(api: ApiModel) -> None:
    found = texts(api, "comb(head + tail)", "comb", seeds=40)
    assert sum(works(text) for text in found) > 25
    assert sum(works(text) for text in texts(api, "comb(head + tail)", "comb", exported=False, seeds=40)) < 20


def test_a_class_of_the_standard_library_is_made_by_its_recipe(api: ApiModel) -> None:
    found = texts(api, "comb(io.BytesIO(data))", "comb", seeds=40)
    assert sum('BytesIO(b"' in text or "BytesIO(b'" in text for text in found) > 25
    assert all("BytesIO(3)" in text for text in texts(api, "comb(io.BytesIO(3))", "comb"))


def test_a_parameter_without_a_type_gets_what_its_function_is_known_to_use(api: ApiModel) -> None:
    [comb] = [one for one in api.callables if one.qualname == "comb"]
    factory = Factory(api, SeedPool(), (comb,))
    factory.suggestions.add(comb, "rows", [(ClassHint(bytearray), 1.0)])
    names = NameChain(api, (comb,), exports=Exports("allotment"))
    echoes = [next(echo_tests("comb(data)", {}, names, factory, random.Random(seed)), None) for seed in range(20)]
    assert sum("bytearray(" in "".join(print_test(echo.test).body) for echo in echoes if echo is not None) > 10


def test_a_type_that_the_message_names_is_tried(api: ApiModel) -> None:
    entries = tuple(one for one in api.callables if one.qualname == "comb")
    factory = Factory(api, SeedPool(), entries)
    names = NameChain(api, entries, exports=Exports("allotment"))

    def made(message: str) -> int:
        echoes = islice(echo_tests("comb(data)", {}, names, factory, random.Random(1), message), 100)
        return sum("Gauge()" in "".join(print_test(echo.test).body) for echo in echoes)

    assert made("expected str, got 'Gauge'") > 12
    assert made("expected str") < 6
    assert types_said("'NoneType' object is no 'unheard_of'", names) == (NONE,)


def works(text: str) -> bool:
    """Whether the test does not end in what is no fault of the subject."""
    try:
        exec(text, {"comb": lambda _rows: None})
    except (TypeError, NameError):
        return False
    return True


@pytest.mark.parametrize(
    ("written", "called", "imported"),
    [
        ("day(2024, 5, 1)", "datetime.date(2024, 5, 1)", "import datetime"),
        ("datetime(2024, 5, 1)", "datetime.datetime(2024, 5, 1)", "import datetime"),
        ('dedent(" a")', 'textwrap.dedent(" a")', "import textwrap"),
    ],
)
def test_what_the_package_only_imports_comes_from_where_it_is_at_home(
    api: ApiModel, written: str, called: str, imported: str
) -> None:
    entries = tuple(one for one in api.callables if one.qualname == "comb")
    factory, exports = Factory(api, SeedPool(), entries), Exports("allotment", ("allotment.garden",))
    echo = next(echo_tests(f"comb({written})", {}, NameChain(api, entries, exports=exports), factory, random.Random(1)), None)
    assert echo is not None
    [program] = programs(f"from allotment.garden import rake, day, datetime, dedent\nrake({written})\n")
    made = next(iter(translations(program, Around(api, exports, factory, random.Random(1))))).test
    for test in (echo.test, made):
        shown = print_test(test)
        assert called in "\n".join(shown.body)
        assert imported in shown.imports


def test_what_a_module_between_defines_is_known_and_what_it_imports_is_not(api: ApiModel) -> None:
    exports = Exports("allotment", between=("email.message", "missing.module"))
    found = exports.named("EmailMessage")
    assert found is not None
    assert (found.module, found.name) == ("email.message", "EmailMessage")
    assert exports.named("BytesIO") is None
    assert Exports("allotment").named("EmailMessage") is None

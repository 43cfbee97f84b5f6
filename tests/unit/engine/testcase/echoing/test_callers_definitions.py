"""Classes and functions of the caller that a report only names: a test defines them."""

from __future__ import annotations

import random
from itertools import islice

import declared

from crashwright.core.location import CodeKey
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.sources.values.seeding import echo_variants
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.seeds import SeedPool

API = ApiModel("declared", ["declared"])
CATALOGUE = API.constructor(declared.Catalogue)
LOAD = next(callee for callee in API.callables if callee.name == "load")


def variants(line: str, entry: Callee, message: str = "", defines: bool = True) -> list[str]:
    frame = TargetFrame(CodeKey("declared", entry.qualname, 1), "declared.py", 1, "x", None, True)
    target = CrashTarget("declared", "AttributeError", message, (frame,), (CallSite(line, "main", {}),))
    factory = Factory(API, SeedPool(), (entry,), definer=Definer() if defines else None)
    names = NameChain(API, (entry,), exports=Exports("declared"), defines=defines)
    texts = [
        print_test(echo.test, setting=Setting(alone=True))
        for echo in islice(echo_variants(target, names, factory, random.Random(1)), 30)
    ]
    return ["\n".join([*text.above, *text.body]) for text in texts]


def test_a_class_that_nothing_explains_is_one_of_the_test() -> None:
    found = variants("load(Shelf)", LOAD)
    assert found
    assert all("class Shelf" in text and "load(Shelf)" in text for text in found)
    assert all("class Shelf:" in text and "Shelf(1)" in text for text in variants("load(1, Shelf(1))", LOAD))
    assert not any("class Shelf" in text for text in variants("load(Shelf)", LOAD, defines=False))
    for line in ("load(LIMIT)", "load(shelf)", "load(Field)"):
        assert not any("class Shelf" in text or "class LIMIT" in text or "class Field" in text for text in variants(line, LOAD))


def test_it_derives_from_what_the_line_takes() -> None:
    read = next(one for one in API.methods_of(declared.Reader) if one.name == "read")
    found = variants("Tape().read(3)", read)
    assert found
    assert all("class Tape(Reader):" in text and "Tape().read(3)" in text for text in found)


def test_what_stands_beneath_a_decorator_is_named_after_the_message() -> None:
    found = variants("@load", LOAD, "type object 'Shelf' has no attribute 'height'")
    assert any("def height(x, y=None):" in text and "load(height)" in text for text in found)
    assert any("class Shelf:" in text and "load(Shelf)" in text for text in found)
    assert not any("def " in text for text in variants("@load", LOAD, "no attribute 'height'", defines=False))

"""Documented calls become tests of the entry; their values become seeds by how near they stand to it."""

from __future__ import annotations

import random
import sys
import textwrap
import types

from crashwright.engine.sources.values.example_seeds import (
    MOST_OBJECTS,
    example_seeds,
    fill_from_examples,
    object_seeds,
    values_by_parameter,
)
from crashwright.engine.sources.values.origin import DOCUMENTED
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.usage.documentation import read
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Literal

API = ApiModel("textwrap", ["textwrap"])
WRAP = next(callee for callee in API.methods_of(textwrap.TextWrapper) if callee.name == "wrap")
DOCUMENTATION = read("""
>>> wrapper = textwrap.TextWrapper(width=7)
>>> wrapper.max_lines = 2
>>> other = textwrap.dedent("  other call")
>>> with open("x") as file: pass
>>> [line for line in wrapper.wrap("in an entry call")]

Data such as ``inline`` and:

```
["a", {"b": 1}]
```
""")


def test_the_documented_call_with_what_it_depends_on() -> None:
    factory = Factory(API, SeedPool(), [WRAP])
    echoes = example_seeds(DOCUMENTATION, frozenset({"wrap"}), NameChain(API, [WRAP]), factory, random.Random(1))
    assert len(echoes) == 1
    test = echoes[0].test
    assert has_entry(test, frozenset({WRAP}))
    assert list(print_test(test).body) == [
        "text_wrapper = TextWrapper(width=7)",
        "text_wrapper.max_lines = 2",
        'text_wrapper.wrap("in an entry call")',
    ]


def test_an_object_of_an_example_that_shows_another_method() -> None:
    entry = next(callee for callee in API.methods_of(textwrap.TextWrapper) if callee.name == "fill")
    factory = Factory(API, SeedPool(), [entry])
    names = NameChain(API, [entry])
    assert not example_seeds(DOCUMENTATION, frozenset({"fill"}), names, factory, random.Random(1))
    [echo] = object_seeds(DOCUMENTATION, names, factory, random.Random(1))
    assert has_entry(echo.test, frozenset({entry}))
    *_, made, changed, call = print_test(echo.test).body
    assert (made, changed) == ("text_wrapper = TextWrapper(width=7)", "text_wrapper.max_lines = 2")
    assert call.startswith("text_wrapper.fill(")


def test_an_object_of_an_example_is_given_to_what_takes_one() -> None:
    module = types.ModuleType("shelf_given")
    exec(
        "class Shelf:\n"
        "    def __init__(self, size: int): self.size = size\n"
        "    def __str__(self): return 'shelf'\n"
        "def weigh(factor: float, shelf: Shelf = None): return factor * shelf.size\n"
        "def lift(shelf, *, times=1): return times * shelf.size\n",
        vars(module),
    )
    module.Shelf.__module__ = module.weigh.__module__ = module.lift.__module__ = "shelf_given"
    sys.modules["shelf_given"] = module
    try:
        api = ApiModel("shelf_given", ["shelf_given"])
        entry = next(callee for callee in api.callables if callee.name == "weigh")
        factory = Factory(api, SeedPool(), [entry])
        shown = read(">>> shelf = Shelf(3)\n>>> shelf.label = 'a'\n>>> print(shelf)\n")
        [echo] = object_seeds(shown, NameChain(api, [entry]), factory, random.Random(1))
        made, changed, *_, call = print_test(echo.test).body
        assert (made, changed) == ("shelf = Shelf(3)", 'shelf.label = "a"')
        assert call.startswith("weigh(")
        assert call.endswith(", shelf)")
        entry = next(callee for callee in api.callables if callee.name == "lift")
        [echo] = object_seeds(shown, NameChain(api, [entry]), Factory(api, SeedPool(), [entry]), random.Random(1))
        assert list(print_test(echo.test).body) == [made, changed, "lift(shelf)"]
        text = next(callee for callee in api.methods_of(module.Shelf) if callee.name == "__str__")
        factory = Factory(api, SeedPool(), [text])
        [echo] = example_seeds(shown, frozenset({"__str__"}), NameChain(api, [text]), factory, random.Random(1))
        assert list(print_test(echo.test).body) == ["shelf = Shelf(3)", 'shelf.label = "a"', "str(shelf)"]
    finally:
        del sys.modules["shelf_given"]


def test_of_many_objects_some_of_every_length() -> None:
    entry = next(callee for callee in API.methods_of(textwrap.TextWrapper) if callee.name == "fill")
    shown = "".join(f">>> wrapper = textwrap.TextWrapper(width={10**digits})\n\nText.\n\n" for digits in range(40))
    factory = Factory(API, SeedPool(), [entry])
    echoes = object_seeds(read(shown), NameChain(API, [entry]), factory, random.Random(1))
    widths = {
        one.value for echo in echoes for one in echo.test.statements if isinstance(one, Literal) and isinstance(one.value, int)
    }
    assert len(echoes) == MOST_OBJECTS
    assert {1, 10**36} <= widths


def test_values_weigh_by_where_they_stand() -> None:
    pool = SeedPool()
    fill_from_examples(pool, DOCUMENTATION, frozenset({"wrap"}))
    count = pool.strings.count
    assert count("in an entry call") > count("  other call") > count("inline") > 0
    assert pool.origin("in an entry call") == DOCUMENTED
    assert pool.draw(random.Random(1), list) == Display("list", ("a", Display("dict", (("b", 1),))))


def test_nothing_documented() -> None:
    pool = SeedPool()
    fill_from_examples(pool, read(""), frozenset({"wrap"}))
    assert not pool.strings


def test_values_stay_with_the_parameter_that_examples_pass_them_for() -> None:
    values = values_by_parameter(DOCUMENTATION, [WRAP])
    assert values["width"] == (7,)
    assert values["text"] == ("in an entry call",)
    factory = Factory(API, SeedPool(), [WRAP])
    factory.suggestions.show(values)
    drawn = [factory.suggestions.shown("width", ClassHint(int), 0.5, random.Random(seed)) for seed in range(20)]
    assert {one.value for one in drawn if one is not None} == {7}
    assert 4 < sum(one is None for one in drawn) < 16
    assert all(factory.suggestions.shown("width", ClassHint(str), 1.0, random.Random(seed)) is None for seed in range(5))
    echoes = [
        next(echo_tests("wrapper.wrap(data)", {}, NameChain(API, [WRAP]), factory, random.Random(seed)), None) for seed in range(20)
    ]
    texts = ["".join(print_test(echo.test).body) for echo in echoes if echo is not None]
    assert sum('"in an entry call"' in text for text in texts) > 5

"""Documented calls become tests of the entry; their values become seeds by how near they stand to it."""

from __future__ import annotations

import random
import textwrap

from crashwright.engine.search.example_seeds import example_seeds, fill_from_examples
from crashwright.engine.search.origin import DOCUMENTED
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.usage.documentation import read
from crashwright.engine.testcase.echoing.names import EchoNames
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display

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
    echoes = example_seeds(DOCUMENTATION, frozenset({"wrap"}), EchoNames(API, [WRAP]), factory, random.Random(1))
    assert len(echoes) == 1
    test = echoes[0].test
    assert has_entry(test, frozenset({WRAP}))
    assert list(print_test(test).body) == [
        "text_wrapper = TextWrapper(width=7)",
        "text_wrapper.max_lines = 2",
        'text_wrapper.wrap("in an entry call")',
    ]


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

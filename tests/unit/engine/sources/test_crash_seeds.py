"""What is known of the tests that a search for a crash begins with."""

from __future__ import annotations

import ast
import random
import textwrap

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.crash_seeds import CrashSeeds
from crashwright.engine.sources.values.origin import AT_RANDOM, DOCUMENTED, EARLIER
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.module_api import callables_of
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool


def test_what_starts_from_an_example_or_an_earlier_test_is_told_as_such_at_once() -> None:
    api = ApiModel("textwrap", ["textwrap"], "textwrap")
    entry = callables_of(api, "textwrap", ("dedent",))
    key = CodeKey("textwrap", "dedent", textwrap.dedent.__code__.co_firstlineno)
    target = CrashTarget("textwrap", "ValueError", "x", (TargetFrame(key, textwrap.__file__, 450, "", None, True),), ())
    factory, rng, quarantine = Factory(api, SeedPool(), entry), random.Random(1), Quarantine()
    examples = Documentation((tuple(ast.parse("import textwrap\ntextwrap.dedent('  shown')").body),), ())
    operators = TestOperators(factory, 40, quarantine)
    names = NameChain(api, entry)
    seeds = CrashSeeds(target, (), frozenset(), examples, names=names, factory=factory, operators=operators, quarantine=quarantine)
    [shown, *_] = seeds.shown(rng)
    assert seeds.origin_of(shown) == DOCUMENTED
    other = factory.random_test(rng, 3)
    assert seeds.origin_of(other) == AT_RANDOM
    [earlier] = seeds.earlier([other])
    assert seeds.origin_of(earlier) == EARLIER
    assert seeds.origin_of(other) == AT_RANDOM

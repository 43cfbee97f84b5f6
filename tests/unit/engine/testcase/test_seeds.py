from __future__ import annotations

import random
from collections import Counter

import pytest

from crashwright.core.refusing import REFUSING
from crashwright.engine.testcase.seeds import SeedPool, class_of_value
from crashwright.engine.testcase.statements import Display, Ref


def test_draws_follow_weights():
    pool, rng = SeedPool(), random.Random(1)
    pool.add("rare", 1.0)
    pool.add("common", 9.0)
    drawn = Counter(pool.draw(rng, str) for _ in range(2000))
    assert 6 < drawn["common"] / drawn["rare"] < 13


def test_draws_are_of_exactly_the_class():
    pool, rng = SeedPool(), random.Random(1)
    pool.add(True)
    assert pool.draw(rng, int) is None
    pool.add(7)
    pool.add(Display("list", (1,)))
    assert pool.draw(rng, int) == 7
    assert pool.draw(rng, bool) is True
    assert pool.draw(rng, list) == Display("list", (1,))
    assert pool.draw(rng, dict) is None
    assert pool.has(int)
    assert not pool.has(dict)


def test_the_newest_fifty_dynamic_values_stay():
    pool, rng = SeedPool(), random.Random(1)
    for value in range(120):
        pool.add_dynamic(value)
    drawn = {pool.draw(rng, int) for _ in range(3000)}
    assert drawn == set(range(70, 120))


def test_static_and_dynamic_share_the_draws():
    pool, rng = SeedPool(), random.Random(1)
    pool.add("static")
    pool.add_dynamic("dynamic")
    drawn = Counter(pool.draw(rng, str) for _ in range(1000))
    assert 400 < drawn["dynamic"] < 600


def test_tokens_are_short_known_once_and_taken_from_strings():
    pool = SeedPool()
    pool.add("if")
    pool.add_token("if")
    pool.add_token("")
    pool.add("x" * 100)
    assert pool.tokens == ["if"]


def test_origins_are_remembered():
    pool = SeedPool()
    pool.add(3, origin="the message")
    pool.add(3, origin="later")
    assert pool.origin(3) == "the message"
    assert pool.origin(4) == ""


@pytest.mark.parametrize("value", [Ref(1), Display("list", (Display("tuple", (Ref(2),)),))])
def test_references_are_no_seeds(value):
    with pytest.raises(ValueError, match="refer"):
        SeedPool().add(value)


def test_classes_of_values():
    assert [class_of_value(value) for value in (None, 1, Display("set", ()), Ref(1))] == [type(None), int, set, None]


def test_what_confinement_says_is_no_seed() -> None:
    pool = SeedPool()
    said = f"{REFUSING}write /a; --allow write:/a permits it"
    pool.add(said)
    pool.add(Display("list", (f"error: {said}",)))
    pool.add_dynamic(said.encode())
    pool.add_token(REFUSING)
    rng = random.Random(1)
    assert pool.strings == pool.tokens == []
    assert [pool.draw(rng, cls) for cls in (str, bytes, list)] == [None, None, None]

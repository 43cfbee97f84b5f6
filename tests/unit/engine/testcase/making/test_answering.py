"""What was compared is replaced in literals by what was wanted."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.testcase.making.answering import answered_int, answered_text
from crashwright.engine.testcase.making.text import mutate_bytes, mutate_text
from crashwright.engine.testcase.making.values import mutate_value
from crashwright.engine.testcase.seeds import SeedPool


def pool_of(*answers):
    pool = SeedPool(structured=True)
    pool.answers = list(answers)
    return pool


def test_only_what_stands_in_the_literal_is_replaced() -> None:
    rng = random.Random(1)
    pool = pool_of(("beta", "shelf"), ("absent", "never"), (12, 345), (b"key", b"word"))
    assert {answered_text(rng, "alpha beta", pool) for _ in range(20)} == {"alpha shelf"}
    assert answered_text(rng, "width: 12", pool) == "width: 345"
    assert answered_text(rng, "key", pool) == "word"
    assert answered_text(rng, "nothing", pool) is None
    assert answered_int(rng, 12, pool) == 345
    assert answered_int(rng, 13, pool) is None


def test_each_of_several_places_may_be_the_one() -> None:
    rng = random.Random(1)
    assert {answered_text(rng, "x x", pool_of(("x", "y"))) for _ in range(30)} == {"y x", "x y"}


@given(st.text(), st.text(min_size=1), st.text(), st.integers())
def test_the_rest_of_the_text_stays(before, compared, after, seed) -> None:
    changed = answered_text(random.Random(seed), f"{before}{compared}{after}", pool_of((compared, "")))
    assert changed is not None
    assert len(changed) == len(before) + len(after)


def test_mutation_finds_a_word_that_is_compared_deep_in_a_text_in_few_steps() -> None:
    text = "<alpha><beta>x</beta></alpha>"
    wanted = text.replace("<beta>", "<registration-number>")
    pool = pool_of(("beta", "registration-number"))
    found = [
        wanted in {mutate_text(random.Random(seed), text, pool) for seed in range(base, base + 60)} for base in range(0, 600, 60)
    ]
    assert sum(found) >= 8
    assert any(mutate_bytes(random.Random(seed), b"tag=abc", pool_of((b"abc", b"known"))) == b"tag=known" for seed in range(60))
    assert any(mutate_value(random.Random(seed), 12, pool_of((12, 98765))) == 98765 for seed in range(60))

"""Shaped text."""

from __future__ import annotations

import random

from crashwright.engine.testcase.making.templates import shaped_text
from crashwright.engine.testcase.seeds import SeedPool


def test_holes_are_filled_and_tokens_occur() -> None:
    pool = SeedPool()
    pool.add_token("shelf")
    texts = [shaped_text(random.Random(seed), pool) for seed in range(300)]
    assert not any("\x00" in text for text in texts)
    assert sum("shelf" in text for text in texts) > 100
    assert len(set(texts)) > 200
    assert any(text.startswith("<") and text.endswith(">") for text in texts)


def test_without_tokens() -> None:
    assert all(isinstance(shaped_text(random.Random(seed), SeedPool()), str) for seed in range(50))

"""The table of teachings: what it holds can be told apart, and switched off."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.passes.table import PASSES
from crashwright.engine.sources.table import SOURCES
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import ParameterKind
from crashwright.engine.subject.api.module_api import callables_of
from crashwright.engine.subject.source import Sources
from crashwright.engine.teaching.lesson import SuiteLesson
from crashwright.engine.teaching.table import TEACHINGS, teach_suite
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool

SOURCE = """
def ship(order, carrier="unheard-of", **options):
    if order["weight"] > 31500 or options.get("express"):
        return carrier
    return None
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "taught_parcels.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("taught_parcels")
    return "taught_parcels"


def taught(module: str, *without: str) -> Factory:
    api = ApiModel(module, [module])
    factory = Factory(api, SeedPool(varied=True), callables_of(api, module, ()), 40)
    lesson = SuiteLesson(factory, api, Sources(), module, random.Random(1), shown=((1.0, "an example"),))
    teach_suite(lesson, SearchSettings(without_rows=without))
    return factory


def drawn(factory: Factory) -> set[object]:
    rng = random.Random(1)
    return {factory.pool.draw(rng, str) for _ in range(300)} if factory.pool.has(str) else set()


def keywords(factory: Factory) -> set[str]:
    ship = factory.entry[0]
    rest = next(one for one in ship.parameters if one.kind is ParameterKind.VAR_KEYWORD)
    rng = random.Random(1)
    return {name for _ in range(50) for name, _ in factory.understood.draw(ship, rest, (), rng)}


def test_names_are_what_users_can_write_and_tell_apart() -> None:
    names = {row.name for row in TEACHINGS}
    assert all(re.fullmatch(r"[a-z][a-z-]*[a-z]", name) for name in names), names
    others = [*(row.name for row in PASSES), *dict.fromkeys(row.name for row in SOURCES)]
    assert not names.intersection(others)
    assert len(set(others)) == len(others)
    assert not names & {one.value for one in Mechanism}
    kinds = [(row.name, kind) for row in TEACHINGS for kind in ("crash", "suite") if getattr(row, kind) is not None]
    assert [one for one, count in Counter(kinds).items() if count > 1] == []
    assert names == {name for name, _ in kinds}, "somebody is told by each"
    assert all(row.about and not row.about.endswith(".") for row in TEACHINGS)


def test_a_module_is_taught_and_each_teaching_can_be_left_out(module: str) -> None:
    whole = taught(module)
    assert {"unheard-of", "an example"} <= drawn(whole)
    assert whole.pools
    assert keywords(whole) == {"express"}
    assert "an example" not in drawn(taught(module, "shown"))
    assert "unheard-of" not in drawn(taught(module, "constants"))
    assert not taught(module, "own-constants").pools
    assert keywords(taught(module, "keywords")) == set()

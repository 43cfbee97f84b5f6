"""The table says of each source what one has to know of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.sources.source import When
from crashwright.engine.sources.table import SOURCES, crash_sources, suite_sources


def test_names_are_what_users_can_write_and_tell_apart() -> None:
    names = [row.name for row in SOURCES]
    assert all(re.fullmatch(r"[a-z][a-z-]*[a-z]", name) for name in names), names
    kinds = [(row.name, kind) for row in SOURCES for kind in ("crash", "suite") if getattr(row, kind) is not None]
    assert [one for one, count in Counter(kinds).items() if count > 1] == []
    assert set(names) == {name for name, _ in kinds}, "somebody searches with each"
    assert all(row.about and not row.about.endswith(".") for row in SOURCES)


def test_who_takes_the_place_of_another_stands_in_the_table_after_it() -> None:
    names = [row.name for row in SOURCES]
    for row in SOURCES:
        if row.instead_of:
            assert names.index(row.instead_of) < names.index(row.name)


def test_a_standstill_is_defined_for_whoever_waits_for_one() -> None:
    for row in SOURCES:
        assert (row.share.after > 0) == (When.STANDSTILL in row.when), row.name


def test_a_mechanism_switches_off_what_is_part_of_it() -> None:
    every = {row.name for row, _ in crash_sources(SearchSettings())}
    parts = {row.name for row in SOURCES if row.mechanism is Mechanism.OBJECTS}
    assert parts
    assert {row.name for row, _ in crash_sources(SearchSettings(without=(Mechanism.OBJECTS,)))} == every - parts
    assert [row.name for row, _ in crash_sources(SearchSettings(), ("composed",))] == ["composed"]


@pytest.mark.parametrize("name", dict.fromkeys(row.name for row in SOURCES))
def test_each_can_be_switched_off_by_its_name(name: str) -> None:
    off = SearchSettings(without_rows=(name,))
    for sources in (crash_sources, suite_sources):
        every, others = ([row.name for row, _ in sources(settings)] for settings in (SearchSettings(), off))
        assert others == [one for one in every if one != name]


def test_suites_have_theirs() -> None:
    parts = {row.name for row in SOURCES if row.mechanism is Mechanism.TEXTS and row.suite is not None}
    every = {row.name for row, _ in suite_sources(SearchSettings())}
    assert parts < every
    assert {row.name for row, _ in suite_sources(SearchSettings(without=(Mechanism.TEXTS,)))} == every - parts


def test_each_search_has_sources_of_its_own() -> None:
    first, second = ([source for _, source in crash_sources(SearchSettings())] for _ in range(2))
    assert not {id(source) for source in first} & {id(source) for source in second}

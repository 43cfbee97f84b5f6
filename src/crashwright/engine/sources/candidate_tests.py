"""Candidates as tests, and as usage examples: what searches for a crash and for a suite make of them alike."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.suggested import SuggestedCode
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.usage.usage import Session, flat
from crashwright.engine.testcase.candidates.programs import programs
from crashwright.engine.testcase.candidates.translation import Translatable, Translated, translations
from crashwright.engine.testcase.candidates.uncaught import uncaught
from crashwright.engine.testcase.making.factory import Factory


class Candidate(NamedTuple):
    """What somebody suggests, under its ``name``, as tests."""

    name: str
    made: tuple[Translated, ...]


def candidates_of(
    suggested: Sequence[SuggestedCode], api: ApiModel, exports: Exports, factory: Factory, seed: int
) -> list[Candidate]:
    """The tests of each; a fork that takes over makes the very same ones, so that those that ended a fork are known."""
    around = Translatable(api, exports, factory, random.Random(seed))
    found = []
    for one in suggested:
        translated = [test for program in programs(one.source) for test in translations(program, around)]
        made = [test._replace(test=uncaught(test.test, factory.new)) for test in translated]
        found.append(Candidate(one.name, tuple(one for one in made if one.test.is_valid())))
    return found


def sessions_of(suggested: Sequence[SuggestedCode]) -> tuple[Session, ...]:
    """What they do, as usage examples show it; of those that are there from the start."""
    shown = [one for code in suggested if not code.at for one in programs(code.source)]
    return tuple(tuple(flat(one.statements, True)) for one in shown)

"""The tests of an examination with what is known of each, and their form in a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crashwright.core.codec import Undecodable
from crashwright.core.messages import Unfit
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Raised
from crashwright.engine.assertions.codec import decode_asserted, encode_asserted, is_asserted
from crashwright.engine.testcase.codec import Resolver, decode
from crashwright.engine.testcase.testcase import TestCase

OBSERVED = "observed"
"""The mark in an asserted test that somebody has looked at all there is."""


@dataclass(slots=True)
class Case:
    """One test. ``observed``: its assertions are those of an earlier observation; ``reason`` is why it is out (None: it is in);
    ``executed`` statements of it complete."""

    index: int
    test: TestCase
    assertions: tuple[Assertion, ...] = ()
    raised: Raised | None = None
    error: str = ""
    executed: int = -1
    observed: bool = False
    reason: Unfit | None = None
    detail: str = ""
    killed: int = 0
    seconds: float = 0.0
    """CPU seconds of one run."""
    lines: frozenset[int] = field(default_factory=frozenset)

    def asserted(self, numbers: Sequence[int] | None = None) -> AssertedTest:
        """With all assertions, or those with these numbers."""
        kept = self.assertions if numbers is None else tuple([self.assertions[number] for number in numbers])
        return AssertedTest(self.test, kept, self.raised)

    def encoded(self, numbers: Sequence[int] | None = None) -> dict[str, Any]:
        """:meth:`asserted`, encoded."""
        return encode_asserted(self.asserted(numbers)) | {OBSERVED: True}


def decode_case(index: int, data: Mapping[str, Any], resolver: Resolver) -> Case:
    """A test of ``StartSuite.seeds``, bare or asserted; out where it does not fit the subject."""
    try:
        if not is_asserted(data):
            case = Case(index, decode(data, resolver))
        else:
            asserted = decode_asserted(data, resolver)
            case = Case(index, *asserted, observed=bool(data.get(OBSERVED) or asserted.assertions or asserted.raised))
    except Undecodable as error:
        return Case(index, TestCase(()), reason=Unfit.FOREIGN, detail=str(error))
    if not case.test.statements or not case.test.is_valid():
        case.reason = Unfit.EMPTY
    return case


@dataclass(slots=True)
class ExaminationProgress:
    """How far the examination is: the stage and the next test or mutant of it. ``kills`` are, by mutant and test, the assertions
    that fail (none of them: the run itself goes another way)."""

    stage: int = 0
    position: int = 0
    kills: dict[int, dict[int, list[int]]] = field(default_factory=dict)
    tried: int = 0
    total: int = 0

    def dump(self, cases: Sequence[Case]) -> bytes:
        """For the next fork."""
        told = [
            [
                None if case.executed < 0 else case.encoded(),
                case.error,
                case.executed,
                case.reason,
                case.seconds,
                sorted(case.lines),
            ]
            for case in cases
        ]
        kills = [[mutant, list(found.items())] for mutant, found in self.kills.items()]
        return json.dumps([self.stage, self.position, kills, self.tried, self.total, told], separators=(",", ":")).encode()

    @classmethod
    def load(cls, data: bytes, cases: Sequence[Case], resolver: Resolver) -> ExaminationProgress:
        """What the fork before came to; ``cases`` learn what it knew of them."""
        stage, position, kills, tried, total, told = json.loads(data)
        for case, (encoded, error, executed, reason, seconds, lines) in zip(cases, told, strict=True):
            if encoded is not None:
                asserted = decode_asserted(encoded, resolver)
                case.test, case.assertions, case.raised, case.observed = *asserted, True
            case.error, case.executed, case.seconds = error, executed, seconds
            case.reason = None if reason is None else Unfit(reason)
            case.lines = frozenset(lines)
        return cls(
            stage,
            position,
            {mutant: {test: list(numbers) for test, numbers in found} for mutant, found in kills},
            tried,
            total,
        )

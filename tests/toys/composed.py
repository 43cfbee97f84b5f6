"""Tests that the symbolic engine composes for crashes of small sources, as text, and what they do."""

from __future__ import annotations

import sys
import time
import types

from walked import MODULE, SECONDS, target_of, walked

from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.composer import Composer
from crashwright.symbolic.composition.makers import Makers
from crashwright.symbolic.composition.strategies import Strategy, choice_of
from crashwright.symbolic.composition.summaries import Summaries
from crashwright.symbolic.composition.told import ToldByReport
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language


def crash_of(source: str, call: str) -> CrashTarget:
    """What a call raises."""
    target = crashes(source, f"from {MODULE} import *\n{call}")
    assert target is not None
    return target


def composed(source: str, target: CrashTarget, level: int, strategy: Strategy = Strategy.CORES) -> list[str]:
    """The tests for one frame, as text."""
    found: list[TestCase] = []
    language, clock = Language(), time.process_time
    program = SourceProgram({MODULE: source}, sys.version_info[:2])
    limits = Limits(clock, clock() + SECONDS)
    makers = Makers(program, Summaries(program, Solver(language, clock), limits))
    composer = Composer(
        program, choice_of(strategy, makers), Solver(language, clock), limits, found.append, ToldByReport.of(target)
    )
    for one in walked(source, target)[0]:
        if one.level == level:
            composer.compose(one, SECONDS)
    return ["\n".join([*(printed := print_test(one)).imports, *printed.body]) for one in found]


def crashes(source: str, test: str) -> CrashTarget | None:
    """The crash that a test makes; None where it makes none."""
    sys.modules[MODULE] = types.ModuleType(MODULE)
    try:
        exec(compile(source, f"<{MODULE}>", "exec"), vars(sys.modules[MODULE]))
        exec(compile(test, "<test>", "exec"), {})
    except Exception as error:  # noqa: BLE001  # whatever it is
        return target_of(error)
    finally:
        del sys.modules[MODULE]
    return None

"""The pack's check of itself: each trigger crashes as its traceback says, and does on the fixed version what is promised."""

from __future__ import annotations

from benchmarks.pack.cases import Case, half
from benchmarks.pack.homes import Homes
from benchmarks.pack.judging import agrees_with_fix, verdict
from benchmarks.pack.witness import run_trigger


def complaints(case: Case, homes: Homes) -> list[str]:
    """What is wrong with a case. A case is sound if there is nothing to say."""
    wanted = case.crash()
    found = _of_facts(case)
    sight = run_trigger(case.trigger(), homes.python(case.pins(case.version)), case.modules)
    if not verdict(wanted, sight.crashes).reproduced:
        found.append(f"on {case.version} the trigger shows {sight.outcome}, not the crash")
    if case.fixed is not None:
        outcome = run_trigger(case.trigger(), homes.python(case.pins(case.fixed)), case.modules).outcome
        if not agrees_with_fix(case.on_fixed, outcome):
            found.append(f"on {case.fixed} the trigger shows {outcome}, not {case.on_fixed}")
    return found


def _of_facts(case: Case) -> list[str]:
    """What can be said without running anything."""
    wanted = case.crash()
    found = []
    if case.half != half(case.name):
        found.append(f"belongs to the half {half(case.name)}")
    if wanted.kind != case.exception:
        found.append(f"the traceback ends with {wanted.kind}, the facts say {case.exception}")
    if not wanted.frames:
        found.append("no frame of the package in the traceback")
    if (case.fixed is None) != (case.on_fixed is None):
        found.append("a fixed version and what happens there belong together")
    if not case.source.startswith("https://"):
        found.append("no address of the report")
    return found

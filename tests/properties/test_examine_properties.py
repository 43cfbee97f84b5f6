"""Whatever a report says, examining it is an answer and never an error of ours."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reports import Carries, reports

import crashwright
from crashwright.core.errors import CrashwrightError
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.examine import examine
from crashwright.crash.fingerprint import cache_key
from crashwright.crash.resolve import resolved
from crashwright.crash.way_in import way_in
from crashwright.environment.interpreter import Interpreter

SOURCE = Path(crashwright.__file__).parent
FILES = sorted(str(path.relative_to(SOURCE.parent)) for path in (SOURCE / "core").glob("*.py"))


@cache
def interpreter(version: tuple[int, int, int]) -> Interpreter:
    return Interpreter(sys.executable, version, (str(SOURCE.parent),), (str(Path(st.__file__).parent),), True)


@st.composite
def near_reports(draw: st.DrawFn) -> CrashReport:
    """Frames in real files, with lines, functions and columns that mostly do not fit."""
    frames = []
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(FILES))
        lines = (SOURCE.parent / path).read_text().splitlines()
        line = draw(st.integers(1, len(lines) + 3))
        echoed = draw(st.none() | st.just(lines[min(line, len(lines)) - 1].strip()) | st.text(max_size=20))
        width = len(echoed or "")
        columns = draw(st.none() | st.tuples(st.integers(0, width), st.integers(0, width + 2)))
        function = draw(st.sampled_from(["<module>", "level", "<listcomp>", "to_json", "_decode", "<lambda>", "?", ""]))
        values = draw(st.dictionaries(st.text(max_size=5), st.text(max_size=10), max_size=2))
        root = draw(st.sampled_from(["/v/lib/python3.13/site-packages/", "/app/", "C:\\x\\"]))
        frames.append(ReportedFrame(root + path, line, function, echoed, columns, local_values=values))
    return CrashReport((ReportedException("ValueError", draw(st.text(max_size=10)), tuple(frames)),))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    near_reports() | reports(Carries()),
    st.sampled_from([(3, 11, 7), (3, 13, 0)]),
    st.none() | st.sampled_from(["crashwright", "crashwright.core", "nothing", ""]),
    st.none() | st.integers(-1, 4),
)
def test_any_report_is_examined(report: CrashReport, version: tuple[int, int, int], package: str | None, frame: int | None) -> None:
    found = examine(report, interpreter(version), package, frame)
    assert (found.target is None) == (found.problem is not None)
    if found.problem is not None:
        assert isinstance(found.problem, CrashwrightError)
        assert found.problem.message
    elif found.target is not None:
        assert found.target.package_frames
        assert found.target.crash_frame.line >= 1
        assert cache_key(resolved(found), report)
        assert way_in(found.target).how

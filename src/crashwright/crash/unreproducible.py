"""Reports that no test can reproduce, told before anything is searched: nothing crashed there, or it was the machine's fault."""

from __future__ import annotations

import os
from collections.abc import Sequence

from crashwright.core.errors import ReportError
from crashwright.core.report import ReportedException, ReportedFrame
from crashwright.crash.matched_frames import MatchedFrame
from crashwright.crash.ownership import is_test_path

_SYNTAX = frozenset({"SyntaxError", "IndentationError", "TabError"})
_IMPORTS = ("import ", "from ", "importlib.import_module(", "__import__(")
_FAILURES = frozenset({"AssertionError", "Failed"})
"""What a test fails by that finds something wrong itself."""


def why_unreproducible(crash: ReportedException, matched: Sequence[MatchedFrame] = ()) -> ReportError | None:
    """What stands in the way of any test for ``crash``, whose frames are ``matched``, in words; None if nothing is known to."""
    innermost = crash.frames[-1].source or "" if crash.frames else ""
    deliberate = innermost.lstrip().startswith("raise ")
    if crash.type == "KeyboardInterrupt" and not deliberate:
        return ReportError(
            "KeyboardInterrupt: somebody stopped the program (Ctrl-C). Nothing crashed, so there is nothing to reproduce.",
            "If it hung, the last frames of the report say where.",
        )
    if crash.type == "SystemExit":
        return ReportError(
            "SystemExit: the program ended itself (sys.exit). Nothing crashed, so there is nothing to reproduce.",
            "If an exception led to it, reproduce that exception: choose it with --report-number (crashwright explain lists all).",
        )
    if crash.type == "MemoryError" and not deliberate:
        return ReportError(
            "MemoryError: the machine had no memory left. That depends on the machine, not on a call that a test could repeat.",
            "The last frames of the report say what asked for so much.",
        )
    if crash.type in _SYNTAX:
        return _file_of_wrong_syntax(crash)
    return _failed_test(crash, matched)


def _file_of_wrong_syntax(crash: ReportedException) -> ReportError | None:
    """The text that cannot be parsed is a module or a script: it never ran. Code that parses texts of its own is another matter."""
    if crash.place is None or crash.place.path.startswith("<"):
        return None
    callers = [frame for frame in crash.frames if not _is_import_system(frame)]
    if callers and not (callers[-1].source or "").lstrip().startswith(_IMPORTS):
        return None
    line = f", line {crash.place.line}" if crash.place.line else ""
    return ReportError(
        f"{crash.type}: {crash.place.path}{line} is not valid Python, so it never ran and no test can call it.",
        "Correct that line, or run it with the version of Python that it is written for.",
    )


def _is_import_system(frame: ReportedFrame) -> bool:
    parts = frame.path.replace("\\", "/").split("/")
    return frame.path.startswith("<frozen ") or "importlib" in parts or parts[-1] == "runpy.py"


def _failed_test(crash: ReportedException, matched: Sequence[MatchedFrame]) -> ReportError | None:
    """An assertion that a test makes itself, by the statement or by a method of the standard library."""
    own = [one for one in matched if not one.stdlib]
    if crash.short_type not in _FAILURES or not own:
        return None
    test = own[-1].reported
    if not (is_test_path(test.path) and test.function.startswith("test")):
        return None
    file = os.path.basename(test.path.replace("\\", "/"))
    return ReportError(
        f"{crash.short_type} in {test.function} ({file}:{test.line}): the test found a wrong result, but nothing crashed.",
        "crashwright reproduces exceptions of the code under test. This test shows the fault already: run it, or step through it.",
    )

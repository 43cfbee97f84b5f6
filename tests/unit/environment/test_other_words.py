from __future__ import annotations

from crashwright.core.report import CrashReport, ReportedEnvironment, ReportedException
from crashwright.environment.skew import message_note

OLD = "local variable 'x' referenced before assignment"


def note(message: str, line: str = "return x", exception: str = "UnboundLocalError", python: str | None = None) -> str | None:
    report = CrashReport((ReportedException(exception, message, ()),), ReportedEnvironment(python) if python else None)
    return message_note(report, line, (3, 12, 1))


def test_a_message_that_python_words_otherwise_here_is_told() -> None:
    told = note(OLD)
    assert told is not None
    assert told.endswith("3.12 says: cannot access local variable 'x' where it is not associated with a value")
    assert note(OLD, python="3.8.1") == told
    gone = note("unhashable type: 'slice'", exception="TypeError")
    assert gone is not None
    assert "this crash cannot be reproduced with it" in gone


def test_what_the_code_says_itself_or_this_python_says_is_not() -> None:
    assert note(OLD, "raise UnboundLocalError(text)") is None
    assert note(OLD, python="3.12.0") is None
    assert note("no such shelf", exception="ValueError") is None

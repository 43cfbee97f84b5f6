"""What different tools say about the same crashes agrees, as far as each can say it."""

from pathlib import Path

import pytest

from crashwright.core.report import CrashReport, ReportedException, Unknown
from crashwright.crash.readers.pytest_text import LAST_LINES_ONLY, PytestReader
from crashwright.crash.readers.registry import read_reports

FOLDER = Path(__file__).parent / "tracebacks"


def reports(name: str) -> tuple[CrashReport, ...]:
    return read_reports((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def places(exception: ReportedException) -> list[tuple[str, int | None, str]]:
    """The frames in a form that relative and absolute paths share; those of pytest's own ``fail`` are hidden in its own styles."""
    frames = [frame for frame in exception.frames if "_pytest" not in frame.path]
    return [(frame.path.rpartition("/")[2], frame.line, frame.function) for frame in frames]


def essence(report: CrashReport) -> list[tuple[object, ...]]:
    told = []
    for exception in report.exceptions:
        deep = exception.type == "RecursionError"
        head, _, _ = exception.message.partition("\n")
        told.append((exception.type, head, exception.notes, exception.link, places(exception)[: 2 if deep else None]))
    return told


@pytest.mark.parametrize("name", ["pytest_9_long", "pytest_9_auto", "pytest_9_short", "pytest_github_log"])
def test_all_styles_of_pytest_tell_the_same(name: str) -> None:
    assert [essence(one) for one in reports(name)] == [essence(one) for one in reports("pytest_9_native")]


@pytest.mark.parametrize("name", ["pytest_7_long", "pytest_7_auto", "pytest_7_short", "junit_pytest_7_short", "junit_pytest_9"])
def test_versions_and_files_tell_the_same(name: str) -> None:
    def key(told: list[tuple[object, ...]]) -> str:
        return repr(told)

    coloured = [essence(one) for one in reports("pytest_9_coloured")]
    assert sorted((essence(one) for one in reports(name)), key=key) == sorted(coloured, key=key)


def test_the_order_of_workers_does_not_matter() -> None:
    found = {repr(essence(one)) for one in reports("pytest_9_xdist")}
    assert found == {repr(essence(one)) for one in reports("pytest_9_coloured")}


def test_locals_of_short_and_long_agree() -> None:
    for short, long in zip(reports("pytest_9_short"), reports("pytest_9_long"), strict=True):
        for one, other in zip(short.exceptions, long.exceptions, strict=True):
            for frame, same in zip(one.frames, other.frames, strict=True):
                assert frame.local_values.keys() == same.local_values.keys()
                assert (frame.source, frame.columns) == (same.source, same.columns)


def test_values_are_whole_or_missing() -> None:
    (report,) = [one for one in reports("pytest_9_long") if one.crash.message == "Odd"]
    values = report.crash.frames[0].local_values
    assert values["odd"] == "Odd\n  of = lines\nname = 3"
    assert "cut" not in values
    assert "many" not in values


@pytest.mark.parametrize("other", ["sentry_sdk_1", "structlog_26", "structlog_23"])
def test_structured_reports_tell_the_same(other: str) -> None:
    """structlog has no modules of types; Sentry cannot tell notes from lines of the message; the first versions of either have no
    notes, and structlog 23 no members of groups."""
    new = other == "structlog_26"
    for one, same in zip(reports(other), reports("sentry_sdk_2"), strict=True):
        for exception, like in zip(one.exceptions, same.exceptions, strict=True):
            assert exception.short_type == like.short_type
            assert exception.message == like.message
            assert exception.link == like.link
            assert "\n".join(exception.notes) == "\n".join(like.notes if new else ())
            if exception.type != "RecursionError":
                assert places(exception) == places(like)
            if other != "structlog_23":
                assert [len(member.exceptions) for member in exception.group] == [len(member.exceptions) for member in like.group]
                assert [essence(member)[0][1:] for member in exception.group] == [essence(member)[0][1:] for member in like.group]


def test_forms_of_one_sentry_event() -> None:
    events = reports("sentry_sdk_2")
    (alert,) = reports("sentry_issue_alert")
    (event,) = reports("sentry_web_api")
    assert alert == events[2]
    assert event == events[1]
    assert event.environment is not None
    assert event.environment.python == "3.11.7"
    assert event.environment.release == "shop@1.2"
    assert event.environment.packages["pytest"] == "9.2.0"


def test_secrets_and_cut_values_of_sentry_are_missing() -> None:
    (report,) = [one for one in reports("sentry_sdk_2") if "hunter2" in one.crash.message]
    values = report.crash.frames[-1].local_values
    assert values["table"] == "{'plain': [1, None, 'x', [2, 3]], 'nested': {'a': {'b': 1.5}}}"
    assert "secret" not in values  # scrubbed
    assert "numbered" not in values  # was the key 5 or '5'?
    assert "long_list" not in values  # shown in part


def test_last_lines_alone_are_refused() -> None:
    summary = "=== short test summary info ===\nFAILED test_shop.py::test_take - KeyError: 'nut'\n"
    for text in (f"=== FAILURES ===\n/x/shop.py:38: KeyError: 'nut'\n{summary}", summary, summary.partition("\n")[2]):
        assert PytestReader().read(text) == Unknown(LAST_LINES_ONLY)

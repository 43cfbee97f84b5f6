"""JUnit XML, Sentry and structlog: what is read, what is left out, what is refused."""

import json

import pytest

from crashwright.core.report import CrashReport, ReportedEnvironment, SyntaxPlace, Unknown
from crashwright.crash.readers.json_text import documents
from crashwright.crash.readers.junit import JUnitReader
from crashwright.crash.readers.sentry import SentryReader
from crashwright.crash.readers.structlog import StructlogReader

FRAME = {
    "filename": "shop/a.py",
    "abs_path": "/app/shop/a.py",
    "function": "f",
    "module": "shop.a",
    "lineno": 3,
    "context_line": "  x()",
}
CASE = "<testcase name='a'><failure message='x'>a.py:3: in f\n    x()\nE   KeyError: 1</failure></testcase>"


def exception(kind: str = "KeyError", value: object = "'a'", **more: object) -> dict[str, object]:
    return {"type": kind, "value": value, "module": None, "stacktrace": {"frames": [FRAME]}, **more}


def sentry(*values: dict[str, object], **event: object) -> CrashReport:
    found = SentryReader().read(json.dumps({"exception": {"values": values}, **event}))
    assert not isinstance(found, Unknown), found
    return found[0]


@pytest.mark.parametrize(
    ("frame", "path"),
    [
        ({}, "/app/shop/a.py"),
        ({"abs_path": None}, "shop/a.py"),
        ({"abs_path": None, "filename": None}, "shop/a.py"),
        ({"filename": "<string>", "abs_path": "/app/<string>"}, "<string>"),
        ({"filename": None, "abs_path": "/app/<frozen os>"}, "<frozen os>"),
        ({"abs_path": "C:\\app\\shop\\a.py"}, "C:\\app\\shop\\a.py"),
        ({"abs_path": "/app/bundle.zip"}, "shop/a.py"),
        ({"abs_path": 1, "filename": [], "module": {}}, "<unknown>"),
    ],
)
def test_paths(frame: dict[str, object], path: str) -> None:
    report = sentry(exception(stacktrace={"frames": [FRAME | frame]}))
    assert report.crash.frames[0].path == path


def test_functions_are_bare_names() -> None:
    names = [{**FRAME, "function": name, "lineno": None} for name in ("Shelf.find", "f.<locals>.<lambda>", None)]
    report = sentry(exception(stacktrace={"frames": names}))
    assert [frame.function for frame in report.crash.frames] == ["find", "<lambda>", "<unknown>"]
    assert report.crash.frames[0].line is None


@pytest.mark.parametrize(
    ("module", "name"), [(None, "E"), ("builtins", "E"), ("__main__", "E"), ("shop.errors", "shop.errors.E"), (7, "E")]
)
def test_types_are_named_as_python_prints_them(module: object, name: str) -> None:
    assert sentry(exception("E", module=module)).crash.type == name


def test_a_chain_without_numbers_tells_its_links_by_the_source() -> None:
    lines = ["raise B() from error", "raise B(", "raise B() from None", "y()"]
    below = ["    1,", ") from error", "z()"]
    links = []
    for line in lines:
        frame = FRAME | {"context_line": line, "post_context": below}
        report = sentry(exception(), exception("B", stacktrace={"frames": [frame]}))
        links.append(report.exceptions[0].link)
        assert report.crash.link is None
    assert links == ["cause", "cause", "context", "context"]


def test_the_cause_of_a_member_belongs_to_it() -> None:
    """The SDK gives it the parent 0."""

    def one(kind: str, number: int, source: str, group: bool = False) -> dict[str, object]:
        return exception(
            kind, mechanism={"exception_id": number, "parent_id": 0, "source": source, "is_exception_group": group or None}
        )

    report = sentry(one("D", 3, "exceptions[1]"), one("C", 2, "__cause__"), one("B", 1, "exceptions[0]"), one("A", 0, "", True))
    assert [len(member.exceptions) for member in report.crash.group] == [2, 1]
    assert [each.type for each in report.crash.group[0].exceptions] == ["C", "B"]
    assert report.crash.message == "'a' (2 sub-exceptions)"


def test_a_deep_tree_is_cut_and_a_huge_one_is_a_list() -> None:
    def member(number: int) -> dict[str, object]:
        mechanism = {"exception_id": number, "parent_id": number - 1, "source": "exceptions[0]"}
        return exception("A", mechanism=mechanism if number else {"exception_id": 0})

    report = sentry(*(member(number) for number in range(400)))
    depth = 0
    while report.crash.group:
        report, depth = report.crash.group[0], depth + 1
    assert depth == 20
    assert len(sentry(*(member(number) for number in range(600))).exceptions) == 600


def test_values() -> None:
    values = {
        "name": "'a'",
        "none": "None",
        "items": ["1", ["2"]],
        "table": {"k": "1"},
        "raw": 3,
        "missing": None,
        "cut": "'abc...",
        "open": "'abc",
        "secret": "[Filtered]",
        "inner": {"password": "[Filtered]"},
        "wide": ["1"] * 10,
        "number": {"5": "1"},
        "long": "'x'",
        "not a name": "1",
    }
    meta = {"exception": {"values": {"0": {"stacktrace": {"frames": {"0": {"vars": {"long": {"": {"len": 9}}}}}}}}}}
    report = sentry(exception(stacktrace={"frames": [FRAME | {"vars": values}]}), _meta=meta)
    assert report.crash.frames[0].local_values == {
        "name": "'a'",
        "none": "None",
        "items": "[1, [2]]",
        "table": "{'k': 1}",
        "raw": "3",
        "missing": "None",
    }


def test_the_place_of_a_syntax_error_and_notes() -> None:
    syntax = sentry(exception("SyntaxError", "invalid syntax (x.py, line 1)")).crash
    assert (syntax.message, syntax.place) == ("invalid syntax", SyntaxPlace("x.py", 1))
    noted = sentry(exception("KeyError", "'x'\na note")).crash
    assert (noted.message, noted.notes) == ("'x'", ("a note",))
    assert sentry(exception("A", "x\ny")).crash.message == "x\ny"


def test_releases_and_versions() -> None:
    runtime = {"runtime": {"name": "CPython", "version": "3.11.4"}}
    found = sentry(exception(), contexts=runtime, modules={"a": "1.0", "b": None}, release={"version": "shop@2"}).environment
    assert found == ReportedEnvironment("3.11.4", {"a": "1.0"}, "shop@2")
    assert sentry(exception(), tags=[["release", "3"]]).environment == ReportedEnvironment(release="3")
    assert sentry(exception(), tags=[{"key": "release", "value": "4"}]).environment == ReportedEnvironment(release="4")
    assert sentry(exception(), tags={"release": "5"}, contexts={"runtime": {"name": "node", "version": "20"}}).environment == (
        ReportedEnvironment(release="5")
    )
    assert sentry(exception()).environment is None


def test_what_sentry_sends_and_we_cannot_read() -> None:
    javascript = {"platform": "javascript", "exception": {"values": [exception(stacktrace={"frames": [{"filename": "a.js"}]})]}}
    for event, reason in (
        (javascript, "this Sentry event comes from the platform 'javascript', not from Python"),
        ({"exception": {"values": [{"type": None, "value": "x"}]}}, "the Sentry event names no exception type"),
        ({"message": "an exception"}, ""),
    ):
        assert SentryReader().read(json.dumps(event)) == Unknown(reason)
    whole = json.dumps({"exception": {"values": [exception()]}})
    assert SentryReader().read(whole[:-9]) == Unknown("the JSON breaks off before its end")
    assert SentryReader().read(whole.replace('"lineno": 3', '"lineno": ' + "9" * 9000)) == Unknown(
        "the JSON cannot be read: a number with thousands of digits"
    )


def test_old_webhooks() -> None:
    event = {"id": "1", "event": {"sentry.interfaces.Exception": {"values": [exception()]}, "modules": {"a": "1"}}}
    found = SentryReader().read(json.dumps(event))
    assert not isinstance(found, Unknown)
    assert found[0].crash.type == "KeyError"
    assert found[0].environment == ReportedEnvironment(packages={"a": "1"})


def test_structlog_leaves_out_what_was_cut() -> None:
    frames = [
        {"filename": "/a.py", "lineno": 1, "name": "f", "locals": {"a": "1", "long": "'xx'+220", "items": "[1, ... +5]", "bad": 3}},
        {"filename": "", "lineno": -1, "name": "Skipped frames: 7"},
        {"filename": "/a.py", "lineno": 1, "name": "f", "locals": None},
        {"filename": "/b.py", "lineno": True, "name": "g"},
    ]
    found = StructlogReader().read(json.dumps({"exception": [{"exc_type": "A", "exc_value": "b", "frames": frames}]}))
    assert not isinstance(found, Unknown)
    first, second, third = found[0].crash.frames
    assert (first.local_values, first.repeated) == ({"a": "1"}, 7)
    assert second.repeated == 0
    assert third.line is None


def test_junit_refuses_entities_and_says_what_is_missing() -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase><failure>&b;</failure></testcase></testsuite>'
    for text, word in (
        (bomb, "entities"),
        ("<testsuite><testcase name='a'/></testsuite>", "no failed test"),
        (
            "<testsuite><testcase><failure>just words</failure></testcase></testsuite>",
            "no failure in the JUnit XML has a traceback",
        ),
        ("<testsuite><testcase><failure>a", "breaks off"),
    ):
        found = JUnitReader().read(text)
        assert isinstance(found, Unknown)
        assert word in found.reason
    assert JUnitReader().read("a <error> in words") == Unknown("")


@pytest.mark.parametrize(
    "text", [f"<testsuite>{CASE}</testsuite>", CASE + CASE, f"log: {CASE} more & more", f"<testsuite>{CASE}<testcase><fail"]
)
def test_junit_fragments(text: str) -> None:
    found = JUnitReader().read(text)
    assert not isinstance(found, Unknown)
    assert {report.crash.type for report in found} == {"KeyError"}


def test_json_between_other_output() -> None:
    assert documents('[12:00] [info] {"a": 1}\nx [2]\n{\n "b": [3]\n}\n').values == ({"a": 1}, [2], {"b": [3]})
    assert documents('{"log": "{\\"a\\": 1}\\n"}').values == ({"log": '{"a": 1}\n'}, {"a": 1})
    assert documents("[" * 100_000 + '\n{"a": 1}').values == ({"a": 1},)
    assert documents("[info] nothing").broken == ""
    assert documents("[" * 100_000).broken == "the JSON cannot be read: nested too deeply"
    assert documents('{"a": 1,, "b"').broken == "the JSON has an error before ', \"b\"'"

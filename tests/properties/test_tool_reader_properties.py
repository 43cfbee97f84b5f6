"""read(render(report)) == report for the formats of tools, and nothing at all breaks their readers."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import Carries, names, reports, text_line
from tool_renderers import junit_xml, pytest_output, sentry_event, structlog_lines

from crashwright.core.codec import to_json
from crashwright.core.report import CrashReport, ReportedException, Unknown
from crashwright.crash.readers.junit import JUnitReader
from crashwright.crash.readers.pytest_text import PytestReader
from crashwright.crash.readers.pytest_values import shortened
from crashwright.crash.readers.registry import TraceReader
from crashwright.crash.readers.sentry import SentryReader
from crashwright.crash.readers.structlog import StructlogReader

TOOLS: tuple[TraceReader, ...] = (SentryReader(), StructlogReader(), JUnitReader(), PytestReader())
FOLDER = Path(__file__).parents[1] / "golden" / "tracebacks"
GOLDEN = [
    (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("pytest_7_short", "pytest_7_auto", "pytest_9_doctest", "pytest_9_collection", "junit_unittest", "sentry_web_api")
] + [(FOLDER / "structlog_26.txt").read_text(encoding="utf-8")[:12000]]

literals = st.one_of(st.integers().map(repr), names.map(repr), st.sampled_from(["None", "[1, {'a': 2}]", "<object at 0x7f>"]))
values = text_line.filter(lambda text: not shortened(text))
SHORT = Carries(source="always", anchors=False, repeated=False, values=values)
LONG = replace(SHORT, functions=names | st.just("<module>"))
SENTRY = Carries(columns=False, repeated=False, groups=True, values=literals)
STRUCTLOG = Carries(source="never", columns=False, repeated=False, notes="any", groups=True, places=True, values=literals)
FORMATS = [("short", SHORT), ("long", LONG), ("auto", LONG)]


@pytest.mark.parametrize(("style", "carries"), FORMATS)
def test_pytest(style: str, carries: Carries) -> None:
    @given(st.lists(reports(carries), min_size=1, max_size=3))
    @settings(max_examples=20, deadline=None)
    def holds(drawn: list[CrashReport]) -> None:
        assert PytestReader().read(pytest_output(drawn, style)) == tuple(drawn)

    holds()


@pytest.mark.parametrize("margin", ["    ", "> ", "[build] ", "2026-01-02T03:04:05.0000006Z "])
def test_margins_of_pytest_make_no_difference(margin: str) -> None:
    @given(st.lists(reports(SHORT), min_size=1, max_size=2))
    @settings(max_examples=5, deadline=None)
    def holds(drawn: list[CrashReport]) -> None:
        text = "".join(f"{margin}{line}\n" for line in pytest_output(drawn, "short").split("\n"))
        assert PytestReader().read(text) == tuple(drawn)

    holds()


@pytest.mark.parametrize(("style", "carries"), FORMATS)
def test_junit(style: str, carries: Carries) -> None:
    @given(st.lists(reports(carries), min_size=1, max_size=3))
    @settings(max_examples=12, deadline=None)
    def holds(drawn: list[CrashReport]) -> None:
        assert JUnitReader().read(junit_xml(drawn, style)) == tuple(drawn)

    holds()


@given(st.lists(reports(SENTRY), min_size=1, max_size=3), st.booleans(), st.sampled_from(["list", "lines", "alert", "log"]))
@settings(max_examples=20, deadline=None)
def test_sentry(drawn: list[CrashReport], camel: bool, form: str) -> None:
    events = [sentry_event(report, camel) for report in drawn]
    texts = {
        "list": json.dumps(events, indent=1),
        "lines": "\n".join(f"2026-01-02 [INFO] sent {json.dumps(event)}" for event in events),
        "alert": json.dumps({"action": "triggered", "data": {"events": [{"event": event} for event in events]}}),
        "log": "\n".join(json.dumps({"log": json.dumps(event), "stream": "stdout"}) for event in events),
    }
    assert SentryReader().read(texts[form]) == tuple(drawn)


@given(st.lists(reports(STRUCTLOG), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_structlog(drawn: list[CrashReport]) -> None:
    expected = tuple(map(_one_column, drawn))
    assert StructlogReader().read(structlog_lines(expected)) == expected


def _one_column(report: CrashReport) -> CrashReport:
    """structlog tells only where the place of a SyntaxError begins."""

    def shortened(exception: ReportedException) -> ReportedException:
        place = exception.place
        if place and place.columns:
            place = replace(place, columns=(place.columns[0], place.columns[0] + 1))
        return replace(exception, place=place, group=tuple(map(_one_column, exception.group)))

    return CrashReport(tuple(map(shortened, report.exceptions)))


def read_all(text: str) -> None:
    """Every reader gives reports or an Unknown, and the reports can be sent on."""
    for reader in TOOLS:
        found = reader.read(text)
        if isinstance(found, Unknown):
            continue
        assert found
        assert all(report.exceptions and report.crash.link is None for report in found)
        json.dumps(to_json(found))


@given(st.sampled_from(GOLDEN), st.data())
@settings(max_examples=36, deadline=None)
def test_cut_reports(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)) | st.just(0))
    read_all(text[start : data.draw(st.integers(start, len(text)))])


@given(st.sampled_from(GOLDEN), st.sampled_from(GOLDEN), st.randoms(use_true_random=False))
@settings(max_examples=24, deadline=None)
def test_shuffled_and_joined_reports(text: str, other: str, chance: random.Random) -> None:
    lines = (text + other).split("\n")
    for _ in range(chance.randrange(1, 20)):
        one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    read_all("\n".join(lines))


@pytest.mark.parametrize("written", ["utf-16", "latin-1", "cp037", "utf-7"])
@pytest.mark.parametrize("read", ["utf-8", "utf-16-le", "cp1252"])
def test_wrongly_decoded_reports(written: str, read: str) -> None:
    for text in GOLDEN:
        read_all(text.encode(written, "replace").decode(read, "replace"))
    read_all(GOLDEN[0].encode(written, "replace").decode("utf-8", "surrogateescape"))


pieces = st.sampled_from(
    [
        "___ test_a ___",
        "_ " * 30,
        "    def f(x):",
        ">       x()",
        "        ^^^",
        "E       ValueError: x",
        "E   KeyError: 'x'",
        "a.py:3: ",
        "a.py:3: in f",
        "a.py:3: ValueError",
        "    x()",
        "x = 1, y = 2",
        "x          = 1",
        "",
        "== FAILURES ==",
        "--- Captured stdout call ---",
        "Traceback (most recent call last):",
        '  File "a.py", line 1, in f',
        "!!! Recursion error detected",
        "  Displaying first and last 2 stack frames out of 9.",
        "The above exception was the direct cause of the following exception:",
        "<testcase><failure>",
        "</failure></testcase>",
        "<![CDATA[",
    ]
)


@given(st.lists(pieces | st.text(max_size=8), max_size=30).map("\n".join))
@settings(max_examples=90, deadline=None)
def test_any_lines(text: str) -> None:
    read_all(text)
    read_all(f"<testsuite><testcase><failure>{text}</failure></testcase></testsuite>")


scalars = [None, True, -1, 0, 2**70, 1e400, "", "x", "<", "[Filtered]", "...", "\ud800", "a\nb", "exceptions[0]", "__cause__"]
keys = st.sampled_from(["values", "frames", "type", "vars", "0"])
junk = st.recursive(
    st.sampled_from(scalars),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)


def _places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in _places(item, (*path, key)))]


def _replaced(value: object, path: tuple[object, ...], new: object) -> object:
    if not path:
        return new
    head, *rest = path
    if isinstance(value, dict):
        return value | {head: _replaced(value[head], tuple(rest), new)}
    assert isinstance(value, list)
    assert isinstance(head, int)
    return [*value[:head], _replaced(value[head], tuple(rest), new), *value[head + 1 :]]


EVENTS = {
    "sentry": json.loads((FOLDER / "sentry_sdk_2.txt").read_text(encoding="utf-8"))[4],
    "web": json.loads((FOLDER / "sentry_web_api.txt").read_text(encoding="utf-8")),
    "structlog": json.loads((FOLDER / "structlog_26.txt").read_text(encoding="utf-8").splitlines()[5]),
}
PLACES = {name: [place for place in _places(event) if "vars" not in place[:-1]] for name, event in EVENTS.items()}


@given(st.sampled_from(sorted(EVENTS)), st.data())
@settings(max_examples=90, deadline=None)
def test_wrong_types_at_every_key(name: str, data: st.DataObject) -> None:
    event = _replaced(EVENTS[name], data.draw(st.sampled_from(PLACES[name])), data.draw(junk))
    read_all(json.dumps(event))
    read_all(json.dumps({"exception": {"values": [event, data.draw(junk)]}}))


def _member(number: int) -> dict[str, object]:
    return {"type": "A", "mechanism": {"exception_id": number, "parent_id": number - 1, "source": "exceptions[0]"}}


HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: '"exception" exc_type ' + "[" * n,
    "bracket lines": lambda n: '"exception" exc_type ' + "[\n" * n,
    "objects": lambda n: '"exception" exc_type ' + '{"exception":' * (n // 13),
    "broken objects": lambda n: '{"exception": exc_type\n' * (n // 20),
    "truncated": lambda n: json.dumps({"exception": {"values": [{"a": [1] * (n // 8)}]}}, indent=1)[:-2],
    "digits": lambda n: '{"exception": {"values": [{"type": "A", "exc_type": ' + "9" * n + "}]}}",
    "places": lambda n: "___ a ___\n" + "a.py:1: \n" * (n // 9),
    "marked places": lambda n: "___ a ___\n" + ">   x\n" + "a.py:1: E\n" * (n // 10),
    "short entries": lambda n: "___ a ___\n" + "a.py:1: in f\n" * (n // 13),
    "colons": lambda n: "a:1:" * (n // 4),
    "spaces": lambda n: "a.py:1: in x" + " " * n + "y",
    "titles": lambda n: "__ a" + " __" * (n // 3) + "x",
    "underscores": lambda n: "_" * n + " a",
    "rules": lambda n: "== a" + " ==" * (n // 3) + "x",
    "arguments": lambda n: "x = 1, " * (n // 7) + "\n\n>   f(x)\n\na.py:1: E",
    "locals": lambda n: ">   f(x)\n\n" + "x          = 1\n" * (n // 15) + "\na.py:1: E",
    "quotes": lambda n: "> " * (n // 2) + "x\n" + "> " * (n // 2),
    "sentences": lambda n: "The above exception was the direct cause of the following exception:\n" * (n // 70),
    "source": lambda n: "    def f():\n" + "    \n" * (n // 5) + ">   f(x)\nE   A: b\n\na.py:1: A",
    "comprehension": lambda n: ".0 = 1\n\n>   f(" + "(" * n + "\nE   A: b\n\na.py:1: A",
    "elements": lambda n: "<testsuite>" + "<a>" * (n // 3) + "</testsuite>",
    "failures": lambda n: "<testsuite>" + "<failure>x</failure>" * (n // 20) + "</testsuite>",
    "causes": lambda n: json.dumps({"exception": {"values": [{"type": "A", "value": "b"}] * (n // 30)}}),
    "groups": lambda n: json.dumps({"exception": {"values": [_member(number) for number in range(n // 100)]}}),
    "few groups": lambda n: json.dumps({"exception": {"values": [_member(number) for number in range(min(n // 100, 490))]}}),
    "frames": lambda n: json.dumps({"exception": [{"type": "A", "stacktrace": {"frames": [{"function": "f"}] * (n // 20)}}]}),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_texts_take_linear_time(name: str) -> None:
    def seconds(length: int) -> float:
        text = HOSTILE[name](length)
        began = time.process_time()
        read_all(text)
        return time.process_time() - began

    small = min(seconds(25_000) for _ in range(2))
    # Eight times the text: 64 times the time if it were quadratic. The floor is for clocks and for garbage collection.
    assert any(seconds(200_000) < 24 * max(small, 0.02) for _ in range(3))

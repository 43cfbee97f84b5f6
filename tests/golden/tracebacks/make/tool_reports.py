"""Writes the reports of pytest, unittest-xml-reporting, Sentry and structlog next to this folder, as those tools print them.

    python tool_reports.py NEW OLD

NEW and OLD are the interpreters of two environments (Python 3.11): one with pytest 9, pytest-xdist, unittest-xml-reporting,
sentry-sdk 2 and structlog 26, one with pytest 7, pytest-xdist, sentry-sdk 1 and structlog 23. The project that fails is made in
``/tmp/crash-shop``. Then ``record.py`` writes what the readers make of them, to be read with care before it is kept.
"""

import datetime
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parent
PROJECT = Path("/tmp/crash-shop")
FEW = "take or order or noted or many or broken or values or fetch"


def make_project() -> None:
    shutil.rmtree(PROJECT, ignore_errors=True)
    (PROJECT / "suite").mkdir(parents=True)
    shutil.copy(HERE / "shop.py", PROJECT / "shop.py")
    shutil.copy(HERE / "shop_failures.py", PROJECT / "suite" / "test_shop.py")
    (PROJECT / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (PROJECT / "broken").mkdir()
    (PROJECT / "broken" / "test_import.py").write_text("import shop\n\n\nshop.take(shop.Shelf({}), 'nut')\n")
    (PROJECT / "broken" / "test_missing.py").write_text("import nothing_like_this\n")
    (PROJECT / "broken" / "test_syntax.py").write_text("def test(:\n    pass\n")


def pytest(python: str, name: str, *arguments: str, where: str = "suite") -> str:
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", where, *arguments]
    text = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False).stdout
    write(name, text)
    return text


def write(name: str, text: str) -> None:
    (TARGET / f"{name}.txt").write_text(text, encoding="utf-8")


def github_log(text: str) -> str:
    """The log of a GitHub Actions job: a clock before every line."""
    clock = datetime.datetime(2026, 3, 1, 9, 59, 59, 900000)
    lines = []
    for number, line in enumerate(text.splitlines()):
        moment = clock + datetime.timedelta(microseconds=137 * number)
        lines.append(f"{moment.isoformat()}7Z {line}".rstrip())
    return "\ufeff" + "\n".join(lines) + "\n"


def pytest_reports(new: str, old: str) -> None:
    pytest(new, "pytest_9_long", "--tb=long", "--showlocals")
    pytest(new, "pytest_9_auto")
    pytest(new, "pytest_9_short", "--tb=short", "--showlocals")
    pytest(new, "pytest_9_native", "--tb=native")
    pytest(new, "pytest_9_coloured", "--color=yes", "-k", FEW)
    pytest(new, "pytest_9_xdist", "-n", "2", "-v", "-k", FEW)
    pytest(new, "pytest_9_collection", where="broken")
    pytest(new, "pytest_9_doctest", "--doctest-modules", where="shop.py")
    pytest(old, "pytest_7_auto", "-k", FEW)
    pytest(old, "pytest_7_long", "--tb=long", "--showlocals", "-k", FEW)
    pytest(old, "pytest_7_short", "--tb=short", "-k", FEW)
    pytest(old, "pytest_7_native", "--tb=native", "-k", "order")
    write("pytest_github_log", github_log((TARGET / "pytest_9_auto.txt").read_text()))
    for python, name, style in ((new, "junit_pytest_9", "auto"), (old, "junit_pytest_7_short", "short")):
        path = PROJECT / "junit.xml"
        pytest(python, name, f"--junitxml={path}", f"--tb={style}", "-k", FEW)
        shutil.copy(path, TARGET / f"{name}.txt")


def run(python: str, script: str) -> str:
    return subprocess.run([python, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True).stdout


CALLS = """
import asyncio, json, sys
import shop
shelf = shop.Shelf({"bolt": [1, 2]})
def deep():
    sys.setrecursionlimit(DEPTH)
    try:
        shop.deep(0)
    finally:
        sys.setrecursionlimit(1000)
calls = [
    lambda: shop.take(shelf, "nut"), lambda: shop.order(shelf, "nut"), lambda: shop.reorder(shelf, "nut"),
    lambda: shop.noted(shelf), lambda: shop.many(shelf), deep, lambda: shop.password("hunter2"),
    lambda: compile("a b", "x.py", "exec"), lambda: asyncio.run(shop.fetch(shelf, "nut")), lambda: exec("1/0"),
]
"""
SENTRY = """
import sentry_sdk
from sentry_sdk.transport import Transport
events = []
class Keep(Transport):
    def capture_envelope(self, envelope):
        events.append(envelope.get_event())
    def capture_event(self, event):
        events.append(event)
sentry_sdk.init("http://key@localhost/1", transport=Keep, release="shop@1.2", server_name="host")
for call in calls:
    try:
        call()
    except Exception:
        sentry_sdk.capture_exception()
events = [event for event in events if event]
print(json.dumps(events, default=str, separators=(",", ":")))
"""
STRUCTLOG = """
import structlog
structlog.configure(
    processors=[
        structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(),
    ],
)
log = structlog.get_logger()
log.info("begin", items=[1])
for call in calls:
    try:
        call()
    except Exception:
        log.exception("failed", attempt=1)
log.info("end")
"""
XML_RUNNER = """
import sys, unittest, xmlrunner
import shop
class ShopTest(unittest.TestCase):
    def test_take(self):
        shop.take(shop.Shelf({}), "nut")
    def test_order(self):
        shop.order(shop.Shelf({}), "nut")
    def test_equal(self):
        self.assertEqual([1], [2])
    def test_good(self):
        pass
unittest.main(argv=["shop"], testRunner=xmlrunner.XMLTestRunner(output=sys.stdout.buffer, stream=sys.stderr), exit=False)
"""


def web_api_event(event: dict) -> dict:
    """The event as ``GET /projects/{org}/{project}/events/{id}/`` returns it (documented at docs.sentry.io/api/events)."""

    def frame(one: dict) -> dict:
        first = one["lineno"] - len(one.get("pre_context", []))
        lines = [*one.get("pre_context", []), one["context_line"], *one.get("post_context", [])]
        return {
            "filename": one["filename"],
            "absPath": one["abs_path"],
            "module": one["module"],
            "package": None,
            "platform": None,
            "function": one["function"],
            "rawFunction": None,
            "lineNo": one["lineno"],
            "colNo": None,
            "trust": None,
            "context": [[first + number, line] for number, line in enumerate(lines)],
            "vars": one.get("vars"),
            "inApp": one.get("in_app", False),
            "errors": None,
            "instructionAddr": None,
            "symbol": None,
        }

    def value(one: dict) -> dict:
        trace = {"frames": [frame(each) for each in one["stacktrace"]["frames"]], "framesOmitted": None, "hasSystemFrames": True}
        return {key: one.get(key) for key in ("type", "value", "module", "mechanism")} | {
            "stacktrace": trace,
            "rawStacktrace": None,
            "threadId": None,
        }

    return {
        "id": event["event_id"],
        "eventID": event["event_id"],
        "groupID": "1",
        "type": "error",
        "platform": "python",
        "dateCreated": "2026-11-21T17:30:42Z",
        "dateReceived": "2026-11-21T17:30:43Z",
        "message": "",
        "title": "a crash",
        "entries": [
            {"type": "breadcrumbs", "data": {"values": []}},
            {
                "type": "exception",
                "data": {"hasSystemFrames": True, "excOmitted": None, "values": list(map(value, event["exception"]["values"]))},
            },
        ],
        "tags": [{"key": "level", "value": "error", "_meta": None}, {"key": "release", "value": event["release"], "_meta": None}],
        "contexts": event["contexts"],
        "packages": event["modules"],
        "release": None,
        "sdk": event["sdk"],
        "_meta": {},
    }


def other_reports(new: str, old: str) -> None:
    new_events = json.loads(run(new, CALLS.replace("DEPTH", "40") + SENTRY))
    write("sentry_sdk_2", json.dumps(new_events, separators=(",", ":")))
    write("sentry_sdk_1", run(old, CALLS.replace("DEPTH", "40") + SENTRY))
    write("sentry_web_api", json.dumps(web_api_event(new_events[1]), separators=(",", ":")))
    alert = {"action": "triggered", "actor": {"id": "sentry"}, "data": {"event": new_events[2], "triggered_rule": "all"}}
    write("sentry_issue_alert", json.dumps(alert))
    write("structlog_26", run(new, CALLS.replace("DEPTH", "100") + STRUCTLOG))
    write(
        "structlog_23",
        "web_1  | " + run(old, CALLS.replace("DEPTH", "100") + STRUCTLOG).rstrip("\n").replace("\n", "\nweb_1  | ") + "\n",
    )
    write("junit_unittest", run(new, XML_RUNNER))


if __name__ == "__main__":
    make_project()
    pytest_reports(sys.argv[1], sys.argv[2])
    other_reports(sys.argv[1], sys.argv[2])

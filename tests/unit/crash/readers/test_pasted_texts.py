"""One traceback in everything that people paste it with: the report stays the same."""

import json

import pytest

from crashwright.crash.readers.cleaning import decoded
from crashwright.crash.readers.registry import read_reports

TEXT = """Traceback (most recent call last):
  File "/home/u/venv/lib/python3.11/site-packages/pkg/mod.py", line 12, in run
    return self.step(1)
           ^^^^^^^^^^^^
  File "C:\\Users\\Ann B\\site-packages\\pkg\\new.py", line 3, in step
    raise ValueError("bad")
ValueError: bad
"""
LINES = TEXT.splitlines()
REPORTS = read_reports(TEXT)
AGAIN = "\nDuring handling of the above exception, another exception occurred:\n\n"


def behind(margin: str) -> str:
    return "".join(margin + line + "\n" for line in LINES)


def numbered(margin: str) -> str:
    return "".join(margin.replace("#", str(number + 10)) + line + "\n" for number, line in enumerate(LINES))


AROUND = {
    "an issue": f"### Bug\nI ran `pkg`:\n\n1. first\n\n   ```pytb\n{behind('   ')}   ```\n\n2. then\n\nVersions: pkg 1.2\n",
    "a mail": f"On Monday Ann wrote:\n{behind('>> ')}>> \n> I see.\nYes.",
    "containers": "".join(f"web_1   | {line}\ndb_1    | tick\n" for line in LINES),
    "the journal": numbered("Nov 21 17:26:# host python3[123]: "),
    "an ISO clock": numbered("2024-01-02T03:04:#.6Z "),
    "a cluster": numbered("2024-01-02T03:04:05.#Z stderr F "),
    "a place that changes": numbered("[2024-01-01 10:00:00,#] {logging_mixin.py:1#} INFO - "),
    "a thread": f"Exception in thread Thread-1 (run):\n{TEXT}",
    "a log": f"[2024-01-01, 10:00:00 UTC] {{a.py:8}} ERROR - failed\n{TEXT}[2024-01-01, 10:00:00 UTC] {{a.py:9}} INFO - on",
    "a server": f"ERROR:    Exception in ASGI application\n{TEXT}INFO:     127.0.0.1",
    "a chat": f"Ann  10:41 AM\n{TEXT}Bob  10:42 AM\nthanks",
    "a patch": behind("+"),
    "comments": behind("# "),
    "a prompt": f">>> run()\n{TEXT}>>> ",
    "another prompt": f"In [3]: run()\n{TEXT}\nIn [4]: ",
    "no header": TEXT.partition("\n")[2],
    "a tracker": f"{{noformat}}\n{TEXT}{{noformat}}\nmore",
    "a glued fence": f"```{TEXT.rstrip()}```\nmore",
    "a glued mark": f"{{code:python}}\n{TEXT.rstrip()}{{code}}\nmore",
    "a backtick": f"`{TEXT.rstrip()}` is what I get",
    "a literal": f'error = """\n{TEXT}"""\n',
    "YAML": f"error: |\n{behind('  ')}other: 1\n",
    "a test run": f"{TEXT}\n{'-' * 70}\nRan 1 test in 0.1s\n\nFAILED (errors=1)",
    "Java": f"org.apache.Odd: Job aborted: {TEXT}\n\tat org.apache.Base.handle(PythonRunner.scala:452)\n",
}
SPELLED = {
    "carriage returns": TEXT.replace("\n", "\r\n"),
    "more carriage returns": TEXT.replace("\n", "\r\r\n"),
    "nothing but carriage returns": TEXT.replace("\n", "\r"),
    "empty lines between": TEXT.replace("\n", "\n\n"),
    "tabs": TEXT.replace("    ", "\t"),
    "a broken line": TEXT.replace(", line 12", ", line\n12"),
    "a broken path": TEXT.replace("pkg/mod", "pk\ng/mod"),
    "colours": TEXT.replace("File", "\x1b[1mFile").replace(", line", "\x1b[0m, line"),
    "links": TEXT.replace("File", "\x1b]8;;file:///x\x1b\\File").replace(", line", "\x1b]8;;\x07, line"),
    "colours without escapes": TEXT.replace("File", "[1;31mFile").replace(", line", "[0m, line"),
    "no-break spaces": TEXT.replace(" ", "\xa0", 6).replace("\n    ", "\n\xa0\xa0\xa0 "),
    "no width": TEXT.replace("  File", "\u200b  File\u200b").replace("File\u200b", "File"),
    "typographic quotes": TEXT.replace('File "', "File “").replace('", line', "”, line"),
    "entities": TEXT.replace('"', "&quot;").replace("<", "&lt;"),
    "numbered entities": f"<pre><code>{TEXT.rstrip()}</code></pre><p>thanks</p>".replace('"', "&#34;"),
    "a page": TEXT.replace('"', "&quot;").replace(" ", "&nbsp;").replace("\n", "<br>\n"),
    "JSON": json.dumps({"a": 'x"y', "exc": TEXT, "z": 1}),
    "JSON in JSON": json.dumps({"log": json.dumps({"exc": TEXT}) + "\n", "t": 3}) + '\n{"log": ""}',
    "JSON twice": json.dumps({"exception": TEXT, "message": f"failed\n{TEXT}"}),
    "a list": json.dumps({"trace": TEXT.splitlines(True), "b": ["c"]}),
    "a list on lines": json.dumps(TEXT.splitlines(True), indent=2),
    "a repr": repr({"exc": TEXT, "b": 3}),
    "bytes": repr(TEXT.encode()),
    "syslog": "Nov 1 host app: " + TEXT.replace("\n", "#012"),
    "line breaks alone": "failed: " + TEXT.replace("\n", "\\n"),
    "logfmt": 'level=error err="{}" ts=3'.format(TEXT.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")),
}


@pytest.mark.parametrize("name", AROUND)
def test_read_with_this_around_it(name: str) -> None:
    assert read_reports(AROUND[name]) == REPORTS


@pytest.mark.parametrize("name", SPELLED)
def test_read_in_this_spelling(name: str) -> None:
    assert read_reports(SPELLED[name]) == REPORTS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_read_in_this_encoding(encoding: str) -> None:
    assert read_reports(decoded(TEXT.encode(encoding))) == REPORTS


def test_other_bytes_stay_visible() -> None:
    assert decoded(b"caf\xe9") == "caf\\xe9"


def test_all_of_several_in_order() -> None:
    second = TEXT.replace("ValueError: bad", "pkg.Odd: worse")
    literal = json.dumps(TEXT.replace("bad", "third"))
    found = read_reports(f"{TEXT}2024-01-01 retry\n{second}```\n{literal}\nand\n{TEXT}{AGAIN}{second}")
    assert [[one.message for one in report.exceptions] for report in found] == [["bad"], ["worse"], ["third"], ["bad", "worse"]]


def test_what_breaks_off_is_left_out_where_another_is_whole() -> None:
    assert read_reports(f"{TEXT}2024-01-01 retry\n{TEXT[:150]}") == REPORTS
    assert read_reports(f"{TEXT[:150]}\n{TEXT}") == REPORTS
    assert read_reports(f"{TEXT}INFO on\n{TEXT}{AGAIN}{TEXT[:150]}") == REPORTS


@pytest.mark.parametrize(
    "line",
    [
        '127.0.0.1 - - [25/Nov/2026 22:03:47] "GET /dues/2026 HTTP/1.1" 500 -',
        '[26/Nov/2026 19:15:15] "GET /sites/riverside/position/ HTTP/1.1" 500 145',
        '10.0.0.7 - "POST /orders HTTP/1.1" 500',
        '[::1] - ada [25/Nov/2026:22:03:47 +0100] "GET / HTTP/1.1" 500 12',
    ],
)
def test_the_record_of_the_request_behind_a_traceback_is_none_of_its_message(line: str) -> None:
    text = f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: day is out of range\n{line}\n'
    (report,) = read_reports(text)
    assert report.crash.message == "day is out of range"
    assert report.crash.notes == ()

"""`crashwright batch` on a mixed folder: killed with -9 on the way and gone on with, nothing lost or done twice, nothing left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from command import MARK, PROGRAM, Place
from patience import HANG
from published_schemas import faults

SUBJECT = """
def work(text):
    if text == "{name}":
        raise ValueError("too many")
    return text
"""
MANY = 3
TIMEOUT = 120.0


def prepared(place: Place) -> Path:
    """A folder with a log of several crashes, one of them twice, a single report, and what nobody can read."""
    reports = place.root / "reports"
    reports.mkdir()
    texts = []
    for number in range(MANY):
        place.subject(SUBJECT.format(name=f"word {number}"), name=f"victim{number}")
        texts.append(place.report.read_text())
    (reports / "app.log").write_text("\nINFO all is well\n".join([*texts[:-1], texts[0]]))
    (reports / "single.txt").write_text(texts[-1])
    (reports / "absent.txt").write_text(texts[0].replace("victim0", "nowhere_at_all"))
    (reports / "notes.md").write_text("nothing\n")
    return reports


def started(place: Place, reports: Path, *options: str) -> subprocess.Popen[str]:
    words = ["batch", str(reports), "--path", str(place.code), "--budget-each", "40", "--json", *options]
    environment = {**os.environ, "TMPDIR": str(place.temporary), MARK: str(place.root)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=place.work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def answered(process: subprocess.Popen[str], most: int) -> list[dict[str, Any]]:
    """The answers that a batch tells, until there are so many."""
    assert process.stderr is not None
    found: list[dict[str, Any]] = []
    while len(found) < most and (line := process.stderr.readline()):
        event = json.loads(line)
        if event["event"] == "Answered":
            found.append(event["crash"])
    return found


def test_a_batch_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    place = Place(tmp_path)
    reports = prepared(place)
    process = started(place, reports)
    first = answered(process, 2)
    assert [one["count"] for one in first] == [2, 1]
    busy = started(place, reports)
    out, _ = busy.communicate(timeout=TIMEOUT)
    assert (busy.returncode, "Another batch works with" in json.loads(out)["error"]["message"]) == (2, True)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    gone = time.monotonic() + HANG
    while place.processes() and time.monotonic() < gone:
        time.sleep(0.05)
    assert place.processes() == []
    again = started(place, reports, "--jobs", "2", "--html", str(place.root / "batch.html"))
    rest = answered(again, 100)
    out, err = again.communicate(timeout=TIMEOUT)
    result = json.loads(out)
    assert faults("batch", result) == []
    assert again.returncode == result["exit_code"] == 4, err
    done = [one["fingerprint"] for one in (*first, *rest)]
    assert len(done) == len(set(done)) == len(result["crashes"]) == MANY + 1
    assert result["counts"]["reproduced"] == MANY
    [absent] = [one for one in result["crashes"] if one["verdict"] != "reproduced"]
    assert (absent["verdict"], "nowhere_at_all" in absent["reason"]) == ("not possible", True)
    assert (
        sorted(one["file"] for one in result["crashes"] if one["file"]) == sorted(os.listdir(place.work / "crashwright-tests"))[1:]
    )
    page = (place.root / "batch.html").read_text(encoding="utf-8")
    rows = json.loads(page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0])["rows"]
    fields = ("title", "verdict", "count", "subject", "evaluations", "seconds", "file", "reason", "source")
    assert rows == [[one[field] for field in fields] for one in result["crashes"]]
    assert place.processes() == []
    assert os.listdir(place.temporary) == []
    for file in (place.work / "crashwright-tests").glob("test_*.py"):
        assert "raise " not in file.read_text()
        assert f"crashwright reproduce {reports}" in file.read_text()

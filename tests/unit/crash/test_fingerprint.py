"""What changes a fingerprint and what does not."""

from dataclasses import replace

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.fingerprint import crash_fingerprint, fingerprint
from crashwright.crash.readers.registry import read_reports


def test_lines_and_values_do_not_count_but_functions_and_templates_do() -> None:
    frame = TargetFrame(CodeKey("inventory.stock", "Shelf.take", 8), "/a/stock.py", 9, "x", None, True)
    other = TargetFrame(CodeKey("json", "loads", 1), "/a/json.py", 9, "x", None, False)
    target = CrashTarget("inventory", "ValueError", "bad value 'x' at 3", (frame,))
    first = fingerprint(target)
    assert len(first) == 8
    assert int(first, 16) >= 0
    same = replace(frame, key=frame.key._replace(first_line=80), path="/b/stock.py", line=90)
    assert fingerprint(replace(target, message="bad value 'y' at 4", frames=(same, other))) == first
    assert fingerprint(replace(target, message="bad name 'x' at 3")) != first
    assert fingerprint(replace(target, exception="TypeError")) != first
    assert fingerprint(replace(target, frames=(frame, frame))) != first
    assert fingerprint(replace(target, frames=(replace(frame, key=CodeKey("inventory.stock", "Shelf.put", 8)),))) != first


REPORT = """Traceback (most recent call last):
  File "/srv/app.py", line 3, in main
    take(shelf, 4)
  File "/srv/inventory/stock.py", line 9, in take
    raise ValueError(f"no {place}")
ValueError: no 4
"""


def test_reports_of_one_crash_from_other_machines_have_one_fingerprint() -> None:
    def of(text: str) -> str:
        return crash_fingerprint(read_reports(text)[-1])

    first = of(REPORT)
    assert len(first) == 16
    assert of(REPORT.replace("/srv/", "C:\\work\\").replace("line 9", "line 12").replace("no 4", "no 5")) == first
    assert of(f"{REPORT}INFO all is well again\n") == first
    assert of(REPORT.replace("no {place}", "none {place}")) != first
    assert of(REPORT.replace(": no 4", ": none 4")) != first
    assert of(REPORT.replace("in take", "in put")) != first
    assert of(REPORT.replace("ValueError: ", "KeyError: ")) != first
    chain = "\nThe above exception was the direct cause of the following exception:\n\n"
    assert of(REPORT + chain + REPORT) != first
    unseen = REPORT.replace('    raise ValueError(f"no {place}")\n', "")
    assert of(unseen) != of(unseen.replace("line 9", "line 12"))

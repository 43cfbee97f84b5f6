"""What changes a fingerprint and what does not."""

from dataclasses import replace

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.fingerprint import fingerprint


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

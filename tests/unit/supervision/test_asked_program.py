"""A program that is asked: its answer, and that it never outlives the question."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from crashwright.supervision.asked_program import LONGEST_ANSWER, AskedProgram, ProgramAnswer


def answer_of(code: str, seconds: float = 30.0, text: str = "question") -> ProgramAnswer:
    program = AskedProgram([sys.executable, "-c", code], text, seconds)
    folder = program._scratch.path
    while (answer := program.poll()) is None:
        time.sleep(0.02)
    assert not folder.exists()
    return answer


def test_it_reads_the_question_and_answers() -> None:
    assert answer_of("import sys; print(sys.stdin.read()[::-1])") == ProgramAnswer("noitseuq\n")
    assert answer_of("print(1)", text="x" * 1_000_000).text == "1\n"


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import sys; sys.exit('no key')", "it ended with exit status 1: no key"),
        ("import time; time.sleep(60)", "it did not end in 1 s"),
        ("import sys\nwhile True: sys.stdout.write('x' * 100000)", f"it wrote more than {LONGEST_ANSWER >> 20} MB"),
        ("import os; os.kill(os.getpid(), 9)", "it ended with exit status -9"),
    ],
)
def test_one_that_fails_is_told_as_that(code: str, problem: str) -> None:
    assert answer_of(code, 1.0 if "sleep" in code else 30.0).problem == problem


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = f"import time, pathlib\nwhile True:\n    pathlib.Path({str(mark)!r}).write_text(str(time.time()))\n    time.sleep(0.05)"
    program = AskedProgram(
        [sys.executable, "-c", f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])"], "", 30.0
    )
    while not mark.exists():
        time.sleep(0.02)
    program.end()
    time.sleep(0.2)
    last = mark.read_text()
    time.sleep(0.3)
    assert mark.read_text() == last
    with pytest.raises(FileNotFoundError):
        AskedProgram([str(tmp_path / "none")], "", 1.0)

"""Reports of what no test can repeat: refused at once, with the reason; and those that only look like it."""

from __future__ import annotations

import pytest

from crashwright.core.errors import ExitCode, ReportError
from crashwright.core.report import CrashReport
from crashwright.crash.examine import examine
from crashwright.crash.readers.registry import read_reports
from crashwright.environment.interpreter import Interpreter

HEAD = "Traceback (most recent call last):\n"
STDLIB = "/usr/lib/python3.11"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop.py").write_text("import time\n\n\ndef wait():\n    time.sleep(9)\n    raise MemoryError\n")
    (tmp_path / "test_shop.py").write_text("import shop\n\n\ndef test_wait():\n    assert shop.wait() == 3\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "unittest").mkdir()
    (tmp_path / "lib" / "unittest" / "case.py").write_text("def fail():\n    raise AssertionError\n")
    return tmp_path


def report(text: str) -> CrashReport:
    return read_reports(HEAD + text)[-1]


def problem(project, text: str):
    lib = str(project / "lib")
    interpreter = Interpreter("python", (3, 11, 7), (str(project), lib), (lib,), True)
    return examine(report(text.replace("PROJECT", str(project))), interpreter).problem


WAIT = '  File "PROJECT/shop.py", line 5, in wait\n    time.sleep(9)\n'
RAISE = '  File "PROJECT/shop.py", line 6, in wait\n    raise MemoryError\n'
TEST = '  File "PROJECT/test_shop.py", line 5, in test_wait\n    assert shop.wait() == 3\n'
CASE = '  File "PROJECT/lib/unittest/case.py", line 2, in fail\n    raise AssertionError\n'
IMPORT = '  File "PROJECT/shop.py", line 1, in <module>\n    import time\n'
SYNTAX = '  File "PROJECT/time.py", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{WAIT}KeyboardInterrupt\n", "somebody stopped the program"),
        (f"{WAIT}SystemExit: 2\n", "the program ended itself"),
        (f"{WAIT}MemoryError\n", "no memory left"),
        (f"{TEST}AssertionError: assert 2 == 3\n", "the test found a wrong result, but nothing crashed"),
        (f"{TEST}{CASE}AssertionError: 2 != 3\n", "the test found a wrong result, but nothing crashed"),
        (IMPORT + SYNTAX, "is not valid Python"),
        (SYNTAX, "is not valid Python"),
    ],
)
def test_it_is_said_at_once(project, text: str, said: str) -> None:
    found = problem(project, text)
    assert isinstance(found, ReportError)
    assert said in found.message
    assert found.advice
    assert found.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    "text",
    [
        f"{RAISE}MemoryError\n",
        f"{RAISE}KeyboardInterrupt\n",
        f"{TEST}{WAIT}AssertionError: assert 2 == 3\n",
        f"{WAIT}{SYNTAX}",
        f'{WAIT}  File "<string>", line 1\n    1+\n      ^\nSyntaxError: invalid syntax\n',
    ],
)
def test_what_the_code_under_test_raises_is_searched(project, text: str) -> None:
    assert problem(project, text) is None

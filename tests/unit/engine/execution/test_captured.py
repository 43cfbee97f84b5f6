"""What a test prints and logs is noted while it runs, and streams and loggers are afterwards as they were."""

from __future__ import annotations

import logging
import sys

from crashwright.engine.execution.captured import CapturedLog, CapturedOutput
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.handlers import Environment
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ANY
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Ambient, Call
from crashwright.engine.testcase.testcase import TestCase


def tell() -> None:
    print("two lines\n√")
    logging.getLogger("shelf").debug("took %d", 3)


TELL = Call(2, Callee(__name__, "tell", CalleeKind.FUNCTION, (), ANY, tell), NO_ARGUMENTS)
NOTED = (Ambient(0, "output", "", None), Ambient(1, "log", "", None))


class Last(tuple[()]):
    """A statement of ours that looks at the variables."""


def test_what_is_printed_and_logged_is_noted() -> None:
    found: list[object] = []

    def look(env: Environment, _statement: object) -> None:
        found.extend((env[0].readouterr().out, env[0].readouterr().out, env[1].messages))

    test = TestCase((*NOTED, TELL, Last()))  # type: ignore[arg-type]
    Executor().run_with(test, {Last: look})
    assert found == ["two lines\n√\n", "two lines\n√\n", ["took 3"]]


def test_streams_and_loggers_are_as_they_were() -> None:
    root = logging.getLogger()
    before = sys.stdout, root.level, list(root.handlers)
    Executor().run(TestCase((*NOTED, TELL)))
    assert (sys.stdout, root.level, list(root.handlers)) == before


def test_fixtures_of_pytest_stand_for_them() -> None:
    printed = print_test(TestCase((*NOTED, TELL)))
    assert set(printed.fixtures) == {"capsys", "caplog"}
    assert printed.body[0] == 'caplog.set_level("DEBUG")'


def test_bytes_below_the_text_are_noted_too() -> None:
    captured = CapturedOutput()
    captured.stream.buffer.write(b"raw")
    assert captured.readouterr().out == "raw"
    assert CapturedLog().messages == []


def test_what_was_written_is_kept_though_the_stream_is_closed() -> None:
    captured = CapturedOutput()
    captured.stream.write("two lines\n")
    captured.stream.close()
    assert captured.readouterr().out == "two lines\n"

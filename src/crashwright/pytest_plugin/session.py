"""A session of pytest: failures are noted as they come, and reproduced once it is over. Its outcome stays what it was."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from crashwright.core.errors import CrashwrightError, ExitCode
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, SearchSettings
from crashwright.crash.suggested import CandidateText
from crashwright.finishing.write import free_name, write
from crashwright.pytest_plugin.failures import FailedTest, Project, failure_from, runnable_source
from crashwright.pytest_plugin.place import collected_folder, collected_name
from crashwright.workflows.machinery import machinery
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import Result
from crashwright.workflows.reproduce.story import reproduce

LEAST_SECONDS = 3.0
"""Less is no use for a search."""
_NOTED = "crashwright_failure"
"""The attribute of a report that brings a failure from the process that ran the test."""


class Reproductions:
    """The plugin of one session."""

    def __init__(self, config: pytest.Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._config = config
        self._clock = clock
        self._project = Project(config.rootpath, tuple(config.getini("python_files")))
        self._failures: dict[str, FailedTest] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Where the test was run: note by what it failed."""
        report = yield
        if report.failed and call.excinfo is not None:
            source = runnable_source(item.path, getattr(item, "originalname", None) or item.name)
            found = self._project.failure(item.nodeid, call.excinfo.value, source)
            if found is not None:
                setattr(report, _NOTED, found.to_data())
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Where the session is told: each crash once, whatever test it failed first."""
        data = getattr(report, _NOTED, None)
        if data is not None:
            found = failure_from(data)
            self._failures.setdefault(found.place, found)

    def pytest_unconfigure(self) -> None:
        """After the last line of the session. Nothing that goes wrong here is a matter of the tests."""
        if not self._failures or hasattr(self._config, "workerinput"):
            return
        tell = self._teller()
        try:
            for line in self._told():
                tell(line)
        except KeyboardInterrupt:
            tell("crashwright: interrupted")
        except Exception as error:  # noqa: BLE001 - a defect of ours must not turn a session into an error
            tell(f"crashwright: {type(error).__name__}: {error}")

    def _told(self) -> Iterator[str]:
        """Lines for the user, as they come."""
        writes = self._config.getoption("--crashwright") == "write"
        seconds: float = self._config.getoption("--crashwright-budget")
        end = self._clock() + seconds
        yield ""
        yield f"crashwright: {len(self._failures)} exception{'s' if len(self._failures) != 1 else ''} inside the project"
        for number, failure in enumerate(self._failures.values()):
            share = (end - self._clock()) / (len(self._failures) - number)
            yield ""
            yield f"{failure.test}: {failure.report.strip().splitlines()[-1][:200]}"
            if share < LEAST_SECONDS:
                yield f"  not tried: the {seconds:g} s are used up (--crashwright-budget)"
                continue
            yield from (f"  {line}".rstrip() for line in self._reproduction(failure, share, writes))

    def _reproduction(self, failure: FailedTest, seconds: float, writes: bool) -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                request = _request(failure, self._config.rootpath, seconds, str(Path(folder) / "test_offered.py"), writes)
                result = reproduce(request, machinery(), lambda _event: None)
                file = self._write(failure, result) if writes else ""
            except CrashwrightError as problem:
                yield f"no test: {problem.message}"
                return
            yield from _outcome(result, file)

    def _write(self, failure: FailedTest, result: Result) -> str:
        """The file that has the test now, "" if there is none; it lies where pytest finds it. Raises CrashwrightError."""
        if result.exit_code is not ExitCode.SUCCESS or result.test is None:
            return ""
        root, ini = self._config.rootpath, self._config.getini
        folder = collected_folder(root, ini("testpaths"), root / failure.test.partition("::")[0])
        path = free_name(folder / collected_name(result.test.name, ini("python_files")))
        write(result.test.text, path)
        return os.path.relpath(path)

    def _teller(self) -> Callable[[str], None]:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None:
            return lambda _line: None
        return lambda line: terminal.write_line(line, flush=True)


def _request(failure: FailedTest, root: Path, seconds: float, output: str, cache: bool) -> Request:
    """What is on the path of the session is on that of the test."""
    candidates = (CandidateText(failure.test.partition("::")[0], failure.candidate),) if failure.candidate else ()
    return Request(
        report=failure.report,
        python=sys.executable,
        path=(failure.folder,),
        package=failure.package,
        budget=Budget(round(seconds, 1), None),
        output=output,
        folder=str(root),
        candidates=candidates,
        cache=cache,
        # The tests of this session are what the new one is to do without.
        search=SearchSettings(without=(Mechanism.OWN_TESTS,)),
    )


def _outcome(result: Result, file: str) -> Iterator[str]:
    if result.exit_code is not ExitCode.SUCCESS or result.test is None:
        reached = f"{result.frames_reached} of {result.frames_total} frames entered"
        missing = result.test.missing if result.test is not None and result.test.missing else reached
        yield f"not reproduced at the project's boundary: {missing}"
        yield from result.hints[:2]
    elif file:
        yield f"wrote {file}"
    else:
        yield "a test at the project's boundary (--crashwright=write writes it):"
        yield ""
        yield from result.test.text.splitlines()

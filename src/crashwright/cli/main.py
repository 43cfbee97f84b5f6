"""The command line ``crashwright``: commands are loaded when they are called, errors become a line or two, or a JSON document, and
an exit code."""

from __future__ import annotations

import gc
import signal
import sys
import time
from types import FrameType

from cyclopts import App, CycloptsError

from crashwright.cli.former_names import by_their_names
from crashwright.cli.json_errors import JsonWanted
from crashwright.cli.streams import keep_streams
from crashwright.core.began import BEGAN
from crashwright.core.errors import ExitCode

EPILOGUE = (
    "Exit codes: 0 reproduced (generate: tests written; explain: can be searched for), 1 not reproduced (generate: no tests), "
    "2 wrong usage or unreadable report, 3 environment (package, version, import), 4 partial, "
    "70 internal error, 130 interrupted."
)


def build_app() -> App:
    """The application; nothing of a command is imported before it is called."""
    app = App(
        name="crashwright",
        help="Paste a traceback, get a failing test; name a module, get a test suite: search-based testing for Python.",
        help_epilogue=EPILOGUE,
        help_format="plaintext",  # rich text would cost 50 ms of imports
        version=_version,
        version_flags=["--version"],
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    app.command(
        "crashwright.cli.reproduce:app", name="reproduce", help="Turn a traceback into a small, verified, failing pytest test."
    )
    app.command("crashwright.cli.batch:app", name="batch", help="Reproduce the crashes of many reports; run it again to continue.")
    app.command("crashwright.cli.sentry:app", name="sentry", help="Reproduce the crashes of a Sentry project, like batch.")
    app.command("crashwright.cli.task:app", name="task", help="Work on one report of a batch.", show=False)
    app.command(
        "crashwright.cli.generate:app", name="generate", help="Write a pytest suite for a module, or for each module of a package."
    )
    app.command(
        "crashwright.cli.explain:app",
        name="explain",
        help="Explain a report and what the search would look for, without running the package.",
    )
    app.command(
        "crashwright.cli.verify:app",
        name="verify",
        help="Check whether a test still reproduces the crash of a report, or the crash is fixed.",
    )
    app.command("crashwright.cli.page:app", name="page", help="Make an HTML page from the results that --json printed.")
    app.command(
        "crashwright.cli.serve:app", name="serve", help="Let AI assistants use the commands: a Model Context Protocol server."
    )
    app.command("crashwright.cli.doctor:app", name="doctor", help="Check whether a search can run on this machine.")
    app.command("crashwright.cli.completion:app", name="completion", help="Print the script for command completion in your shell.")
    return app


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    BEGAN.set(time.monotonic() - time.process_time())
    signal.signal(signal.SIGTERM, _terminated)
    keep_streams()
    code = run(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.freeze()  # the process ends: Python would go through all that was loaded several times, to free what nobody needs
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the command line; the exit code."""
    app = build_app()
    try:
        code = app(by_their_names(arguments), exit_on_error=False, print_error=False)
    except KeyboardInterrupt:
        print("crashwright: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except CycloptsError as error:
        _show(
            [
                f"crashwright: {str(error).strip()}",
                "             See crashwright --help, or crashwright COMMAND --help.",
            ]
        )
        return ExitCode.USAGE
    except JsonWanted as wanted:
        return _tell_as_json(wanted.error, arguments)
    except Exception as error:  # noqa: BLE001 - a defect of ours may be anything: told as such, with a file for the report of it
        return _tell(error, arguments)
    return code if isinstance(code, int) else 0


def _tell(error: Exception, arguments: list[str]) -> int:
    from crashwright.reporting.errors import error_lines

    lines, code = error_lines(error, arguments)
    _show(lines)
    return code


def _tell_as_json(error: Exception, arguments: list[str]) -> int:
    from crashwright.reporting.errors import error_json

    text, code = error_json(error, arguments)
    print(text, flush=True)
    return code


def _version() -> str:
    # 45 ms of imports that only --version needs.
    from crashwright.cli.version import described

    return described()


def _show(lines: list[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _terminated(_number: int, _frame: FrameType | None) -> None:
    """SIGTERM ends a run as Ctrl-C does, so that engines are stopped and the best test is kept."""
    raise KeyboardInterrupt

"""``python report.py TOOL CRASH``: what TOOL prints about one of the crashes of ``crashes.py``. Run by ``make.py``."""

import importlib
import json
import logging
import sys
import traceback
from collections.abc import Callable

import crashes


def plain() -> None:
    sys.stdout.write(traceback.format_exc())


def coloured() -> None:
    """As Python 3.13 prints to a terminal."""
    traceback.print_exception(sys.exception(), file=sys.stdout, colorize=True)


def with_locals() -> None:
    error = sys.exception()
    assert error is not None
    sys.stdout.writelines(traceback.TracebackException.from_exception(error, capture_locals=True).format())


def stdlib_logging() -> None:
    logging.basicConfig(stream=sys.stdout, format="%(asctime)s %(levelname)-8s [%(name)s] %(message)s", level=logging.INFO)
    logging.info("starting")
    logging.exception("the job failed")
    logging.info("going on")


def json_log() -> None:
    print(json.dumps({"level": "info", "event": "starting"}))
    print(json.dumps({"level": "error", "event": 'job "7" failed', "exception": traceback.format_exc(), "thread": 3}))
    print(json.dumps({"level": "info", "event": "going on"}))


def container_log() -> None:
    """A container's JSON log of an application that itself logs JSON."""
    line = json.dumps({"level": "error", "exc_info": traceback.format_exc()}, ensure_ascii=False)
    print(json.dumps({"log": line + "\n", "stream": "stderr", "time": "2026-01-02T03:04:05.678Z"}, ensure_ascii=False))


def loguru(**options: object) -> None:
    logger = importlib.import_module("loguru").logger
    logger.remove()
    logger.add(sys.stdout, colorize=False, **options)
    logger.info("starting")
    logger.exception("the job failed")
    logger.info("going on")


def rich(width: int = 100, old_windows: bool = False, **options: object) -> None:
    make = importlib.import_module("rich.console").Console
    console = make(file=sys.stdout, width=width, force_terminal=False, color_system=None, legacy_windows=old_windows)
    console.print("starting")
    console.print_exception(**options)
    console.print("2026-01-02 03:04:05 going on")


def ipython() -> None:
    shell = importlib.import_module("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.run_line_magic("colors", "nocolor")
    shell.showtraceback()


def django() -> None:
    """The text of the page that the development server shows."""
    importlib.import_module("django.conf").settings.configure(
        DEBUG=True, ROOT_URLCONF="crashes", SECRET_KEY="none", ALLOWED_HOSTS=["*"]
    )
    importlib.import_module("django").setup()
    request = importlib.import_module("django.test").RequestFactory().get("/shop/")
    print(importlib.import_module("django.views.debug").ExceptionReporter(request, *sys.exc_info()).get_traceback_text())


TOOLS: dict[str, Callable[[], None]] = {
    "plain": plain,
    "coloured": coloured,
    "locals": with_locals,
    "logging": stdlib_logging,
    "json": json_log,
    "container": container_log,
    "loguru": lambda: loguru(diagnose=True, backtrace=False),
    "loguru-backtrace": lambda: loguru(diagnose=True, backtrace=True),
    "loguru-terse": lambda: loguru(diagnose=False, backtrace=True),
    "ipython": ipython,
    "django": django,
    "rich": rich,
    "rich-locals": lambda: rich(show_locals=True),
    "rich-narrow": lambda: rich(width=60, show_locals=True),
    "rich-legacy": lambda: rich(width=60, show_locals=True, old_windows=True),
    "rich-wide": lambda: rich(width=240, show_locals=True),
}


def main(tool: str, crash: str) -> None:
    try:
        getattr(crashes, crash)()
    except Exception:  # noqa: BLE001 - whatever the crash is, it is to be shown
        TOOLS[tool]()


if __name__ == "__main__":
    main(*sys.argv[1:])

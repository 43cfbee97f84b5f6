"""Runs by itself: which tests crash as a report says, one JSON document in, one out.

python judge.py REQUEST.json      {"folder", "tests", "wanted": [exception, [[function, line], ...]], "legal"}

Nothing is confined: the subjects are those of the benchmark.
"""

from __future__ import annotations

import json
import signal
import sys
import traceback
from types import FrameType
from typing import Any

SECONDS = 2


class Entry:
    """Whether it was legal to enter the outermost function as it was done first."""

    def __init__(self, folder: str, function: str, legal: str) -> None:
        self._folder = folder
        self._function = function
        self._legal = legal
        self.is_legal: bool | None = None

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Hook of the interpreter."""
        code = frame.f_code
        if event != "call" or self.is_legal is not None or code.co_name != self._function:
            return
        if code.co_filename.startswith(self._folder):
            self.is_legal = bool(eval(self._legal, {}, dict(frame.f_locals)))


def judged(test: str, request: dict[str, Any]) -> bool:
    """Whether the test crashes so, by legal use."""
    exception, frames = request["wanted"]
    entry = Entry(request["folder"], frames[0][0], request["legal"])
    signal.alarm(SECONDS)
    sys.setprofile(entry)
    try:
        exec(compile(test, "<test>", "exec"), {})
    except BaseException as error:  # noqa: BLE001  # whatever the subject raises
        sys.setprofile(None)
        known = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(request["folder"])]
        return type(error).__name__ == exception and [[one.name, one.lineno] for one in known] == frames and bool(entry.is_legal)
    finally:
        sys.setprofile(None)
        signal.alarm(0)
    return False


def main(file: str) -> None:
    """Answer."""
    with open(file, encoding="utf-8") as stream:
        request = json.load(stream)
    sys.path.insert(0, request["folder"])
    told, sys.stdout = sys.stdout, sys.stderr
    answers = [judged(test, request) for test in request["tests"]]
    told.write(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1])

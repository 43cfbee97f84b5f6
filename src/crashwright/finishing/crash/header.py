"""The docstring at the head of a printed file: the crash, how much of it the test reproduces, and the command that found it."""

from __future__ import annotations

import ast
import os
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from crashwright.core.target import CrashTarget
from crashwright.engine.execution.confinement.guard import NOT_ADVISED
from crashwright.finishing.naming import function_name, module_file, short_type, telling_frame
from crashwright.finishing.running.agreement import Agreement

_WIDTH = 88
_EVERYWHERE = ("/bin/", "/dev/", "/etc/", "/proc/", "/sys/", "/usr/")
"""Folders whose files are on other machines too."""
_COLOUR = {
    "fail": "Red until the bug is fixed.",
    "raises": "Green as long as the bug is there.",
    "xfail": "An expected failure that turns red once the bug is fixed.",
}


@dataclass(frozen=True, slots=True)
class Header:
    """``found`` is how far the test agrees with the report, None while that is not known yet; ``form`` is fail, raises or xfail.
    ``short_of`` is the frame further out that the crash was not reproduced from; ``files`` of this machine are in the test;
    ``forbidden`` is what it does that a test may not do, ``otherwise`` how it differs from the report, in words."""

    target: CrashTarget
    found: Agreement
    form: str
    command: str
    short_of: str = ""
    files: tuple[str, ...] = ()
    forbidden: str = ""
    otherwise: str = ""

    def lines(self) -> list[str]:
        """The module docstring."""
        body = [*_wrap(title(self.target), _WIDTH - 3), "", *_wrap(self._level()), *self._careful(), _safe(self.command)]
        if len(body) == 1:
            return [f'"""{body[0]}"""']
        return [f'"""{body[0]}', *body[1:], '"""']

    def _careful(self) -> list[str]:
        """What the test would do where nothing refuses it, and what it needs that others do not have."""
        needed = ", ".join(self.files)
        only_here = _wrap(f"Careful: the test uses {needed}, which other machines may not have.") if needed else []
        refused = self.found.raised.refused if self.found.raised is not None else ()
        actions = ", ".join(dict.fromkeys(action.partition("; --allow ")[0].partition(NOT_ADVISED)[0] for action in refused))
        careful = _wrap(f"Careful: run outside crashwright, this test tries to {actions}.") if actions else []
        return [*careful, *only_here]

    def _level(self) -> str:
        if self.found.level < 4:
            return f"PARTIAL, not the crash of the report: {self.found.missing}."
        if self.otherwise:
            return f"PARTIAL: {self.otherwise}. {_COLOUR[self.form]}"
        if self.short_of:
            inner = f"innermost {self.found.total}" if self.found.total > 1 else "innermost"
            reported = self.found.total + self.target.frames_beyond
            return (
                f"PARTIAL: the {inner} of {reported} frames and the message of the report; not reproduced from {self.short_of}, "
                f"further out. {_COLOUR[self.form]}"
            )
        total = self.found.total
        frames = {1: "The frame", 2: "Both frames"}.get(total, f"All {total} frames")
        if self.forbidden:
            return f"PARTIAL: {frames.lower()} and the message of the report, but not a test to keep: {self.forbidden}."
        dropped = (
            " Comprehension frames, which one of the Pythons does not have, are left out."
            if self.found.comprehensions_dropped
            else ""
        )
        near = f" A near miss: {self.found.near_miss}, which may be another bug." if self.found.near_miss else ""
        words = f" ({self.found.wording})" if self.found.wording else ""
        return f"{frames} and the message of the report{words}.{near}{dropped} {_COLOUR[self.form]}"


def files_named(body: Iterable[str]) -> tuple[str, ...]:
    """The files and folders of this machine whose whole paths stand in the lines of a test."""
    tree = ast.parse("\n".join(["async def test():", *(f" {line}" for line in body)]))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    paths = [text for text in texts if text.startswith("/") and text.strip("/") and "\0" not in text]
    return tuple(dict.fromkeys(path for path in paths if not path.startswith(_EVERYWHERE) and os.path.lexists(path)))


def title(target: CrashTarget) -> str:
    """``IndexError in inventory/stock.py:88 (Shelf._locate), reached from Inventory.reserve.``"""
    crash, outermost = target.crash_frame, telling_frame(target)
    reached = "" if outermost is crash else f", reached from {function_name(outermost)}"
    return f"{short_type(target)} in {module_file(crash)}:{crash.line} ({function_name(crash)}){reached}."


def visible(text: str) -> str:
    """``text`` on one line, with what does not print escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _wrap(text: str, width: int = _WIDTH) -> list[str]:
    return [line.rstrip() for line in textwrap.wrap(_safe(text), width, break_long_words=False, break_on_hyphens=False)] or [""]


def _safe(text: str) -> str:
    """``text`` as it may stand in a docstring."""
    return visible(text).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')

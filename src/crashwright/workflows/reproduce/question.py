"""What a suggesting program is asked: one JSON document with the report, the code of its frames, and what was tried so far. All
of it has passed the filter of secrets."""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crashwright.core.messages import Progress
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.finishing.naming import function_name, module_file

SCHEMA = 1
LONGEST_REPORT = 60_000
LONGEST_CODE = 12_000
"""Characters of one frame's function."""
BEST_TESTS = 3
_WANTED = (
    "Suggest Python code that makes this exception be raised again in the same frames, by public calls with plausible "
    "arguments. It must neither raise the exception itself nor patch the package. Answer one JSON object a line on standard "
    "output: "
    '{"code": "..."}; several are welcome, the likeliest first. Each is run, judged, and varied where it falls short.'
)


def question(
    target: CrashTarget,
    report: str,
    subject: str,
    python: str,
    call: int,
    progress: Progress | None,
    best: Sequence[dict[str, Any]],
    secrets: SecretFilter,
) -> str:
    """The document as text."""
    frames = target.frames
    document = {
        "schema": SCHEMA,
        "wanted": _WANTED,
        "call": call,
        "exception": target.exception,
        "message": secrets.text(target.message),
        "subject": subject,
        "python": python,
        "package": target.package,
        "report": secrets.text(report[-LONGEST_REPORT:]),
        "frames": [_frame(frame, frame is target.package_frames[0], secrets) for frame in frames],
        "callers": [secrets.code(site.source) for site in target.call_sites],
        "tried": _tried(progress, best, secrets),
    }
    return json.dumps(document, indent=1)


def _frame(frame: TargetFrame, entered: bool, secrets: SecretFilter) -> dict[str, Any]:
    code, signatures = source_at(frame.path, frame.line)
    return {
        "file": module_file(frame),
        "line": frame.line,
        "function": function_name(frame),
        "enters": entered,
        "source": frame.source.strip(),
        "code": secrets.code(code),
        "signatures": [secrets.code(one) for one in signatures],
        "decides": frame.in_package,
    }


def source_at(path: str, line: int) -> tuple[str, list[str]]:
    """The function around a line, and its signature, that of its class before it."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return "", []
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    around.sort(key=lambda node: node.lineno)
    function = next((node for node in reversed(around) if not isinstance(node, ast.ClassDef)), None)
    if function is None:
        return "", []
    lines = text.splitlines()[function.lineno - 1 : function.end_lineno]
    made = [
        f"{node.name}.{_signature(one)}"
        for node in around
        if isinstance(node, ast.ClassDef)
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name == "__init__"
    ]
    return textwrap.dedent("\n".join(lines))[:LONGEST_CODE], [*made, _signature(function)]


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returned = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{node.name}({ast.unparse(node.args)}){returned}"


def _tried(progress: Progress | None, best: Sequence[dict[str, Any]], secrets: SecretFilter) -> dict[str, Any]:
    if progress is None:
        return {"evaluations": 0, "tests": []}
    return {
        "evaluations": progress.evaluations,
        "frames_reached": progress.frames,
        "frames_total": progress.frames_total,
        "furthest": secrets.text(progress.furthest),
        "distance": progress.distance,
        "stops": [secrets.text(one) for one in progress.stops],
        "tests": [secrets.code(_printed(one)) for one in best[:BEST_TESTS]],
    }


def _printed(test: dict[str, Any]) -> str:
    printed = print_test(decode(test), setting=Setting(alone=True))
    return "\n".join([*printed.imports, *printed.above, *printed.body])

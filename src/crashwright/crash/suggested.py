"""The Python in what somebody suggests as a reproduction: a script or a test as it stands, a transcript of the interpreter,
the code blocks of an issue. Nothing is run, and what is bad or too much is said in one line each."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from typing import NamedTuple

from crashwright.core.suggested import SuggestedCode
from crashwright.engine.subject.usage.documentation import read

_PROMPTED = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: (.*)|)$", re.MULTILINE)
STANDARD_INPUT = "standard input"
MOST = 200
"""Candidates of one run."""
LONGEST = 200_000
"""Characters of one."""
MOST_IN_ALL = 2_000_000
"""Characters of all of them."""
MOST_OF_REPORT = 8
"""Blocks of the report itself, the last ones: what is reported mostly stands there to be tried."""


class CandidateText(NamedTuple):
    """What the user gives, under the name of its file; ``unread`` where that is one of too many."""

    name: str
    text: str
    unread: bool = False


class SuggestedInReport(NamedTuple):
    """``code`` is to be tried; ``problems`` say what is not, and why."""

    code: tuple[SuggestedCode, ...] = ()
    problems: tuple[str, ...] = ()


def suggested_code(given: Iterable[CandidateText], report: str = "") -> SuggestedInReport:
    """The candidates in what is ``given``, and after these in the ``report`` itself."""
    code: list[SuggestedCode] = []
    problems: list[str] = []
    left, over = MOST_IN_ALL, 0
    for name, text, unread in given:
        if unread or len(code) >= MOST:
            over += 1
            continue
        found, problem = _code_in(name, text)
        if problem:
            problems.append(f"candidate {name}: {problem}")
        for one in found:
            if len(code) >= MOST or len(one.source) > left:
                over += 1
            else:
                code.append(one)
                left -= len(one.source)
    if over:
        problems.append(f"{over} candidates are left out: at most {MOST}, with {MOST_IN_ALL:,} characters, are tried")
    own = _blocks("the report", report[-LONGEST:])
    return SuggestedInReport((*code, *own[-MOST_OF_REPORT:]), tuple(problems))


def _code_in(name: str, text: str) -> tuple[list[SuggestedCode], str]:
    if len(text) > LONGEST:
        return [], f"too long: more than {LONGEST:,} characters"
    problem = _problem(text)
    if not problem:
        return [SuggestedCode(name, text)], ""
    found = _blocks(name, text)
    return found, "" if found else problem


def _problem(text: str) -> str:
    """Why ``text`` is no program of Python; "" where it is one."""
    if "\0" in text:
        return "no text"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except SyntaxError as error:
        return f"not valid Python: {error.msg}, line {error.lineno}"
    except (ValueError, MemoryError, RecursionError):
        return "no Python"
    acts = any(isinstance(node, ast.Call | ast.Subscript | ast.BinOp) for line in body for node in ast.walk(line))
    return "" if acts else "it does nothing"


def _blocks(name: str, text: str) -> list[SuggestedCode]:
    """The transcript in ``text``, as one program, and its blocks of code."""
    transcript = "\n".join(match[1] or "" for match in _PROMPTED.finditer(text))
    if transcript and _problem(transcript):
        transcript = ""  # cut off, or with something else between: what of it is whole is read below
    shown = ["\n".join(map(ast.unparse, session)) for session in read(_without_prompts(text, transcript), LONGEST).sessions]
    sources = dict.fromkeys([*([transcript] if transcript else []), *shown])
    return [SuggestedCode(f"{name}, block {number}", source) for number, source in enumerate(sources, 1)]


def _without_prompts(text: str, transcript: str) -> str:
    return _PROMPTED.sub("", text) if transcript else text

"""How the program was run, read from what stands around the tracebacks of a report: request lines of servers' logs, command lines
behind a prompt, the parts of an event. Nothing is known of who wrote them: a method beside a path is a request, words behind a
prompt are a command.

# Deviation: none of the papers reads more of a report than its trace.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from crashwright.core.invocation import GivenCommand, GivenTask, Invocations, SentRequest
from crashwright.crash.sent_documents import METHODS, document_at, joined, sent_by

MOST = 24
"""Of each kind."""
LONGEST = 2_000
"""Characters of a line that are looked at, and of a document that is read whole as JSON a hundred times as many."""
_METHOD = rf"(?P<method>{'|'.join(METHODS)})"
_ADDRESS = r"(?P<address>(?:https?://[^\s/\"'?#]+)?/[^\s\"'<>\]]*)"
_REQUESTS = (
    re.compile(rf"\b{_METHOD}\s+{_ADDRESS}(?:\s+HTTP/[\d.]+)?(?:[\"']?\s+(?P<status>[1-5]\d\d)\b)?"),
    re.compile(rf"(?:^|\s|\"){_ADDRESS}[\"']?\s+[\[(]{_METHOD}[\])]"),
)
_METHOD_LINE = re.compile(rf"\bmethod[\"']?\s*[:=]\s*[\"']?{_METHOD}\b", re.IGNORECASE)
_ADDRESS_LINE = re.compile(rf"\b(?:url|path|uri)[\"']?\s*[:=]\s*[\"']?{_ADDRESS}", re.IGNORECASE)
_ERROR_AT = re.compile(r"\berror\b[^/\n]*?:\s(?P<address>/[^\s\"'<>]*)\s*$", re.IGNORECASE)
"""What ends in a path, and is an error: the path of a request, whose method nobody says."""
PROMPT = re.compile(
    r"^(?:\+|\s*(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+[:\s][^$#%>\n]*[$#%]|PS [A-Za-z]:\\[^>\n]*>|[A-Za-z]:\\[^>\n]*>|[$%]))"
    r"\s+(?P<line>\S.*)$"
)
"""A line behind a prompt, with what is typed there as its group ``line``."""
_FRAME = re.compile(r'^\s*File "')
_PYTHON = re.compile(r"(?:^|[\\/])(?:python[\d.]*|pypy[\d.]*|py)(?:\.exe)?$")
_VARIABLE = re.compile(r"^[A-Z_][A-Z0-9_]*=")
_ENDING = re.compile(r"\s(?:[|;]|&&|\|\||[12]?>{1,2}|<)(?:\s|$|&)")
"""Where a command ends and another, or a file, begins."""
_TASK = re.compile(r"\b[Tt]ask (?P<name>[A-Za-z_][\w.]*\.\w+)\[[0-9a-fA-F-]{8,}\](?:.*?args:\s*(?P<args>\(.*?\)|\[.*?\]))?")
_OPTIONS_WITH_WORDS = frozenset("WXcm")
_FAILED = 500
"""The first status that says so."""
_PROGRAM = re.compile(r"\s*[a-z][\w.-]*\s")
"""What a line begins with that may be one of a shell."""


def invocations_in(text: str) -> Invocations:
    """What ``text``, a whole report, says of how the program was run. Never raises."""
    document = _document(text)
    if document is not None:
        return _of_document(document)
    lines = [line[:LONGEST] for line in text.splitlines() if not _FRAME.match(line)]
    shell = list(joined(lines))
    prompted = [match["line"] for line in shell if (match := PROMPT.match(line))]
    sent = [request for line in shell if (request := _sent_by(line)) is not None]
    requests = _likeliest([*_requests(lines), *_apart(lines), *sent])
    # What was typed twice was done twice.
    commands = [found for line in prompted[::-1] for found in dict.fromkeys(commands_of(line))]
    tasks = [GivenTask(match["name"]) for line in lines for match in _TASK.finditer(line)]
    return Invocations(tuple(requests[:MOST]), tuple(commands[:MOST]), tuple(dict.fromkeys(tasks[::-1]))[:MOST])


def told_invocations(text: str, sift: Callable[[str], str]) -> Invocations:
    """The same with what looks like a secret replaced by ``sift``."""
    found = invocations_in(text)
    return Invocations(
        tuple(replace(one, address=sift(one.address), body=sift(one.body)) for one in found.requests),
        tuple(GivenCommand(one.program, tuple(map(sift, one.words))) for one in found.commands),
        tuple(replace(one, arguments=sift(one.arguments), keywords=sift(one.keywords)) for one in found.tasks),
    )


def _likeliest(found: list[SentRequest]) -> list[SentRequest]:
    """Those that failed first, then those whose answer is not told; of these the last ones in the text. A path with its method says
    more than the same one without, and one with what was sent more than one without that."""
    told = {(one.method, one.address): one.body for one in found if one.body}
    failed = {(one.method, one.address): one.status for one in found if one.status >= _FAILED}
    found = [replace(one, body=one.body or told.get((one.method, one.address), "")) for one in found]
    found = [replace(one, status=one.status or failed.get((one.method, one.address), 0)) for one in found]
    ordered = sorted(dict.fromkeys(found[::-1]), key=_doubt)
    known = {one.address for one in ordered if one.method}
    return [one if one.method else SentRequest("get", one.address) for one in ordered if one.method or one.address not in known]


def _doubt(request: SentRequest) -> int:
    return 2 if not request.method else 0 if request.status >= _FAILED else 1 if not request.status else 3


def _requests(lines: list[str]) -> Iterator[SentRequest]:
    told = [[match for pattern in _REQUESTS for match in pattern.finditer(line)] for line in lines]
    for place, (line, matches) in enumerate(zip(lines, told, strict=True)):
        end = next((later for later in range(place + 1, len(lines)) if told[later]), len(lines))
        for match in matches:
            groups = match.groupdict()
            body = document_at(lines[:end], place, match.end()) if len(matches) == 1 else ""
            yield SentRequest(match["method"].lower(), _address(match["address"]), int(groups.get("status") or 0), body)
        error = None if matches else _ERROR_AT.search(line)
        if error is not None:
            yield SentRequest("", _address(error["address"]))


def _apart(lines: list[str]) -> Iterator[SentRequest]:
    """A method and an address that are told one by one, in lines near each other."""
    for place, line in enumerate(lines):
        method = _METHOD_LINE.search(line)
        near = lines[max(0, place - 2) : place + 3] if method is not None else []
        address = next((match for one in near if (match := _ADDRESS_LINE.search(one))), None)
        if method is not None and address is not None:
            yield SentRequest(method["method"].lower(), _address(address["address"]))


def _sent_by(line: str) -> SentRequest | None:
    """The request that a line of a shell sends. One without a prompt is taken for that if a program and options are in it."""
    prompted = PROMPT.match(line)
    if "/" not in line or (prompted is None and not _PROGRAM.match(line)):
        return None
    try:
        words = shlex.split(prompted["line"] if prompted is not None else line)
    except ValueError:
        return None
    return sent_by(words) if prompted is not None or any(word.startswith("-") for word in words) else None


def _address(text: str) -> str:
    """Without the server."""
    plain = re.sub(r"^https?://[^/]*", "", text)
    return plain.rstrip(".,;:)") or "/"


def commands_of(line: str) -> Iterator[GivenCommand]:
    """The program that a line of a shell runs, with its words; of one that is run by another both. A script of Python may be what
    another program runs, or what it works on."""
    ending = _ENDING.search(line)
    try:
        words = shlex.split(line[: ending.start()] if ending else line, comments=True)
    except ValueError:
        words = line.split()
    while words and _VARIABLE.match(words[0]):
        words = words[1:]
    python = next((place for place, word in enumerate(words) if _PYTHON.search(word) and not (place and word == "py")), None)
    if python is not None:
        yield from _run_by_python(words[python + 1 :])
        return
    script = next((place for place, word in enumerate(words) if word.endswith(".py")), 0)
    for place in [script] if words and words[0].endswith(".py") else dict.fromkeys((*range(min(2, len(words))), script)):
        if place < len(words) and not words[place].startswith("-"):
            yield GivenCommand(words[place], tuple(words[place + 1 :]))


def _run_by_python(words: list[str]) -> Iterator[GivenCommand]:
    while words and words[0].startswith("-") and words[0] != "-m":
        taken = 2 if words[0][-1] in _OPTIONS_WITH_WORDS and len(words[0]) == 2 else 1
        if words[0] == "-c":
            return
        words = words[taken:]
    if words and words[0] == "-m":
        words = words[1:]
    if words:
        yield GivenCommand(words[0], tuple(words[1:]))


def _document(text: str) -> Any:
    """The report as a document, where it is one."""
    start = text.lstrip()[:1]
    if start not in ("{", "[") or len(text) > 100 * LONGEST:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_document(document: Any) -> Invocations:
    """A mapping that has an address is a request, one that has arguments of a program a command, with a task's a task."""
    requests: list[SentRequest] = []
    commands: list[GivenCommand] = []
    tasks: list[GivenTask] = []
    for one in islice(_mappings(document), LONGEST):
        requests += _request_of(one)
        words = next((found for key, found in one.items() if str(key).endswith("argv") and type(found) is list), None)
        if words and all(type(word) is str for word in words):
            commands.append(GivenCommand(words[0], tuple(words[1:])))
        name = one.get("task_name") or one.get("task")
        if type(name) is str and "." in name and ("args" in one or "kwargs" in one):
            tasks.append(GivenTask(name, _json(one.get("args")), _json(one.get("kwargs"))))
    return Invocations(
        tuple(dict.fromkeys(requests))[:MOST], tuple(dict.fromkeys(commands))[:MOST], tuple(dict.fromkeys(tasks))[:MOST]
    )


def _request_of(one: Mapping[Any, Any]) -> list[SentRequest]:
    method, address = one.get("method"), one.get("url") or one.get("path")
    if type(method) is not str or not method.isalpha() or type(address) is not str or "/" not in address:
        return []
    plain = _address(address)
    query = one.get("query_string")
    if type(query) is list and all(type(pair) is list and len(pair) == 2 for pair in query):
        query = "&".join(f"{name}={value}" for name, value in query)
    if type(query) is str and query and "?" not in plain:
        plain = f"{plain}?{query}"
    return [SentRequest(method.lower(), plain, body=_json(one.get("data")))]


def _json(value: Any) -> str:
    return "" if value is None or value == "" else json.dumps(value)


def _mappings(value: Any, depth: int = 12) -> Iterator[Mapping[Any, Any]]:
    if type(value) is dict:
        yield value
    inside = value.values() if type(value) is dict else value if type(value) is list else ()
    for one in inside if depth else ():
        yield from _mappings(one, depth - 1)

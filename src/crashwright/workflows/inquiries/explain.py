"""The story of ``crashwright explain``: report, frames, subject, what would be searched. Nothing of the subject is run, but for
preconditions, which are held against runs."""

from __future__ import annotations

import ast
import builtins
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from crashwright.core.errors import CrashwrightError, ExitCode
from crashwright.core.message_rule import is_exact, normalise_message
from crashwright.core.report import CrashReport, ReportedException
from crashwright.core.target import CrashTarget
from crashwright.crash.candidates import choose_crash
from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.matched_frames import MatchedFrame
from crashwright.crash.ownership import is_own_path
from crashwright.crash.preparation import folders_of, preparation_for
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import Described, choose_report, describe_reports
from crashwright.crash.secrets.filter import LEFT_OUT, SecretFilter
from crashwright.crash.way_in import way_in
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.environment.skew import report_python
from crashwright.finishing.naming import function_name, module_file
from crashwright.workflows.hunting.choices import check_choices, of_the_subject
from crashwright.workflows.inquiries.explanation import ExplainedFrame, ExplainProblem, Explanation, ListedReport, SearchPlan
from crashwright.workflows.inquiries.witnessing import StartEngine, SubjectRuns

_LONGEST = 120
_TYPES = frozenset({"NoneType", "function", "method", *(name for name, value in vars(builtins).items() if isinstance(value, type))})
"""Names in a message that are no values."""
_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """As of :class:`workflows.reproduce.request.Request`: what of it matters before a search."""

    report: str
    report_name: str = "-"
    index: str | None = None
    python: str = ""
    path: tuple[str, ...] = ()
    package: str | None = None
    frame: int | None = None
    allow: tuple[str, ...] = ()
    asked_python: str = ""
    """The interpreter as the user named it, "" where it is that of crashwright."""
    preconditions: bool = False
    wants: bool = False

    def __post_init__(self) -> None:
        check_choices(self.frame, self.allow)

    @property
    def command(self) -> str:
        """The command that would search, with the same choices."""
        words = ["crashwright", "reproduce", self.report_name]
        for option, value in (("--report-number", self.index), ("--package", self.package), ("--target-frame", self.frame)):
            words += [option, str(value)] if value is not None else []
        if self.asked_python:
            words += ["--python", self.asked_python]
        for option, values in (("--path", self.path), ("--allow", self.allow)):
            words += [word for value in values for word in (option, value)]
        return shlex.join(words)


def explain(request: ExplainRequest, start_engine: StartEngine | None = None) -> Explanation:
    """What is known of the report; with ``start_engine`` preconditions are held against runs. Raises ReportError or UsageError
    where there is no report to speak of."""
    secrets = SecretFilter("secrets" in request.allow)
    explained = _explained(request, secrets, start_engine)
    notes = [note for note in explained.notes if not note.startswith(LEFT_OUT)]
    return replace(explained, notes=(*notes, secrets.note)) if secrets.note else explained


def _explained(request: ExplainRequest, secrets: SecretFilter, start_engine: StartEngine | None) -> Explanation:
    reports = read_reports(request.report)
    report = choose_report(reports, request.index, secrets.text)
    secrets.report(report)  # what is a secret in one exception is one in all others
    described = describe_reports(reports, secrets.text)
    try:
        interpreter = replace(inspect_interpreter(request.python, request.path), project=".")
    except CrashwrightError as problem:
        unplaced = tuple(
            ExplainedFrame(f"{one.path}:{one.line}", one.function, "missing", reason="not looked for")
            for one in report.crash.frames
        )
        return _stopped(replace(_known(request, report, described, secrets), frames=unplaced), problem)
    chosen = choose_crash(reports, request.index, interpreter, request.package)
    report = chosen.report
    known = _known(request, report, described, secrets)
    found = examine(report, interpreter, request.package, request.frame, secrets)
    explained = _placed(known, found, interpreter, report)
    if request.wants and found.target is not None and explained.problem is None:
        from crashwright.workflows.inquiries.wants import wants_of  # likewise: the reading of a whole package

        explained = replace(explained, wants=wants_of(found.target))
    if request.preconditions and found.target is not None and explained.problem is None:
        from crashwright.workflows.inquiries.conditions import conditions_of  # the symbolic engine: much code, of no other use here

        runs = None if start_engine is None else _runs(request, found, found.target, interpreter, start_engine)
        explained = replace(explained, conditions=conditions_of(found.target, interpreter.version[:2], runs=runs))
    explained = replace(explained, notes=(*filter(None, [chosen.note]), *explained.notes))
    index = next(one.index for one in described if one.report == report)
    members = [one for one in described if one.index.startswith(f"{index}.")]
    if explained.problem is None or not members:
        return explained
    searchable = [one for one in members if examine(one.report, interpreter, request.package, secrets=secrets).problem is None]
    notes = [f"--report-number {one.index} could be searched: {one.text}" for one in searchable]
    return replace(explained, notes=(*explained.notes, *(notes or ["no member of the group could be searched either"])))


def _runs(
    request: ExplainRequest, found: ExaminedReport, target: CrashTarget, interpreter: Interpreter, start_engine: StartEngine
) -> SubjectRuns:
    """Runs of the subject as ``reproduce`` would make them."""
    preparation = preparation_for(target, interpreter, is_own_path(target.package_frames[0].path), path=request.path)
    needed = folders_of(preparation, interpreter, request.path, [frame.path for frame in target.own_frames])
    path = tuple(dict.fromkeys(map(os.path.abspath, (*request.path, *found.extra_path, *needed))))
    return SubjectRuns(start_engine, interpreter, path, of_the_subject(request.allow), preparation)


def _known(request: ExplainRequest, report: CrashReport, described: Sequence[Described], secrets: SecretFilter) -> Explanation:
    """What the report says by itself."""
    shown = secrets.report(report)
    listed = tuple(ListedReport(one.index, one.text, one.report == report) for one in described)
    python = report_python(report)
    return Explanation(
        ExitCode.SUCCESS,
        shown.crash.type,
        _message(shown.crash),
        listed if len(listed) > 1 else (),
        tuple(_headline(one) for one in shown.exceptions[:-1]),
        reported_python=".".join(map(str, python)) if python else "",
        command=secrets.value(request.command),
    )


def _placed(known: Explanation, found: ExaminedReport, interpreter: Interpreter, report: CrashReport) -> Explanation:
    installed = found.distribution
    explained = replace(
        known,
        frames=tuple(_frames(found)),
        python=interpreter.version_text,
        executable=interpreter.executable,
        subject=f"{installed.name} {installed.version}".strip() if installed else found.package,
        reported_version=found.reported_version or "",
        package=found.package,
        why_package=found.why_package,
        why_frame=found.why_frame,
        notes=(*found.notes, *_foreign(found), *_group(report.crash)),
    )
    if found.problem is not None or found.target is None:
        return explained if found.problem is None else _stopped(explained, found.problem)
    return replace(explained, search=_plan(found.target))


def _stopped(known: Explanation, problem: CrashwrightError) -> Explanation:
    return replace(known, exit_code=problem.exit_code, problem=ExplainProblem(problem.message, problem.advice))


def _frames(found: ExaminedReport) -> Iterator[ExplainedFrame]:
    """Each frame with its role in the search."""
    own = found.deciding
    asked = len(found.target.package_frames) if found.target is not None else len(own)
    start = own[-asked] if own and asked else len(found.frames)
    levels = {number: len(own) - place for place, number in enumerate(own)}
    for number, one in enumerate(found.frames):
        yield _frame(one, _role(one, number, start, own), levels.get(number, 0))


def _role(one: MatchedFrame, number: int, start: int, own: Sequence[int]) -> str:
    if one.frame is None:
        return "missing"
    if number < start:
        return "caller"
    if number == own[-1]:
        return "crash"
    if number == start:
        return "target"
    return "path" if number in own else ("between" if number < own[-1] else "beyond")


def _frame(one: MatchedFrame, role: str, level: int) -> ExplainedFrame:
    reported = one.reported
    shown = f"{reported.path}:{reported.line}" if reported.line is not None else reported.path
    if one.frame is None:
        return ExplainedFrame(shown, reported.function, role, module=one.module, stdlib=one.stdlib, reason=one.reason)
    frame = one.frame
    return ExplainedFrame(
        shown,
        reported.function,
        role,
        place=f"{frame.path}:{frame.line}",
        code=f"{frame.key.module}:{function_name(frame)}",
        module=frame.key.module,
        level=level,
        stdlib=one.stdlib,
        moved=frame.line != reported.line and not one.apart,
        repeated=frame.repeated,
        source=frame.source,
        note=one.note,
    )


def _plan(target: CrashTarget) -> SearchPlan:
    way = way_in(target)
    exact = is_exact(target.exception)
    template = normalise_message(target.exception, target.message)
    if target.exception.rpartition(".")[2] == "KeyError":
        rule = "any key"
    else:
        rule = "the same but for addresses" if exact else f"the same but for quoted values and numbers: {_short(template)}"
    named = [value for value in message_values(target.message) if not (isinstance(value, str) and value in _TYPES)]
    literals = [*named, *(value for site in target.call_sites for value in _literals(site.source))]
    shown = [*(site.local_values for site in target.call_sites), *(frame.local_values for frame in target.frames)]
    values = [f"{name} = {_short(text)}" for local_values in shown for name, text in local_values.items() if not _is_dunder(name)]
    instrumented = dict.fromkeys(
        f"{module_file(frame)}:{frame.line} {function_name(frame)}"
        for frame in target.package_frames
        if not frame.key.name.startswith("<")
    )
    return SearchPlan(
        entry=way.entry,
        how=way.how,
        private=way.private,
        sure=way.sure,
        instrumented=tuple(instrumented),
        exception=target.exception,
        message=target.message,
        rule=rule,
        echoed=tuple(site.source for site in reversed(target.call_sites) if parse_echo(site.source)),
        literals=tuple(dict.fromkeys(_short(repr(value)) for value in literals))[:_MOST_SHOWN],
        local_values=tuple(dict.fromkeys(values))[:_MOST_SHOWN],
    )


def _is_dunder(name: str) -> bool:
    """Such as ``__builtins__`` among the locals of a module: nobody's value."""
    return name.startswith("__") and name.endswith("__")


def _literals(source: str) -> Iterator[object]:
    for tree in parse_echo(source):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value is not None and not isinstance(node.value, (bool, type(...))):
                yield node.value


def _foreign(found: ExaminedReport) -> Iterator[str]:
    """What the user should know of whose code is searched."""
    if not found.package or found.target is None:
        return
    callers = [one for one in found.frames if one.frame is None and not one.missing_package and one.reported.path[:1] != "<"]
    third_party = any("site-packages" in one.path or "dist-packages" in one.path for one in found.target.package_frames)
    if third_party and callers and len(callers) == len([one for one in found.frames if not one.module]):
        places = ", ".join(dict.fromkeys(one.reported.path for one in callers[:3]))
        yield (
            f"only frames of installed packages were found; the code that calls them ({places}) is not here: name its folder with "
            "--path DIR to reproduce it from there"
        )


def _group(crash: ReportedException) -> Iterator[str]:
    if crash.group:
        yield f"an exception group of {len(crash.group)}: --report-number chooses a member"


def _headline(one: ReportedException) -> str:
    message = _message(one).partition("\n")[0]
    text = f"{one.type}: {message}" if message else one.type
    link = {"cause": "the direct cause of the next", "context": "handled when the next was raised"}.get(one.link or "", "")
    return f"{_short(text)} ({link})" if link else _short(text)


def _message(one: ReportedException) -> str:
    return "\n".join((one.message, *one.notes))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."

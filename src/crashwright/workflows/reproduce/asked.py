"""What a run is given by others: the candidates that the user names, and the program that is asked for more."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

from crashwright.core.messages import Progress
from crashwright.crash.resolve import ResolvedCrash
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import LONGEST, SuggestedInReport, suggested_code
from crashwright.workflows.deadline import Clock
from crashwright.workflows.events import Event, Told
from crashwright.workflows.reproduce.question import question
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.suggesting import RunningProgram, StartProgram, Suggesting


def candidates_given(request: Request, secrets: SecretFilter) -> SuggestedInReport:
    """The candidates as they are, for they are run; what looks like a secret in them is left out of what is written or sent."""
    suggested = suggested_code(request.candidates, request.report[-LONGEST:])
    for one in suggested.code:
        secrets.learn(one.source)
    return suggested._replace(problems=tuple(map(secrets.text, suggested.problems)))


def suggesting_of(
    request: Request,
    start: StartProgram,
    clock: Clock,
    resolved: ResolvedCrash,
    python: str,
    secrets: SecretFilter,
    listen: Callable[[Event], None],
) -> Suggesting:
    """What asks the user's program, and knows what it answered to an earlier run."""
    command = shlex.split(request.suggest)

    def asked(call: int, progress: Progress | None, best: Sequence[dict[str, Any]]) -> str:
        return question(
            resolved.target,
            report=request.report,
            subject=resolved.subject,
            python=python,
            call=call,
            progress=progress,
            best=best,
            secrets=secrets,
        )

    def ask(text: str, seconds: float) -> RunningProgram:
        return start(command, text, seconds)

    def tell(text: str) -> None:
        listen(Told(text))

    if command:
        withheld = "" if "secrets" in request.allow else ", without anything that looks like a secret"
        what = f"the report, the code of its frames, the best tests{withheld}"
        tell(f"{command[0]} is asked for candidates, at most {request.suggest_calls} times, and gets {what}")
    calls, known = request.suggest_calls, request.suggestions
    return Suggesting(ask if command else None, asked, tell, secrets.text, clock, learn=secrets.learn, calls=calls, known=known)

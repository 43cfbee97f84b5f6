"""Which of several installed libraries a user called: the one whose requirements led to the crash.

With no code of the user's among the frames, the innermost library is rarely the one to blame a test on: a client of it was called
and passed on what it was given. So one goes outwards from the crash as long as the library there requires the one further in, or
imports it. A framework that calls back does neither; and the user's own frames end the walk, whether or not their file is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crashwright.crash.matched_frames import MatchedFrame
from crashwright.crash.ownership import is_own
from crashwright.environment.distributions import distribution_of, normal, requirements_of
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import imported_names


def called_library(matched: Sequence[MatchedFrame], interpreter: Interpreter) -> str:
    """The import name of the library that was called, "" where no installed library has a frame."""
    called = ""
    for one in reversed(matched):
        if one.stdlib or _made_at_run_time(one):
            continue
        package = one.module.partition(".")[0]
        if not package or is_own(one):
            break  # the user's own frame, a test, or that of a package that is not here
        if called and package != called and not _leads_to(one, package, called, interpreter):
            break
        called = package
    return called


def _made_at_run_time(one: MatchedFrame) -> bool:
    return one.reported.path.startswith("<") and one.reported.function != "<module>"


def _leads_to(one: MatchedFrame, package: str, called: str, interpreter: Interpreter) -> bool:
    """Does ``package``, whose frame ``one`` is, require what was called, or import it there? Two packages of one distribution
    are one library."""
    inner = distribution_of(called, interpreter.sys_path)
    if inner is not None:
        outer = distribution_of(package, interpreter.sys_path)
        if outer == inner or normal(inner.name) in requirements_of(package, interpreter.sys_path):
            return True
    return any(name.partition(".")[0] == called for name in imported_names(Path(one.path)))

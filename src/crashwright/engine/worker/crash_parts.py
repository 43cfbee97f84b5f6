"""What the zygote makes once for all forks that search for a crash."""

from __future__ import annotations

import ast
from typing import NamedTuple

from crashwright.core.messages import Start
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.crash_goals import path_nodes
from crashwright.engine.search.request_seeds import request_names, request_sessions
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.documentation import Documentation, documentation_of
from crashwright.engine.subject.entry import Entry
from crashwright.engine.subject.flags import FlagAnalysis
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.shipped_tests import shipped_tests
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage import Session
from crashwright.engine.testcase.echo_names import Known


class Parts(NamedTuple):
    """What the zygote has made for its forks."""

    start: Start
    recorder: Recorder
    api: ApiModel
    entry: Entry
    sources: Sources
    flags: FlagAnalysis | None
    path: tuple[list[ast.AST], list[ast.AST]]
    """The functions on the path, and the modules that they are in."""
    examples: Documentation
    """Of the documentation and of the tests that come with the package: reading them takes a second or more."""
    names: dict[str, Known]
    """What ``requests`` name beyond the package."""
    requests: tuple[Session, ...]
    """Calls of the entry with a web framework's request."""


def parts_of(start: Start, recorder: Recorder, api: ApiModel, entry: Entry, sources: Sources, flags: FlagAnalysis | None) -> Parts:
    """Read what the forks need of the package's files."""
    top = start.target.package.partition(".")[0]
    shown = documentation_of(top, loaded_names(top))
    names = frozenset(callee.name for callee in entry.callees)
    examples = shown._replace(sessions=shipped_tests(top, names) + shown.sessions)
    path = path_nodes(start.target, sources)
    known = request_names(start.settings.preparation, api)
    requests = request_sessions(start.settings.preparation, known, entry.callees, path[0])
    return Parts(start, recorder, api, entry, sources, flags, path, examples, known, requests)

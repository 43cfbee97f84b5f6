"""What the zygote makes once for all forks that search for a suite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crashwright.core.messages import StartSuite
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee
from crashwright.engine.subject.documentation import Documentation, documentation_of
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.subject.shipped_tests import shipped_tests
from crashwright.engine.subject.source import ModuleSource, Sources


class Parts(NamedTuple):
    """What the zygote has made for its forks."""

    start: StartSuite
    recorder: Recorder
    instrumentation: Instrumentation
    sources: Sources
    source: ModuleSource
    api: ApiModel
    callables: tuple[Callee, ...]
    at_import: Trace
    engine_modules: frozenset[str]
    """What was loaded before the subject: the engine itself runs on it, so it is not instrumented."""
    examples: Documentation
    """Of the documentation and of the tests that come with the package: reading them takes a second or more."""


def examples_of(package: str, callables: Iterable[Callee]) -> Documentation:
    """Usage examples of ``package``, of its tests those that call one of ``callables``."""
    shown = documentation_of(package, loaded_names(package))
    return shown._replace(sessions=shipped_tests(package, frozenset(one.name for one in callables)) + shown.sessions)

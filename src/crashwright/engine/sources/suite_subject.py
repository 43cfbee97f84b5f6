"""What is known of a module and its package: read once, in the zygote, for all forks that search for a suite."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.core.messages import StartSuite
from crashwright.engine.frameworks.click_runner import RunProgram
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.sources.values.example_seeds import ShownExamples
from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.sources.values.usual_types import UsualTypes, usual_in
from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain


class SuiteSubject(NamedTuple):
    """It never changes."""

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
    wanted: WantedTypes | None
    """What the package wants of parameters without annotations."""
    programs: tuple[RunProgram, ...]
    """Those whose commands are functions of the module."""
    examples: ShownExamples
    """Of the documentation and of the tests that come with the package: reading them takes a second or more."""


def usual_in_module(subject: SuiteSubject, factory: Factory) -> UsualTypes:
    """What the parameters of the module's callables usually take."""
    used = UsedAnywhere(subject.api, subject.sources, subject.wanted)
    names = NameChain(subject.api, factory.entry)
    return usual_in(subject.examples.sessions, (subject.source.tree,), names, factory.names, used.hints)

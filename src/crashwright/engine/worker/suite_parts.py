"""What the zygote makes once for all forks that search for a suite."""

from __future__ import annotations

import sys
from typing import NamedTuple

from crashwright.core.messages import StartSuite
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee
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
    progress_seconds: float


def loaded(package: str) -> list[str]:
    """The modules of a package that are loaded."""
    return [name for name in list(sys.modules) if name == package or name.startswith(package + ".")]

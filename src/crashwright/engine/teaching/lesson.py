"""What a teaching is, and what it works on.

A *teaching* is a function that takes a lesson (of a crash, or of a suite) and tells the factory, its pool of values or its
preferences something: constants, types of parameters, calls that lead further. It runs no test. Its row in the table
(``teaching.table``) has its name, by which users switch it off, and the mechanism that it is a part of; its place there is when it
is its turn. Some draw from the random numbers of the search: a new one that draws has a generator of its own, or all searches
change.

A lesson holds what several teachings need, read once. What they leave for the search beside the factory is ``state_lines``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from crashwright.core.target import CrashTarget
from crashwright.engine.sources.crash_subject import CrashSubject, needed_by
from crashwright.engine.sources.state_lines import StateLines
from crashwright.engine.sources.values.used_types import ReadModules, UsedTypes
from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.closures import Closure
from crashwright.engine.subject.api.module_api import private_callables_of
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool


@dataclass
class CrashLesson:
    """For a search for a crash."""

    subject: CrashSubject
    factory: Factory
    definer: Definer | None
    rng: Random
    state_lines: list[StateLines] = field(default_factory=list)
    """Lines that fill the state of objects."""

    @property
    def pool(self) -> SeedPool:
        """The values that all tests draw from."""
        return self.factory.pool

    @property
    def target(self) -> CrashTarget:
        """The crash."""
        return self.subject.start.target

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The modules of the package's frames, the outermost first."""
        return tuple(dict.fromkeys(frame.key.module for frame in self.target.package_frames))

    @cached_property
    def live(self) -> list[Mapping[str, object]]:
        """Their namespaces."""
        return [loaded_dict(name) for name in self.modules]

    @cached_property
    def needed(self) -> tuple[Callee, ...]:
        """What a test has to call to come to the target, as far as it is known when one asks first: makers are told before."""
        return needed_by(self.factory)

    @property
    def closure(self) -> Closure | None:
        """The function that the entries make, if they do."""
        return self.factory.preferences.closure


@dataclass
class SuiteLesson:
    """For a search for the suite of ``module``."""

    factory: Factory
    api: ApiModel
    sources: Sources
    module: str
    rng: Random
    wanted: WantedTypes | None = None
    """What the package wants of parameters."""
    shown: Sequence[tuple[float, object]] = ()
    """Values of usage examples, with their weights."""

    @cached_property
    def source(self) -> ModuleSource | None:
        """Of the module, if there is any."""
        found = self.sources.of_module(self.module)
        return found if isinstance(found, ModuleSource) else None

    @cached_property
    def callables(self) -> tuple[Callee, ...]:
        """What tests may call of it, now or later."""
        private = private_callables_of(self.api, self.module)
        return tuple(dict.fromkeys((*self.factory.entry, *private, *self.factory.relatives)))

    @cached_property
    def used(self) -> UsedTypes:
        """What its functions use their parameters as."""
        read = ReadModules(self.api.package, self.sources, across=True)
        return UsedTypes(self.api, self.sources, self.module, read, self.wanted)

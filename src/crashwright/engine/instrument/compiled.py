"""The compiled probes, and the one place that chooses between them and those in Python.

They are one extension module for every CPython from 3.11 on (the limited API), which stands beside this file where it could be
built. It is loaded by its path and only here: nothing of it is installed in the environment of the subject.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from crashwright.engine.instrument import distances
from crashwright.engine.instrument.activation import RecordedActivation
from crashwright.engine.instrument.infection_measures import OPERATIONS
from crashwright.engine.instrument.infection_probes import Entry, Group, MakeSite, MutantLedger, SiteProbes, probes_of
from crashwright.engine.instrument.interface import UNSET, Probes
from crashwright.engine.instrument.layout import ProbeLayout
from crashwright.engine.instrument.python_probes import PythonProbes
from crashwright.engine.subject.mutants.enumeration import Mutant

FILE = "_probes.abi3.so"
CHOICE = "CRASHWRIGHT_PROBES"
"""The environment variable that chooses otherwise: ``python``, or the path of a compiled module."""
PYTHON = "python"


class ProbeChoice(NamedTuple):
    """``module`` is the compiled one; None, for the reason in ``why``: the probes in Python."""

    module: ModuleType | None
    why: str = ""

    @property
    def text(self) -> str:
        """In words for the user."""
        return "compiled" if self.module is not None else f"in Python ({self.why})"


def choice() -> ProbeChoice:
    """Which probes engines of this interpreter record with."""
    wanted = os.environ.get(CHOICE, "")
    if wanted == PYTHON:
        return ProbeChoice(None, f"{CHOICE} says so")
    return loaded(wanted or str(Path(__file__).with_name(FILE)))


@cache
def loaded(path: str) -> ProbeChoice:
    """The compiled module in this file, if it is one for this interpreter."""
    if sys.implementation.name != "cpython" or sys.abiflags:  # debug and free-threaded builds have objects of another layout
        return ProbeChoice(None, f"{sys.implementation.name} {sys.abiflags}".strip() + " is no interpreter for the compiled ones")
    if not os.path.exists(path):
        return ProbeChoice(None, "the compiled ones were not built: pip had no C compiler")
    loader = ExtensionFileLoader("_probes", path)
    try:
        module = module_from_spec(ModuleSpec("_probes", loader, origin=path))
        loader.exec_module(module)
    except (ImportError, OSError) as error:
        return ProbeChoice(None, f"the compiled ones cannot be loaded: {error}")
    return ProbeChoice(module)


def probes(layouts: list[ProbeLayout], limit: int) -> Probes:
    """The probes of this interpreter."""
    module = choice().module
    return PythonProbes(layouts, limit) if module is None else CompiledProbes(layouts, limit, module)


def sites(probes: Probes) -> MakeSite:
    """What makes the probes of mutation sites, to go with those."""
    return probes.site if isinstance(probes, CompiledProbes) else partial(probes_of, compared=probes.compared)


class CompiledProbes:
    """The hot probes in C. They hand what they do not measure to those in Python, which also do everything else."""

    def __init__(self, layouts: list[ProbeLayout], limit: int, module: ModuleType) -> None:
        self._twin = twin = PythonProbes(layouts, limit)
        self._module = module
        operations = tuple(OPERATIONS.values())
        helpers = (distances, RecordedActivation, Group, operations, UNSET)
        self._core = core = module.Core(twin, twin.notes, helpers, layouts, limit)
        self.enter, self.current, self.resumed = core.enter, core.current, core.resumed
        self.begin, self.activations = core.begin, core.activations
        self.lt, self.le, self.eq, self.ne = core.lt, core.le, core.eq, core.ne
        self.in_, self.not_in, self.isinstance_ = core.in_, core.not_in, core.isinstance_
        self.startswith, self.endswith = core.startswith, core.endswith
        self.truth, self.value, self.flag, self.exhausted = core.truth, core.value, core.flag, core.exhausted
        self.chain, self.compared = core.chain, core.compared
        self.text_is, self.except_, self.except_star = twin.text_is, twin.except_, twin.except_star
        self.index, self.divisor = twin.index, twin.divisor
        self.entered, self.begin_entries, self.measure = twin.entered, twin.begin_entries, twin.measure
        self.noted, self.answers = twin.noted, twin.answers
        self.keep_latest, self.drop_latest = twin.keep_latest, twin.drop_latest

    def site(
        self, mutants: Sequence[Mutant], entries: list[Entry], live: list[Entry], group: Group, ledger: MutantLedger
    ) -> SiteProbes:
        """The probes of a mutation site: see ``infection_probes``."""
        twin = probes_of(mutants, entries, live, group, ledger, self.compared)
        if not twin.kind:
            return twin
        made = self._module.Site(self._core, twin.kind, twin.plain, twin.original, group, ledger.least, ledger.changed)
        evaluated = twin.evaluated and made.evaluated
        compared = twin.compared and made.compared
        return twin._replace(plain=made.plain, evaluated=evaluated, compared=compared, renewed=made.renewed)

    def note(self, on: bool, /) -> None:
        """See ``interface``."""
        self._twin.note(on)
        self._tell()

    def note_orders(self, on: bool, /) -> None:
        """See ``interface``."""
        self._twin.note_orders(on)
        self._tell()

    def note_answers(self, on: bool, /) -> None:
        """See ``interface``."""
        self._twin.note_answers(on)
        self._tell()

    def _tell(self) -> None:
        notes = self._twin.notes
        self._core.noting(notes.on, notes.orders, notes.answering)

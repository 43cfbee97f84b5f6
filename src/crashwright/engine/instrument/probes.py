"""The recorder: what instrumented functions did in a run, through probes that are compiled or in Python (``compiled.probes``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType

from crashwright.core.location import CodeKey
from crashwright.engine.instrument import (
    comparisons,
    compiled,
    distances,
    entries,
    infection_measures,
    infection_probes,
    noting,
    peek,
    python_probes,
    sites,
    text_distances,
)
from crashwright.engine.instrument.activation import begun
from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.interface import Measure, NotedValue, Probes
from crashwright.engine.instrument.layout import Branching, ProbeLayout
from crashwright.engine.instrument.trace import Activation, ProbedFunction, Trace

Measures = Mapping[CodeKey, Callable[[Sequence[str]], Measure]]
"""What makes the measure of a function for the names of its parameters, in the order in which it gets their values."""
DEFAULT_LIMIT = 2000


class Recorder:
    """What instrumented functions did since the last ``reset``. One per engine: rewritten code is bound to its probes.

    At most ``limit`` activations are kept; later calls run on with activations that are thrown away.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT, make: Callable[[list[ProbeLayout], int], Probes] | None = None) -> None:
        self._layouts: list[ProbeLayout] = []
        self._functions: tuple[ProbedFunction, ...] = ()
        self._looked = False
        self._taken: tuple[NotedValue, ...] = ()
        self._measures: Measures = {}
        self._measured: dict[int, tuple[str, ...]] = {}
        self.probes: Probes = (make or compiled.probes)(self._layouts, limit)
        self.infections = Infections(compiled.sites(self.probes))
        self.reset()

    @property
    def functions(self) -> tuple[ProbedFunction, ...]:
        """All that were registered; activations hold indexes of it."""
        return self._functions

    def register(
        self, function: ProbedFunction, branchings: tuple[Branching, ...] = (), measured: tuple[str, ...] | None = None
    ) -> int:
        """The number under which the function's activations will record. ``measured``: the parameters that its entry probe tells
        of, where it has one."""
        number = len(self._layouts)
        self._functions = (*self._functions, function)
        self._layouts.append(ProbeLayout(number, len(function.markers), len(function.predicates), branchings))
        if measured is not None:
            self._measured[number] = measured
            self.probes.measure(number, self._measures[function.key](measured))
        return number

    def reset(self) -> None:
        """A run begins; the frames of the caller and beneath it are not the subject's. Earlier activations stay as they are."""
        self._looked = False
        self.probes.keep_latest()
        self.infections.begin()
        self.probes.begin_entries()
        self.probes.begin()

    def trace(self) -> Trace:
        """What was touched since ``reset``. May be asked at any time, and again later in the run."""
        activations = self.probes.activations()
        if self._looked:
            for activation in activations:
                activation.forget_view()
        self._looked = True
        copied: list[Activation] = [*activations]
        return Trace(self._functions, copied, (), self.infections.taken())

    def measure_entries(self, measures: Measures) -> None:
        """The functions that are rewritten from now on measure their arguments so, as they are entered; those that do already, from
        the next run on."""
        self._measures = measures
        for number, parameters in self._measured.items():
            self.probes.measure(number, measures[self._functions[number].key](parameters))

    @property
    def measured(self) -> frozenset[CodeKey]:
        """The functions that are to have entry probes."""
        return frozenset(self._measures)

    def drop_wanted(self) -> None:
        """Forget the values that comparisons of the run since ``reset`` wanted: it was cut off, and they are chance."""
        self.probes.drop_latest()

    def note_wanted(self, on: bool) -> None:
        """From now on note, or do not note, the values that comparisons wanted (dynamic seeding)."""
        self._taken = ()
        self.probes.note(on)

    def note_orders(self, on: bool) -> None:
        """From now on those of orderings of integers too, or not; while wanted values are noted at all."""
        self.probes.note_orders(on)

    def note_answers(self, on: bool) -> None:
        """From now on note, or do not note, what stood in the place of the values that comparisons wanted."""
        self.probes.note_answers(on)

    def answers(self) -> tuple[tuple[NotedValue, NotedValue], ...]:
        """What was compared lately, each with what was wanted in its place: texts and whole numbers, oldest first."""
        return self.probes.answers()

    def take_wanted(self) -> tuple[NotedValue, ...]:
        """Those of :attr:`wanted` that are new since this was asked last."""
        values = self.probes.noted()
        last, self._taken = self._taken, values[-1:]
        if last:
            for number, value in enumerate(reversed(values)):
                if value is last[0] or (type(value) is type(last[0]) and value == last[0]):
                    return values[len(values) - number :]
        return values

    @property
    def wanted(self) -> tuple[NotedValue, ...]:
        """The values noted last, oldest first: strings and bytes below 100 characters, numbers; at most 256."""
        return self.probes.noted()


def is_probe_code(code: CodeType) -> bool:
    """Whether a frame of this code is ours and to be stripped from tracebacks of the subject."""
    return code.co_filename in _FILES


_FILES = frozenset(
    function.__code__.co_filename
    for function in (
        is_probe_code,
        comparisons.record,
        distances.to_equal,
        entries.Entries.entered,
        text_distances.difference,
        noting.affix,
        python_probes.PythonProbes.note,
        sites.index,
        infection_probes.probes_of,
        infection_measures.relation,
        peek.attribute_of,
        begun,
    )
)

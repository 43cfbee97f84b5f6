"""Probes in whatever functions of the package tests run through, beside those of the path: what a parser reached and what it
compared shows there first, long before the crash comes nearer.

They record apart from those of the path, which goals look at. Only statements are told of, which costs little; comparisons have
a code of their own, while :meth:`WideProbes.compared` runs something (``instrument.comparison_log``).

# Deviation: not in the papers; coverage of the whole program is what coverage-guided fuzzers keep inputs by.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from types import CodeType, FrameType, FunctionType

from crashwright.core.location import CodeKey
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.instrument.comparison_log.code import LoggedCode
from crashwright.engine.instrument.comparison_log.log import ComparisonLog
from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.instrument.comparison_log.rewriting import logged_functions
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.live import all_objects
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.introspection import MODULES, loaded_dict, loaded_names
from crashwright.engine.subject.project import module_file

LIMIT = 1000
"""Activations of a run that are kept."""
HOT = 3000
"""Calls of a function in one run above which it is left alone: probes there would cost more than they tell."""
MOST_FUNCTIONS = 400
LARGEST_HEAP = 400_000
"""Objects that the collector knows, above which functions are left alone: to look at all of them takes a second each time."""
MOST_TIMES = 3
"""How often new functions are given probes: each time takes a look at everything alive."""
ENOUGH = 4
"""New functions for which that is worth it, after the first time."""
LEFT_ALONE = frozenset(
    "abc collections contextlib copyreg dataclasses enum functools importlib inspect linecache logging re struct threading "
    "traceback types typing unittest warnings weakref".split()
)
"""Of the standard library: what the log itself calls, and what reads no texts."""
BENEATH = 1_000_000
"""The first number of a comparison in the standard library."""


class WideProbes:
    """``chain``: what has probes already. ``exchanged`` is called where functions have been given other code (see
    ``blocker_probes``). Off at the beginning."""

    def __init__(self, package: str, chain: Collection[CodeKey], exchanged: Callable[[], None], tells: bool = True) -> None:
        """``tells``: of statements, and not of comparisons alone."""
        self.tells = tells
        self._package = package
        self._chain = frozenset(chain)
        self._exchanged = exchanged
        self._recorder = Recorder(LIMIT)
        self._novelty = Novelty(LIMIT)
        self._probed: list[Instrumentation] = []
        self._known: set[CodeKey] = set(chain)
        self._modules: dict[str, str] | None = None
        self._times = 0
        self._log = ComparisonLog()
        self._logged = LoggedCode(lambda source, path, site: logged_functions(source, path, self._log, site))
        self._beneath = LoggedCode(lambda source, path, site: logged_functions(source, path, self._log, max(site, BENEATH)))
        """Of the standard library."""

    def discover(self, run: Callable[[], object]) -> None:
        """Give probes to the functions that ``run`` enters."""
        if self._times >= MOST_TIMES or len(self._known) > MOST_FUNCTIONS or gc.get_freeze_count() > LARGEST_HEAP:
            run()
            return
        if self._modules is None:
            self._modules = {file: name for name in loaded_names(self._package) if (file := module_file(name))}
        callers: dict[CodeType, set[str]] = {}
        calls = entered(run, callers)
        keys = self._keys(calls, self._modules)
        found = [key for key in keys if key not in self._known]
        # What the path's own functions compare counts, too, though they have probes already.
        if len(found) < ENOUGH if self._times else not keys:
            return
        self._choose(keys, calls, callers)
        self._times += 1
        self._exchanged()

    def _choose(self, found: Sequence[CodeKey], calls: Counter[CodeType], callers: Mapping[CodeType, Collection[str]]) -> None:
        """What was entered, and the other functions of its modules: what is entered for the first time is news."""
        beyond = {file: name for name in libraries(self._package) if (file := module_file(name))}
        standard = standard_readers(callers, {*(self._modules or ()), *beyond})
        beyond |= standard
        entered_beyond = self._keys(calls, beyond)
        modules = {id(loaded_dict(name)): name for name in dict.fromkeys(key.module for key in (*found, *entered_beyond))}
        alive = [(_key(function, modules), function) for function in functions_in(modules)]
        hot = {(code.co_filename, code.co_qualname) for code, times in calls.items() if times > HOT}
        beside = [
            key
            for key, function in alive
            if key.module not in beyond.values() and (function.__code__.co_filename, key.qualname) not in hot
        ]
        new = [*dict.fromkeys(key for key in (*found, *beside) if key not in self._known)][:MOST_FUNCTIONS]
        logged = frozenset((*new, *entered_beyond, *(() if self._times else self._chain)))
        beneath = {*standard.values()}
        self._logged.choose((key, function) for key, function in alive if key in logged and key.module not in beneath)
        self._beneath.choose((key, function) for key, function in alive if key in logged and key.module in beneath)
        self._known.update(new)
        if not self.tells:
            return
        chosen: dict[str, set[CodeKey]] = {}
        for key in new:
            chosen.setdefault(key.module, set()).add(key)
        probes = Instrumentation(self._recorder, chosen, None, resumptions=True)
        probes.attach()
        self._probed.append(probes)

    def _keys(self, calls: Counter[CodeType], modules: Mapping[str, str]) -> list[CodeKey]:
        keys = [
            CodeKey(modules[code.co_filename], code.co_qualname, code.co_firstlineno)
            for code, times in calls.items()
            if code.co_filename in modules and times <= HOT and not code.co_name.startswith("<")
        ]
        return keys[:MOST_FUNCTIONS]

    def __bool__(self) -> bool:
        return self._times > 0

    def on(self) -> None:
        """Statements are told of from now on."""
        for probes in self._probed:
            probes.narrow(None)
        self._exchanged()

    def off(self) -> None:
        """The functions have their own code again."""
        for probes in self._probed:
            probes.uninstall()
        self._exchanged()

    def begin(self) -> None:
        """A run begins."""
        self._recorder.reset()

    def is_new(self) -> bool:
        """Whether it reached a statement that no run before did."""
        return self._novelty.is_new(self._recorder.trace())

    def compared(self, text: str, run: Callable[[], object]) -> ComparisonNotes:
        """What ``run`` compares with pieces of ``text``, which it is given; in the functions of the path too. If that is nothing,
        it is run once more: the standard library may turn the text away before it gets there."""
        notes = self._noted(text, run, self._logged)
        if notes.wants or not self._beneath:
            return notes
        more = self._noted(text, run, self._logged, self._beneath)
        return more if more.wants else notes

    def _noted(self, text: str, run: Callable[[], object], *codes: LoggedCode) -> ComparisonNotes:
        self._log.begin(text)
        for code in codes:
            code.on()
        try:
            run()
        finally:
            for code in reversed(codes):
                code.off()
            notes = self._log.end()
        return notes


def _key(function: FunctionType, modules: Mapping[int, str]) -> CodeKey:
    code = function.__code__
    return CodeKey(modules[id(function.__globals__)], code.co_qualname, code.co_firstlineno)


def functions_in(modules: Container[int]) -> list[FunctionType]:
    """The functions that are alive and have one of these dictionaries, by identity, as their globals; no lambdas."""
    return [
        one
        for one in all_objects()
        if type(one) is FunctionType and id(one.__globals__) in modules and one.__code__.co_name[:1] != "<"
    ]


def libraries(package: str) -> list[str]:
    """The modules that are loaded of neither the package nor the standard library, nor us: what it parses with may be there."""
    ours = (*sys.stdlib_module_names, package, __name__.partition(".")[0])
    return [name for name in list(MODULES) if type(name) is str and name.partition(".")[0] not in ours]


def standard_readers(callers: Mapping[CodeType, Collection[str]], files: Container[str]) -> dict[str, str]:
    """The modules of the standard library, by their files, of which code in ``files`` called a function: a text may go through
    them before anything of the package sees it."""
    called = {code.co_filename for code, by in callers.items() if any(file in files for file in by)}
    names = [
        name
        for name in list(MODULES)
        if type(name) is str and (top := name.partition(".")[0]) in sys.stdlib_module_names and top not in LEFT_ALONE
    ]
    return {file: name for name in names if (file := module_file(name)) in called}


def entered(run: Callable[[], object], callers: dict[CodeType, set[str]] | None = None) -> Counter[CodeType]:
    """How often ``run`` calls each function in Python, and from which files. A profiler that is there gets its place back."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1
            if callers is not None and frame.f_back is not None:
                callers.setdefault(frame.f_code, set()).add(frame.f_back.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls

"""Isolation of one test from the next in two tiers: a cheap look after each test, and a restore where something changed.

Each test pays for the hot part of the subject's state (containers, assigned globals) and for one chunk of the rest in turn, so that
every change is seen within a few tests at a bounded price. What cannot be put back is a reason for a new fork.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import shutil
import sys
from collections.abc import Callable, Collection, Iterable
from gc import collect
from os import close, dup  # subjects replace them
from stat import S_IRWXU, S_ISDIR
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.isolation.ambient import LEFT_RUNNING, AmbientState, make_again, uses
from crashwright.engine.execution.isolation.changes import Name, StateChange, changes_since
from crashwright.engine.execution.isolation.pooled_connections import PooledConnections
from crashwright.engine.execution.isolation.snapshot import CHUNK, VIEW_COST, Chunk, HeldState, Snapshot, chunks
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.execution.streams import Streams
from crashwright.engine.subject.introspection import loaded_module, loaded_names

SETTINGS_EVERY = 64
"""Tests between two checks of the settings of the process (decimal, warnings, signals ...)."""
THOROUGH_EVERY = 64
"""Of those, each so-manieth checks everything there is."""
HOT_ITEMS = 2 * CHUNK
MAX_CACHES = 40
MOST_LEFT_OPEN = 100
"""What tests leave open must not starve the tests after them."""
FILES_LEFT_OPEN = "the tests left too many files open"


def modules_of(packages: Iterable[str]) -> tuple[ModuleType, ...]:
    """The loaded modules of ``packages``, by name."""
    names = sorted({name for package in packages for name in loaded_names(package)})
    return tuple(module for module in map(loaded_module, names) if module is not None)


Cache: TypeAlias = "functools._lru_cache_wrapper[Any]"
_INFO = functools._lru_cache_wrapper.cache_info


class Warm(NamedTuple):
    """An ``lru_cache`` that is not emptied, and how much it holds."""

    cache: Cache
    size: int


class Base(NamedTuple):
    """A state that is kept: what every test begins with."""

    snapshot: Snapshot
    warm: tuple[Warm, ...] = ()


class Isolation:
    """Keeps the state of ``packages`` as it is when this object is made: after the import, before the first test.

    ``folders`` are emptied after tests that wrote to the scratch folder.
    """

    def __init__(
        self,
        packages: Iterable[str],
        streams: Streams,
        seed: int = 0,
        folders: tuple[str, ...] = (),
    ) -> None:
        self._packages = tuple(packages)
        modules = modules_of(self._packages)
        names = [name for package in self._packages for name in loaded_names(package)]
        self._streams = streams
        self._folders = folders
        self._ambient = AmbientState(names, streams, seed, uses(modules, random))
        self._uses_random = self._ambient.uses_random
        self._builtins = self._ambient.builtin_values
        self._disturbed, self._unsettled = self._ambient.disturbed, self._ambient.unsettled
        self._guard: Guard | None = None
        self._most_open = sys.maxsize
        self._tolerated: frozenset[str] = frozenset()
        self._thorough: Callable[[], None] = _nothing
        self._pooled: PooledConnections | None = None
        self._countdown = SETTINGS_EVERY * THOROUGH_EVERY
        self._turn = 0
        self._hot: list[Chunk] = []
        self._cold: list[Chunk] = []
        self.restores = 0
        """How often something had to be put back."""
        self._snapshot: Snapshot
        self._caches: list[Callable[[], None]]
        self._often: tuple[Callable[[], object], ...]
        self._warm: list[Warm]
        self._small_parts_changed: Callable[[], bool]
        self._watch(Base(Snapshot(modules)))

    def begin(
        self, guard: Guard | None = None, tolerated: frozenset[str] = frozenset(), thorough: Callable[[], None] | None = None
    ) -> None:
        """Called once in the fork, before its first test. ``guard`` tells which tests wrote files; ``tolerated`` are reasons
        for a new fork that did not help before and are passed over; ``thorough`` is called now and then (the clock starts
        itself again there).
        """
        self._guard = guard
        if guard is not None:
            guard.redefined.clear()  # what the import did is what there is
        self._tolerated = tolerated
        self._ambient.threads_may_stay = LEFT_RUNNING in tolerated
        self._thorough = thorough or _nothing
        self._pooled = PooledConnections()
        for clear in self._caches:
            clear()
        self._ambient.reseed()
        self._most_open = _lowest_free() + MOST_LEFT_OPEN

    def after_test(self) -> str | None:
        """Check, and restore where needed. The reason, where that fails: then no further test must run in this fork."""
        if _lowest_free() > self._most_open and _lowest_free_at_last() > self._most_open:
            return self._close_files()
        live, saved = self._builtins
        if [*live] != saved:  # with no builtin function, and in line: this is asked after every test
            self._ambient.restore_builtins()
        for clear in self._often:
            clear()
        if self._warm:
            self._cool_caches()
        if self._guard is not None and self._guard.redefined:
            self._undo_redefinitions(self._guard)
        if self._disturbed():
            return self.restore()
        if self._unsettled() or (self._guard is not None and (self._guard.touched or self._guard.wrote)):
            self.restores += 1
            self._settle()
        self._countdown -= 1
        due = not self._countdown % SETTINGS_EVERY
        changed = self._changed_parts()
        if changed is not None:
            if due:
                return self.restore()
            reason = self._restore_parts(changed)
            if reason is not None:
                return reason
        elif due:
            if not self._countdown:
                return self.restore()
            self._thorough()
            self._settle()
        if self._uses_random:
            self._ambient.reseed()
        return None

    @property
    def base(self) -> Base:
        """The state that is kept now, to return to."""
        return Base(self._snapshot, tuple(self._warm))

    def changes(self) -> dict[Name, StateChange]:
        """What of the subject's state is otherwise than the one that is kept. Before :meth:`restore`."""
        return changes_since(self._snapshot)

    def filled(self) -> frozenset[Cache]:
        """The ``lru_cache`` wrappers that hold something, but those whose contents are kept anyway."""
        return frozenset(cache for cache in map(cache_of, self._caches) if _INFO(cache).currsize)

    def lay(self, changes: Iterable[StateChange], caches: Collection[Cache] = ()) -> str | None:
        """Put back all but ``changes`` and what ``caches`` hold: for a try, that :meth:`keep` or :meth:`return_to` must follow. The
        reason, where something cannot be put back."""
        known = {one.cache for one in self._warm}
        warm = [Warm(cache, _INFO(cache).currsize) for cache in caches if cache not in known]
        self._watch(Base(self._snapshot, (*self._warm, *warm)))
        reason = self.restore()
        try:
            for change in changes:
                change.put()
        except TestTimeout:
            raise
        except BaseException:  # noqa: BLE001 - keys of the subject are hashed and compared, which may raise anything
            return reason or "what the subject did at its first call cannot be kept"
        return reason

    def keep(self, changes: Iterable[StateChange], caches: Collection[Cache] = ()) -> str | None:
        """As :meth:`lay`, and from now on the state that there is then is the one to keep; what ``caches`` hold stays as long as no
        test puts more into them."""
        reason = self.lay(changes, caches)
        if reason is None:
            self._watch(Base(Snapshot(modules_of(self._packages)), tuple(self._warm)))
        return reason

    def grown(self) -> frozenset[Cache]:
        """Those whose contents are kept and into which something more was put since."""
        return frozenset(cache for cache, size in self._warm if _INFO(cache).currsize != size)

    def return_to(self, base: Base) -> str | None:
        """Keep a state of before again."""
        self._watch(base)
        return self.restore()

    def _watch(self, base: Base) -> None:
        self._snapshot = base.snapshot
        self._warm = list(base.warm)
        warm = {one.cache for one in self._warm}
        self._caches = [clear for clear in self._snapshot.caches if cache_of(clear) not in warm]
        often: list[Callable[[], object]] = [*self._caches[:MAX_CACHES], *self._ambient.transactions, *self._ambient.contexts]
        self._often = tuple(often)
        self._small_parts_changed = self._snapshot.small_parts_changed
        self._cut()

    def restore_builtins(self) -> None:
        """Give our own code its builtins back, right after a test."""
        self._ambient.restore_builtins()

    def restore(self) -> str | None:
        """Check everything and put back what changed."""
        self._ambient.restore_builtins()
        self._countdown = SETTINGS_EVERY * THOROUGH_EVERY
        self._thorough()
        self.restores += 1
        for clear in self._caches:
            clear()
        self._cool_caches()
        reasons = (self._snapshot.restore(), self._ambient.restore())
        if self._guard is not None:
            self._undo_redefinitions(self._guard)
            self._tidy(self._guard)
        if self._snapshot.reordered:
            self._snapshot.reordered = False
            self._cut()
        self._ambient.reseed()
        return next((reason for reason in reasons if reason is not None and reason not in self._tolerated), None)

    def _close_files(self) -> str | None:
        """Tests have left files open that the state of the subject still holds (event loops in a table): with everything put back
        they are closed as nobody's. The reason where that does not help."""
        reason = self.restore()
        return FILES_LEFT_OPEN if reason is None and _lowest_free_at_last() > self._most_open else reason

    def _settle(self) -> None:
        """Put back what a test sets around the subject, as environment, arguments and files, without a look at all modules."""
        self._ambient.restore_settings()
        if self._guard is not None:
            self._tidy(self._guard)

    def _tidy(self, guard: Guard) -> None:
        if guard.wrote:
            self.empty_folders()
        guard.touched = guard.wrote = False  # some of that was us, putting back the folder

    def _changed_parts(self) -> list[HeldState] | None:
        """What changed of the subject's state; None where nothing did among the hot parts and the cold ones whose turn it is. A
        test that changed one thing may have changed more: then all of it is looked at."""
        seen = self._small_parts_changed()
        for chunk in self._hot:
            seen = seen or chunk.changed()
        cold = self._cold
        if not seen and cold:
            turn = self._turn = (self._turn + 1) % len(cold)
            seen = cold[turn].changed()
        if not seen:
            return None
        return [held for chunk in (*self._hot, *cold) if chunk.changed() for held in chunk.held]

    def _cool_caches(self) -> None:
        for cache in self.grown():
            functools._lru_cache_wrapper.cache_clear(cache)

    def _restore_parts(self, parts: list[HeldState]) -> str | None:
        """Put back what was seen to change, and no more: a subject that keeps its state in a module does so at every test."""
        self.restores += 1
        reason = self._snapshot.restore_parts(parts)
        if self._snapshot.reordered:
            self._snapshot.reordered = False
            self._cut()
        return None if reason in self._tolerated else reason

    def _cut(self) -> None:
        """Split the snapshot into the chunks that every test pays for and those that take turns."""
        hot: list[HeldState] = []
        cold: list[HeldState] = []
        room = HOT_ITEMS
        for held in self._snapshot.hot:
            cost = len(held.items) + VIEW_COST
            if cost <= room:
                hot.append(held)
                room -= cost
            else:
                cold.append(held)
        self._hot = chunks(hot)
        self._cold = chunks((*cold, *self._snapshot.cold))

    def _undo_redefinitions(self, guard: Guard) -> None:
        """Functions that compile themselves at the first call do so in every test, as they will in a fresh interpreter."""
        redefined = [*guard.redefined]
        for function, name, before in reversed(redefined):
            setattr(function, name, before)
        guard.redefined.clear()  # that was us; others hold this very list

    def empty_folders(self) -> None:
        """Nothing is left in the folders that tests may fill, and nobody is connected with what was there."""
        if self._pooled is not None:
            self._pooled.close()
        for folder in self._folders:
            if not _is_usable(folder):
                make_again(folder)
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(entry.path)


def cache_of(clear: Callable[[], None]) -> Cache:
    """The ``lru_cache`` whose ``cache_clear`` this is."""
    cache: Cache = getattr(clear, "__self__")  # noqa: B009 (a method written in C: no annotation says that it has one)
    return cache


def _nothing() -> None:
    return None


def _is_usable(folder: str) -> bool:
    """Whether it is surely a folder of ours still, by one look: most tests that write do no more than that."""
    try:
        mode = os.lstat(folder).st_mode
    except OSError:
        return False
    return S_ISDIR(mode) and mode & S_IRWXU == S_IRWXU


def _lowest_free() -> int:
    """The number of the next file to be opened. Asked after every test: that takes about a microsecond."""
    try:
        free = dup(0)
    except OSError:
        return sys.maxsize
    close(free)
    return free


def _lowest_free_at_last() -> int:
    """As :func:`_lowest_free`, without what only waits for the garbage collector."""
    collect()
    return _lowest_free()

"""What the kernel does to confine a process: Landlock for files and TCP, seccomp for everything else, and root's powers dropped.

A package of its own with relative imports and the standard library only: fresh runs of printed tests get a copy of the folder.
Two stages. :meth:`Confinement.begin` comes before the subject is imported, in the process that forks engines;
:meth:`Confinement.tighten` in a process that runs tests. Neither can be undone. What a system does not have is named and left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import capabilities, landlock, seccomp
from .bpf import ASK, program
from .listener import Listener
from .parent import die_with_parent
from .policy import Policy, before_import, for_tests
from .shared_locks import keep_within
from .syscalls import System, Unavailable

__all__ = ["LAYERS", "Confinement", "die_with_parent"]

LAYERS = ("Landlock", "seccomp")
_SHARED_MEMORY = "/dev/shm"


class Confinement:
    """Of this process and its forks. ``scratch`` are the folders that may be written to; ``allow`` opens what the user names:
    ``network``, ``processes``, ``write:PATH``.

    ``layers`` is for tests of one of them, ``landlock_abi`` for those of older kernels. Once begun, ``held`` are the layers in
    force, ``missing`` why others are not, ``notes`` what could not be opened.
    """

    def __init__(
        self, scratch: Iterable[str], allow: Iterable[str] = (), layers: Iterable[str] = LAYERS, landlock_abi: int = 1 << 10
    ) -> None:
        names = tuple(allow)
        opened = [os.path.realpath(name.removeprefix("write:")) for name in names if name.startswith("write:")]
        self._roots = (*map(os.path.realpath, scratch), *opened)
        self._network = "network" in names
        self._processes = "processes" in names
        if self._processes:
            self._roots += landlock.existing([_SHARED_MEMORY])  # locks and queues between processes live there
        self._layers = tuple(layers)
        self._newest = landlock_abi
        self._abi = 0
        self._filtered = False
        self._system: System | None = None
        self._listener: Listener | None = None
        self.held: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()

    def begin(self) -> None:
        """Confine this process, which has one thread, and all that come from it; they may still fork and signal each other."""
        try:
            self._system = System()
        except Unavailable as reason:
            self.missing = tuple(f"no {layer}: {reason}" for layer in self._layers)
            return
        capabilities.drop(self._system)
        if not self._processes:
            keep_within()
        for layer, confine in (("Landlock", self._landlock), ("seccomp", self._seccomp)):
            if layer in self._layers:
                try:
                    self.held += (confine(self._system),)
                except Unavailable as reason:
                    self.missing += (f"no {layer}: {reason}",)

    def tighten(self, reserved: Iterable[int] = ()) -> None:
        """From here on this process signals itself only, and starts no other. ``reserved`` are descriptors that it may use but
        neither close nor replace. Raises Unavailable where the kernel refuses, though it did not before."""
        system = self._system
        if system is None:
            return
        if self._listener is not None:
            self._listener.let_it_look()
        if self._abi:
            landlock.confine_signals(system, self._network, self._abi)
        if self._filtered:
            seccomp.install(system, program(for_tests(self._policy(system), os.getpid(), reserved), system.machine))

    @property
    def text(self) -> str:
        """What holds, for the user."""
        if not self.missing:
            return ", ".join((*self.held, "limits"))
        held = ", ".join((*self.held, "audit hook")) + (" and limits" if self.held else " and limits only")
        return f"{held} ({'; '.join(self.missing)})"

    def _landlock(self, system: System) -> str:
        abi = min(landlock.version(system), self._newest)
        wish = landlock.Openings(self._roots, self._network, self._processes)
        self.notes += landlock.confine_files(system, wish, abi)
        self._abi = abi
        return f"Landlock {abi}"

    def _seccomp(self, system: System) -> str:
        if seccomp.action_is_known(system, ASK) and os.sep not in self._roots:
            self._listener = Listener(system, self._roots)
            self._listener.start()
        descriptor = seccomp.install(
            system, program(before_import(self._policy(system)), system.machine), self._listener is not None
        )
        if self._listener is not None:
            self._listener.let_it_look()
            self._listener.hand_over(descriptor)
        self._filtered = True
        return "seccomp"

    def _policy(self, system: System) -> Policy:
        return Policy(
            machine=system.machine,
            network=self._network,
            processes=self._processes,
            anywhere=os.sep in self._roots,
            landlock=self._abi,
            listener=self._listener is not None,
            host=os.getppid(),
        )

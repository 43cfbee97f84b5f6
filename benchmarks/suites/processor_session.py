"""The search of ``search_session.py`` with a clock that goes only while it computes: what else the machine does takes none of it.

Run in the subject's interpreter by the engine, from this file: it imports nothing of ``benchmarks``.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from dataclasses import replace

from crashwright.engine.sessions.suite import SuiteSession
from crashwright.engine.worker.protocol import Resume, Workbench

USED = struct.Struct("d")


class ProcessorSession(SuiteSession):
    """The seconds of its budget are seconds of the processor, of all forks that search one after the other."""

    def __init__(self) -> None:
        super().__init__(progress_seconds=0.0)
        self._used = mmap.mmap(-1, USED.size)
        """Shared by the forks: a fork that is killed has no time to tell."""

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Search. A fork goes on with the time that those before it have left."""
        (before,) = USED.unpack(self._used[:])
        clock = self._counted(before, bench.clocks.cpu)
        super().run(replace(bench, clocks=bench.clocks._replace(wall=clock)), replace(resume, seconds=before))

    def _counted(self, before: float, cpu: Callable[[], float]) -> Callable[[], float]:
        begin = cpu()

        def read() -> float:
            seconds = cpu() - begin
            self._used[:] = USED.pack(before + seconds)
            return seconds

        return read


def session() -> ProcessorSession:
    """For the zygote."""
    return ProcessorSession()

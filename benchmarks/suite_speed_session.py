"""The session of ``suite_speed``, which runs in the engine: the search for a suite, which tells at its end what it cost."""

from __future__ import annotations

import resource
import time

from crashwright.core.messages import Incident, IncidentKind
from crashwright.engine.sessions import search_run
from crashwright.engine.sessions import suite as suite_session
from crashwright.engine.worker.protocol import Resume, Workbench


class MeasuredSession(suite_session.SuiteSession):
    """Sends an Incident: CPU seconds before and in the search, evaluations, peak memory in KiB."""

    def run(self, bench: Workbench, resume: Resume) -> None:
        """See ``worker.protocol.Session``."""
        began = time.process_time()
        search = search_run.SearchRun._search

        def measured(one: search_run.SearchRun) -> None:
            before = time.process_time()
            search(one)
            now = time.process_time()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            bench.channel.send(
                Incident(IncidentKind.NOTED, f"{before - began} {now - before} {one._setup.meter.evaluations} {peak}")
            )

        search_run.SearchRun._search = measured  # type: ignore[method-assign, assignment]
        super().run(bench, resume)


def session() -> MeasuredSession:
    """For the zygote."""
    return MeasuredSession()

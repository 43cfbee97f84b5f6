"""What a suite covers of all criteria, whichever were searched for: its tests are run once more, and nothing is searched.

Run in the subject's interpreter by the engine, from this file: it imports nothing of ``benchmarks``. The tests are the seeds; the
answer is one SuiteProgress.
"""

from __future__ import annotations

import time

from crashwright.core.messages import EndReason, Finished, SuiteProgress
from crashwright.engine.goals.coverage.callables import facts_of
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import coverage_of
from crashwright.engine.goals.coverage.footprint import footprint
from crashwright.engine.goals.coverage.output import output_classes
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Evaluator, RunSurroundings
from crashwright.engine.search.suite.facts import RaisePlaces, RunFacts
from crashwright.engine.search.suite.scorer import SuiteScorer
from crashwright.engine.sessions.suite import SuiteSession
from crashwright.engine.subject.api.module_api import private_callables_of
from crashwright.engine.testcase.foreign import foreign_tests
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.worker.protocol import Resume, Workbench


class ReplaySession(SuiteSession):
    """Imports the module as a search does. Where a test ends the process, the next fork begins again without it."""

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Run each test, tell what all of them cover together."""
        start, source = self._start, self._source
        mutants, imported = self._instrumentation.mutants, footprint(self._at_import)
        known = facts_of(self._callables, self._api)
        catalogue = Catalogue(self._recorder.functions, self._sources, start.target, known, mutants, imported)
        watched = (*self._callables, *private_callables_of(self._api, start.target.module, start.target.names))
        facts = RunFacts(dict.fromkeys(watched), output_classes, RaisePlaces(source.path, source.tree))
        bench.executor.note_results(facts.note)
        meter = BudgetMeter(start.settings.budget, time.monotonic, 0, resume.seconds)
        surroundings = RunSurroundings(bench.executor, self._recorder, meter, Quarantine(resume.quarantine))
        evaluator = Evaluator(surroundings, SuiteScorer(facts, catalogue))
        tests = foreign_tests(start.seeds, self._api)
        covered = 0
        for test in tests:
            covered |= evaluator.measure(test).covered
        count = len(tests)
        bench.channel.send(SuiteProgress(meter.seconds, count, coverage_of(catalogue, covered), 0, count))
        bench.channel.send(Finished(EndReason.EXHAUSTED, count, meter.seconds))


def session() -> ReplaySession:
    """For the zygote."""
    return ReplaySession()

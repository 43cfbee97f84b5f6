"""The product's search for a suite that says after each generation what it has covered, whatever the clock says.

Run in the subject's interpreter by the engine, from this file: it imports nothing of ``benchmarks``.
"""

from __future__ import annotations

from crashwright.engine.sessions.suite import SuiteSession


def session() -> SuiteSession:
    """For the zygote."""
    return SuiteSession(progress_seconds=0.0)

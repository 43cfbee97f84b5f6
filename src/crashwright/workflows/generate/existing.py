"""What tests that exist (``--existing-tests``) spare a search: run once before it, their coverage goes with the target."""

from __future__ import annotations

from crashwright.core.suite import KnownCoverage
from crashwright.finishing.suite.existing import ExistingCoverage


def known_from(coverage: ExistingCoverage) -> KnownCoverage:
    """For ``core.suite.ModuleTarget``, in a fixed order."""
    return KnownCoverage(
        tuple(sorted(coverage.lines)),
        tuple(sorted(coverage.arcs)),
        tuple(sorted(coverage.qualnames)),
        tuple(str(path.resolve()) for path in coverage.files),
    )

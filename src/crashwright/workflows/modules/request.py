"""What the user asks of ``generate`` where it may be many modules."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.core.errors import UsageError
from crashwright.workflows.generate.request import SuiteRequest


@dataclass(frozen=True, slots=True)
class ModulesRequest:
    """``subjects`` are modules, packages and files. ``suites`` is what all suites have in common, its budget the one for all, its
    jobs as many modules as are worked on at a time. ``seconds`` is the search of one module at most. ``database`` keeps what came
    of each for good; None: only until there is an answer for all. ``retry``: what has no suite is tried again."""

    subjects: tuple[str, ...]
    suites: SuiteRequest
    seconds: float | None = None
    database: str | None = None
    retry: bool = False
    elsewhere: bool = False
    """The place is not this machine."""

    def __post_init__(self) -> None:
        if not self.subjects:
            raise UsageError("There is no module to test.", "Name a module as you import it, a package, or a file.")
        if self.seconds is not None and self.seconds <= 0:
            raise UsageError(
                f"--budget-each {self.seconds:g}: must be more than 0.", "Leave out --budget-each to share the budget."
            )

    @property
    def command(self) -> str:
        """The command that repeats this run, without what concerns only this machine."""
        each = f" --budget-each {self.seconds:g}" if self.seconds is not None else ""
        return self.suites.command_for(*self.subjects) + each

    @property
    def is_for_many(self) -> bool:
        """It asks for what one module alone does not need."""
        return len(self.subjects) > 1 or self.seconds is not None or self.database is not None or self.retry or self.elsewhere

"""How the program was run when it crashed, as far as a report says it: requests that it was sent, command lines, tasks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request of the report. ``method`` is in small letters, ``address`` the path with its query; ``status`` what was answered,
    0 where the report does not say it. ``body`` is the document or form that was sent, as JSON."""

    method: str
    address: str
    status: int = 0
    body: str = ""

    @property
    def path(self) -> str:
        """Without its query."""
        return self.address.partition("?")[0]

    @property
    def query(self) -> str:
        """What stands behind the path."""
        return self.address.partition("?")[2]


@dataclass(frozen=True, slots=True)
class GivenCommand:
    """A command line of the report: the ``program`` (a script, a module behind ``-m``, the name of a command) and its words.
    ``documented``: it is not of the report, but of what the project says about how it is run."""

    program: str
    words: tuple[str, ...]
    documented: bool = False


@dataclass(frozen=True, slots=True)
class GivenTask:
    """A task of a queue, by the name that it is registered under. ``arguments`` and ``keywords`` are JSON texts, "" if unknown."""

    name: str
    arguments: str = ""
    keywords: str = ""


@dataclass(frozen=True, slots=True)
class Invocations:
    """All that a report says; the likeliest of each kind first."""

    requests: tuple[SentRequest, ...] = ()
    commands: tuple[GivenCommand, ...] = ()
    tasks: tuple[GivenTask, ...] = ()

    @property
    def words(self) -> frozenset[str]:
        """Of the command lines of the report."""
        return frozenset(word for one in self.commands if not one.documented for word in one.words)

    @property
    def all_words(self) -> frozenset[str]:
        """Of documented command lines, too."""
        return frozenset(word for one in self.commands for word in one.words)

    def __bool__(self) -> bool:
        return bool(self.requests or self.commands or self.tasks)

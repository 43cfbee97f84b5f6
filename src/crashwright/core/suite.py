"""What the host tells an engine to generate tests for, and what a suite is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crashwright.core.location import CodeKey, Position
from crashwright.core.preparation import Preparation
from crashwright.core.suggested import SuggestedCode

CRITERIA = ("branch", "direct-branch", "line", "weak-mutation", "method", "no-exception", "exception", "output")
"""The coverage criteria (SPEC 6), in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class KnownCoverage:
    """What tests that exist cover of a module: ``lines`` inside functions, ``arcs`` between lines that follow each other in a
    frame (negative: entering it, leaving it), qualified ``names`` of what was called; and the ``files`` with those tests."""

    lines: tuple[int, ...] = ()
    arcs: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleTarget:
    """The module under test. ``names`` are the qualified names of functions and classes to which the goals are confined (empty:
    all of the module). ``selection`` is the goal policy: all | smart | smart-no-subsumption. ``preparation`` comes before the
    import, in the engine and in the file."""

    module: str
    names: tuple[str, ...] = ()
    criteria: tuple[str, ...] = CRITERIA
    selection: str = "all"
    flags: bool = True
    """Distances from inside called functions for flag branches (paper 003), where an algorithm aims at branches or direct branches;
    one that aims at neither, or measures nothing (random), has no use for them."""
    known: KnownCoverage = KnownCoverage()
    """What need not be covered again."""
    preparation: Preparation = field(default_factory=Preparation)
    accidents: bool = False
    """Also tests that end by an accident, where they alone take a branch."""
    candidates: tuple[SuggestedCode, ...] = ()
    """What somebody suggests as tests."""

    @property
    def package(self) -> str:
        """The top-level package."""
        return self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class CriterionCoverage:
    """Goals of one criterion: how many are covered, of how many. For exceptions the two are equal: those found. ``existing`` of
    those covered are so by tests that exist, and no test was made for them."""

    criterion: str
    covered: int
    total: int
    existing: int = 0


@dataclass(frozen=True, slots=True)
class OpenBranch:
    """A branch that no test takes: where it is, in words (``if``-condition is false), and the nearest distance reached, None where
    the condition was never evaluated."""

    qualname: str
    line: int
    text: str
    distance: float | None


@dataclass(frozen=True, slots=True)
class TakenBranch:
    """A branch that ``tests`` of a suite take, by their places in it."""

    qualname: str
    line: int
    text: str
    tests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineMutants:
    """The mutants of one line that were tried: how many were told from the original, and the changes that were not."""

    line: int
    killed: int
    survived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedBranch:
    """An outcome that no test has yet of the condition at ``place`` in a function."""

    function: CodeKey
    place: Position
    outcome: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """A branch as the source has it: the ``text`` of the condition (of a loop what it goes over), its ``kind`` as the engine calls
    it (``iter``, ``except``, ``lt`` ...), and the ``outcome``."""

    kind: str
    text: str
    outcome: bool


@dataclass(frozen=True, slots=True)
class PossibleDefect:
    """A ``call`` with legal arguments, in a line, by which Python raises ``error`` at a ``line`` of the function ``qualname``: the
    code neither raises nor documents it."""

    call: str
    error: str
    line: int
    qualname: str


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of a suite, encoded (``engine.testcase.codec``), with the labels of the goals for which it is kept, most important
    first (``branch Tree.insert:88 true``), and the qualified name of the callable of the module that it is about."""

    test: dict[str, Any]
    subject: str
    goals: tuple[str, ...] = ()
    line: int = 0
    """The source line of its first goal, for the order of the file."""
    spare: bool = False
    """Others cover every branch and line that it covers: it is worth keeping where it alone tells a mutant from the original."""
    doubtful: bool = False
    """It passes what nobody would, or ends by what the package neither raises nor documents: as a spare it is worth nothing."""
    accident: bool = False
    """It ends by an exception that the code does not raise on purpose."""
    decisions: tuple[Decision, ...] = ()
    """The branches that it alone takes."""

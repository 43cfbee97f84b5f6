"""What a user chooses for a run. One frozen value, passed down; there is no global configuration."""

from __future__ import annotations

from dataclasses import dataclass, field

from crashwright.core.mechanisms import ON_REQUEST, Mechanism
from crashwright.core.preparation import Preparation


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds of a search: wall seconds, evaluations (tests run), or both; the first one reached ends it."""

    seconds: float | None = 60.0
    evaluations: int | None = None


@dataclass(frozen=True, slots=True)
class SuiteSettings:
    """How the searches for suites are tuned (SPEC 5); the defaults are EvoSuite's but where a comment says otherwise."""

    population: int = 50
    crossover: float = 0.75
    tournament: int = 10
    """Of how many individuals a parent is the best."""
    newcomers: float = 0.1
    """Share of each generation that does not descend from the population ..."""
    newcomers_from_archive: float = 0.5
    """... and of these the share that are mutated tests of the archive; the others are new."""
    growth_limit: int = 4
    """DynaMOSA keeps a best test for each open goal, but at most this many times the population."""
    crowding: str = "epsilon"
    """What spreads the tests of a front: epsilon (fast epsilon-dominance) | subvector."""
    rank_bias: float = 1.7
    """Whole suite: selection pressure of the ranking, in (1, 2]."""
    elite: int = 1
    """Whole suite: the best suites, which live on unchanged."""
    insertion: float = 0.1
    """Whole suite: the chance that a mutation adds a test, squared for a second one, and so on."""
    suite_tests: int = 100
    """Whole suite: the most tests of a suite ..."""
    initial_tests: int = 10
    """... and of a suite at the start."""
    flags_after: float = 0.4
    """Share of the budget after which flag branches that are still open get their distances from inside (paper 003): a cheap phase
    comes first, where it is more than 0."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How the engine searches. ``algorithm``: guided | random. ``fitness``: ordered | weighted-sum | st-distance."""

    engine: str = "search"
    """What looks for tests: search (by evolution) | portfolio (the search, told what the symbolic engine finds) | symbolic (what
    that composes is run, and nothing else)."""
    strategy: str = "cores"
    """How the symbolic engine chooses the calls that give an object its state: cores (by what contradicts the others) | paper (by
    the priorities of paper 002)."""
    algorithm: str = "guided"
    fitness: str = "ordered"
    trace_distance: str = "closest"
    """Of weighted-sum: closest (each wanted frame to the nearest one) | prefix (frames that agree from the crash outwards)."""
    secondary: str = "bbc"
    """What decides between tests of equal fitness: bbc (basic block coverage, paper 000) | bbc-literal (by the letter of the paper;
    crashes only) | none."""
    flags: str = "none"
    """Distances of flag branches on the way to a crash: none (what the probe records) | interprocedural (from inside the functions
    that they call, paper 003)."""
    operators: str = "extended"
    """How tests are made and varied: extended (what we add to EvoCrash's operators and main loop) | evocrash (these alone) |
    unguided (the same, but nothing insists on a call of the target: for comparisons only)."""
    schedule: str = "grow"
    """What happens without improvement: grow (the population grows) | restart (EvoCrash: again with a larger population)."""
    seed: int = 1
    population: int = 50
    length: int = 40
    """The most statements a test may have."""
    crossover: float = 0.8
    growth_after: int = 20
    """Generations without improvement after which the population grows by half its initial size (0: never)."""
    growth_limit: int = 6
    """The population grows up to this many times its initial size."""
    suite: SuiteSettings = field(default_factory=SuiteSettings)
    without: tuple[Mechanism, ...] = ()
    """What is switched off ..."""
    without_rows: tuple[str, ...] = ()
    """... and which sources of tests, teachings and passes, by their names in the engine's tables."""
    also: tuple[Mechanism, ...] = ()
    """What is switched on of that which is off by itself."""

    def uses(self, mechanism: Mechanism) -> bool:
        """Whether it is switched on."""
        return mechanism not in self.without and (mechanism not in ON_REQUEST or mechanism in self.also)

    @property
    def switched_off(self) -> tuple[str, ...]:
        """As a user writes it."""
        return (*(one.value for one in self.without), *self.without_rows)


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """What a run of subject code may take. ``test_seconds`` is CPU time for one test; the process as a whole is bound by the
    rest."""

    test_seconds: float = 0.1
    import_seconds: float = 20.0
    """After so long an import is ended that only waits. One that computes goes on ..."""
    longest_import: float = 120.0
    """... until so many seconds have passed: a large package or a busy machine is no reason to give up."""
    memory_mib: int = 1024
    """Address space above what the subject needed after import."""
    file_mib: int = 16
    open_files: int = 256


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Everything an engine is told but its target."""

    search: SearchSettings = field(default_factory=SearchSettings)
    budget: Budget = field(default_factory=Budget)
    limits: LimitSettings = field(default_factory=LimitSettings)
    path: tuple[str, ...] = ()
    """Folders put first on the subject's ``sys.path``."""
    scratch: str = ""
    """The folder that is the subject's cwd and HOME, and the only one it may write to."""
    cache: str = ""
    """The user's cache folder, in which engines find what earlier ones have read; "" where nothing is kept."""
    migration: int = 0
    """Evaluations after which the best tests leave for the next island; 0: this engine is alone."""
    allow: tuple[str, ...] = ()
    preparation: Preparation = field(default_factory=Preparation)

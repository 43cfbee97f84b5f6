"""The papers' claims, one by one, in our words, each with where its answer comes from: a contrast of the campaign,
or figures of another
benchmark, which a sentence gives with their file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.evidence.timed_selection import timed
from benchmarks.suites.configurations import ALL, SMART, named


@dataclass(frozen=True, slots=True)
class Compared:
    """``first`` is claimed to have more (``sign`` 1) or less (-1) of a measure than ``second``; 0: as much, within
    ``margin``, in the
    measure's unit. ``size``: the difference that the paper reports in that unit, if it can be compared."""

    first: str
    second: str
    measure: str
    sign: int
    size: float | None = None
    margin: float = 0.0


@dataclass(frozen=True, slots=True)
class Counted:
    """Subjects, not means: those that only one of the two ever reproduced, and those where one does significantly better by its own
    seeds."""

    first: str
    second: str
    measure: str


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Counts of crashes: the question of ``shares.QUESTIONS``."""

    question: str


@dataclass(frozen=True, slots=True)
class Told:
    """Not of the campaign: the verdict in words, and what it rests on."""

    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """``place`` is where the paper says it."""

    text: str
    place: str
    answers: tuple[Compared | Counted | Reckoned | Told, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """``number`` is the one by which the project calls it; ``page`` the file in docs/papers."""

    number: str
    page: str
    title: str
    idea: str
    claims: tuple[Claim, ...]
    differs: str
    """What is different here from what the paper did: how far a verdict carries."""


SECONDS: Final = 10
"""Of the processor, for the runs of 004-time that the campaign has."""
CONFIRMED, REFUTED, OPEN, SEEN, NOT_ASKED = "confirmed", "refuted", "not decided", "agrees", "not asked"


def _both(measure: str, sign: int, size: float | None = None) -> tuple[Compared, ...]:
    return tuple(
        Compared(f"{fitness}/{secondary}", f"{fitness}/none", measure, sign, size)
        for fitness in ("st-distance", "weighted-sum")
        for secondary in ("bbc-literal", "bbc")
    )


def _each() -> tuple[Counted, ...]:
    sides = [(fitness, secondary) for fitness in ("st-distance", "weighted-sum") for secondary in ("bbc-literal", "bbc")]
    return tuple(Counted(f"{fitness}/{secondary}", f"{fitness}/none", "success") for fitness, secondary in sides)


def _in_time(algorithm: str, measure: str, sign: int, size: float | None = None, margin: float = 0.0) -> Compared:
    sides = (named(algorithm, SMART), named(algorithm, ALL)) if algorithm else (SMART, ALL)
    return Compared(timed(sides[0], SECONDS), timed(sides[1], SECONDS), measure, sign, size, margin)


def _smart(algorithm: str, measure: str, sign: int, size: float | None = None, margin: float = 0.0) -> Compared:
    if not algorithm:
        return Compared(SMART, ALL, measure, sign, size, margin)
    return Compared(named(algorithm, SMART), named(algorithm, ALL), measure, sign, size, margin)


def _flags(measure: str, sign: int, size: float | None = None) -> tuple[Compared, ...]:
    return tuple(
        Compared(named(one, "gradient"), named(one, "plain"), measure, sign, size) for one in ("dynamosa", "mosa", "whole-suite")
    )


GUIDED, UNGUIDED = "weighted-sum/none", "weighted-sum/none/unguided"

PAPERS: Final = (
    Paper(
        "000",
        "000-basic-block-coverage",
        "Basic block coverage (Derakhshanfar, Devroey, Zaidman, SSBSE 2020)",
        "Tests of equal fitness are told apart by how many basic blocks they ran through on the way to the crash.",
        (
            Claim(
                "More runs reproduce the crash with it: on average 4 % more with STDistance, slightly more with WeightedSum.",
                "section 5, RQ1",
                (*_both("success", 1), Reckoned("block coverage")),
            ),
            Claim(
                "It reproduces crashes that were not reproduced without it: 6 with STDistance, 1 with WeightedSum, of 124.",
                "section 5, RQ1",
                _each(),
            ),
            Claim(
                "It is faster: significantly so for 33 of 124 crashes with STDistance and 17 with WeightedSum, and "
                "slower for one each.",
                "section 5, RQ2",
                _both("evaluations", -1),
            ),
            Claim(
                "It never makes reproduction significantly worse.",
                "section 5, RQ1",
                _each(),
            ),
            Claim(
                "It helps STDistance more than WeightedSum.",
                "section 6",
                (Told(OPEN, "Neither difference was found, so neither was that between them."),),
            ),
            Claim(
                "It guides where there is no branch: exceptions leave a block halfway (implicit branches), also in "
                "branchless methods.",
                "section 3.2",
                (
                    Told(
                        "agrees, on code made for it",
                        "A chain of calls without branches, each of which may raise: found in 9 of 10 runs with it, in 3 of 10 "
                        "without (p = 0.02). In crashes of published packages it decides few ties: "
                        "the table of ties in `benchmarks/results/campaign/evidence.md`.",
                    ),
                ),
            ),
        ),
        "Crashes are of the pack, not of JCrashPack; the budget is 5,000 evaluations, not five minutes; the target is "
        "the outermost "
        "frame of the package. The paper takes each frame as a target in turn, from the outermost in, and compares at "
        "the highest that "
        "any configuration reproduces: `--experiment 000-frames` makes such runs, and the campaign's program is older than it.",
    ),
    Paper(
        "001",
        "001-evocrash",
        "EvoCrash (Soltani, Panichella, van Deursen, ICSE 2017)",
        "A genetic algorithm for one crash: its first tests, crossover and mutation keep a call of a method of the stack trace.",
        (
            Claim(
                "Guided operators keep the search from tests that do not call the failing method, so more runs "
                "reproduce the crash.",
                "sections I and III",
                (Compared(GUIDED, UNGUIDED, "success", 1),),
            ),
            Claim(
                "They make the search space smaller, so that it takes less to reproduce the crash.",
                "sections I and III",
                (Compared(GUIDED, UNGUIDED, "evaluations", -1),),
            ),
            Claim(
                "It reproduces the majority of 50 crashes (41), most of them usefully (34).",
                "section V, RQ1",
                (
                    Reckoned("majority"),
                    Told(
                        NOT_ASKED,
                        "Whether its tests are useful. Those of the default search are for 44 of 61 crashes "
                        "(`benchmarks/results/usefulness.md`), with much that EvoCrash does not have.",
                    ),
                ),
            ),
            Claim(
                "It reproduces more than STAR does, on the crashes that both were tried on.",
                "section V, RQ2",
                (Reckoned("more than STAR"),),
            ),
            Claim(
                "Its fitness (line, exception, stack trace) leads to the crash where random tests do not.",
                "section III",
                (
                    Told(
                        SEEN,
                        "52.9 % of runs with it, 17.1 % with random tests (`comparison.md`, 7 crashes, 10 seeds). Two "
                        "other functions "
                        "did better: 87.1 % with a distance to the stack trace, 88.6 % with `ordered`.",
                    ),
                ),
            ),
        ),
        "The comparison isolates the operators: the same fitness, loop and schedule with and without insisting on the "
        "target call, which "
        "the paper does not. Crashes were chosen that one of the two reproduces in 1,000 evaluations and neither in the first 50. "
        "Where all crashes are counted, each had one run of 1,000 tests; the paper's had minutes, and several. The composed tests "
        "are those of [STAR's page](002-star.md).",
    ),
    Paper(
        "002",
        "002-star",
        "STAR (Chen and Kim, TSE 2015)",
        "Backward symbolic execution from the crash gives a precondition; sequences of calls are composed that bring it about.",
        (
            Claim(
                "It makes 31 of 52 crashes happen at their line (59.6 %).",
                "section 5.2, Table 3",
                (Reckoned("exploited"),),
            ),
            Claim(
                "20 of the 31 are reproduced in all frames (64.5 %).",
                "section 5.2.2, Table 4",
                (Reckoned("whole"),),
            ),
            Claim(
                "Once a precondition is known, tests nearly always follow: for 26 of 31 up to the same frame (83.9 %).",
                "section 5.2.3",
                (Reckoned("followed"),),
            ),
            Claim(
                "Composed sequences have 7.7 lines in the mean, of 1.5 objects and 21.4 candidate methods.",
                "section 5.2.3, Table 5",
                (
                    Told(
                        REFUTED + " for Python, in this form",
                        "1.0 statements, 1.0 objects and 6.5 candidates for the 13 (`composition.md`): what is reproduced needs no "
                        "state. The paper's examples do: TempFile and UnboundedFifoBuffer are composed as it shows "
                        "(`examples.md`).",
                    ),
                ),
            ),
            Claim(
                "The optimisations raise the frame that is reached in 16 of 31 crashes, from 2.0 to 3.4 frames in the mean.",
                "section 5.2.4, Table 6",
                (
                    Told(
                        OPEN,
                        "With all of them the outermost frame of 5 of 13 crashes, without any of 2 (`preconditions.md`); of crash "
                        "functions alone 17 and 15 of 17 (`optimisations.md`).",
                    ),
                ),
            ),
            Claim(
                "They save nearly all paths, solver checks and blocks (97, 95 and 97 %).",
                "section 5.2.4, Table 6",
                (
                    Told(
                        REFUTED + " in size, for crash functions",
                        "59 % of paths (12.6 to 5.2), 11 % of checks, 10 % of blocks, 58 % of field accesses, and 65 "
                        "% of the seconds "
                        "to the highest level (`optimisations.md`, 17 crash functions; the paper walks all frames).",
                    ),
                ),
            ),
            Claim(
                "Static path pruning is the most effective of the three.",
                "section 5.2.4",
                (
                    Told(
                        OPEN,
                        "Alone: 7.9 paths with pruning, 7.0 with guided backtracking, 7.7 with recognition of contradictions, 12.6 "
                        "with none; recognition alone came first to the highest level (4.4 s; the others 7.1 and 7.4).",
                    ),
                ),
            ),
            Claim(
                "22 of 52 reproductions are useful (42.3 %).",
                "section 5.3",
                (Reckoned("useful"),),
            ),
        ),
        "Python, with z3 in place of Yices; 15 s a crash on a machine that others used, 100 s in the paper. Most crashes of the "
        "pack need texts, files or library objects, which the paper names as its limits. The figures are of "
        "programs older than factories, values appended to what an object holds, and conditions of messages and of "
        "argument binding.",
    ),
    Paper(
        "003",
        "003-interprocedural-flags",
        "Interprocedural flags (Lin et al., ISSTA 2020)",
        "Where a branch tests what a called function returned, the distance is measured within that function.",
        (
            Claim(
                "The problem is common: 11.8 % of methods with branches, 14.4 % in the mean of projects, have it.",
                "section 4.2, RQ1",
                (
                    Told(
                        CONFIRMED,
                        "146 of 830 functions with decisions in 42 modules (17.6 %; 95 % interval 15.1 to 20.3), 14.8 "
                        "% in the mean of "
                        "modules (the census of the campaign and `flags.md`).",
                    ),
                ),
            ),
            Claim(
                "Coverage is higher with it: 51.1 against 47.9 % (3.2 points), p < 0.0001.",
                "section 4.3, RQ2",
                _flags("branch", 1, 3.2),
            ),
            Claim(
                "It is better on 31.6 % of the functions, worse on 6.2 %.",
                "section 4.3, RQ2",
                _flags("branch", 1),
            ),
            Claim(
                "It costs time: a quarter fewer iterations in the same time.",
                "section 4.4, RQ3",
                _flags("tests per CPU second", -1),
            ),
            Claim("The overhead is acceptable.", "section 4.4, RQ3", _flags("CPU seconds", 0)),
        ),
        "Functions of 42 Python modules that a search without it leaves open; 20,000 evaluations in place of 100 "
        "seconds. On the way to crashes, of which the paper does not speak, it did not help "
        "(`benchmarks/results/flags-on-crashes/evidence.md`). Python's "
        "distances treat texts and membership, which part of the paper's flags are about.",
    ),
    Paper(
        "004",
        "004-smart-selection",
        "Smart selection of goals (Zhou et al., TSE 2024)",
        "Of criteria that go together one is kept, and of mutants those that no other subsumes: fewer goals, all properties.",
        (
            Claim(
                "With whole suite it covers more on large classes: branches 45 against 41 %.",
                "section 4.2, RQ1, Table V (c)",
                (
                    _smart("whole-suite", "branch", 1, 4.0),
                    _smart("whole-suite", "line", 1, 3.0),
                    _in_time("whole-suite", "branch", 1, 4.0),
                ),
            ),
            Claim(
                "So it does for mutants (48 against 44 %) and exceptions.",
                "section 4.2, RQ1, Table V (c)",
                (_smart("whole-suite", "weak-mutation", 1, 4.0), _smart("whole-suite", "exception", 1)),
            ),
            Claim(
                "With MOSA it covers more on large classes: branches 49 against 46 %.",
                "section 4.3, RQ2, Table VII (c)",
                (
                    _smart("mosa", "branch", 1, 3.0),
                    _smart("mosa", "weak-mutation", 1, 3.0),
                    _in_time("mosa", "branch", 1, 3.0),
                ),
            ),
            Claim(
                "With DynaMOSA the two are close for most criteria.",
                "section 4.4, RQ3, Table IX (c)",
                (
                    _smart("dynamosa", "branch", 0, margin=2.0),
                    _smart("dynamosa", "weak-mutation", 0, margin=2.0),
                    _in_time("dynamosa", "branch", 0, margin=2.0),
                ),
            ),
            Claim(
                "Over all algorithms, no criterion suffers.",
                "section 4, RQ1 to RQ3",
                (_smart("", "branch", 0, margin=2.0), _in_time("", "branch", 0, margin=2.0)),
            ),
            Claim(
                "Suites get larger: 15 % with whole suite on large classes, 13 % with MOSA, 4 % with DynaMOSA.",
                "Tables VI, VIII and X",
                (_smart("whole-suite", "tests", 1), _smart("mosa", "tests", 1), _smart("dynamosa", "tests", 1)),
            ),
            Claim(
                "Fewer goals cost less in each generation, so that more of them fit into the time.",
                "sections 1 and 4.2",
                (
                    *(_smart(one, "CPU seconds", -1) for one in ("", "whole-suite", "mosa", "dynamosa")),
                    _in_time("", "tests per CPU second", 1),
                ),
            ),
            Claim(
                "Criteria of one group have coverages that go together (r = 0.88; 0.41 between groups).",
                "section 4.5, RQ4",
                (Told(NOT_ASKED, "Goals of one criterion alone were not searched for."),),
            ),
            Claim(
                "With MOSA, suites of the selection find most bugs.",
                "section 4.9, RQ8",
                (Told(NOT_ASKED, "No bugs were planted in the modules of the campaign."),),
            ),
        ),
        f"Seven modules of the standard library. Runs have 10,000 evaluations, or (`/{SECONDS}s`) {SECONDS} seconds of the "
        "processor; the paper has two minutes. Those of time are of a newer program than the others, and there are too few to say "
        "anything: one of them (statistics, whole suite, smart) ended with a suite that covers 84 branches where its search had "
        "covered 189, and why is not known.",
    ),
)

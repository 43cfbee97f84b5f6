"""The table of sources: who proposes tests, in the order in which they are asked, and what becomes of what they propose.

What a source is, and what the columns mean, stands in ``sources.source``. To add one: a file with a class, and a line here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import inf
from typing import NamedTuple

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.sources.answers import Answers
from crashwright.engine.sources.applications.command_stories import CommandStories
from crashwright.engine.sources.callbacks import Callbacks
from crashwright.engine.sources.composed import Composed, Granted
from crashwright.engine.sources.corresponding import Agreeing, SuiteAgreeing
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.data_beside import DataBeside
from crashwright.engine.sources.entry_stories import EntryStories
from crashwright.engine.sources.examples import Examples
from crashwright.engine.sources.grammar_texts import DerivedTexts, SuiteDerivedTexts
from crashwright.engine.sources.in_turn import InTurn
from crashwright.engine.sources.inner_frames import InnerFrames
from crashwright.engine.sources.interleaved import Interleaved
from crashwright.engine.sources.library_mocks import CrashMocks, SuiteMocks
from crashwright.engine.sources.neighbours import Neighbours, NeighboursOfSuggested
from crashwright.engine.sources.object_walks import ObjectWalks
from crashwright.engine.sources.open_texts import OpenTexts
from crashwright.engine.sources.operands import Operands
from crashwright.engine.sources.project_files import ProjectFiles
from crashwright.engine.sources.reported import Earlier, Echoed, Reported, RunArguments, Variants
from crashwright.engine.sources.source import Fate, Share, Source, When
from crashwright.engine.sources.steps import Steps, StepsFromSuggested
from crashwright.engine.sources.stored_rows import StoredRows, SuiteStoredRows
from crashwright.engine.sources.stories import Stories
from crashwright.engine.sources.suggested import Suggested
from crashwright.engine.sources.suite_answers import SuiteAnswers
from crashwright.engine.sources.suite_calls import ComposedForBranches, Definitions, WithDoubles, WithStandIns
from crashwright.engine.sources.suite_examples import OwnTests, SuiteExamples
from crashwright.engine.sources.suite_gaps import SuiteGaps
from crashwright.engine.sources.suite_open_texts import SuiteOpenTexts
from crashwright.engine.sources.suite_operands import SuiteOperands
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.suite_texts import SuiteSamples
from crashwright.engine.sources.surroundings import Commands, FieldValues, ProcessValues, Receivers
from crashwright.engine.sources.told_files import ToldFiles
from crashwright.engine.sources.wanted_documents import WantedDocuments
from crashwright.engine.sources.written_texts import LinesForState, Samples

COLD, AHEAD, BETWEEN, STANDSTILL = When.COLD, When.AHEAD, When.BETWEEN, When.STANDSTILL
ALL, MADE, NEW, BEST, LATER = Fate.ALL, Fate.MADE, Fate.NEW, Fate.BEST, Fate.LATER
WORDS, TEXTS, OBJECTS, EDITS, LIFT = Mechanism.WORDS, Mechanism.TEXTS, Mechanism.OBJECTS, Mechanism.EDITS, Mechanism.LIFT
WHOLE = Share()


class SourceRow(NamedTuple):
    """A source with its place. ``crash`` and ``suite`` are classes of sources, for the two kinds of searches."""

    name: str
    """By which users switch it off."""
    about: str
    """What it proposes, for users."""
    when: When
    kept: Fate
    share: Share
    mechanism: Mechanism | None = None
    """What it is a part of: it is switched off with that."""
    instead_of: str = ""
    """The source whose tests need not join the first generation where this one has brought some."""
    crash: type[Source[CrashSubject, CrashSoFar]] | None = None
    suite: type[Source[SuiteSubject, SuiteSoFar]] | None = None


SAMPLED = Share(0.1, tests=600, fruitless=150)
"""Most random texts are rejected at the first character, so a sample is worth many of them; but if none of a good many reaches
anything new, no other will."""

DERIVED = Share(0.12, tests=600, fruitless=250, at_once=1)
"""A grammar has as many productions, of which few lead on; from those that do, others are made."""

BESIDE = Share(0.15, tests=300, turn=60, at_once=1, after=200, earned=True)
"""Folders and files are slow, and tests that have them are bred from as others are."""

NAMED = Share(0.25, tests=400, at_once=1)
"""What its user typed is the best that there is; a program that reads no file has one test of each line."""

DATA = Share(0.25, tests=80, at_once=1)
"""The first of them is what its user ran."""

TOLD = Share(0.12, tests=500, at_once=1)
"""Each is gone on with by what became of it; classes with many methods have more stories than are worth telling."""

WALKED = Share(0.15, tests=200, turn=60, at_once=1, after=300)
"""A walk is one run, and most of them find nothing that is worth a test."""

IN_TURN = Share(0.35, tests=1500, at_once=1, after=200)
"""Requests are slow, and most of the runs look for what the application does not refuse."""

RUN = Share(0.25, tests=600, at_once=1)
"""A program has all that it does behind its commands."""

STORED = Share(0.15, tests=400, turn=120, at_once=5, after=80, earned=True)
"""Each test comes with a run of its own that only listens, and its rows are slow; once the code finds them, others do not."""

ROWS = Share(0.15, tests=400, turn=60, at_once=5, after=80, longer=0)
"""For a suite: only what covers something new is kept, and calls that ask nothing of a store cost one run each."""

EDITED = Share(0.12, turn=40, after=300, longer=0, earned=True)
"""Attempts are cheap one by one, and it gives up by itself; between two generations it has about as many as one of these."""

COMPARED = Share(0.12, tests=80, turn=24)
"""It gives up by itself; between two generations it has about as many as one of these."""

WAITING = Share(0.1, turn=60, after=250, longer=0)
"""For a suite: while generations still cover something they do so for less."""

READ = Share(0.1, turn=80, after=80, longer=0)
"""Likewise; what a parser asks for leads from one to the next."""

CLOSED = Share(0.1, turn=40, after=80, longer=0)
"""Likewise; it has little to do where few numbers are compared."""

AGREED = Share(turn=72, at_once=1)
"""About three complaints at once; it knows itself when it has had enough."""

STANDING_IN = Share(fruitless=30, at_once=10)
"""Ten tests are made of one, after some runs that only listen; where three bring nothing, others do not."""

ANSWERING = Share(0.12, turn=100, runs_again=16, at_once=1, after=80, longer=0)
"""Each callable is asked in some runs that only listen, and has as many tests as there are ways to answer."""

MIDDLE = Share(0.15, tests=300, turn=60, after=150, earned=True)
"""Without the function nothing goes on from the frame that calls it; with it chance does."""

AMID = Share(0.1, tests=120, turn=40, fruitless=60, at_once=10, after=200, earned=True)
"""Most generators mind nothing that is done meanwhile."""

NEAR = Share(after=500, earned=True)
STEP = Share(at_once=1, earned=True)

ASKING = Share(runs=48, runs_again=24, after=1500)
"""Its tests join the first generation; its runs, which only listen, come before."""

SOURCES: tuple[SourceRow, ...] = (
    # What somebody knows. Every suggestion has its run in a cold subject: they are few, and worth the most.
    SourceRow(
        "suggested", "what you or a program suggest", COLD | AHEAD | BETWEEN, ALL, Share(cold=inf, at_once=1), crash=Suggested
    ),
    SourceRow("earlier", "the best tests of an earlier run", COLD | AHEAD, ALL, WHOLE, crash=Earlier),
    SourceRow("arguments", "arguments that the report shows", COLD, ALL, WHOLE, crash=RunArguments),
    SourceRow("reported", "local values that the report shows", COLD | AHEAD, ALL, WHOLE, crash=Reported),
    SourceRow("echoed", "calls that the report shows", COLD | AHEAD, ALL, WHOLE, crash=Echoed),
    SourceRow("own", "calls that your own tests make", COLD | AHEAD, LATER, WHOLE, suite=OwnTests),
    SourceRow("examples", "usage examples", COLD | AHEAD, LATER, WHOLE, crash=Examples, suite=SuiteExamples),
    SourceRow("composed", "tests that the symbolic engine composes", COLD | BETWEEN, MADE, Share(cold=0), crash=Composed),
    SourceRow("composed", "tests that the symbolic engine composes", BETWEEN, ALL, WHOLE, suite=ComposedForBranches),
    # Ahead of the first generation. Where tests are slow, each leaves something for what comes after it.
    SourceRow("suggested-steps", "one step from what was suggested", AHEAD, ALL, WHOLE, EDITS, crash=StepsFromSuggested),
    SourceRow("data", "files that lie beside your script", AHEAD, ALL, DATA, OBJECTS, crash=DataBeside),
    SourceRow("documents", "files that a program reads as documents", AHEAD, ALL, NAMED, OBJECTS, crash=WantedDocuments),
    SourceRow("told-files", "files that the report's command lines name", AHEAD, ALL, NAMED, OBJECTS, crash=ToldFiles),
    SourceRow(
        "in-turn",
        "requests and commands in turn, each after those that succeeded",
        AHEAD | STANDSTILL,
        NEW,
        IN_TURN,
        OBJECTS,
        crash=InTurn,
    ),
    # It has turns of its own, whose shares depend on what they found (``sessions.inner_turns``).
    SourceRow("frames", "searches from frames further in", AHEAD | BETWEEN, ALL, WHOLE, LIFT, crash=InnerFrames),
    SourceRow(
        "operands",
        "what decisions compare, put where it comes from",
        AHEAD | BETWEEN,
        NEW,
        COMPARED,
        EDITS,
        crash=Operands,
    ),
    SourceRow(
        "variants", "the same calls, filled in many ways", AHEAD, BEST, Share(0.12, tests=200), WORDS, "echoed", crash=Variants
    ),
    SourceRow("doubles", "mocks of what no test can call", AHEAD | BETWEEN, ALL, WHOLE, suite=WithDoubles),
    SourceRow(
        "stand-ins", "mocks of other modules' functions that decide open branches", BETWEEN, NEW, STANDING_IN, suite=WithStandIns
    ),
    SourceRow("mocks", "mocks of library objects whose answers decide", STANDSTILL, NEW, ANSWERING, suite=SuiteMocks),
    SourceRow(
        "stories",
        "calls with plain values, one after the other on one object",
        AHEAD,
        NEW,
        TOLD,
        OBJECTS,
        crash=EntryStories,
    ),
    SourceRow(
        "walks",
        "methods of the object that it crashed in, called by chance as far as they succeed",
        AHEAD | STANDSTILL,
        NEW,
        WALKED,
        OBJECTS,
        crash=ObjectWalks,
    ),
    SourceRow("stories", "calls with plain values, one after the other on one object", AHEAD, ALL, TOLD, OBJECTS, suite=Stories),
    SourceRow(
        "programs",
        "command lines of the module's programs, run as their library does in tests",
        AHEAD,
        ALL,
        RUN,
        OBJECTS,
        suite=CommandStories,
    ),
    SourceRow(
        "definitions", "functions and classes for parameters", AHEAD, ALL, Share(0.08, at_once=10), OBJECTS, suite=Definitions
    ),
    SourceRow(
        "interleaved",
        "calls between two steps of what a test goes through",
        AHEAD | STANDSTILL,
        NEW,
        AMID,
        OBJECTS,
        crash=Interleaved,
    ),
    SourceRow(
        "callbacks",
        "functions of your own in the middle of the report, handed to what calls them",
        AHEAD | STANDSTILL,
        ALL,
        MIDDLE,
        OBJECTS,
        crash=Callbacks,
    ),
    SourceRow(
        "answers",
        "values that the code asks for",
        AHEAD | STANDSTILL,
        LATER,
        Share(runs=48, runs_again=24, after=1500, earned=True),
        OBJECTS,
        crash=Answers,
    ),
    SourceRow("answers", "values that the code asks for", AHEAD, ALL, Share(0.15, runs=30), OBJECTS, suite=SuiteAnswers),
    SourceRow(
        "mocks",
        "mocks of library objects whose answers decide",
        STANDSTILL,
        NEW,
        Share(runs_again=32, after=300, earned=True),
        OBJECTS,
        crash=CrashMocks,
    ),
    SourceRow("fields", "attributes that decisions read", AHEAD, LATER, Share(tests=12), crash=FieldValues),
    SourceRow("process", "environment, arguments and standard input", AHEAD, LATER, WHOLE, OBJECTS, crash=ProcessValues),
    SourceRow("receivers", "objects whose methods the frames run", AHEAD, LATER, Share(tests=32), OBJECTS, crash=Receivers),
    SourceRow("commands", "command lines that the package's parsers take", AHEAD, LATER, WHOLE, OBJECTS, crash=Commands),
    # Nothing of a program is reached without its configuration.
    SourceRow("files", "files of the project that the code names", AHEAD | STANDSTILL, ALL, BESIDE, OBJECTS, crash=ProjectFiles),
    # A crash that takes rows is out of reach without them.
    SourceRow("rows", "rows that the code looks for in its database", AHEAD | STANDSTILL, ALL, STORED, OBJECTS, crash=StoredRows),
    SourceRow(
        "rows", "rows that the code looks for in its database", AHEAD | STANDSTILL, NEW, ROWS, OBJECTS, suite=SuiteStoredRows
    ),
    SourceRow("lines", "lines for what fills an object's state", AHEAD, NEW, SAMPLED, crash=LinesForState),
    SourceRow("grammars", "texts that grammars of the package derive", AHEAD, NEW, DERIVED, TEXTS, crash=DerivedTexts),
    SourceRow("grammars", "texts that grammars of the package derive", AHEAD, ALL, DERIVED, TEXTS, suite=SuiteDerivedTexts),
    SourceRow("samples", "samples of the formats that the code reads", AHEAD, NEW, SAMPLED, crash=Samples),
    SourceRow("samples", "samples of the formats that the code reads", AHEAD, ALL, SAMPLED, TEXTS, suite=SuiteSamples),
    SourceRow("edits", "small edits of texts, in order", AHEAD | STANDSTILL, NEW, EDITED, EDITS, crash=OpenTexts),
    SourceRow("open-texts", "small edits of texts, in order", STANDSTILL, NEW, READ, EDITS, suite=SuiteOpenTexts),
    SourceRow("operands", "what decisions compare, put where it comes from", STANDSTILL, NEW, WAITING, EDITS, suite=SuiteOperands),
    SourceRow("gaps", "numbers moved until what is compared is equal", STANDSTILL, NEW, CLOSED, EDITS, suite=SuiteGaps),
    # Between two generations. Each looks at what became of one test before it makes the next.
    SourceRow("granted", "what a run lacked for a precondition", BETWEEN, MADE, STEP, crash=Granted),
    SourceRow("agreeing", "parts of a test that agree with each other", BETWEEN, MADE, STEP, OBJECTS, crash=Agreeing),
    SourceRow("agreeing", "parts of a test that agree with each other", BETWEEN, NEW, AGREED, OBJECTS, suite=SuiteAgreeing),
    SourceRow("steps", "rows, calls, members and dates changed by one step", BETWEEN, ALL, Share(earned=True), EDITS, crash=Steps),
    # While nothing better comes. One step away from what somebody suggested the crash is rather to be expected.
    SourceRow("neighbours", "small changes of the best tests", STANDSTILL, ALL, NEAR, crash=Neighbours),
    SourceRow("near", "small changes of what was suggested", STANDSTILL, ALL, NEAR._replace(after=40), crash=NeighboursOfSuggested),
)


def crash_sources(
    settings: SearchSettings, only: Collection[str] = ()
) -> Iterator[tuple[SourceRow, Source[CrashSubject, CrashSoFar]]]:
    """Those of a search for a crash that are not switched off; ``only``: those of these names, if there are any."""
    for row in SOURCES:
        if row.crash is not None and _is_on(row, settings) and (not only or row.name in only):
            yield row, row.crash()


def suite_sources(settings: SearchSettings) -> Iterator[tuple[SourceRow, Source[SuiteSubject, SuiteSoFar]]]:
    """Those of a search for a suite that are not switched off."""
    for row in SOURCES:
        if row.suite is not None and _is_on(row, settings):
            yield row, row.suite()


def _is_on(row: SourceRow, settings: SearchSettings) -> bool:
    return row.name not in settings.without_rows and (row.mechanism is None or settings.uses(row.mechanism))

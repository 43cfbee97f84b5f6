"""How budgets are divided: the part of the time, or of the evaluations, that each thing has, and after how many it is done.

One table, so that one sees what all of them add up to. What sources of tests have stands in their rows (``engine.sources.table``).
"""

from __future__ import annotations

# Before the search
WARM_UP_PART = 0.15
"""Part of the budget that warming up may take."""
WARM_UP_RUN_PART = 0.4
"""How much of what is left for warming up one test may take: one that hangs is not to use up all."""
KEPT_EVERY = 1000
"""Evaluations after which tests are kept where evaluations alone are the budget."""
AHEAD_PART = 0.5
"""How much of the budget may be used up before the search itself begins."""
SUGGESTED_PART = 0.4
"""Of the time left: what is suggested may also be a hundred scripts, of which the search makes more in less time."""
ONE_SUGGESTED_PART = 0.25
"""Of the time left for it: what one run may take ..."""
LEAST_SUGGESTED_PART = 0.3
"""... and of the whole time what it has in any case: on a busy machine reading the report alone may take the time, and what one
more second would prove must not be lost by it."""
SMALLER_PART = 0.25
"""Of the time left, for what is done to a test that is proved."""
OWN_TESTS_PART = 0.15
"""Of the time left, for the run of the project's own tests."""

# A search for a crash
EXPLORED_PART = 0.12
"""What exploring each stage of the seeds may take of the seconds: where tests are slow, something has to be left for what comes
after."""
TEXTS_FRUITLESS, TEXTS_EARNED, TEXTS_PART = 150, 50, 0.25
"""Open texts: attempts that they have, how many more for each text that brought the goals something, and what part of all
evaluations: what is new in the package alone is new for long."""
SUITE_TEXTS_PART = 0.15
"""Likewise for a suite, where what is new is always a goal."""
OPERANDS_FRUITLESS, OPERANDS_EARNED, OPERANDS_PART = 200, 40, 0.15
"""What decisions compare: attempts that it has, how many more for each that brought something, and what part of all evaluations."""
INNER_TURN_PART, INNER_TURN_EVALUATIONS = 0.05, 800
"""Searches from frames further in: what one turn has, of the seconds, and evaluations at most."""
INNER_EVALUATIONS_PART = 0.15
"""Of a budget of evaluations: what one turn has at most."""
INNER_PART, INNER_FOUND_PART = 0.12, 0.35
"""What all turns have together, of the whole budget: as long as none has found anything, and then."""
INNER_FEWEST = 1600
"""Of a budget of evaluations: what the turns have in any case, and the parts above of those that were made so far."""
INNER_AFTER = 250
"""Evaluations of the outer search without progress after which a frame further in has a turn."""
INNER_STILL_PART = 0.08
"""... or after the part of the seconds without progress, if that is less."""
INNER_EARLY_PART = 0.1
"""Of a budget of evaluations: what early turns have at most, so that a small one is not used up before the outer search has
begun."""
FLOWING_PART = 0.1
"""Of the evaluations made so far: what runs that follow values outwards may take besides."""
EVIDENCE_PART, STRAY_PART, FORM_PART = 0.25, 0.15, 0.08
"""What of the budget left a search that has the crash goes on for: where another value or sub-expression makes it likely to be
another bug, where the test passes what nobody would, and where it is only illegal or unlike the echoed call."""
UNBOUNDED_EVALUATIONS = 20_000
"""Evaluations of which these are parts, where there is no budget at all."""
STILL_EVALUATIONS, STILL_PART = 800, 0.05
"""Without anything better, after which the solver is asked: so many evaluations and such a part of the budget."""

# A search for a suite
DOUBLES_PART = 0.3
"""Part of the budget that making doubles may take in all."""
DOUBLES_AFTER = (0.0, 0.1, 0.2, 0.35, 0.5)
"""Shares of the budget after which it is done (again): by then the search has found arguments with which more is called."""
DECIDING_PART = 0.24
"""Part of the budget that making doubles of what decides open branches may take in all."""
DECIDING_AFTER = (0.4, 0.6)
"""Shares of the budget after which it is done: what arguments could open is open by then, mostly."""
NARROW_FIRST, NARROW_FACTOR = 1000, 2
"""Evaluations after which probes are taken out, and how many times more until the next time."""
TURNS, TURNS_FROM = 4, 1000
"""From so many evaluations on, every so-manieth generation alone measures the mutants that were open already when probes were
last taken out, and another one notes the values that comparisons wanted (dynamic seeding)."""
ASKED_FROM_PART, ASKED_UNTIL_PART = 0.2, 0.9
"""Parts of the budget between which the solver is asked: before, the search finds most by itself; after, an answer comes too
late."""
ASKED_STALLED_PART = 0.05
"""... after that part of the budget without a new branch."""
TAKEN_AFTER = 200
"""Evaluations after the question at which a run that is to repeat takes the answer in."""
LOOKED_ROUND_PART = 0.1
"""Part of the budget within which one looks round in the module first."""
QUIET_EVALUATIONS = 5000
"""Evaluations without a new exception or output, after which a search that has covered every other goal ends."""
REDUCTION_PART = 0.15
"""Time for making the suite smaller, as a share of that of the search."""
MENDING_PART = 0.25
"""Of that time, what is left for tests to put back what they change."""
SURVIVORS_PART = 0.15
"""The part of the time, or of the tests, that finding what surviving mutants need has at least."""
STANDSTILL_FROM, STANDSTILL_PART, EACH_TRIED = 0.5, 0.25, 500
"""After the first part of the budget it has all that is left, once no new branch was taken for the second one, and so many tests
for each that is open."""
CUTS_PART = 0.5
"""Of the time for making a suite smaller: how much leaving out statements may take before it hurries."""

# The symbolic engine
ANSWER_PART = 0.1
"""The part of the budget that an answer to a question in between may take ..."""
SYMBOLIC_PATIENCE, LATE_PART = 4.0, 0.3
"""... until the clock has gone on for so many times as long, or that part of the budget is over."""
LENGTH_PART, LENGTH_SECONDS, LENGTH_FACTOR = 0.25, 40.0, 5.0
"""Likewise for the walk of a search that stands still; and by what the counts are multiplied that bound it in a run that is to
repeat."""
SYMBOLIC_PART, SYMBOLIC_SECONDS = 0.6, 100.0
"""Likewise where nothing else looks for tests; the engine that runs them starts at the end."""
WALK_PART = 0.6
"""Of the symbolic engine's time: what is for the walk to preconditions, with what is composed of those of the outermost frame
meanwhile."""
EACH_PART = 0.2
"""Of its time: what one precondition has, where that is more than its seconds."""

# After the search
MINIMISING_OF_BUDGET = 0.15
"""What of its budget (in seconds) an engine takes for making tests smaller."""
MINIMISING_PART, EXAMINATION_PART, VERIFICATION_PART = 0.3, 0.37, 0.33
"""What these three have of the time after the search."""
MOST_FRESH_PART = 0.75
"""What of it may be kept for fresh interpreters, however slowly the module imports."""
MOST_VERIFICATION_PART = 0.5
"""What of the time left the verification may take where the module imports slowly: it gets a moment in any case, assertions do
not."""
LEAST_AFTER_PART = 0.5
"""What of it there is in any case, however late the search has ended."""
OBSERVING_PART = 0.35
"""Of the examination's time: what the first engine has."""
EXISTING_PART = 0.3
"""What of the time for all that is not search may go into running the user's own tests."""
REMINIMISING_PART = 0.25
"""What of the time after the search may go into making tests smaller where the search's own engine did not come to it."""
ONE_EXISTING_PART = 0.5
"""... and what of the time left for it one file may take."""

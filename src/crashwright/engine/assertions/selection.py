"""Few assertions that kill what all of them kill (SPEC 9): a greedy cover of the mutants, and for each test something to assert."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from crashwright.engine.assertions.assertion import Assertion, Observed
from crashwright.engine.frameworks.click_runner import SHOWN
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import UnionHint
from crashwright.engine.subject.returning import returns_something
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import INVOKE
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

Kills = Mapping[int, Mapping[int, Sequence[int]]]
"""By mutant, by test: the numbers of the assertions that fail under it; none of them where the run itself goes another way."""
_READS = (st.Operation, st.GetAttribute, st.GetItem)
_CALLS = (st.Call, st.MethodCall, st.CallValue, st.Iterate, st.Await, *_READS)
_VALUE_KINDS = ("equals", "approximately", "is", "nan")
_TEXTS = (("repr",), ("str",))
PLAIN = 3
"""Assertions that a test keeps where mutants were not tried."""
PARTS = 2
"""Attributes of a result that a test tells of that tells nothing else of it."""
UNREAD = 3
"""Values that a test asks for and does nothing with of which it tells, the last ones."""


def worth(test: TestCase, assertion: Assertion) -> tuple[int, ...]:
    """For sorting: the most meaningful first. Results of calls before states, states before texts, the last call first."""
    path, kind = assertion.observed.path, assertion.kind
    statement = test.statements[assertion.after]
    is_result = not path and defined(statement) == assertion.observed.variable and isinstance(statement, _CALLS)
    if is_alias(assertion):
        rank = 4
    elif is_result and kind in _VALUE_KINDS:
        rank = 3 if says_nothing(statement, assertion) else 0
    elif kind == "isinstance":
        rank = 6
    elif path and path[-1] in ("str", "repr"):
        rank = 5
    else:
        rank = 1 if len(path) < 2 else 2
    return rank, len(path), says_little(assertion), -assertion.after, assertion.observed.variable


def says_nothing(statement: object, assertion: Assertion) -> bool:
    """Whether it tells that nothing comes back of what may always do so: of what is asked for something, or is declared or written
    to give something or nothing, that is an answer."""
    if assertion.expected is not None or assertion.kind != "is" or isinstance(statement, _READS):
        return False
    callee = getattr(statement, "callee", None)
    return not isinstance(callee, Callee) or not (isinstance(callee.returns, UnionHint) or returns_something(callee.live))


def says_little(assertion: Assertion) -> bool:
    """Whether it tells of a part of an object that there is nothing in it, or only yes or no."""
    expected = assertion.expected
    if not assertion.observed.path or isinstance(expected, st.Ref | st.Named | st.Made):
        return False
    return not expected.items if isinstance(expected, st.Display) else not expected or expected is True


def order_of(test: TestCase, assertions: Sequence[Assertion]) -> list[int]:
    """Numbers of the assertions, the most meaningful first."""
    return sorted(range(len(assertions)), key=lambda number: (worth(test, assertions[number]), number))


def plain_choice(test: TestCase, assertions: Sequence[Assertion], most: int = PLAIN, said: set[str] | None = None) -> list[int]:
    """The most meaningful assertions about different things, in order of the test. States that other tests have ``said`` (updated)
    are passed over, unless the test would be left with none."""
    known = set() if said is None else said
    order = order_of(test, assertions)
    chosen: list[int] = []
    for number in order:
        if len(chosen) >= most:
            break
        assertion = assertions[number]
        state = state_of(test, assertion)
        if state in known or (_is_told(test, assertions, chosen) and state_is_old(test, assertions, assertion)):
            continue
        if not chosen or (assertion.kind != "isinstance" and not any(_implies(assertions[one], assertion) for one in chosen)):
            chosen.append(number)
            if state:
                known.add(state)
    text = next((number for number in order if is_text(assertions[number])), None)
    if most > 1 and text is not None and text not in chosen:
        state = state_of(test, assertions[text])
        if state not in known and not any(_implies(assertions[one], assertions[text]) for one in chosen):
            known.add(state)
            chosen = [*chosen[: most - 1], text]  # it mostly tells all of an object
    return sorted(chosen or order[: min(1, most)])


def _is_told(test: TestCase, assertions: Sequence[Assertion], chosen: Collection[int]) -> bool:
    """Whether one of the chosen tells all of what the last call gives."""
    result = defined(test.statements[-1]) if test.statements else None
    about = [assertions[one] for one in chosen if assertions[one].observed == Observed(result, ())] if result is not None else []
    return any(one.kind in _VALUE_KINDS and not says_nothing(test.statements[-1], one) for one in about)


def state_is_old(test: TestCase, assertions: Sequence[Assertion], assertion: Assertion) -> bool:
    """Whether it tells of a state that the test has not seen to change: it is about something other than the call."""
    if not assertion.observed.path or assertion.observed.variable == defined(test.statements[-1]):
        return False
    return not any(
        one.observed == assertion.observed and one.after < assertion.after and one.expected != assertion.expected
        for one in assertions
    )


def state_of(test: TestCase, assertion: Assertion) -> str:
    """What the assertion says of the state of an object, by how that was made: the same in tests that say the same; "" for
    results."""
    variable, path = assertion.observed
    makers = [statement for statement in test.statements if defined(statement) == variable]
    callee = getattr(makers[-1], "callee", None) if makers else None
    if not path or callee is None:
        return ""
    return f"{callee.address} {path} {assertion.kind} {assertion.expected!r}"


def _implies(one: Assertion, other: Assertion) -> bool:
    """Whether the first one leaves little to the other: it tells the whole of what that looks into."""
    (variable, path), (its_variable, its_path) = one.observed, other.observed
    return variable == its_variable and path == its_path[: len(path)] and one.kind != "isinstance"


def worth_keeping(core: Collection[int], spares: Collection[int], kills: Kills) -> set[int]:
    """The tests of ``core``, and of ``spares`` as few as tell the mutants that no test of the core does."""
    kept = set(core)
    left = {mutant for mutant, by_test in kills.items() if by_test and kept.isdisjoint(by_test)}
    victims = {spare: {mutant for mutant in left if spare in kills[mutant]} for spare in sorted(spares)}
    while left:
        best = max(victims, key=lambda spare: len(victims[spare] & left), default=None)
        if best is None or not victims[best] & left:
            break
        kept.add(best)
        left -= victims[best]
    return kept


def told_by_assertions(kills: Kills, kept: Collection[int]) -> dict[int, dict[int, Sequence[int]]]:
    """Of ``kills`` what the ``kept`` tests do, without the mutants that one of them tells by its course alone."""
    found = {}
    for mutant, by_test in kills.items():
        ours = {test: numbers for test, numbers in by_test.items() if test in kept}
        if ours and all(ours.values()):
            found[mutant] = ours
    return found


def choose(
    tests: Mapping[int, tuple[TestCase, Sequence[Assertion]]],
    kills: Kills,
    spared: Mapping[int, int] | None = None,
    effects: Mapping[int, Sequence[Sequence[int]]] = MappingProxyType({}),
) -> dict[int, list[int]]:
    """By test, the numbers of the assertions to keep. ``kills`` leaves out mutants that need no assertion. ``spared`` says how many
    plain assertions a test gets at least (1 where it is not named), ``effects``, by test, for each of its calls those assertions
    that tell that it was made: one of them is kept."""
    victims: dict[tuple[int, int], set[int]] = {}
    for mutant, by_test in kills.items():
        for index, numbers in by_test.items():
            for number in numbers:
                victims.setdefault((index, number), set()).add(mutant)
    ranks = {
        (index, number): (place, index)
        for index, (test, assertions) in tests.items()
        for place, number in enumerate(order_of(test, assertions))
    }
    chosen: dict[int, set[int]] = {index: set() for index in tests}
    for index, number in _greedy(victims, ranks):
        chosen[index].add(number)
    said = {state_of(test, assertions[number]) for index, (test, assertions) in tests.items() for number in chosen[index]} - {""}
    for index, (test, assertions) in tests.items():
        least = (spared or {}).get(index, 1)
        if len(chosen[index]) < least:
            chosen[index].update(plain_choice(test, assertions, least - len(chosen[index]), said))
        chosen[index].update(_of_effects(test, assertions, chosen[index], effects.get(index, ())))
        chosen[index].update(_of_result(test, assertions, chosen[index]))
        chosen[index].update(_of_last(test, assertions, chosen[index]))
        chosen[index].update(_of_unread(test, assertions, chosen[index]) if least else ())
        chosen[index].update(_of_run(test, assertions))
    return {index: sorted(numbers) for index, numbers in chosen.items()}


def _of_effects(
    test: TestCase, assertions: Sequence[Assertion], chosen: Collection[int], effects: Sequence[Sequence[int]]
) -> set[int]:
    """For each call of which none of the chosen tells, the most meaningful assertion that does; no mere class or alias."""
    found: set[int] = set()
    ranks = {number: place for place, number in enumerate(order_of(test, assertions))}
    for failing in effects:
        telling = [number for number in failing if assertions[number].kind != "isinstance" and not is_alias(assertions[number])]
        if telling and found.isdisjoint(failing) and set(failing).isdisjoint(chosen):
            found.add(min(telling, key=lambda number: ranks[number]))
    return found


def is_alias(assertion: Assertion) -> bool:
    """Whether it only says that two names are of one thing."""
    return assertion.kind == "is" and isinstance(assertion.expected, st.Ref)


def _of_result(test: TestCase, assertions: Sequence[Assertion], chosen: Collection[int]) -> list[int]:
    """Something on the result of the last call, where nothing chosen says anything of that: all of it, or else a few of its parts,
    and first those that the test did not give it itself."""
    result = defined(test.statements[-1]) if test.statements else None
    about = [number for number in order_of(test, assertions) if assertions[number].observed.variable == result]
    if result is None or not isinstance(test.statements[-1], _CALLS) or not chosen or not set(about).isdisjoint(chosen):
        return []
    told = [number for number in about if assertions[number].kind != "isinstance"]
    if told and not assertions[told[0]].observed.path:
        return told[
            : not says_nothing(test.statements[-1], assertions[told[0]])
        ]  # that nothing comes back is said where nothing else is
    given = {repr(one.value) for one in test.statements if isinstance(one, st.Literal)}
    told = [number for number in told if len(assertions[number].observed.path) == 1 and not is_text(assertions[number])]
    told.sort(key=lambda number: (says_little(assertions[number]), repr(assertions[number].expected) in given))
    return told[:PARTS]


def _of_last(test: TestCase, assertions: Sequence[Assertion], chosen: Collection[int]) -> list[int]:
    """Something on what the last call was given or called on, where all that is chosen was so before it: a test of ``remove`` says
    more than that the ``add`` before it has worked."""
    last = len(test.statements) - 1
    said = not chosen or any(assertions[one].after == last for one in chosen)
    if said or not isinstance(test.statements[last], _CALLS):
        return []
    near = {*used(test.statements[last]), defined(test.statements[last])}
    about = [
        number
        for number in order_of(test, assertions)
        if assertions[number].after == last
        and assertions[number].observed.variable in near
        and assertions[number].kind in _VALUE_KINDS
        and not is_text(assertions[number])
        and not isinstance(assertions[number].expected, st.Ref)
    ]
    return about[:1]


def _of_unread(test: TestCase, assertions: Sequence[Assertion], chosen: Collection[int]) -> list[int]:
    """What the test asks for and does nothing with: what that is. Else its reader wonders why it is asked for."""
    read = {variable for statement in test.statements for variable in used(statement)}
    read.update(assertions[one].observed.variable for one in chosen)
    unread = {
        defined(one): place
        for place, one in enumerate(test.statements[:-1])
        if isinstance(one, _CALLS) and defined(one) is not None and defined(one) not in read
    }
    found = [
        number
        for number, one in enumerate(assertions)
        if unread.get(one.observed.variable) == one.after
        and not one.observed.path
        and one.kind in _VALUE_KINDS
        and not is_alias(one)
        and not says_nothing(test.statements[one.after], one)
    ]
    return found[-UNREAD:]


def _of_run(test: TestCase, assertions: Sequence[Assertion]) -> list[int]:
    """Of a program that the test runs last: how it ended, and what it printed."""
    last = test.statements[-1] if test.statements else None
    if not isinstance(last, st.MethodCall) or last.name != INVOKE:
        return []
    shown = {(f".{name}",) for name in SHOWN}
    return [
        number
        for number, one in enumerate(assertions)
        if one.observed.variable == last.variable and one.observed.path in shown and one.expected != ""
    ]


def is_text(assertion: Assertion) -> bool:
    """Whether it compares with what ``str`` or ``repr`` makes of an object."""
    return assertion.observed.path[-1:] in _TEXTS


def _greedy(victims: Mapping[tuple[int, int], set[int]], ranks: Mapping[tuple[int, int], tuple[int, int]]) -> list[tuple[int, int]]:
    """Repeatedly the assertion that kills most of what is still alive; of equals, the most meaningful one."""
    left = set().union(*victims.values()) if victims else set()
    candidates = sorted(victims, key=lambda pair: ranks[pair])
    chosen = []
    while left:
        best = max(candidates, key=lambda pair: len(victims[pair] & left))
        chosen.append(best)
        left -= victims[best]
    return chosen

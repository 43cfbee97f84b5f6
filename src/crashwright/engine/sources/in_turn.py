"""What users ask of an application in turn: requests, or command lines, each after those that succeeded before.

First a filling of each operation is looked for that the application does not refuse: a place of it is given another value as long
as the answer is a new one, what is named in the answer first, and ids that earlier answers gave where such are asked for. What
succeeded is gone on with: the operation that comes to the crash is asked after all of it, after less, and after one more. So a
state comes about as the application itself lets it come about, and a test says what its users did.

That is how RESTler explores services (Atlidakis, Godefroid, Polishchuk, ICSE 2019); the score here is that of the crash.

# Deviation: the papers' subjects have no requests.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, cast

from crashwright.engine.execution.executor import release
from crashwright.engine.sources.applications.operations import (
    Asking,
    Leaf,
    Operation,
    added,
    filled,
    keys_in,
    last_name,
    leaves_of,
    written,
)
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase

MOST_ASKED = 80
"""Runs in which a filling of one operation is looked for."""
ROUNDS = 3
"""In which what was refused is tried again, after what succeeded meanwhile."""
MOST_FLOW = 8
"""Operations that make the state."""
MOST_VALUES, FEW_VALUES = 24, 8
"""That one place is given, if the answer names it, and if it names none."""
MOST_LAST, FURTHEST = 6, 2
"""Ways in which the target is asked after one flow; of those that were refused, so many."""
_STEM = 3
"""Letters of a name that are enough to tell what it is about."""
_LONGEST = 2000
"""Characters of an answer."""
_TWINS: tuple[tuple[Plain, Plain], ...] = (
    (1, 2),
    ("2026-01-01T12:00:00", "2026-01-01T13:00:00"),
    ("2026-01-01", "2026-01-02"),
    ("ann@example.com", "bob@example.com"),
    ("1.50", "2.25"),
    ("12:00", "13:00"),
)
"""Two values of each usual kind: where one is refused, the other may do."""
_TYPICAL: tuple[Plain, ...] = (*(one for one, _ in _TWINS), *(other for _, other in _TWINS), True, 0, "", 2.5)
_NUMBER = re.compile(r"\d+")
_ARGS = BaseException.__dict__["args"].__get__
_REFUSED, _LACKING = 400, 404
"""The first status of HTTP that says so, and that of what is not there."""


class _Look(NamedTuple):
    """Stands behind a call, in a run that notes what it answered."""

    variable: Variable


class Answer(NamedTuple):
    """``text`` is what it said; ``values`` are what its document has, by their keys."""

    succeeded: bool
    text: str
    values: Mapping[str, tuple[Plain, ...]] = {}
    crashed: bool = False
    """It came through as an exception."""
    lacks: bool = False
    """What it is about is not there."""


class InTurn:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Those first in which the most has succeeded."""
        asking = subject.asking
        if asking.targets and asking.others:
            yield from _Turns(asking, subject, so_far, rng).tests()


class _Asked(NamedTuple):
    operation: Operation
    call: ast.Call


class _Filling(NamedTuple):
    """The ``call`` that succeeded; else those whose answers were new ones."""

    call: ast.Call | None
    heard: tuple[ast.Call, ...] = ()


class _Turns:
    def __init__(self, asking: Asking, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> None:
        self._asking = asking
        self._subject = subject
        self._so_far = so_far
        self._rng = rng
        self._seen: set[str] = set()
        self._clients = frozenset(subject.clients)
        self._known: dict[str, tuple[Plain, ...]] = {}
        """What answers had, by its keys."""

    def tests(self) -> Iterator[TestCase]:
        """While the state grows: the target after it; then after what differs from it by one or two."""
        names = {one.name for one in self._asking.targets}
        ending: list[_Asked] = []
        flow: list[_Asked] = []
        waiting = [one for one in self._asking.others if one.name not in names]
        for _ in range(ROUNDS):
            left: list[Operation] = []
            for operation in waiting:
                call = self._filling(flow, operation).call if len(flow) < MOST_FLOW else None
                if call is None:
                    left.append(operation)
                    continue
                (ending if operation.ends else flow).append(_Asked(operation, call))
                if not operation.ends:
                    yield from self._after([flow], [way for target in self._asking.targets for way in target.ways[:1]])
            if len(left) == len(waiting) or self._so_far.is_spent:
                break
            waiting = left
        longer = list(flow)
        for one in flow:
            call = self._filling(longer, one.operation, one.call).call
            if call is not None:
                longer.append(_Asked(one.operation, call))
        more = self._told_first([*ending, *longer])
        bases = [(flow, more)] + [(longer, more)] * (len(longer) > len(flow))
        lasts = []
        for base, _ in bases:
            found = [(target, self._filling(base, target)) for target in self._asking.targets]
            more += [_Asked(target, filling.call) for target, filling in found if filling.call is not None]
            lasts.append([call for _, filling in found for call in self._likely(filling)])
            yield from self._after(_near(base, more), lasts[-1])
        for (base, _), last in zip(bases, lasts, strict=True):
            yield from self._after(_further(base, more), last)

    def _likely(self, filling: _Filling) -> list[ast.Call]:
        """What succeeded, or came furthest; then the same about something else that there is."""
        found = list(filling.heard[-FURTHEST:][::-1]) if filling.call is None else [filling.call]
        about = [
            filled(call, {number: value})
            for call in found
            for number, leaf in enumerate(leaves_of(call))
            for value in _answered(leaf, self._known)
            if value != leaf.value
        ]
        return [*found, *about][:MOST_LAST]

    def _told_first(self, asked: Sequence[_Asked]) -> list[_Asked]:
        """Those that the report says were asked before come first, in its order."""
        told = self._asking.told
        return sorted(asked, key=lambda one: told.index(one.operation.name) if one.operation.name in told else len(told))

    def _after(self, flows: Iterable[Sequence[_Asked]], last: Sequence[ast.Call]) -> Iterator[TestCase]:
        for flow in flows:
            yield from self._tests([one.call for one in flow], last)

    def _tests(self, before: Sequence[ast.Call], last: Iterable[ast.Call]) -> Iterator[TestCase]:
        for call in last:
            text = "\n".join(ast.unparse(written(one)) for one in (*before, call))
            if text in self._seen:
                continue
            self._seen.add(text)
            test = self._test([*before, call])
            if test is not None and self._so_far.factory.has_room(test.statements):
                yield test

    def _test(self, calls: Sequence[ast.Call]) -> TestCase | None:
        return self._so_far.seeds.asked((*self._asking.opening, *map(written, calls)), self._rng)

    # What is answered

    def _filling(self, before: Sequence[_Asked], operation: Operation, begun: ast.Call | None = None) -> _Filling:
        """One that succeeds after these, if one is found. ``begun``: one that did before."""
        flow = [one.call for one in before]
        ways = operation.ways if begun is None else (begun,)
        waiting = [call for way in ways for call in _begun(way, self._known)]
        going_on: list[Iterator[ast.Call]] = []
        asked: set[str] = set()
        heard: dict[str, ast.Call] = {}
        refused: list[tuple[ast.Call, Answer]] = []
        while len(asked) < MOST_ASKED and not self._so_far.is_spent:
            call = waiting.pop(0) if waiting else next((one for each in reversed(going_on) for one in each), None)
            if call is None and refused:
                # What an answer says is worth more than what came through as an error.
                refused.sort(key=lambda one: one[1].crashed)
                going_on = [_changed(*one, operation, self._known) for one in reversed(refused)]
                refused = []
                continue
            if call is None:
                break
            text = ast.unparse(written(call))
            if text in asked:
                continue
            asked.add(text)
            answers = self._answers([*flow, call])
            if len(answers) <= len(flow):
                break  # what comes before it is not to be relied on
            answer = answers[len(flow)]
            if answer.succeeded:
                self._learn([*flow, call], answers)
                return _Filling(call)
            said = _without(answer.text, call)
            if said in heard:
                continue
            heard[said] = call
            if answer.lacks and not waiting:
                # Nothing but what is there would do, and that comes by other operations.
                going_on, refused = [_changed(call, answer, operation, self._known)], []
            elif going_on and not answer.crashed:
                going_on.append(_changed(call, answer, operation, self._known))
            else:
                refused.append((call, answer))
        return _Filling(None, tuple(heard.values()))

    def _learn(self, calls: Sequence[ast.Call], answers: Sequence[Answer]) -> None:
        """What they have under their keys; an id, also under the last name in the address."""
        for call, answer in zip(calls, answers, strict=True):
            ids = answer.values.get("id", ())
            for key, values in (*answer.values.items(), (last_name(call), ids)):
                self._known[key] = tuple(dict.fromkeys((*self._known.get(key, ()), *values)))

    def _answers(self, calls: Sequence[ast.Call]) -> list[Answer]:
        """Of each call, up to the first that raised something."""
        found: list[Answer] = []
        test = self._test(calls)
        if test is None or self._so_far.quarantine.holds(test):
            return found
        statements: list[Statement] = []
        for one in test.statements:
            statements.append(one)
            if isinstance(one, st.Call | st.MethodCall | st.CallValue) and one.callee in self._clients:
                statements.append(cast(Statement, _Look(one.variable)))
        self._so_far.meter.spend()
        self._subject.recorder.reset()

        def look(env: dict[int, Any], statement: _Look) -> None:
            found.append(answer_of(env[statement.variable]))

        outcome = self._so_far.bench.executor.run_with(TestCase(tuple(statements)), {_Look: look})
        self._subject.recorder.drop_wanted()
        if outcome.error is not None:
            found.append(Answer(False, _said_by(outcome.error), crashed=True))
        release(outcome)
        return found


def _near(flow: Sequence[_Asked], more: Sequence[_Asked]) -> Iterator[list[_Asked]]:
    """The whole, with one more, without one."""
    yield [*flow]
    yield from ([*flow, one] for one in more)
    yield from ([*flow[:place], *flow[place + 1 :]] for place in range(len(flow)))


def _further(flow: Sequence[_Asked], more: Sequence[_Asked]) -> Iterator[list[_Asked]]:
    """With two more, then the beginning of it with one and with two."""
    yield from ([*flow, one, other] for one in more for other in more)
    yield from ([*flow[:end], one] for end in range(len(flow)) for one in more)
    yield from ([*flow[:end], one, other] for end in range(1, len(flow)) for one in more for other in more)


def _said_by(error: BaseException) -> str:
    """Without running code of its class."""
    said = [one for one in cast(tuple[object, ...], _ARGS(error)) if type(one) is str]
    return f"{class_name(type(error))}: {' '.join(said)}"[:_LONGEST]


Values = Mapping[str, Sequence[Plain]]


def _begun(way: ast.Call, known: Values) -> Iterator[ast.Call]:
    """With all open places filled: by what answers had under their names, or by their own names."""
    places = [(number, one) for number, one in enumerate(leaves_of(way)) if one.value is None]
    yield filled(way, {number: next(iter(_answered(one, known)), one.name) for number, one in places})
    met = [(number, found[0]) for number, one in enumerate(leaves_of(way)) if (found := _answered(one, known))]
    if any(number not in dict(places) for number, _ in met):
        yield filled(way, {**{number: one.name for number, one in places}, **dict(met)})


def _answered(leaf: Leaf, known: Values) -> list[Plain]:
    """What an answer had under that name; what was given out under a name of which this is the beginning; any id."""
    about = leaf.name.removesuffix("_id").removesuffix("id")
    named = [value for name, ids in known.items() if _is_several(name, about) for value in ids]
    return list(dict.fromkeys((*known.get(leaf.name, ()), *named, *(known.get("id", ()) if leaf.name.endswith("id") else ()))))


def _is_several(name: str, one: str) -> bool:
    """Whether a name may be the plural of another."""
    return len(one) >= _STEM and len(one) < len(name) <= len(one) + 2 and name.startswith(one[:-1])


def _without(text: str, call: ast.Call) -> str:
    """What an answer says beside what was sent, and beside numbers."""
    leaves = leaves_of(call)
    names = {one.name for one in leaves}
    sent = {one.value for one in leaves if type(one.value) is str and len(one.value) > 1} - names
    for value in sorted(sent, key=lambda one: -len(one)):
        text = text.replace(value, "...")
    return _NUMBER.sub("0", text)


def _changed(call: ast.Call, answer: Answer, operation: Operation, known: Values) -> Iterator[ast.Call]:
    """With one more key that the answer names; with another value in one place, the places in turn: of those that the answer names,
    if it names any; with one more key."""
    lacking = [key for key in operation.keys if key not in keys_in(call)]
    named_keys = [key for key in lacking if key in answer.text]
    for key in named_keys:
        yield _with_key(call, key, known)
    places = list(enumerate(leaves_of(call)))
    named = [(number, one) for number, one in places if _is_named(one, answer.text)]
    most = MOST_VALUES if named else FEW_VALUES
    ways = [
        [filled(call, {number: value}) for value in _values(leaf, operation.words, known, answer.lacks)][:most]
        for number, leaf in named or (places if not named_keys else [])
    ]
    for turn in range(max(map(len, ways), default=0)):
        yield from (way[turn] for way in ways if turn < len(way))
    for key in lacking if not named_keys else ():
        yield _with_key(call, key, known)


def _with_key(call: ast.Call, key: str, known: Values) -> ast.Call:
    return added(call, key, next(iter(_answered(Leaf(key, None), known)), key))


def _is_named(leaf: Leaf, text: str) -> bool:
    return bool(leaf.name) and (leaf.name in text or (type(leaf.value) is str and len(leaf.value) > 1 and leaf.value in text))


def _values(leaf: Leaf, words: Sequence[Plain], known: Values, lacks: bool) -> Iterator[Plain]:
    """What a place may have: what an answer had under its name, what the code knows, something of each kind. Of what is not there
    (``lacks``) only the first helps."""
    twins = [other for one, other in _TWINS if leaf.value in (one, other)]
    other = () if leaf.in_path or lacks else (*twins, *words, *_TYPICAL)
    for value, kind in dict.fromkeys((one, type(one)) for one in (*_answered(leaf, known), *other)):
        if (value, kind) != (leaf.value, type(leaf.value)):
            yield value


def answer_of(value: Any) -> Answer:
    """What a response says, of whatever framework; what a program returns says that it succeeded."""
    status = getattr(value, "status_code", None)
    if type(status) is not int:
        return Answer(True, "")
    said = getattr(value, "text", None)
    if type(said) is not str:
        content = getattr(value, "content", b"")
        said = content.decode("utf-8", "replace") if type(content) is bytes else ""
    try:
        document = json.loads(said)
    except (ValueError, RecursionError):
        document = None
    values: dict[str, tuple[Plain, ...]] = {}
    _gather(document, values, 0)
    return Answer(status < _REFUSED, f"{status} {said[:_LONGEST]}", values, lacks=status == _LACKING)


def _gather(document: object, values: dict[str, tuple[Plain, ...]], depth: int) -> None:
    if type(document) is dict:
        for key, value in document.items():
            if type(value) in (str, int, float):
                values[key] = (*values.get(key, ()), value)
            else:
                _gather(value, values, depth + 1)
    elif type(document) is list:
        for one in document[:4]:
            _gather(one, values, depth + 1)

"""Stories: an object is made with plain values, and its methods are called one after the other, each with what the calls before it
passed and gave. ``add`` then ``get``, ``add`` twice then ``remove``: what a person would try first.

Each callable is tried alone; what returned is gone on with, by each method of the class and each function that takes such an
object, and what then covered something new, or was done for a second thing, once more. So the ways in which callables succeed are
among the first tests, with values that need no more work, and methods that do nothing on an empty object meet one that is not.
Where the standard library refuses a text and says so (``unknown url type``, ``Invalid isoformat string``), the story is told again
with a text that it would have read, and all that follow have that one.

# Deviation: the papers' first tests are random.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple

from crashwright.engine.search.complaints import read_instead
from crashwright.engine.search.suite.scorer import SuiteRan
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject, usual_in_module
from crashwright.engine.sources.values.plain_calls import PlainCalls
from crashwright.engine.sources.values.usual_types import UsualTypes
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.introspection import is_class
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Literal, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

MOST_METHODS = 16
"""Of one class."""
LONGEST = 3
"""Calls after the object is made."""
MOST_REFUSED = 2
"""Texts of one story that are refused, one after the other."""
_BOUND = (CalleeKind.METHOD, CalleeKind.PROPERTY)


class StoryStep(NamedTuple):
    """A call of a story; see ``PlainCalls.call``."""

    callee: Callee
    whole: bool = False
    same: bool = True


class Stories:
    """See ``sources.source.Source``. It must see what becomes of each test before it makes the next."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """A story of each class in turn, and of each function."""
        usual = usual_in_module(subject, so_far.factory)
        classes: dict[int, Callee] = {}
        functions: list[Callee] = []
        for callee in subject.callables:
            owner = callee.live if callee.kind is CalleeKind.CLASS else callee.owner if callee.kind in _BOUND else None
            if is_class(owner):
                makers = so_far.factory.constructors_of(ClassHint(owner))
                classes.update({id(owner): makers[0]} if makers and makers[0].kind is CalleeKind.CLASS else {})
            else:
                functions.append(callee)
        seen: set[int] = set()
        instead: dict[Value, str] = {}
        writers = [_Writer(so_far, usual, rng, seen, instead) for _ in (*functions, *classes)]
        alone = [writer.of_function(callee) for writer, callee in zip(writers, functions, strict=False)]
        makers_of = [*classes.values()]
        of_classes = zip(writers[len(functions) :], makers_of, strict=True)
        waiting = deque(zip(writers, (*alone, *(one.of_class(maker, subject.callables) for one, maker in of_classes)), strict=True))
        while waiting:
            writer, tests = waiting.popleft()
            test = next(tests, None)
            if test is None:
                continue
            before = so_far.covered
            yield test
            writer.told(so_far.latest[-1] if so_far.latest else None, before)
            waiting.append((writer, tests))


class _Writer:
    """Of one class or function. ``told`` comes before it goes on; ``seen`` has what any of them has written, ``instead`` the texts
    that one of them has found to be read in place of others."""

    def __init__(self, so_far: SuiteSoFar, usual: UsualTypes, rng: Random, seen: set[int], instead: dict[Value, str]) -> None:
        self._so_far = so_far
        self._factory: Factory = so_far.factory
        self._usual = usual
        self._rng = rng
        self._seen = seen
        self._instead = instead
        self._returned = False
        self._was_new = False

    def told(self, ran: SuiteRan | None, before: int) -> None:
        """What became of the last test, before which these goals were covered."""
        self._returned = ran is not None and not (ran.raised or ran.timed_out or ran.hindered or ran.mishap)
        self._was_new = ran is not None and bool(ran.covered & ~before)
        if ran is not None and self._returned:
            self._so_far.stories.append(ran.individual)

    def of_function(self, callee: Callee) -> Iterator[TestCase]:
        """Alone, with what it must be given and with all that it may be."""
        for whole in (False, True):
            yield from self._attempts(None, (StoryStep(callee, whole),))

    def of_class(self, maker: Callee, callables: Collection[Callee]) -> Iterator[TestCase]:
        """What begins with an object of it."""
        cls = maker.live
        assert is_class(cls)
        for whole in (False, True):
            yield from self._attempts(StoryStep(maker, whole), ())
        following = self._following(cls, callables)
        stories: list[tuple[StoryStep, ...]] = [()]
        for length in range(1, LONGEST + 1):
            longer: list[tuple[StoryStep, ...]] = []
            for story in stories:
                for step in chain.from_iterable(_steps(callee, length) for callee in following):
                    told = 0
                    for test in self._attempts(StoryStep(maker), (*story, step)):
                        told += 1
                        yield test
                    if told and self._goes_on((*story, step)):
                        longer.append((*story, step))
            stories = longer

    def _goes_on(self, story: tuple[StoryStep, ...]) -> bool:
        """Whether the story returned, and may lead to more: it is short, met something new, or has two of a kind by now."""
        if not self._returned or story[-1].callee.kind is CalleeKind.PROPERTY:
            return False
        two = len(story) > 1 and story[-1].callee is story[-2].callee and not story[-1].same
        return len(story) == 1 or self._was_new or two

    def _following(self, cls: type, callables: Collection[Callee]) -> list[Callee]:
        """Its methods, and functions that take such an object."""
        methods = [
            one
            for one in self._factory.methods_of(cls)
            if one.kind in _BOUND and not one.private and (one in callables or not one.name.startswith("__"))
        ]
        functions = [one for one in callables if one.kind not in _BOUND and one.kind is not CalleeKind.CLASS]
        taking = [one for one in functions if any(_takes(parameter.hint, cls) for parameter in one.parameters)]
        return [*methods[:MOST_METHODS], *taking]

    def _attempts(self, maker: StoryStep | None, story: tuple[StoryStep, ...]) -> Iterator[TestCase]:
        """The test, and the same with a text that is read in place of one that is not."""
        for _ in range(1 + MOST_REFUSED):
            test = self._written(maker, story)
            if test is None:
                return
            yield test
            found = None if self._returned else read_instead(test, self._so_far.complaints.words)
            if found is None or found[0] in self._instead:
                return
            self._instead[found[0]] = found[1]

    def _written(self, maker: StoryStep | None, story: tuple[StoryStep, ...]) -> TestCase | None:
        """None where a call cannot be written, or the test was written before."""
        calls = PlainCalls(self._factory, self._usual, self._rng)
        receiver = None
        for step in (*((maker,) if maker is not None else ()), *story):
            bound = receiver if step.callee.kind in _BOUND else None
            made = calls.call(step.callee, bound, step.whole, step.same)
            if made is None:
                return None
            receiver = made if receiver is None and step is maker else receiver
        test = TestCase(tuple(map(self._read, calls.statements)))
        shape = shape_of(test)
        if shape in self._seen or not test.is_valid():
            return None
        self._seen.add(shape)
        self._so_far.plain.add(test.key())
        return test

    def _read(self, statement: Statement) -> Statement:
        """With the text that is read in its place, if it is a literal for which one was found."""
        if not isinstance(statement, Literal) or type(statement.value) is not str or statement.value not in self._instead:
            return statement
        return statement._replace(value=self._instead[statement.value])


def _steps(callee: Callee, length: int) -> Iterator[StoryStep]:
    yield StoryStep(callee)
    if any(not parameter.required for parameter in callee.parameters):
        yield StoryStep(callee, whole=True)
    if length > 1 and callee.parameters:
        yield StoryStep(callee, same=False)


def _takes(hint: Hint, cls: type) -> bool:
    """Whether an object of the class, or several of them, may be passed."""
    if isinstance(hint, UnionHint):
        return any(_takes(one, cls) for one in hint.members)
    return isinstance(hint, ClassHint) and not is_any(hint) and (hint.cls is cls or any(_takes(one, cls) for one in hint.arguments))

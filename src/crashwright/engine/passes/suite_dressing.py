"""What the tests of a suite get in the end for values: what the subject's own examples and calls show, else plain ones."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Iterator, Mapping

from crashwright.engine.passes.enum_members import with_members
from crashwright.engine.passes.ordinary import Ordinary
from crashwright.engine.passes.plain_values import PlainLooks
from crashwright.engine.passes.specified_mocks import with_specs
from crashwright.engine.passes.stand_ins import with_mocks
from crashwright.engine.passes.standard_values import standard_plain
from crashwright.engine.passes.written_words import WrittenWords
from crashwright.engine.sources.suite_subject import SuiteSubject, usual_in_module
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase


class Dressing:
    """See ``search.suite.reduction.Dress``."""

    def __init__(self, subject: SuiteSubject, factory: Factory, rng: random.Random) -> None:
        usual = usual_in_module(subject, factory)
        self._factory = factory
        self._rng = rng
        self._looks = PlainLooks(WrittenWords((subject.source.text, *_texts_in(subject.examples.sessions))))
        self._ordinary = Ordinary(usual, factory, rng, {}, self._looks)

    def made_of(self, test: TestCase, good: Callable[[TestCase], bool], goes_on: Callable[[], bool]) -> TestCase:
        """See ``Dress``."""

        def in_time(candidate: TestCase) -> bool:
            return goes_on() and good(candidate)

        # First of all, since what mocks are to answer is drawn; and last, since an object that is more ordinary may be a stand-in.
        mocked = with_mocks(test, self._factory, self._rng, in_time)
        dressed = standard_plain(self._ordinary.made_of(mocked, good, goes_on), self._factory, in_time)
        dressed = with_mocks(dressed, self._factory, self._rng, in_time)
        dressed = with_specs(dressed, in_time, self._factory)
        named = with_members(dressed)
        return named if named is not dressed and in_time(named) else dressed

    def plain(self, test: TestCase) -> Mapping[Variable, Value]:
        """See ``Dress``."""
        literals = [one for one in test.statements if isinstance(one, st.Literal)]
        lines = {
            one.arguments.positional[1]
            for one in test.statements
            if isinstance(one, st.MethodCall) and one.name == st.INVOKE and len(one.arguments.positional) > 1
        }
        plain = [one for one in literals if not isinstance(one.value, st.Display) and self._looks.is_plain(one.value)]
        return {one.variable: one.value for one in (*plain, *(line for line in literals if line.variable in lines))}


def _texts_in(sessions: Iterable[Session]) -> Iterator[str]:
    for session in sessions:
        for statement in session:
            yield from (node.value for node in walk(statement) if isinstance(node, ast.Constant) and type(node.value) is str)

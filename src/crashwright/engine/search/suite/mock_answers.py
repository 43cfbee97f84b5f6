"""Which answers of mocks the code looks at: a test in which one is the mock's own says nothing.

``Mock()`` answers whatever it is asked with another mock. Where code goes on with that answer, what it makes of it is no behaviour
of the subject's, though it covers lines: such a test is kept only as long as there is none that answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from crashwright.engine.execution.handlers import Environment, Note
from crashwright.engine.subject.introspection import instance_dict
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.demands import Demand, DemandKind


class MockAnswers:
    """Of one search. ``listen`` is called as soon as there is something to listen to: it costs each call of a test a little."""

    def __init__(self, listen: Callable[[], None]) -> None:
        self._listen = listen
        self._asked: set[str] = set()
        """The methods whose results are looked at, by name."""
        self._made: list[tuple[object, frozenset[str]]] = []
        """The mocks of the running test, with what each was given that answers."""

    def learn(self, demands: Iterable[Demand]) -> None:
        """What was asked of objects that mocks are to stand for."""
        is_new = not self._asked
        for demand in demands:
            for node in demand.nodes() if demand.cls is not None else ():
                if node.kind is DemandKind.CALLABLE and node.result is not None and node.result.is_looked_at:
                    self._asked.add(node.name)
        if is_new and self._asked:
            self._listen()

    def beside(self, note: Note) -> Note:
        """``note`` for ``Executor.note_results``, which tells us of the mocks of a test, too."""

        def both(statement: Any, env: Environment, returned: bool = True) -> None:
            note(statement, env, returned)
            if returned and st.is_mock(statement):
                bare = [mock for mock, answers in self._made if not answers]
                keywords = statement.arguments.keywords
                given = frozenset(name for name, one in keywords if all(env[one] is not mock for mock in bare))
                self._made.append((env[statement.variable], given))

        return both

    def lack(self) -> bool:
        """Whether a mock of the test that was just run has had to answer such a method by itself. Lets go of them."""
        made, self._made = self._made, []
        return any(not self._asked.isdisjoint(_called(mock) - given) for mock, given in made)


def _called(mock: object) -> set[str]:
    """The methods of it that were called."""
    children = instance_dict(mock).get("_mock_children")
    if type(children) is not dict:
        return set()
    return {name for name, child in children.items() if type(name) is str and instance_dict(child).get("_mock_called") is True}

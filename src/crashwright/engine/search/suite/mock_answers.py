"""Which answers of mocks the code looks at: a test in which one is the mock's own says nothing.

``Mock()`` answers whatever it is asked with another mock. Where code goes on with that answer, what it makes of it is no behaviour
of the subject's, though it covers lines: such a test is kept only as long as there is none that answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unittest.mock import NonCallableMock

from crashwright.engine.subject.api.callee import MOCKS
from crashwright.engine.subject.introspection import instance_dict, instance_of
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase


class MockAnswers:
    """Of one search."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        """The methods whose results are looked at, by name."""

    def learn(self, demands: Iterable[Demand]) -> None:
        """What was asked of objects that mocks are to stand for."""
        for demand in demands:
            for node in demand.nodes() if demand.cls is not None else ():
                if node.kind is DemandKind.CALLABLE and node.result is not None and node.result.is_looked_at:
                    self._asked.add(node.name)

    def lack(self, test: TestCase, variables: Mapping[Variable, object]) -> bool:
        """Whether a mock of the test, which was just run with these ``variables``, has had to answer such a method by itself."""
        if not self._asked:
            return False
        for one in test.statements:
            if type(one) is st.Call and one.callee.module == MOCKS:
                mock = variables.get(one.variable)
                children = instance_dict(mock).get("_mock_children") if instance_of(mock, NonCallableMock) else None
                given = {name for name, _ in one.arguments.keywords}
                if type(children) is dict and any(name in self._asked and name not in given for name in children):
                    return True
        return False

"""What a test sets on objects of libraries that modules hold, such as an application that all tests send their requests to: it is
put back after the test. The state of their classes is not the subject's, so that nothing else sees to it."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.subject.introspection import instance_dict
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.typed import is_shared

SETTING = frozenset({st.SetAttribute, st.DeleteAttribute})
_MISSING = object()


class SharedSettings:
    """Of one test, noted before it runs."""

    __slots__ = ("_before",)

    def __init__(self, statements: Sequence[Statement]) -> None:
        shared = {one.variable: one.named.live for one in statements if isinstance(one, st.Reference) and is_shared(one)}
        self._before: list[tuple[dict[str, object], str, object]] = []
        for one in statements:
            if isinstance(one, st.SetAttribute | st.DeleteAttribute) and one.receiver in shared:
                live = instance_dict(shared[one.receiver])
                if type(live) is dict:
                    self._before.append((live, one.name, live.get(one.name, _MISSING)))

    def put_back(self) -> None:
        """Without asking the objects: their classes may answer for themselves."""
        for live, name, value in self._before:
            if value is _MISSING:
                live.pop(name, None)
            else:
                live[name] = value

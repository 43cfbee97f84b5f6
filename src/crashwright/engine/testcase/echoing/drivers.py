"""What a line of the report calls that may lead to the crash though it is not the entry: the user's own line is always a way in."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named, Variable
from crashwright.engine.testcase.testcase import TestCase


def driver_of(test: TestCase, shown: Collection[Variable], names: NameChain) -> Known | None:
    """What the last of the calls ``shown`` that leaves the language and its library calls: a callee, or an object that is called or
    has a method called. Calls are known by the variables that hold what they return."""
    references = {one.variable: one.named for one in test.statements if isinstance(one, st.Reference)}
    made = [one for one in test.statements if isinstance(one, st.Call | st.CallValue | st.MethodCall) and one.variable in shown]
    return next((driver for one in reversed(made) for driver in called_by(one, references) if _may_lead(driver, names)), None)


def name_of_driver(driver: Known) -> str:
    """By which a line calls it."""
    return driver.name if isinstance(driver, Callee) else driver.qualname.rpartition(".")[2]


def called_by(statement: st.Call | st.CallValue | st.MethodCall, references: Mapping[Variable, Named]) -> Iterator[Known]:
    """What a statement calls, as far as that is known. ``references`` are what the variables of a test hold."""
    if statement.callee is not None:
        found: Known | None = statement.callee
    else:
        found = references.get(statement.function if isinstance(statement, st.CallValue) else statement.receiver)
    if found is not None:
        yield found


def _may_lead(driver: Known, names: NameChain) -> bool:
    return names.is_own(driver) or driver.module.partition(".")[0] not in sys.stdlib_module_names

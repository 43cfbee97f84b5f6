"""What a path depends on beside its frames: functions that it calls, tables in which they look up."""

from __future__ import annotations

import stations

from crashwright.core.location import CodeKey
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.called import called_from
from crashwright.engine.subject.usage.lookups import keys_looked_up

READ = CodeKey("stations", "Ledger.read", stations.Ledger.read.__code__.co_firstlineno)


def test_functions_that_are_called_and_those_that_these_call() -> None:
    assert [key.qualname for key, _ in called_from([READ], Sources())] == ["row_of", "moment"]


def test_keys_of_the_tables() -> None:
    node = Sources().node_of(READ)
    assert node is not None
    assert keys_looked_up([(node, vars(stations))]) == ["mm", "cm"]
    assert keys_looked_up([(node, {})]) == []

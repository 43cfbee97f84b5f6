"""Small sources with arguments of ``f`` that crash and that do not, against which preconditions are held."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import NamedTuple

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.core.precondition import Precondition
from crashwright.core.terms import Op
from crashwright.engine.goals.crash.precondition import distance
from crashwright.symbolic.values.substitution import leaves_of


class Case(NamedTuple):
    """``crashes``: argument lists as source, the first of which makes the report; ``passes``: those that do something else."""

    source: str
    crashes: tuple[str, ...]
    passes: tuple[str, ...]


def holds_just_where_it_crashes(case: Case) -> list[Precondition]:
    """Those of the outermost frame, and what all ways have in common; gives back the former."""
    source = dedent(case.source)
    module = loaded(source)
    crashes = [eval(f"({one},)", vars(module)) for one in case.crashes]
    passes = [eval(f"({one},)", vars(module)) for one in case.passes]
    with pytest.raises(Exception) as caught:  # noqa: PT011  # each case has its own
        module.f(*eval(f"({case.crashes[0]},)", vars(module)))  # which may change them
    target = target_of(caught.value)
    found, _ = walked(source, target, necessary=True)
    outermost = [one for one in of_level(found, len(target.frames)) if not one.is_necessary]
    assert outermost
    names = module.f.__code__.co_varnames[: module.f.__code__.co_argcount]
    assert [distance(outermost, dict(zip(names, one, strict=True))) for one in crashes] == [0.0] * len(crashes)
    assert all(distance(outermost, dict(zip(names, one, strict=True))) > 0 for one in passes)
    common = [_as_far_as_known(one) for one in of_level(found, len(target.frames)) if one.is_necessary]
    assert common
    assert [distance(common, dict(zip(names, one, strict=True))) for one in crashes] == [0.0] * len(crashes)
    return outermost


def _as_far_as_known(precondition: Precondition) -> Precondition:
    known = [one for one in precondition.guards if not leaves_of([one.term], frozenset({Op.UNKNOWN}))]
    return replace(precondition, guards=tuple(known))

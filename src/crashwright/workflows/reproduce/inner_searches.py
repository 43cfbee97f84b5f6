"""The searches from frames further in, one after another, where the one from the chosen frame was short of a reproduction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from crashwright.core.errors import EnvironmentProblem
from crashwright.core.settings import Budget
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.engine.subject.api.inner_frames import in_turn, inner_frames
from crashwright.finishing.naming import function_name
from crashwright.workflows.events import GoingInwards
from crashwright.workflows.reproduce.hunt import Hunt
from crashwright.workflows.reproduce.hunt_maker import HuntMaker
from crashwright.workflows.reproduce.inwards import InnerSearch, found_inside, next_frame, share_of

_MOST_SEEDS = 4
"""How many of the tests found for the chosen frame are tried first for one further in."""


def search_inwards(maker: HuntMaker, resolved: ResolvedCrash, hunt: Hunt) -> tuple[tuple[InnerSearch, ...], bool]:
    """What is left of the budget goes inwards, and whether the user interrupted that. Where only the message differs nothing
    further in can come nearer: then it goes to the chosen frame, with another seed."""
    budget, best = maker.request.budget, hunt.best
    hunt.leave_nothing()
    if best is not None and best.level == 3:
        hunt.settings = replace(
            hunt.settings, budget=budget, search=replace(hunt.settings.search, seed=maker.request.search.seed + 1)
        )
        return (), hunt.run_until_interrupted()
    outer = function_name(resolved.target.package_frames[0])
    agreeing = best.verification.agreement.frames if best is not None and best.level == 2 else 0
    frames = in_turn(inner_frames(resolved.target, agreeing))
    # As it was published, the search from each frame knows nothing of the one before.
    alone = maker.request.search.operators == "evocrash"
    seeds = () if alone else tuple(one.test for one in hunt.candidates[-_MOST_SEEDS:])
    searches: list[InnerSearch] = []
    inner = _FurtherIn(maker, resolved, seeds, outer)
    while frames:
        spent = hunt.evaluations + sum(one.hunt.evaluations for one in searches)
        used = max(hunt.used, spent / budget.evaluations if budget.evaluations else 0.0)
        number, rest = next_frame(frames, used)
        frames = tuple(one for one in frames if one < number)
        name, one = inner.hunt(number, share_of(budget, rest, spent), rest)
        one.usual_start, one.whole_only = hunt.start_seconds, True
        if not one.has_time:
            break
        maker.listen(GoingInwards(number, name, outer))
        problem, interrupted = "", False
        try:
            interrupted = one.run_until_interrupted()
        except EnvironmentProblem as error:
            # The search from the chosen frame has its result, whatever stands in the way of one from here.
            problem = error.message
        searches.append(InnerSearch(number, name, one, problem))
        if interrupted or one.reproduced:
            return tuple(searches), interrupted
    for number, found in found_inside(hunt.candidates, inner_frames(resolved.target)):
        name, one = inner.hunt(number, budget, 0.0)
        one.candidates.append(replace(found, level=4))
        one.judge_best()
        if one.reproduced:
            searches.append(InnerSearch(number, name, one))
            break
    return tuple(searches), False


@dataclass(frozen=True, slots=True)
class _FurtherIn:
    """Makes these searches; ``outer`` is the name of the chosen frame."""

    maker: HuntMaker
    resolved: ResolvedCrash
    seeds: tuple[dict[str, Any], ...]
    outer: str

    def hunt(self, number: int, budget: Budget, rest: float) -> tuple[str, Hunt]:
        """The name of that frame, counted from the crash, and the search."""
        maker, resolved = self.maker, self.resolved
        inner = resolve(maker.report, maker.interpreter, maker.request.package, number, maker.secrets)
        target = replace(inner.target, invocations=resolved.target.invocations)
        inner = replace(inner, target=target, preparation=resolved.preparation, extra_path=resolved.extra_path)
        return function_name(inner.target.package_frames[0]), maker.hunt(inner, self.seeds, budget, rest, self.outer)

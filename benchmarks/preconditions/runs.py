"""One crash: its preconditions are searched for, and held against what the test that reproduces it passes to the frames."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from benchmarks.comparison.crashes import Aim
from benchmarks.comparison.provenance import SOURCE
from benchmarks.store import Form
from crashwright.core.codec import from_json, to_json
from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.precondition import Guard, Precondition, written
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.execution.limits import Optimisations
from crashwright.symbolic.execution.search_job import PreconditionSearch, Question, WalkEffort
from crashwright.symbolic.wording.preconditions import worded
from crashwright.workflows.inquiries.conditions import sources_of

CONFIGURATIONS: Final[Mapping[str, Optimisations]] = {
    "all": Optimisations(),
    "pruning alone": Optimisations(guided=False, recognise=False),
    "guiding alone": Optimisations(prune=False, recognise=False),
    "recognition alone": Optimisations(prune=False, guided=False),
    "no pruning": Optimisations(prune=False),
    "no guiding": Optimisations(guided=False),
    "no recognition": Optimisations(recognise=False),
    "none": Optimisations(prune=False, guided=False, recognise=False),
}
TEST_SECONDS: Final = 60.0
PROBE: Final = Path(__file__).with_name("probe.py")
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Key:
    """What was run: seconds for each crash."""

    crash: str
    configuration: str
    seconds: float
    commit: str
    bounds: str = "seconds"
    """Or ``counts``, as in a run that is to repeat: the seconds are for what hangs then."""


@dataclass(frozen=True, slots=True)
class Level:
    """What came of one frame, counted from the crash: ways found, seconds to the first; how it ``stands`` with the test, and what
    fails there."""

    ways: int
    first: float
    conditions: int = 0
    """Of the first way."""
    modelled: bool = True
    """Whether it is said why the instruction failed, and not only how it was come to."""
    stands: str = ""
    wrong: tuple[str, ...] = ()
    """The guards that do not hold for the test, of the way of which fewest do not."""
    told: tuple[str, ...] = ()
    """What a reader gets of the first way."""
    certain: str = ""
    """How what is said of all ways ``stands``; empty where nothing is."""
    certainly_wrong: tuple[str, ...] = ()
    certainly: tuple[str, ...] = ()
    """What a reader gets of it, and what of that fails there."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it. ``frames``: those of the report that count; ``ended`` is empty where the walk came to its end."""

    key: Key
    group: str
    frames: int
    ended: str = ""
    wall: float = 0.0
    effort: dict[str, float] = field(default_factory=dict)
    levels: dict[str, Level] = field(default_factory=dict)
    unmodelled: dict[str, int] = field(default_factory=dict)
    """Of first ways: reasons, and how many ways have them."""
    probed: str = ""
    """Why nothing was held against a test."""

    @property
    def found(self) -> dict[str, Level]:
        """The levels to which there is a way."""
        return {level: one for level, one in self.levels.items() if one.ways}


def _levels(text: str) -> dict[str, Level]:
    return {number: from_json(Level, one) for number, one in json.loads(text).items()}


FORM: Final = Form(
    Key,
    Row,
    {
        "effort": (json.dumps, json.loads),
        "levels": (lambda levels: json.dumps(to_json(levels)), _levels),
        "unmodelled": (json.dumps, json.loads),
    },
)


def run(key: Key, aim: Aim, group: str, version: tuple[int, int], test: Path | None, clock: Clock = time.monotonic) -> Row:
    """Make the run."""
    within = _within_comprehensions(aim)
    row = Row(key, group, len(aim.target.package_frames) - within)
    begin = clock()
    try:
        question = Question(
            aim.target,
            sources_of(aim.target),
            version,
            key.seconds,
            exact=key.bounds == "counts",
            necessary=True,
            use=CONFIGURATIONS[key.configuration],
        )
    except (OSError, UnicodeError, SyntaxError) as error:
        return replace(row, ended=f"no source: {error}")
    found: list[Precondition] = []
    firsts: dict[int, float] = {}
    with PreconditionSearch(question, clock) as search:
        for one in search.found():
            one = replace(one, level=one.level - within)
            found.append(one)
            if not one.is_necessary:
                firsts.setdefault(one.level, clock() - begin)
        effort, reason = search.ending
    wall = clock() - begin
    ways = [one for one in found if not one.is_necessary]
    levels = {level: Level(sum(one.level == level for one in ways), round(first, 3)) for level, first in firsts.items()}
    reasons: Counter[str] = Counter()
    for level in levels:
        first_way = next(one for one in ways if one.level == level)
        told = tuple([one.text for one in worded(first_way)])
        modelled = not any(_is_open(part) for guard in first_way.guards if guard.is_crash for part in parts([guard.term]))
        levels[level] = replace(levels[level], told=told, modelled=modelled, conditions=len(first_way.guards))
        reasons.update(first_way.unmodelled)
    row = replace(row, ended=_ending(reason), wall=round(wall, 3), effort=_counts(effort), unmodelled=dict(reasons))
    for one in found:
        if one.is_necessary:
            words = (*(held := levels.get(one.level, Level(0, 0.0))).certainly, *[said.text for said in worded(one)])
            levels[one.level] = replace(held, certainly=words)
    row = replace(row, levels={str(level): levels[level] for level in sorted(levels)})
    if test is None or not found:
        return replace(row, probed="no test" if test is None else "nothing found")
    return _judged(row, found, aim, test)


def _within_comprehensions(aim: Aim) -> int:
    """How many of the innermost frames are of comprehensions, which have no entry of their own."""
    names = [one.key.name for one in reversed(aim.target.package_frames)]
    return next((place for place, name in enumerate(names) if name not in COMPREHENSIONS | {"<genexpr>"}), 0)


def _counts(effort: WalkEffort | None) -> dict[str, float]:
    return {} if effort is None else {**to_json(effort), "solving": round(effort.solving, 3)}


def _ending(reason: str) -> str:
    return reason.strip().rpartition("\n")[2]


def _judged(row: Row, found: Sequence[Precondition], aim: Aim, test: Path) -> Row:
    """With what the test passes to the frames."""
    target = aim.target
    levels = {one.level: one.function for one in found}
    request = {
        "preconditions": to_json(written(found)),
        "levels": [[level, to_json(levels[level])] for level in sorted(levels)],
        "exception": target.exception,
        "test": str(test.resolve()),
    }
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "request.json")).write_text(json.dumps(request))
        path = os.pathsep.join([str(SOURCE.parent), *aim.path])
        try:
            done = subprocess.run(
                [str(aim.crash.python), str(PROBE), str(file)],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
                capture_output=True,
                text=True,
                timeout=TEST_SECONDS,
                check=False,
            )
            answer = json.loads(done.stdout.rstrip().rpartition("\n")[2])
        except (subprocess.TimeoutExpired, ValueError) as error:
            return replace(row, probed=f"the probe failed: {type(error).__name__}")
    if answer["raised"] != target.exception.rpartition(".")[2]:
        return replace(row, probed=f"the test raises {answer['raised'] or 'nothing'}")
    seen = {int(level): {int(number): values for number, values in one.items()} for level, one in answer["seen"].items()}
    told = {level: _both(level, one, found, seen.get(int(level))) for level, one in row.levels.items()}
    return replace(row, levels=told)


def _both(level: str, one: Level, found: Sequence[Precondition], seen: Mapping[int, Sequence[float]] | None) -> Level:
    """How the ways stand, and what is said of all of them."""
    if one.ways:
        stands, wrong = _standing(level, found, False, seen)
        one = replace(one, stands=stands, wrong=wrong)
    if any(way.is_necessary and way.level == int(level) for way in found):
        stands, wrong = _standing(level, found, True, seen)
        one = replace(one, certain=stands, certainly_wrong=wrong)
    return one


def _said(way: Precondition, guard: Guard) -> list[str]:
    """One guard in words, or as it is where words leave it out."""
    return [one.text for one in worded(replace(way, guards=(guard,)))] or [repr(guard.term)[:200]]


def _is_open(part: Term) -> bool:
    """Whether it stands for what no argument says: what is not modelled, and objects that are made on the way."""
    return part.op is Op.UNKNOWN or (part.op is Op.LITERAL and part.sort is Sort.REFERENCE)


def _standing(
    level: str, found: Sequence[Precondition], is_necessary: bool, seen: Mapping[int, Sequence[float]] | None
) -> tuple[str, tuple[str, ...]]:
    """``holds``; ``as far as known``: but for guards that speak of what is not modelled, or of what only code of the subject could
    tell; else ``wrong``. Where nothing is asked for, nothing holds."""
    if seen is None:
        return "not seen", ()
    best: tuple[int, int, tuple[str, ...]] | None = None
    for number, way in enumerate(found):
        if way.level != int(level) or way.is_necessary is not is_necessary or number not in seen:
            continue
        failing = [(guard, far) for guard, far in zip(way.guards, seen[number], strict=True) if far]
        wrong = [guard for guard, far in failing if far > 0 and not any(map(_is_open, parts([guard.term])))]
        words = tuple([text for guard in wrong for text in _said(way, guard)])
        rank = len(wrong), len(failing) - len(wrong), words
        best = rank if best is None or rank < best else best
    if best is None:
        return "not seen", ()
    says = any(way.guards for way in found if way.level == int(level) and way.is_necessary is is_necessary)
    return "wrong" if best[0] else "as far as known" if best[1] or not says else "holds", best[2]

"""The rows as tables: what is found and holds by set, what it takes with and without each optimisation, what is not modelled."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.preconditions.runs import CONFIGURATIONS, Level, Row
from crashwright.core.codec import to_json

MOST_REASONS = 25
STANDS = ("holds", "as far as known", "wrong", "not seen")

_LEVELS: Final[Mapping[str, Callable[[Row], str]]] = {
    "1": lambda _: "1",
    "2": lambda _: "2",
    "outermost": lambda row: str(row.frames),
}
_EFFORT: Final = {
    "paths": "paths",
    "checks": "checks",
    "blocks": "blocks",
    "fields": "fields",
    "arrays": "arrays",
    "calls": "calls",
    "loops": "times round a loop",
    "steps": "instructions",
    "passed": "blocks passed over",
    "left_out": "alternatives left out",
    "contradictions": "contradictions",
    "solving": "s in the solver",
}


def report(rows: Sequence[Row], note: str) -> str:
    """Markdown."""
    whole = [row for row in rows if row.key.configuration == "all"]
    return "\n".join([*_head(rows, note), *_found(whole), *_held(whole), *_efforts(rows), *_reasons(whole), *_wrong(whole)]) + "\n"


def save(file: Path, rows: Sequence[Row]) -> None:
    """All of them as JSON."""
    file.write_text(json.dumps(to_json(list(rows)), indent=1) + "\n")


def _head(rows: Sequence[Row], note: str) -> Iterator[str]:
    seconds = sorted({row.key.seconds for row in rows})
    yield "# Preconditions of the crash pack\n"
    yield f"Program {rows[0].key.commit}; {' and '.join(f'{one:g}' for one in seconds)} s for each walk. {note}\n".replace(
        " \n", "\n"
    )
    yield "Level 1 is the frame that crashed; levels count outwards. Nothing of the package is run to find a precondition.\n"


def _found(rows: Sequence[Row]) -> Iterator[str]:
    yield "## What is found\n"
    yield from _columns(
        "set",
        "crashes",
        "level 1",
        "says why it failed",
        "level 2 (of those with 2)",
        "outermost",
        "seconds to level 1, 2, outermost (median)",
        "the same (mean)",
        "ways of level 1 (mean)",
        "conditions of level 1, outermost (mean)",
        "something is said of all ways: level 1",
    )
    for name, some in _groups(rows):
        two = [row for row in some if row.frames > 1]
        outer = [row.found[str(row.frames)] for row in some if str(row.frames) in row.found]
        outermost = [one.first for one in outer]
        inner = [row.found["1"].conditions for row in some if "1" in row.found]
        first, second = ([row.found[level].first for row in some if level in row.found] for level in "12")
        ways = [row.found["1"].ways for row in some if "1" in row.found]
        modelled = sum("1" in row.found and row.found["1"].modelled for row in some)
        times = ", ".join(_median(one) for one in (first, second, outermost))
        means = ", ".join(_mean(one) for one in (first, second, outermost))
        conditions = f"{_mean(inner)}, {_mean([one.conditions for one in outer])}"
        yield (
            f"| {name} | {len(some)} | {_share(len(first), some)} | {_share(modelled, some)} | {_share(len(second), two)} "
            f"| {_share(len(outermost), some)} "
            f"| {times} | {means} | {statistics.fmean(ways or [0]):.1f} | {conditions} "
            f"| {_share(sum('1' in row.levels and bool(row.levels['1'].certainly) for row in some), some)} |"
        )


def _held(rows: Sequence[Row]) -> Iterator[str]:
    yield "\n## Do they hold where a test reproduces the crash?\n"
    yield "Of the crashes with a test, by level: every guard of one of the ways holds on the live arguments of the crashing call;"
    yield "those that speak of nothing unmodelled do; some do not; the entry was not seen. A way is one example of how the crash"
    yield "comes about; what is said of all ways is claimed of every crash there.\n"
    for what, column in (("one of the ways", lambda one: one.stands), ("what is said of all ways", lambda one: one.certain)):
        yield from _columns("set", "level", f"{what}, with a test", "holds", "as far as known", "wrong", "not seen")
        for name, some in _groups(rows):
            for title, level_of in _LEVELS.items():
                counts = _standings([row for row in some if not row.probed], level_of, column)
                judged = sum(counts.values())
                yield f"| {name} | {title} | {judged} | " + " | ".join(str(counts[one]) for one in STANDS) + " |"
        yield ""
    problems = Counter(row.probed for row in rows if row.probed)
    if problems:
        yield f"\nNot judged: {', '.join(f'{reason} ({count})' for reason, count in problems.most_common())}."


def _standings(rows: Sequence[Row], level_of: Callable[[Row], str], column: Callable[[Level], str]) -> Counter[str]:
    return Counter(found for row in rows if (level := level_of(row)) in row.levels and (found := column(row.levels[level])))


def _efforts(rows: Sequence[Row]) -> Iterator[str]:
    yield "\n## What it takes (paper 002, Table 4 and Table 6)\n"
    yield "Over the crashes that every configuration here has walked to its end or its limit. Means of a crash.\n"
    names = [name for name in CONFIGURATIONS if any(row.key.configuration == name for row in rows)]
    shared = set.intersection(*[{row.key.crash for row in rows if row.key.configuration == name} for name in names])
    considered = [row for row in rows if row.key.crash in shared]
    highest = {crash: max(max(map(int, row.found), default=0) for row in considered if row.key.crash == crash) for crash in shared}
    yield f"{len(shared)} crashes. Seconds to the highest level that any configuration reaches: the limit where one does not.\n"
    reached = ("level 1", "level 2", "outermost", "at the limit")
    yield from _columns("configuration", *reached, "seconds", "to the highest level", *_EFFORT.values())
    for name in names:
        some = [row for row in considered if row.key.configuration == name]
        means = [statistics.fmean([row.effort.get(column, 0.0) for row in some]) for column in _EFFORT]
        late = sum(bool(row.ended) or row.wall > row.key.seconds - 1 for row in some)
        levels = [sum(level in row.found for row in some) for level in "12"]
        outermost = sum(str(row.frames) in row.found for row in some)
        seconds = statistics.fmean([row.wall for row in some])
        to_highest = statistics.fmean([_first(row, highest[row.key.crash]) for row in some])
        yield (
            f"| {name} | {levels[0]} | {levels[1]} | {outermost} | {late} | {seconds:.2f} | {to_highest:.2f} | "
            + " | ".join(f"{one:,.1f}" for one in means)
            + " |"
        )


def _first(row: Row, level: int) -> float:
    """Seconds to a level."""
    known = row.found.get(str(level))
    return known.first if known is not None else row.key.seconds if level else row.wall


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    yield "\n## What was not modelled\n"
    yield "Crashes in which the first way of a level has it.\n"
    yield "| reason | crashes |\n|---|--:|"
    counts = Counter(reason for row in rows for reason in row.unmodelled)
    for reason, count in counts.most_common(MOST_REASONS):
        yield f"| {reason} | {count} |"


def _wrong(rows: Sequence[Row]) -> Iterator[str]:
    yield "\n## What does not hold\n"
    yield "| crash | level | said of | guards that fail for the test |\n|---|---|---|---|"
    for row in rows:
        for level, one in row.levels.items():
            for stands, wrong, which in ((one.stands, one.wrong, "one way"), (one.certain, one.certainly_wrong, "all ways")):
                if stands == "wrong":
                    yield f"| {row.key.crash} | {level} of {row.frames} | {which} | {'; '.join(wrong)[:300]} |".replace("\n", " ")
    missing = [row for row in rows if "1" not in row.found]
    named = [f"{row.key.crash} ({row.ended})" if row.ended else row.key.crash for row in missing]
    yield f"\nNo precondition at all: {', '.join(named) or 'of none'}."


def _columns(*names: str) -> Iterator[str]:
    yield f"| {' | '.join(names)} |"
    yield "|---" + "|--:" * (len(names) - 1) + "|"


def _groups(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for group in sorted({row.group for row in rows}):
        yield group, [row for row in rows if row.group == group]
    yield "both", list(rows)


def _share(count: int, of: Sequence[Row]) -> str:
    return f"{count} ({count / len(of):.0%})" if of else "0"


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.fmean(values):.2f}" if values else "-"


def _median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f}" if values else "-"

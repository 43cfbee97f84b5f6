"""benchmarks/results/batches.md: what came of a pack in one folder, in one log, and one by one, and whether the three agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.evidence.paired import sign_test

REPRODUCED = "reproduced"
BY_TESTS = " by tests"
"""What the name of a part ends with that was bounded by a number of tests."""
_LABELS = {"folder": "batch, one folder", "log": "batch, one log", "alone": "one by one"}
_PARTS = {f"{name}{end}": f"{label}{end}" for end in ("", BY_TESTS) for name, label in _LABELS.items()}
_ALL_WELL = "Every crash has one answer, the one that was told when it came; nothing was lost or done twice"
_VERDICTS = (REPRODUCED, "partial", "not found", "not possible")


def report(figures: Mapping[str, Any], date: str, machine: str, python: str) -> Iterator[str]:
    """The lines of the page."""
    yield "# A pack of crashes in one batch, killed on the way"
    yield ""
    yield f"Written by `python -m benchmarks.batches`; {date}, {machine}, Python {python}."
    there = [name for name in _PARTS if name in figures]
    yield ""
    yield from _answers(figures, there)
    yield ""
    for name in there:
        yield from _run(name, figures[name])
    yield ""
    pairs = [(first, second) for number, first in enumerate(there) for second in there[number + 1 :]]
    pairs = [pair for pair in pairs if len({name.endswith(BY_TESTS) for name in pair}) == 1]
    for first, second in pairs:
        yield from _agreement(first, second, figures)


def _answers(figures: Mapping[str, Any], there: Sequence[str]) -> Iterator[str]:
    yield "| | set | crashes | " + " | ".join(_VERDICTS) + " | other | judged 4 of 4 |"
    yield "|---|---|--:|" + "--:|" * (len(_VERDICTS) + 2)
    for name in there:
        answers = figures[name]["answers"]
        for label in sorted({figures["sets"].get(crash, "") for crash in answers}):
            chosen = [one for crash, one in answers.items() if figures["sets"].get(crash, "") == label]
            counts = Counter(one["verdict"] if one["verdict"] in _VERDICTS else "other" for one in chosen)
            judged = str(sum(one["score"] == 4 for one in chosen)) if all("score" in one for one in chosen) else "not judged"
            cells = [str(counts[verdict]) for verdict in (*_VERDICTS, "other")]
            yield f"| {_PARTS[name]} | {label} | {len(chosen)} | " + " | ".join(cells) + f" | {judged} |"


def _run(name: str, part: Mapping[str, Any]) -> Iterator[str]:
    bound = f"{part['evaluations']:,} tests" if part.get("evaluations") else f"{part['each']:g} s"
    conditions = f"{bound} each, {part['jobs']} at a time, seed {part['seed']}, commit {part['commit']}"
    yield f"- *{_PARTS[name]}*: {conditions}; {part['seconds']:,.0f} s, load {part['load']:g} at the end."
    if "runs" not in part:
        return
    told = ", ".join(f"{run['answered']}{' and killed' if run['killed'] else ''}" for run in part["runs"])
    begun = sum(run["begun"] for run in part["runs"])
    yield f"  Crashes answered by each run of the command: {told}; {begun} begun in all, for {len(part['answers'])} crashes."
    yield f"  {'; '.join(part['faults']) or _ALL_WELL}."


def _agreement(first: str, second: str, figures: Mapping[str, Any]) -> Iterator[str]:
    ours, theirs = figures[first]["answers"], figures[second]["answers"]
    both = sorted(ours.keys() & theirs.keys())
    more = [one for one in both if ours[one]["verdict"] == REPRODUCED != theirs[one]["verdict"]]
    less = [one for one in both if theirs[one]["verdict"] == REPRODUCED != ours[one]["verdict"]]
    agreed, p = len(both) - len(more) - len(less), sign_test(len(more), len(less))
    yield f"- *{_PARTS[first]}* and *{_PARTS[second]}* agree on whether it is reproduced in {agreed} of {len(both)} crashes;"
    yield f"  {len(more)} only by the first, {len(less)} only by the second (sign test, p = {p:.2f})."

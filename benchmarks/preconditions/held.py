"""Are the sentences that ``explain`` says of a crash true? They are held against runs that had no part in choosing them.

python -m benchmarks.preconditions.held --pack FOLDER --venvs FOLDER [--sample N] [--seed N] [--counted] [--time-limit MINUTES]
        [--note TEXT]
    writes benchmarks/results/preconditions-held.{md,json}; started again, it goes on where it was stopped.

As the product does it, the sentences of a crash are held against the runs of one search (seed 1): what one of these contradicts is
left out. Here those of another search (seed 2) say how much of it is false, before that and after. A sentence of what always holds
is false if a run crashed there without it. An example is false if it held in runs and none of them crashed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from benchmarks.comparison.crashes import Aims, Crash, find_crashes
from benchmarks.comparison.provenance import commit
from crashwright.core.errors import CrashwrightError
from crashwright.core.messages import Witness
from crashwright.core.precondition import Precondition
from crashwright.core.settings import Budget
from crashwright.core.target import CrashTarget
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess
from crashwright.symbolic.wording.preconditions import worded
from crashwright.workflows.inquiries.conditions import conditions_of
from crashwright.workflows.inquiries.witnessing import EVALUATIONS, ShownRuns, SubjectRuns

RESULTS: Final = Path(__file__).parents[1] / "results"
COUNTED: Final = 600.0
"""Seconds after which a walk or a search that is bounded by counts is given up."""
SEEDS: Final = (1, 2)
"""Of the search whose runs choose, and of the one whose runs judge."""


def is_false(sentence: Precondition, seen: Witness) -> bool:
    """Whether runs contradict it."""
    return seen.without > 0 if sentence.is_necessary else seen.held > 0 and seen.harmless == seen.held


def can_judge(sentence: Precondition, seen: Witness) -> bool:
    """Whether a run could have contradicted it."""
    return (seen.crashed if sentence.is_necessary else seen.held) > 0


def counted(sentences: Sequence[Precondition], chosen: ShownRuns, judged: ShownRuns) -> dict[str, dict[str, int]]:
    """By kind: sentences, those that the choosing runs leave out, those that the judging runs can judge and call false, of all and
    of those that are kept."""
    table = {kind: dict.fromkeys(("said", "left out", "judged", "false", "kept judged", "kept false"), 0) for kind in KINDS}
    none = [Witness()] * len(sentences)
    for one, choosing, judging in zip(sentences, chosen.counts or none, judged.counts or none, strict=True):
        row = table["always" if one.is_necessary else "example"]
        left_out = is_false(one, choosing)
        row["said"] += 1
        row["left out"] += left_out
        row["judged"] += can_judge(one, judging)
        row["false"] += is_false(one, judging)
        row["kept judged"] += can_judge(one, judging) and not left_out
        row["kept false"] += is_false(one, judging) and not left_out
    return table


KINDS: Final = ("always", "example")


def as_text(sentence: Precondition, chosen: Witness, judged: Witness) -> dict[str, Any]:
    """A sentence for a reader, with what runs say of it."""
    kind = "always" if sentence.is_necessary else "example"
    verdicts = [name for name, seen in (("chosen", chosen), ("judged", judged)) if is_false(sentence, seen)]
    words = [one.text for one in worded(sentence)]
    return {"frame": sentence.level, "kind": kind, "says": words, "false by": verdicts, "runs": [tuple(chosen), tuple(judged)]}


def measured(crash: Crash, aims: Aims, seconds: float, counts: bool) -> dict[str, Any]:
    """One crash; searches and walks are bounded by ``counts`` or by seconds."""
    aim = aims.aim(crash)
    interpreter = inspect_interpreter(str(crash.python))
    heard: list[tuple[Sequence[Precondition], ShownRuns, ShownRuns]] = []

    def both(target: CrashTarget, sentences: Sequence[Precondition]) -> ShownRuns:
        runs = SubjectRuns(EngineProcess, interpreter, aim.path)
        if counts:
            runs = replace(runs, budget=Budget(None, EVALUATIONS), longest=COUNTED)
        chosen, judged = (replace(runs, seed=one)(target, sentences) for one in SEEDS)
        heard.append((sentences, chosen, judged))
        return chosen

    found = conditions_of(aim.target, interpreter.version[:2], COUNTED if counts else seconds, both, exact=counts)
    row: dict[str, Any] = {"crash": crash.name, "frames": len(aim.target.package_frames), "reason": found.reason}
    for sentences, chosen, judged in heard:
        row |= {"runs": [chosen.runs, judged.runs], "problem": chosen.problem or judged.problem}
        row |= {"counts": counted(sentences, chosen, judged)}
        none = [Witness()] * len(sentences)
        row["sentences"] = [*map(as_text, sentences, chosen.counts or none, judged.counts or none)]
    return row


def report(rows: Sequence[dict[str, Any]], program: str, drawn: str, note: str) -> str:
    """The document."""
    said = [row for row in rows if "counts" in row]
    lines = ["# Are the sentences about crashes true?", "", f"Program {program}. {drawn}. {note}".strip(), ""]
    lines += [f"{len(rows)} crashes; of {len(said)} something is said, and runs entered the functions of {_entered(said)}.", ""]
    lines += ["| sentences | said | left out | could be judged | of these false | kept and could be judged | of these false |"]
    lines += ["|---|--:|--:|--:|--:|--:|--:|"]
    for kind, name in zip(KINDS, ("hold whenever it crashes", "examples that lead to it"), strict=True):
        sums = {key: sum(row["counts"][kind][key] for row in said) for key in said[0]["counts"][kind]} if said else {}
        lines.append(f"| {name} | " + " | ".join(str(value) for value in sums.values()) + " |")
    lines += ["", "`left out`: a run of the search that chooses contradicts it. Judged by the runs of another search, seed 2.", ""]
    lines += ["False though kept: " + (", ".join(row["crash"] for row in said if _wrong(row)) or "nothing") + "."]
    return "\n".join(lines) + "\n"


def _entered(said: Sequence[dict[str, Any]]) -> int:
    return sum(all(row["runs"]) for row in said)


def _wrong(row: dict[str, Any]) -> bool:
    return any(row["counts"][kind]["kept false"] for kind in KINDS)


def main(arguments: Sequence[str]) -> int:
    """Measure, and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preconditions.held", description=__doc__)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--venvs", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each walk")
    parser.add_argument("--counted", action="store_true", help="walks and searches end by counts, whatever else the machine does")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="minutes for this invocation")
    parser.add_argument("--note", default="")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--name", default="preconditions-held")
    options = parser.parse_args(arguments)
    drawn = find_crashes(options.pack, options.venvs)
    random.Random(options.seed).shuffle(drawn)
    drawn = [one for one in drawn if one.python.exists()][: options.sample]
    file = options.output / f"{options.name}.json"
    rows: list[dict[str, Any]] = json.loads(file.read_text())["rows"] if file.exists() else []
    until, aims, program = time.monotonic() + 60 * options.time_limit, Aims(), commit()
    for crash in drawn:
        if time.monotonic() >= until or len(rows) >= options.sample:
            break
        if all(row["crash"] != crash.name for row in rows):
            try:
                rows.append(measured(crash, aims, options.seconds, options.counted))
            except CrashwrightError as error:
                rows.append({"crash": crash.name, "reason": error.message})
            file.write_text(json.dumps({"program": program, "rows": rows}, indent=1) + "\n")
    how = f"The first {len(rows)} of the pack in an order drawn with seed {options.seed}; " + (
        "walks and searches end by counts" if options.counted else f"{options.seconds:g} s for each walk"
    )
    (options.output / f"{options.name}.md").write_text(report(rows, program, how, options.note))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How useful reproductions are to who has to fix the bug: the columns of paper 002 (STAR, tables 3 and 4), a row for each crash.

python -m benchmarks.usefulness --pack FOLDER RESULTS [RESULTS ...] [--output FOLDER]
    prints the table and writes benchmarks/results/usefulness.{md,json}

RESULTS are folders with one document of ``crashwright reproduce --json`` for each run, called ID.json or ID-SEED.json; or files of
JSON lines, one for each run, with ``id``, ``seed``, ``score`` (0-4), ``frames``, ``total``, ``wall`` and its ``stdout``, as a judge
of a pack writes them. The pack has ``crash.json`` with ``buggy_frame`` (the frame that the real fix changed) for each ID.

Exploited (criterion 1): the exception of the report at its line. Useful (criterion 2): exploited, the reproduced frames include the
buggy one, and the arguments are legal by the product's own verdict (annotations, observed types, no private names). Where the buggy
frame is not known or no frame of the report, usefulness is unknown, and counts as no.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.record import machine
from crashwright.core.report import ReportedFrame
from crashwright.crash.readers.registry import read_reports

LEGAL = "legal"
_ARGUMENTS = re.compile(r"\barguments: (.+)$", re.MULTILINE)
_NUMBERED = re.compile(r"(.+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Run:
    """One reproduction. ``level`` is the judged one, 0-4; ``frames`` are reproduced, counted from the crash, of ``target``;
    ``legality`` is ``legal``, why not, or empty where the run does not say."""

    crash: str
    seed: int
    level: int
    frames: int
    target: int
    legality: str
    seconds: float

    @property
    def exploited(self) -> bool:
        """Criterion 1: type and line of the crash frame."""
        return self.level >= 1

    @property
    def reproduced(self) -> int:
        """Frames reproduced. Where all agree as a set (a recursion, whose depth differs), they are all."""
        return self.target if self.level >= 3 else self.frames if self.exploited else 0


@dataclass(frozen=True, slots=True)
class Usefulness:
    """The row of one crash: its best run. ``total`` counts the package's frames in the report, ``buggy`` is the number of the buggy
    frame from the crash, 1 (None: unknown), ``exploited`` the runs that met criterion 1; ``seconds`` is their mean."""

    crash: str
    reproduced: int
    target: int
    total: int
    buggy: int | None
    legality: str
    level: int
    runs: int
    exploited: int
    seconds: float | None

    @property
    def reached(self) -> bool | None:
        """Whether the reproduced frames include the buggy one."""
        return None if self.buggy is None else self.reproduced >= self.buggy

    @property
    def useful(self) -> bool | None:
        """Criterion 2; None where it cannot be told."""
        if not self.exploited:
            return False
        known = (self.reached, self.legality == LEGAL if self.legality else None)
        return False if False in known else None if None in known else True

    @property
    def full(self) -> bool:
        """All frames of the report that belong to the package."""
        return bool(self.exploited) and self.reproduced == self.total


def read_runs(path: Path, names: Iterable[str]) -> Iterator[Run]:
    """The runs of a folder of documents or of a file of lines; those of crashes that are not in ``names`` are left out."""
    known = frozenset(names)
    if not path.is_dir():
        lines = filter(str.strip, path.read_text().splitlines())
        yield from (run for run in map(run_of_line, map(json.loads, lines)) if run.crash in known)
        return
    for file in sorted(path.glob("*.json")):
        numbered = _NUMBERED.fullmatch(file.stem)
        name, seed = (file.stem, 1) if file.stem in known or numbered is None else (numbered[1], int(numbered[2]))
        if name in known:
            yield run_of_document(name, seed, json.loads(file.read_text()))


def run_of_line(row: Mapping[str, Any]) -> Run:
    """A run as the judge of a pack tells it. One without a result has level 0."""
    said = _ARGUMENTS.search(row.get("stdout", ""))
    level = int(row.get("score", 0))
    seconds = float(row.get("wall", 0.0))
    frames, target = row.get("frames", 0), row.get("total", 0)
    return Run(row["id"], int(row.get("seed", 1)), level, frames, target, said[1] if said else "", seconds)


def run_of_document(name: str, seed: int, document: Mapping[str, Any]) -> Run:
    """A run by the document of ``crashwright reproduce --json``; one that ended in an error has level 0."""
    test = document.get("test") or {"level": 0, "frames": 0, "legality": ""}
    seconds = document.get("timing", {}).get("total", 0.0)
    return Run(name, seed, test["level"], test["frames"], document.get("frames_total", 0), test["legality"], seconds)


def usefulness(runs: Sequence[Run], total: int, buggy: int | None) -> Usefulness:
    """The row of one crash; ``runs`` are all of it."""
    best = max(runs, key=lambda run: (run.level, run.reproduced, run.legality == LEGAL, -run.seconds))
    exploited = [run for run in runs if run.exploited]
    return Usefulness(
        best.crash,
        best.reproduced,
        best.target or total,
        total,
        buggy,
        best.legality if best.exploited else "",
        best.level,
        len(runs),
        len(exploited),
        round(statistics.fmean(run.seconds for run in exploited), 1) if exploited else None,
    )


def package_frames(folder: Path) -> list[ReportedFrame]:
    """The package's frames in the report of a crash, innermost first."""
    name = json.loads((folder / "crash.json").read_text())["import_name"]
    report = read_reports((folder / "traceback.txt").read_text(encoding="utf-8"))[-1]
    own = re.compile(rf"[/\\]{re.escape(name)}(\.py$|[/\\])")
    return [frame for frame in reversed(report.crash.frames) if own.search(frame.path)]


def buggy_frame(frames: Sequence[ReportedFrame], buggy: Mapping[str, Any] | None) -> int | None:
    """The number of the frame that the fix changed, from the crash, 1; None where it is not known or not among ``frames``."""
    if buggy is None or buggy.get("in_trace") is False:
        return None
    function = buggy["function"].rpartition(".")[2]
    fitting = [
        (frame.line == buggy.get("line"), number)
        for number, frame in enumerate(frames, start=1)
        if frame.path.replace("\\", "/").endswith("/" + buggy["file"]) and frame.function.rpartition(".")[2] == function
    ]
    on_line = [number for same, number in fitting if same]
    return min(on_line or [number for _, number in fitting], default=None)


def table(rows: Sequence[Usefulness]) -> str:
    """The columns of the paper, in Markdown."""
    lines = [
        "| crash | reproduced / target / total | buggy frame | arguments | useful | level | exploited | seconds |",
        "|" + " --- |" * 8,
    ]
    for row in rows:
        buggy = "unknown" if row.buggy is None else f"{row.buggy}: {'reached' if row.reached else 'not reached'}"
        cells = [
            row.crash,
            f"{row.reproduced} / {row.target} / {row.total}",
            buggy,
            (row.legality or "unknown") if row.exploited else "",
            {True: "useful", False: "no", None: "unknown"}[row.useful],
            str(row.level),
            f"{row.exploited} of {row.runs}",
            "" if row.seconds is None else f"{row.seconds:.1f}",
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def totals(rows: Sequence[Usefulness]) -> dict[str, Any]:
    """What the paper sums up: of all crashes, exploited, useful; of the exploited ones, in full; the mean time of these."""
    exploited = [row for row in rows if row.exploited]
    seconds = [row.seconds for row in exploited if row.seconds is not None]
    return {
        "crashes": len(rows),
        "exploited": len(exploited),
        "useful": sum(row.useful is True for row in rows),
        "usefulness_unknown": sum(row.useful is None for row in rows),
        "fully": sum(row.full for row in exploited),
        "legal": sum(row.legality == LEGAL for row in exploited),
        "level_4": sum(row.level == 4 for row in rows),
        "runs": sum(row.runs for row in rows),
        "runs_exploited": sum(row.exploited for row in rows),
        "mean_seconds": round(statistics.fmean(seconds), 1) if seconds else None,
    }


def sentence(total: Mapping[str, Any]) -> str:
    """The totals in words, with the paper's own beside them."""
    share = {name: f"{total[name]} ({total[name] / max(1, total['crashes']):.1%})" for name in ("exploited", "useful", "level_4")}
    return (
        f"Of {total['crashes']} crashes {share['exploited']} are exploited, {share['useful']} usefully (another "
        f"{total['usefulness_unknown']} cannot be told), {total['fully']} of the exploited ones in all frames, {total['legal']} "
        f"with legal arguments; {share['level_4']} are whole reproductions (level 4). Of all {total['runs']} runs "
        f"{total['runs_exploited']} exploit their crash; these take {total['mean_seconds']} s in the mean, over crashes.\n\n"
        "The paper (STAR, 52 Java crashes): 31 exploited (59.6 %), 22 usefully (42.3 %), 20 of the 31 in all frames, 12.2 s."
    )


def main(arguments: Sequence[str]) -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.usefulness", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("results", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    folders = {file.parent.name: file.parent for file in sorted(options.pack.glob("*/crash.json"))}
    runs: dict[str, list[Run]] = {}
    for path in options.results:
        for run in read_runs(path, folders):
            runs.setdefault(run.crash, []).append(run)
    if not runs:
        parser.error("no run of a crash of the pack")
    rows = []
    for name in sorted(runs):
        frames = package_frames(folders[name])
        facts = json.loads((folders[name] / "crash.json").read_text())
        rows.append(usefulness(runs[name], len(frames), buggy_frame(frames, facts.get("buggy_frame"))))
    total = totals(rows)
    heading = "# Usefulness of the reproductions\n\nThe best run of each crash; for the columns see `benchmarks/usefulness.py`."
    document = f"{heading}\n\n{sentence(total)}\n\n{table(rows)}\n\nMachine: {machine()}.\n"
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "usefulness.md").write_text(document)
    figures = {"totals": total, "crashes": [{**asdict(row), "reached": row.reached, "useful": row.useful} for row in rows]}
    (options.output / "usefulness.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(document, end="")


if __name__ == "__main__":
    main(sys.argv[1:])

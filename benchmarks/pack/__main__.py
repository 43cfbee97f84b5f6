"""The crash pack, as a benchmark of its own.

python -m benchmarks.pack run --tool "TOOL {trace} --python {python} --budget {budget} --seed {seed} --output {out}"
                              --name TOOL --tool-version 1.0 --rows rows.jsonl [--budget 60] [--seeds 1] [--half look]
    starts the tool on each case and judges what it wrote; appends a row for each run.
python -m benchmarks.pack verify CASE TEST_FILE
    judges one test file.
python -m benchmarks.pack check
    whether each trigger crashes on its version and does on the fixed one what the case says.
python -m benchmarks.pack table rows.jsonl ... [--output FOLDER]
    the leaderboard, as JSON and Markdown.
python -m benchmarks.pack collect FACTS.json PROGRAM.py
    a new case; FACTS.json has name, package, version, fixed, modules, requirements and source.

All but table need pip and a network the first time. Runs go one by one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.pack.board import Row, document, markdown
from benchmarks.pack.cases import CASES, cases
from benchmarks.pack.checking import complaints
from benchmarks.pack.collecting import Find, collect
from benchmarks.pack.homes import Homes
from benchmarks.pack.running import Tool, attempt, complaint, judged

#: How many words follow each command; None: as many as there are.
WORDS = {"run": 0, "verify": 2, "check": 0, "table": None, "collect": 2}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pack", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=list(WORDS))
    parser.add_argument("words", nargs="*", help="what the command works on")
    parser.add_argument("--cases", type=Path, default=CASES, help="the folder of the cases")
    parser.add_argument(
        "--homes", type=Path, default=Path("pack-environments"), help="the folder of the environments [default: %(default)s]"
    )
    parser.add_argument("--python", default=sys.executable, help="a Python 3.11 to make environments with")
    parser.add_argument("--base", default=sys.executable, help="the Python of an environment with pytest and nothing else")
    parser.add_argument("--only", default="", help="names with commas: these cases, and no others")
    parser.add_argument("--half", default="", choices=["", "look", "judge"])
    parser.add_argument("--tool", default="", help="the command: {trace}, {python}, {budget}, {seed} and {out} are filled in")
    parser.add_argument("--name", default="tool", help="what the table calls the tool")
    parser.add_argument("--tool-version", default="", help="its version")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each run [default: %(default)s]")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each case [default: %(default)s]")
    parser.add_argument("--rows", type=Path, help="where run appends its rows")
    parser.add_argument("--keep", type=Path, help="a folder for the tests that were written")
    parser.add_argument("--output", type=Path, help="a folder for the table; without it the table is printed")
    options = parser.parse_args(arguments)
    refusal = refused(options)
    if refusal:
        parser.error(refusal)
    return options


def refused(options: argparse.Namespace) -> str:
    """What is wrong with the command line, or nothing: said before anything is installed or run."""
    wanted = WORDS[options.command]
    if wanted is not None and len(options.words) != wanted:
        return f"{options.command} takes {wanted} words, not {len(options.words)}"
    known = {case.name for case in cases(options.cases)}
    named = {name for name in options.only.split(",") if name} | ({options.words[0]} if options.command == "verify" else set())
    if named - known:
        return f"no case is named {', '.join(sorted(named - known))}"
    if options.command == "table" and not options.words:
        return "table needs the files with rows"
    files = options.words[1:] if options.command == "verify" else options.words
    missing = [word for word in files if not Path(word).is_file()]
    if missing:
        return f"there is no file {', '.join(missing)}"
    if options.command != "run":
        return ""
    return complaint(options.tool) if options.rows else "run needs --rows, the file where it appends its rows"


def main(arguments: Sequence[str]) -> int:
    """Do what is asked; 1 if the check or the verification failed."""
    options = parse(arguments)
    homes = Homes(options.homes, options.python, options.base)
    match options.command:
        case "run":
            return run(options, homes)
        case "verify":
            return verify(options, homes)
        case "check":
            return check(options, homes)
        case "table":
            return table(options)
        case _:
            facts, program = (Path(word) for word in options.words)
            print(collect(Find(**json.loads(facts.read_text())), program.read_text(), options.cases, homes))
            return 0


def run(options: argparse.Namespace, homes: Homes) -> int:
    """Each case with each seed; rows are written as they come."""
    tool = Tool(options.tool, options.name, options.tool_version, options.budget)
    with options.rows.open("a") as file:
        for case in cases(options.cases, options.only, options.half):
            for seed in range(1, options.seeds + 1):
                row = attempt(case, tool, seed, homes, options.keep)
                file.write(json.dumps(asdict(row)) + "\n")
                file.flush()
                print(
                    f"{case.name:44} seed {seed} score {row.score} frames {row.frames}/{row.total} {row.seconds:.0f} s",
                    row.problem,
                    flush=True,
                )
    return 0


def verify(options: argparse.Namespace, homes: Homes) -> int:
    """One test file, judged."""
    name, test = options.words
    [case] = cases(options.cases, name)
    found, agrees = judged(case, Path(test), homes)
    print(json.dumps({**asdict(found), "reproduced": found.reproduced, "agrees": agrees}))
    return 0 if found.reproduced else 1


def check(options: argparse.Namespace, homes: Homes) -> int:
    """Every case, and a count at the end."""
    sound = broken = 0
    for case in cases(options.cases, options.only, options.half):
        found = complaints(case, homes)
        sound, broken = sound + (not found), broken + bool(found)
        print(f"{case.name:44} {'; '.join(found) or 'sound'}", flush=True)
    print(f"{sound} sound, {broken} not")
    return 1 if broken else 0


def table(options: argparse.Namespace) -> int:
    """The leaderboard of all rows in the files."""
    rows = [Row(**json.loads(line)) for word in options.words for line in Path(word).read_text().splitlines()]
    if options.output is None:
        print(markdown(rows), end="")
        return 0
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "leaderboard.json").write_text(json.dumps(document(rows), indent=2) + "\n")
    (options.output / "leaderboard.md").write_text(markdown(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

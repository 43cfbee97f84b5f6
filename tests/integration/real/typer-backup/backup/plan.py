from dataclasses import dataclass
from pathlib import Path


@dataclass
class Job:
    name: str
    source: Path
    keep: int


def parse_plan(text: str) -> list[Job]:
    """One job a line: ``name source keep``; ``#`` begins a comment."""
    jobs = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, source, keep = line.split()
        jobs.append(Job(name, Path(source), int(keep)))
    return jobs


def oldest(job: Job, snapshots: list[str]) -> str:
    """What goes first when there is one too many."""
    own = sorted(one for one in snapshots if one.startswith(f"{job.name}-"))
    return own[-job.keep - 1]

from pathlib import Path
from typing import Annotated

import typer

from .plan import oldest, parse_plan

app = typer.Typer()


@app.command()
def jobs(plan: Path) -> None:
    """List the jobs of a plan."""
    for job in parse_plan(plan.read_text()):
        typer.echo(f"{job.name}: {job.source} (keeps {job.keep})")


@app.command()
def expire(plan: Path, store: Annotated[Path, typer.Option(help="folder of snapshots")] = Path("snapshots")) -> None:
    """Say which snapshot of each job is to go."""
    snapshots = [one.name for one in store.iterdir()] if store.exists() else []
    for job in parse_plan(plan.read_text()):
        typer.echo(oldest(job, snapshots))


def main() -> None:
    app()


if __name__ == "__main__":
    main()

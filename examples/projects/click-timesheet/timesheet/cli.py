"""The command line: ``timesheet add PROJECT DURATION...``."""

from __future__ import annotations

import click

from timesheet.hours import clock, minutes


@click.group()
def main() -> None:
    """Hours on the command line."""


@main.command()
@click.argument("project")
@click.argument("durations", nargs=-1, required=True)
@click.option("--rate", type=float, default=0.0)
def add(project: str, durations: tuple[str, ...], rate: float) -> None:
    """Add DURATIONS to PROJECT."""
    total = sum(minutes(duration) for duration in durations)
    click.echo(f"{project}: {clock(total)}")
    if rate:
        click.echo(f"{total / 60 * rate:.2f}")


if __name__ == "__main__":
    main()

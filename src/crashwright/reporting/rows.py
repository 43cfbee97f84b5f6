"""Labelled rows on a terminal or in a pipe, for commands that answer at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from crashwright.reporting.plain import row_line
from crashwright.reporting.story import StoryRow


def show_rows(rows: Iterable[StoryRow]) -> None:
    """Print ``rows`` to standard output, in colour where that is a terminal."""
    if not sys.stdout.isatty():
        for row in rows:
            print(row_line(row), flush=True)
        return
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.terminal import print_rows

    print_rows(Console(), rows)

"""What ``--without`` switches off: mechanisms by their names, sources of tests,
teachings and passes by those of the engine's tables."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism

MECHANISMS = {one.value: one for one in Mechanism}


def switched_off(names: Iterable[str]) -> tuple[tuple[Mechanism, ...], tuple[str, ...]]:
    """The mechanisms, and the sources, teachings and passes, of these ``names``. Raises UsageError."""
    mechanisms = tuple(MECHANISMS[name] for name in names if name in MECHANISMS)
    others = tuple(name for name in names if name not in MECHANISMS)
    return mechanisms, tuple(map(_checked, others))


def _checked(name: str) -> str:
    # Only where it is asked for: the tables know every source, teaching and pass, and so most of the engine.
    from crashwright.engine.passes.table import PASSES
    from crashwright.engine.sources.table import SOURCES
    from crashwright.engine.teaching.table import TEACHINGS

    named = (*(row.name for row in SOURCES), *(row.name for row in TEACHINGS), *(row.name for row in PASSES))
    known = [*MECHANISMS, *dict.fromkeys(named)]
    if name in known:
        return name
    close = get_close_matches(name, known, 1)
    advice = f"Did you mean {close[0]}?" if close else f"There are {', '.join(known)}."
    raise UsageError(f"--without {name}: there is no such part of the search.", advice)

"""Where the tests of each module go: ``test_<module>.py``, with parts of the package where several modules share a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crashwright.finishing.naming import snake


def suite_file_names(modules: Sequence[str]) -> dict[str, str]:
    """A file name for each of ``modules``, all different."""
    depth = dict.fromkeys(modules, 1)
    while True:
        stems = {module: _stem(module, depth[module]) for module in modules}
        common = Counter(stems.values())
        longer = [module for module in modules if common[stems[module]] > 1 and depth[module] <= module.count(".")]
        if not longer:
            return _different(stems)
        for module in longer:
            depth[module] += 1


def _stem(module: str, parts: int) -> str:
    return snake("_".join(module.split(".")[-parts:])) or "module"


def _different(stems: dict[str, str]) -> dict[str, str]:
    """``a._b`` and ``a.b`` look alike to the end: then a number."""
    names: dict[str, str] = {}
    for module, stem in stems.items():
        name, number = f"test_{stem}.py", 1
        while name in names.values():
            number += 1
            name = f"test_{stem}_{number}.py"
        names[module] = name
    return names

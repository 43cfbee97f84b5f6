"""The examples: what crashes, in which time it is to be solved, and what a peer is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUBJECTS: Final = Path(__file__).parents[1] / "subjects" / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """``module``: a file of the subjects; ``crash``: statements that make the report; ``asked``: seconds. ``legal``: what must hold
    when the outermost function is entered, for a test that shows the defect and no misuse. ``given`` and ``call``: the parameters
    of a function for a peer that finds arguments, and its body."""

    name: str
    module: str
    crash: str
    asked: float
    given: str
    call: str
    legal: str = "True"


EXAMPLES: Final = (
    Example(
        "Figure 2 (a)",
        "component",
        "Component(1, 2).check_validity()",
        0.5,
        "one: Component",
        "one.check_validity()",
    ),
    Example(
        "Figure 2 (b)",
        "component",
        "Component(1, 2).create_color(0)",
        0.5,
        "one: Component, color_id: int",
        "one.create_color(color_id)",
    ),
    Example(
        "Figure 2 (c)",
        "component",
        "Component(1, 2).add(Part(1), None)",
        0.5,
        "one: Component, first: Optional[Part], second: Optional[Part]",
        "one.add(first, second)",
    ),
    Example(
        "TempFile (ANT-49755)",
        "temporary_file",
        "it = TempFile()\nit.set_property('ant.x')\nit.set_create(True)\nfor _ in range(3): it.retry()\nit.execute()",
        2.0,
        "one: TempFile",
        "one.execute()",
    ),
    Example(
        "UnboundedFifoBuffer (ACC-53)",
        "fifo_buffer",
        "it = UnboundedFifoBuffer(3)\nfor _ in range(3): it.add(1)\nit.remove()\nit.remove()\nfor _ in range(2): it.add(1)\n"
        "way = BufferIterator(it)\nway.next()\nway.next()\nway.remove()",
        10.0,
        "one: BufferIterator",
        "one.remove()",
    ),
    Example(
        "ten ifs",
        "ten_ifs",
        "it = Box(4, 0)\nit.bump()\nit.bump()\nit.noisy(1, 1, 1, 1, 1, 1, 0, 0, 0, 1)",
        5.0,
        f"one: Box, {', '.join(f'{name}: int' for name in 'abcdefghij')}",
        "one.noisy(a, b, c, d, e, f, g, h, i, j)",
    ),
    Example(
        "ListOrderedMap (ACC-411)",
        "ordered_map",
        "it = ListOrderedMap()\nit.put('a', 1)\nit.put('b', 2)\nit.put_all(2, ['a', 'b'])",
        5.0,
        "one: ListOrderedMap, index: int, keys: List[str]",
        "one.put_all(index, keys)",
        legal="0 <= index <= len(self.order)",
    ),
)

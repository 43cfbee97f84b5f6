"""Functions and classes that a test puts in the place of a real one, as they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.printing.layout import INDENT, Doc, lay_out
from crashwright.engine.testcase.printing.literals import value_doc
from crashwright.engine.testcase.statements import Variable

Refer = Callable[[Variable], Doc]
"""What to write for a variable."""


def function_lines(statement: st.StubCallable, name: str, refer: Refer, width: int) -> list[str]:
    """A function that returns one value, or raises."""
    if statement.raises is None:
        body = lay_out(value_doc(statement.result, refer), width - len(INDENT), "return ")
    else:
        body = [f"raise {statement.raises}"]
    return [f"def {name}({statement.parameters}):", *[INDENT + line for line in body]]


def class_lines(statement: st.StubClass, name: str, bases: Sequence[str], refer: Refer, width: int) -> list[str]:
    """A class with attributes, properties and methods that return one value each."""
    lines = [f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"]
    for member, kind, value in statement.members:
        doc = value_doc(value, refer)
        if kind == "attribute":
            lines.extend(INDENT + line for line in lay_out(doc, width - len(INDENT), f"{member} = "))
            continue
        if len(lines) > 1:
            lines.append("")
        if kind == "property":
            lines.append(f"{INDENT}@property")
        lines.append(f"{INDENT}def {member}(self{'' if kind == 'property' else ', *args, **kwargs'}):")
        lines.extend(INDENT * 2 + line for line in lay_out(doc, width - 2 * len(INDENT), "return "))
    return lines if len(lines) > 1 else [lines[0], f"{INDENT}pass"]

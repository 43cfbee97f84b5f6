"""Derives which mutants of an operator subsume which others, with z3, and writes ``engine/goals/coverage/subsumption_tables.py``.

A mutant is killed by the operands on which its outcome differs from the original's. It subsumes another where everything that
kills it kills the other too, so that a suite that kills it kills both (paper 004, section 3.4; the method is that of Gheyi and
Souza et al., "Identifying method-level mutation subsumption relations using Z3"). What no other mutant subsumes must be kept; of
those that subsume each other the first is.

    python scripts/derive_subsumption.py            writes the module
    python scripts/derive_subsumption.py --check    exits with 1 where it differs
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import z3

TABLES = Path(__file__).parents[1] / "src/crashwright/engine/goals/coverage/subsumption_tables.py"
MOST = 10
"""Arithmetic operands are 1 to 10: the coincidences that keep mutants alive lie among small numbers."""
WIDTH, LARGE = 11, 100
"""Powers above ``LARGE`` are larger than every other outcome; the value that stands for them fits into the width."""


class Domain(NamedTuple):
    """Two operands, what they may be, and the outcomes of the operators on them: terms of one sort, or None for an outcome of
    another type than all others."""

    operands: z3.BoolRef
    outcomes: Mapping[str, z3.ExprRef | None]

    def differ(self, one: str, other: str) -> z3.BoolRef:
        first, second = self.outcomes[one], self.outcomes[other]
        return z3.BoolVal(True) if first is None or second is None else first != second

    def possible(self, *conditions: z3.BoolRef) -> bool:
        solver = z3.SolverFor("QF_BV") if "+" in self.outcomes else z3.Solver()
        solver.add(self.operands, *conditions)
        found = solver.check()
        assert found != z3.unknown
        return bool(found == z3.sat)


def relational() -> Domain:
    """Any two numbers that can be ordered: NaN is left out."""
    a, b = z3.Ints("a b")
    return Domain(
        z3.BoolVal(True),
        {
            "<": a < b,
            "<=": a <= b,
            "==": a == b,
            "!=": a != b,
            ">": a > b,
            ">=": a >= b,
            "True": z3.BoolVal(True),
            "False": z3.BoolVal(False),
        },
    )


def arithmetic() -> Domain:
    """Positive ints, as in the paper. True division gives a float and so differs from all others."""
    a, b = z3.BitVecs("a b", WIDTH)
    power = z3.BitVecVal(1, WIDTH)
    powers = power
    for exponent in range(1, MOST + 1):
        power = z3.If(z3.UGT(power, LARGE), power, power * a)
        powers = z3.If(b == exponent, power, powers)
    operands = z3.And(z3.ULE(1, a), z3.ULE(a, MOST), z3.ULE(1, b), z3.ULE(b, MOST))
    outcomes = {"+": a + b, "-": a - b, "*": a * b, "/": None, "//": z3.UDiv(a, b), "%": z3.URem(a, b), "**": powers}
    return Domain(operands, outcomes)


def bitwise() -> Domain:
    """Any two ints: each bit is on its own, so that a few show all there is."""
    a, b = z3.BitVecs("a b", 8)
    return Domain(z3.BoolVal(True), {"&": a & b, "|": a | b, "^": a ^ b})


def kept(domain: Domain, original: str, others: Sequence[str]) -> tuple[str, ...]:
    """The mutants that no other one subsumes."""
    kills = {other: domain.differ(original, other) for other in others}
    alive = [other for other in others if domain.possible(kills[other])]

    def subsumes(one: str, other: str) -> bool:
        return not domain.possible(kills[one], z3.Not(kills[other]))

    def needed(mutant: str) -> bool:
        for rival in alive:
            if rival != mutant and subsumes(rival, mutant):
                earlier = alive.index(rival) < alive.index(mutant)
                if earlier or not subsumes(mutant, rival):
                    return False
        return True

    return tuple(other for other in alive if needed(other))


def killed_by_branches(domain: Domain, original: str, mutant: str) -> bool:
    """Whether the two outcomes of the original, each taken once, kill the mutant whatever the operands."""
    outcome = domain.outcomes[original]
    alive = z3.Not(domain.differ(original, mutant))
    return not domain.possible(outcome == z3.BoolVal(True), alive) or not domain.possible(outcome == z3.BoolVal(False), alive)


def table(domain: Domain) -> dict[str, tuple[str, ...]]:
    """For each operator the replacements to keep."""
    operators = [one for one in domain.outcomes if one not in ("True", "False")]
    return {one: kept(domain, one, [other for other in domain.outcomes if other != one]) for one in operators}


def branch_table(domain: Domain) -> dict[str, tuple[str, ...]]:
    """As ``table``, where both outcomes of the comparison are goals themselves."""
    return {
        one: tuple(mutant for mutant in mutants if not killed_by_branches(domain, one, mutant))
        for one, mutants in table(domain).items()
    }


DERIVED: Mapping[str, tuple[str, Callable[[], dict[str, tuple[str, ...]]]]] = {
    "RELATIONAL": ("Comparisons of numbers.", lambda: table(relational())),
    "RELATIONAL_OF_BRANCHES": (
        "Comparisons of numbers both outcomes of which are branch goals: those kill the other mutants.",
        lambda: branch_table(relational()),
    ),
    "ARITHMETIC": ("Arithmetic on positive ints.", lambda: table(arithmetic())),
    "BITWISE": ("Bitwise operators on ints.", lambda: table(bitwise())),
}


def module_text() -> str:
    """The source of the data module."""
    lines = [
        '"""The mutants of each operator that subsume all others on numbers (paper 004, section 3.4).',
        "",
        "Derived with z3 by ``scripts/derive_subsumption.py``; do not edit.",
        '"""',
        "",
        "from collections.abc import Mapping",
        "from types import MappingProxyType",
        "",
        "Table = Mapping[str, tuple[str, ...]]",
        "",
    ]
    for name, (comment, derive) in DERIVED.items():
        lines.append(f"{name}: Table = MappingProxyType(")
        lines.append("    {")
        for original, mutants in derive().items():
            quoted = ", ".join(f'"{mutant}"' for mutant in mutants) + ("," if len(mutants) == 1 else "")
            lines.append(f'        "{original}": ({quoted}),')
        lines += ["    }", ")", f'"""{comment}"""']
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    text = module_text()
    if "--check" in arguments:
        return int(TABLES.read_text(encoding="utf-8") != text)
    TABLES.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

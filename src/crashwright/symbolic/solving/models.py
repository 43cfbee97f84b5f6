"""What a solver found, as literals."""

from __future__ import annotations

import ctypes
from typing import Any

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.solving.reads import NormalForm
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.literals import class_named, integer, octets, real, reference, text, truth
from crashwright.symbolic.values.tags import of


class Assignment:
    """Values of all that a satisfiable check left open. What it did not need to know is what is simplest to the solver."""

    def __init__(self, language: Language, normal: NormalForm, model: Any) -> None:
        self._language = language
        self._normal = normal
        self._model = model

    def value_of(self, term: Term) -> Term | None:
        """The literal that a term stands for; None where it is an array, or the solver gave none."""
        expression = self._model.eval(self._language.expression(self._normal.of(term)), model_completion=True)
        return self._read(expression, term.sort)

    def _read(self, expression: Any, sort: Sort) -> Term | None:
        z3 = self._language.z3
        match sort:
            case Sort.VALUE:
                return self._read_value(expression)
            case Sort.TRUTH if z3.is_true(expression) or z3.is_false(expression):
                return truth(z3.is_true(expression))
            case Sort.INTEGER if z3.is_int_value(expression):
                return integer(expression.as_long())
            case Sort.REFERENCE if z3.is_int_value(expression):
                return reference(expression.as_long())
            case Sort.CLASS if z3.is_int_value(expression):
                return class_named(self._language.class_name(expression.as_long()))
            case Sort.REAL:
                return self._read_real(expression)
            case Sort.TEXT if z3.is_string_value(expression):
                return text(self._characters(expression))
            case Sort.BYTES if z3.is_string_value(expression):
                return octets(self._characters(expression).encode("latin-1", "replace"))
        return None

    def _read_value(self, expression: Any) -> Term | None:
        name = expression.decl().name()
        op = Op.__members__.get(name.upper()) or Op.__members__.get(f"OF_{name.upper()}")
        if op in (Op.NONE, Op.UNDEFINED):
            return Term(op, Sort.VALUE)
        if op is None or expression.num_args() != 1:
            return None
        inner = self._read(expression.arg(0), Sort[name.upper()])
        return None if inner is None else of(inner)

    def _read_real(self, expression: Any) -> Term | None:
        z3 = self._language.z3
        if z3.is_algebraic_value(expression):
            expression = expression.approx(20)
        if not z3.is_rational_value(expression):
            return None
        try:
            return real(expression.numerator_as_long() / expression.denominator_as_long())
        except OverflowError:
            return None

    def _characters(self, expression: Any) -> str:
        """By their numbers: in z3's own writing an escape cannot be told from a backslash."""
        z3 = self._language.z3
        size = z3.Z3_get_string_length(expression.ctx_ref(), expression.as_ast())
        numbers = (ctypes.c_uint * size)()
        z3.Z3_get_string_contents(expression.ctx_ref(), expression.as_ast(), size, numbers)
        return "".join(map(chr, numbers))

"""Terms as expressions of z3: the only module that imports it, when a :class:`Language` is made.

What z3 has no word for becomes a constant of which nothing is known, with the reason: what follows from the rest stays true, and
what is found may be wrong, which running it tells. Facts that hold of every Python program (sizes are not negative, a byte is
less than 256, inputs are no objects of the path) come along with the terms that they are about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from crashwright.core import text_calls
from crashwright.core.terms import ARRAYS, Op, Sort, Term, parts
from crashwright.symbolic.solving.patterns import Unmodelled, Words, read
from crashwright.symbolic.solving.text_facts import facts_of_call
from crashwright.symbolic.solving.unchecked import Unchecked
from crashwright.symbolic.values.literals import integer_of, is_finite_float, text_of
from crashwright.symbolic.values.logic import was_there

WIDTH: Final = 8
"""Bits of numbers for which ``& | ^`` are modelled where none of both is known."""
LONGEST_SHIFT: Final = 256
BLANKS: Final = ((9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029))
"""What ``str.strip`` takes away, but for the rarest."""
RARE_BLANKS: Final = ((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000))
ODD_LETTERS: Final = {"I": "\u0131", "S": "\u017f", "k": "\u212a", "\xe5": "\u212b"}
"""Letters that become these in the other case, besides the usual one."""
_ALTERNATIVES: Final = (
    ("none", None),
    ("undefined", None),
    ("truth", Sort.TRUTH),
    ("integer", Sort.INTEGER),
    ("real", Sort.REAL),
    ("text", Sort.TEXT),
    ("bytes", Sort.BYTES),
    ("reference", Sort.REFERENCE),
    ("class", Sort.CLASS),
)


OF_TEXTS: Final = frozenset(
    {
        *(Op.LENGTH, Op.CONCATENATE, Op.CONTAINS, Op.STARTS, Op.ENDS, Op.PART, Op.FIND, Op.REPLACE_FIRST, Op.BYTE_AT),
        *(Op.TEXT_OF_INTEGER, Op.INTEGER_OF_TEXT, Op.MATCHES, Op.CALLED, Op.UPPER, Op.LOWER, Op.STRIPPED),
    }
)
"""Operators that make a check take long: without them the rest is mostly decided at once."""


class Language:
    """Terms to expressions, each once. Kept for as long as the solvers that it translates for."""

    def __init__(self) -> None:
        import z3

        self.z3: Any = z3
        self._context = z3.main_ctx()
        self.unchecked = Unchecked(z3, self._context)
        self.unmodelled: dict[Term, str] = {}
        """Terms that became constants of which nothing is known, and why."""
        self._expressions: dict[Term, Any] = {}
        self._facts: dict[Term, tuple[Any, ...]] = {}
        self._of_texts: set[Term] = set()
        self._classes: dict[str, int] = {}
        self._class_names: list[str] = []
        self._value = self._declared()
        self._sorts = {sort: self._sort(sort) for sort in Sort}
        self._variable = z3.Int("index?")
        self._words = Words(z3)

    def expression(self, term: Term) -> Any:
        """The term as z3 has it."""
        for one in parts((term,), self._expressions):
            self._expressions[one] = self._translated(one)
            if one.op in OF_TEXTS or not self._of_texts.isdisjoint(one.args):
                self._of_texts.add(one)
        return self._expressions[term]

    def is_of_texts(self, term: Term) -> bool:
        """Whether an operator of texts is within a term that was translated."""
        return term in self._of_texts

    def facts(self, part: Term) -> tuple[Any, ...]:
        """What holds of what a term stands for in any case; not of its parts."""
        if part not in self._facts:
            self._facts[part] = self._facts_of(part, self.expression(part))
        return self._facts[part]

    def implied(self, condition: Any, conclusion: Any) -> Any:
        """That the conclusion holds where the condition does."""
        return self.applied("implies", condition, conclusion)

    def applied(self, name: str, *args: Any) -> Any:
        """A function of z3's own interface, without the checks of its Python one: half of the time of making conditions."""
        z3 = self.z3
        return z3.z3._to_expr_ref(getattr(z3, f"Z3_mk_{name}")(self._context.ref(), *[one.as_ast() for one in args]), self._context)

    def applied_to_all(self, term: Term, *args: Any) -> Any:
        """Of operators that take any number of conditions."""
        z3 = self.z3
        array = (z3.Ast * len(args))(*[one.as_ast() for one in args])
        make = z3.Z3_mk_and if term.op is Op.AND else z3.Z3_mk_or
        return z3.z3._to_expr_ref(make(self._context.ref(), len(args), array), self._context)

    def class_name(self, number: int) -> str:
        """The class that a number stands for; those that z3 thought out have names that no class has."""
        return self._class_names[number] if 0 <= number < len(self._class_names) else f"?:{number}"

    def _declared(self) -> Any:
        z3 = self.z3
        plain = {
            Sort.TRUTH: z3.BoolSort(),
            Sort.INTEGER: z3.IntSort(),
            Sort.REAL: z3.RealSort(),
            Sort.TEXT: z3.StringSort(),
            Sort.BYTES: z3.StringSort(),
            Sort.REFERENCE: z3.IntSort(),
            Sort.CLASS: z3.IntSort(),
        }
        self._plain = plain
        value = z3.Datatype("value")
        for name, sort in _ALTERNATIVES:
            if sort is None:
                value.declare(name)
            else:
                value.declare(name, (f"in_{name}", plain[sort]))
        return value.create()

    def _sort(self, sort: Sort) -> Any:
        if sort is Sort.VALUE:
            return self._value
        if sort in ARRAYS:
            index, item = ARRAYS[sort]
            return self.z3.ArraySort(self._sort(index), self._sort(item))
        return self._plain[sort]

    def _constant(self, term: Term) -> Any:
        return self.z3.Const(f"{term.op.value}:{term.sort.value}:{term.payload!r}", self._sorts[term.sort])

    def _free(self, term: Term, reason: str) -> Any:
        self.unmodelled[term] = reason
        return self.z3.Const(f"free:{len(self.unmodelled)}", self._sorts[term.sort])

    def _translated(self, term: Term) -> Any:
        if term.op in (Op.INPUT, Op.SYMBOL, Op.UNKNOWN):
            return self._constant(term)
        try:
            if term.op is Op.LITERAL:
                return self._literal(term)
            return _TRANSLATIONS[term.op](self, term, *[self._expressions[one] for one in term.args])
        except Unmodelled as reason:
            return self._free(term, str(reason))

    def _literal(self, term: Term) -> Any:
        z3, payload = self.z3, term.payload
        match payload:
            case bool():
                return z3.BoolVal(payload)
            case int():
                return z3.IntVal(payload)
            case float():
                if not is_finite_float(payload):
                    raise Unmodelled(f"{payload} is no real number")
                above, below = payload.as_integer_ratio()
                return z3.Q(above, below)
            case str() if term.sort is Sort.CLASS:
                if payload not in self._classes:
                    self._classes[payload] = len(self._class_names)
                    self._class_names.append(payload)
                return z3.IntVal(self._classes[payload])
            case str():
                return self._words.text(payload)
            case bytes():
                return self._words.text(payload.decode("latin-1"))
        raise Unmodelled(f"no constant: {payload!r:.80}")

    def _facts_of(self, term: Term, expression: Any) -> tuple[Any, ...]:
        z3 = self.z3
        if term.op is Op.SELECT and term.sort is Sort.INTEGER:
            return (expression >= 0,)
        if term.op is Op.REFERENCE_IN and was_there(term):
            return (z3.Implies(self._value.is_reference(self._expressions[term.args[0]]), expression >= 0),)
        if term.sort is Sort.BYTES and term.op in (Op.BYTES_IN, Op.INPUT, Op.SYMBOL, Op.UNKNOWN):
            return (z3.InRe(expression, z3.Star(z3.Range(self._words.text("\0"), self._words.text("\xff")))),)
        if term.op in (Op.UPPER, Op.LOWER):
            return self._case(term, expression)
        if term.op is Op.EQUAL and term.args[0].op in (Op.UPPER, Op.LOWER) and (value := text_of(term.args[1])) is not None:
            return self._letters(term.args[0], value, expression)
        if term.op is Op.STRIPPED:
            return self._strip(term, expression)
        if term.op is Op.CALLED:
            return self._call(term, expression)
        return ()

    def _call(self, term: Term, expression: Any) -> tuple[Any, ...]:
        try:
            whole = self._expressions[term.args[0]]
            return facts_of_call(self.z3, self._words, text_calls.read(str(term.payload)), whole, expression)
        except Unmodelled:
            return ()

    def _case(self, term: Term, expression: Any) -> tuple[Any, ...]:
        # Deviation: a few letters become two ("ß"); texts with them are left out rather than every length.
        z3 = self.z3
        gone = ("a", "z") if term.op is Op.UPPER else ("A", "Z")
        other = self._words.outside([(ord(gone[0]), ord(gone[1]))])
        return (z3.Length(expression) == z3.Length(self._expressions[term.args[0]]), z3.InRe(expression, z3.Star(other)))

    def _letters(self, case: Term, value: str, is_equal: Any) -> tuple[Any, ...]:
        """Which texts are this one in the other case, as far as each letter stays one."""
        z3, words = self.z3, self._words
        change = str.upper if case.op is Op.UPPER else str.lower
        if change(value) != value or len(value) != len(value.swapcase()):
            return ()
        letters = [
            words.within([(ord(one), ord(one)) for one in dict.fromkeys((letter, letter.swapcase(), *ODD_LETTERS.get(letter, "")))])
            for letter in value
        ]
        return (is_equal == z3.InRe(self._expressions[case.args[0]], words.chain(letters)),)

    def _strip(self, term: Term, expression: Any) -> tuple[Any, ...]:
        z3, whole = self.z3, self._expressions[term.args[0]]
        blank = self._words.within(BLANKS + RARE_BLANKS)
        some = self._words.outside(BLANKS + RARE_BLANKS)
        number = len(self._facts)
        before, behind = z3.String(f"before:{number}"), z3.String(f"behind:{number}")
        inner = z3.Union(z3.Re(""), some, z3.Concat(some, z3.Full(z3.ReSort(z3.StringSort())), some))
        return (
            whole == z3.Concat(before, expression, behind),
            z3.InRe(before, z3.Star(blank)),
            z3.InRe(behind, z3.Star(blank)),
            z3.InRe(expression, inner),
        )

    # Translations of operators: called by the table below.

    def made(self, _: Term, *args: Any, name: str) -> Any:
        """A constructor of values."""
        constructor = getattr(self._value, name)
        return constructor(*args) if args else constructor

    def tested(self, _: Term, value: Any, *, name: str) -> Any:
        """A test of values."""
        return getattr(self._value, f"is_{name}")(value)

    def taken(self, _: Term, value: Any, *, name: str) -> Any:
        """An accessor of values."""
        return getattr(self._value, f"in_{name}")(value)

    def quotient(self, term: Term, left: Any, right: Any) -> Any:
        """z3 rounds so that no remainder is negative; Python rounds down."""
        number = integer_of(term.args[1])
        if number is not None:
            return left / right if number > 0 else (-left) / (-right)
        return self.z3.If(right > 0, left / right, (-left) / (-right))

    def remainder(self, term: Term, left: Any, right: Any) -> Any:
        """With the sign of the divisor."""
        number = integer_of(term.args[1])
        if number is not None:
            return left % right if number > 0 else -((-left) % (-right))
        return self.z3.If(right > 0, left % right, -((-left) % (-right)))

    def truncate(self, _: Term, number: Any) -> Any:
        """Towards zero."""
        return self.z3.If(number >= 0, self.z3.ToInt(number), -self.z3.ToInt(-number))

    def shifted(self, term: Term, left: Any, _: Any) -> Any:
        """Products and quotients."""
        number = integer_of(term.args[1])
        if number is None or not 0 <= number < LONGEST_SHIFT:
            raise Unmodelled("a shift by a number that is not known")
        return left * 2**number if term.op is Op.SHIFT_LEFT else left / 2**number

    def bits(self, term: Term, left: Any, right: Any) -> Any:
        """All three by ``&``."""
        both = self._both_bits(left, right, integer_of(term.args[0]), integer_of(term.args[1]))
        return {Op.BIT_AND: both, Op.BIT_OR: left + right - both, Op.BIT_XOR: left + right - 2 * both}[term.op]

    def _both_bits(self, left: Any, right: Any, first: int | None, second: int | None) -> Any:
        """Exact where one is known: then only so many bits of the other matter as that has."""
        z3 = self.z3
        if first is not None:
            left, right, second = right, left, first
        if second is not None:
            mask = second if second >= 0 else ~second
            kept = left % (mask + 1) if mask & (mask + 1) == 0 else self._masked(left, mask)
            return kept if second >= 0 else left - kept
        narrow = z3.And(left >= 0, left < 2**WIDTH, right >= 0, right < 2**WIDTH)
        free = z3.Function("both bits", z3.IntSort(), z3.IntSort(), z3.IntSort())
        vector = z3.Int2BV(left, WIDTH) & z3.Int2BV(right, WIDTH)
        return z3.If(narrow, z3.BV2Int(vector), free(left, right))

    def _masked(self, number: Any, mask: int) -> Any:
        z3, width = self.z3, mask.bit_length()
        return z3.BV2Int(z3.Int2BV(number, width) & z3.BitVecVal(mask, width))

    def less(self, term: Term, left: Any, right: Any) -> Any:
        """Numbers, or texts by their characters."""
        return left < right if term.op is Op.LESS else left <= right

    def text_of_integer(self, _: Term, number: Any) -> Any:
        """z3 writes numbers that are not negative."""
        z3 = self.z3
        return z3.If(number >= 0, z3.IntToStr(number), z3.Concat(self._words.text("-"), z3.IntToStr(-number)))

    def integer_of_text(self, _: Term, digits: Any) -> Any:
        """z3 reads digits."""
        z3, minus = self.z3, self._words.text("-")
        rest = z3.SubString(digits, 1, z3.Length(digits) - 1)
        return z3.If(z3.PrefixOf(minus, digits), -z3.StrToInt(rest), z3.StrToInt(digits))

    def byte_at(self, _: Term, whole: Any, index: Any) -> Any:
        """Bytes are texts of the first 256 characters."""
        return self.z3.StrToCode(self.z3.SubString(whole, index, 1))

    def matches(self, term: Term, whole: Any) -> Any:
        """The regular expressions that z3 has as well."""
        return self.z3.InRe(whole, read(str(term.payload), self._words))

    def free_function(self, term: Term, *args: Any) -> Any:
        """Something of which only the facts are known."""
        sorts = [self._sorts[one.sort] for one in term.args]
        name = f"function:{term.op.value}" if term.payload is None else f"function:{term.payload!r}"
        return self.z3.Function(name, *sorts, self._sorts[term.sort])(*args)

    def same(self, term: Term, value: Any) -> Any:
        """An array that has the value everywhere."""
        return self.z3.K(self._sorts[ARRAYS[term.sort][0]], value)

    def moved(self, term: Term, *_: Any) -> Any:
        """Lists whose items move are only read (``reads``)."""
        raise Unmodelled(f"a comparison of a whole list with one that was {term.op.value}")


def _table() -> dict[Op, Callable[..., Any]]:
    def alternative(method: Callable[..., Any], name: str) -> Callable[..., Any]:
        return lambda language, term, *args: method(language, term, *args, name=name)

    def call(name: str) -> Callable[..., Any]:
        return lambda language, _, *args: getattr(language.z3, name)(*args)

    def straight(name: str) -> Callable[..., Any]:
        return lambda language, _, *args: language.applied(name, *args)

    table: dict[Op, Callable[..., Any]] = {}
    for name, sort in _ALTERNATIVES:
        upper = name.upper()
        table[Op[upper] if sort is None else Op[f"OF_{upper}"]] = alternative(Language.made, name)
        table[Op[f"IS_{upper}"]] = alternative(Language.tested, name)
        if sort is not None:
            table[Op[f"{upper}_IN"]] = alternative(Language.taken, name)
    named = {
        Op.TO_REAL: "ToReal", Op.LENGTH: "Length",
        Op.CONCATENATE: "Concat", Op.CONTAINS: "Contains", Op.PART: "SubString", Op.FIND: "IndexOf", Op.REPLACE_FIRST: "Replace",
        Op.STORE: "Store",
    }  # fmt: skip
    table.update({op: call(name) for op, name in named.items()})
    plain = {Op.NOT: "not", Op.CHOICE: "ite", Op.EQUAL: "eq", Op.SELECT: "select"}
    table.update({op: straight(name) for op, name in plain.items()})
    table.update(dict.fromkeys((Op.AND, Op.OR), Language.applied_to_all))
    table.update(dict.fromkeys((Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR), Language.bits))
    table.update(dict.fromkeys((Op.SHIFT_LEFT, Op.SHIFT_RIGHT), Language.shifted))
    table.update(dict.fromkeys((Op.INSERTED, Op.DELETED, Op.SHIFTED, Op.JOINED), Language.moved))
    table.update(dict.fromkeys((Op.CALLED, Op.UPPER, Op.LOWER, Op.STRIPPED), Language.free_function))
    table.update(dict.fromkeys((Op.LESS, Op.LESS_EQUAL), Language.less))
    table.update(
        {
            Op.ADD: lambda _, __, left, right: left + right,
            Op.SUBTRACT: lambda _, __, left, right: left - right,
            Op.MULTIPLY: lambda _, __, left, right: left * right,
            Op.DIVIDE: lambda _, __, left, right: left / right,
            Op.STARTS: lambda language, _, whole, beginning: language.z3.PrefixOf(beginning, whole),
            Op.ENDS: lambda language, _, whole, end: language.z3.SuffixOf(end, whole),
            Op.QUOTIENT: Language.quotient,
            Op.REMAINDER: Language.remainder,
            Op.TRUNCATE: Language.truncate,
            Op.TEXT_OF_INTEGER: Language.text_of_integer,
            Op.INTEGER_OF_TEXT: Language.integer_of_text,
            Op.BYTE_AT: Language.byte_at,
            Op.MATCHES: Language.matches,
            Op.SAME: Language.same,
        }
    )
    return table


_TRANSLATIONS: Final = _table()

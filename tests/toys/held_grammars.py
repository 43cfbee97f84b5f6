"""Small packages that hold a grammar each, with classes of libraries as far as they are looked at."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any


def module(name: str, source: str, **names: Any) -> ModuleType:
    """With what ``source`` defines."""
    made = ModuleType(name)
    made.__dict__.update(names)
    exec(compile(source, f"{name}.py", "exec"), made.__dict__)
    return made


def public(library: ModuleType) -> dict[str, Any]:
    """What an import of all gives."""
    return {name: value for name, value in library.__dict__.items() if not name.startswith("_")}


@contextmanager
def loaded(*modules: ModuleType) -> Iterator[None]:
    """They are among the loaded modules."""
    names = {one.__name__: one for one in modules}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)


def pyparsing() -> tuple[ModuleType, ...]:
    library = module(
        "held._vendor.pyparsing",
        """
class ParserElement:
    whiteChars = " \\n"
    skipWhitespace = True
    def __init__(self, **kept): self.__dict__.update({"parseAction": [], **kept})
class And(ParserElement): pass
class MatchFirst(ParserElement): pass
class ParseElementEnhance(ParserElement): pass
class ZeroOrMore(ParseElementEnhance): pass
class Opt(ParseElementEnhance): pass
class NotAny(ParseElementEnhance): pass
class SkipTo(ParseElementEnhance): pass
class Forward(ParseElementEnhance): pass
class Literal(ParserElement): pass
class Word(ParserElement): pass
class Regex(ParserElement): pass
class LineEnd(ParserElement): pass
empty_line = LineEnd()
""",
    )
    package = module(
        "held",
        """
def negated(tokens): return tokens
def wrapped(action):
    def wrapper(*arguments): return action(arguments[-1])
    return wrapper
value = Forward()
number = Regex(pattern=re.compile("[1]"))
name = Word(initChars={"x"}, bodyChars={"x"}, skipWhitespace=False)
minus = And(exprs=[Literal(match="-"), value], parseAction=[wrapped(negated)])
value.expr = MatchFirst(exprs=[number, minus, And(exprs=[NotAny(expr=number), Literal(match="$"), name])])
class Reader:
    statement = And(exprs=[Literal(match="let"), value, Opt(expr=Literal(match=";")), LineEnd()])
""",
        re=re,
        **public(library),
    )
    return library, package


def docstrings() -> tuple[ModuleType, ...]:
    lexer = module(
        "held.words",
        """
reserved = {"when": "WHEN"}
t_ignore = " "
t_PLUS = r"\\+"
def t_NUMBER(token):
    r"[7]"
""",
    )
    package = module(
        "held",
        """
def p_sum(p):
    '''sum : sum PLUS item
           | item'''
def p_item(p):
    "item : NUMBER"
def p_item_condition(p):
    "item : WHEN '(' item ')' item_opt %prec PLUS"
def p_error(p):
    "nothing : at all"
""",
    )
    return lexer, package


def lark() -> tuple[ModuleType, ...]:
    library = module(
        "held_lark.lark",
        """
class Serialize: pass
class Kept(Serialize):
    def __init__(self, **kept): self.__dict__.update(kept)
class Symbol:
    __slots__ = ("name", "is_term")
    def __init__(self, name): self.name, self.is_term = name, name.isupper()
class Rule:
    __slots__ = ("origin", "expansion", "alias")
    def __init__(self, origin, expansion, alias=None):
        self.origin, self.expansion, self.alias = Symbol(origin), [Symbol(one) for one in expansion.split()], alias
class PatternStr:
    flags = ()
    def __init__(self, value): self.value = value
class PatternRE:
    flags = ("i",)
    def __init__(self, value): self.value = value
class Terminal:
    def __init__(self, name, pattern): self.name, self.pattern = name, pattern
""",
    )
    package = module(
        "held",
        """
class Reader:
    def __init__(self):
        self.parser = Kept(
            rules=[
                Rule("start", "start item"), Rule("start", "item"), Rule("item", "NAME EQUAL NAME", "assign"), Rule("item", "NAME"),
            ],
            terminals=[Terminal("NAME", PatternRE("[q]")), Terminal("EQUAL", PatternStr("=")), Terminal("WS", PatternRE(" +"))],
            lexer_conf=Kept(ignore=["WS"]), options=Kept(options={"start": ["start"]}),
        )
reader = Reader()
""",
        **public(library),
    )
    return library, package


def parsimonious() -> tuple[ModuleType, ...]:
    library = module(
        "held_parsimonious.parsimonious",
        """
class Expression:
    __slots__ = ("name",)
    def __init__(self, name="", **kept):
        self.name = name
        for key, value in kept.items(): setattr(self, key, value)
class Literal(Expression): __slots__ = ("literal",)
class Regex(Expression): __slots__ = ("re",)
class Sequence(Expression): __slots__ = ("members",)
class OneOf(Expression): __slots__ = ("members",)
class Quantifier(Expression): __slots__ = ("members", "min", "max")
class Grammar(dict): pass
""",
    )
    package = module(
        "held",
        """
digit = Regex("digit", re=re.compile("[4]"))
pair = Sequence("pair", members=(digit, Literal(literal=","), digit))
whole = Quantifier("whole", members=(OneOf(members=(pair, digit)),), min=1, max=float("inf"))
rules = Grammar(whole=whole, pair=pair, digit=digit)
rules.default_rule = whole
""",
        re=re,
        **public(library),
    )
    return library, package


def pgen() -> tuple[ModuleType, ...]:
    library = module(
        "held_pgen.pgen2.grammar",
        """
opmap = {"(": 7, ")": 8}
class Grammar: pass
""",
    )
    tokens = module("held_pgen.pgen2.token", "NAME, NEWLINE, LPAR, RPAR = 1, 4, 7, 8")
    package = module(
        "held",
        """
G = Grammar()
G.number2symbol, G.start = {256: "line", 257: "trailer"}, 256
G.labels = [(0, "EMPTY"), (1, "go"), (257, None), (4, None), (7, None), (8, None)]
G.dfas = {256: ([[(1, 1)], [(2, 1), (3, 2)], [(0, 2)]], {}), 257: ([[(4, 1)], [(5, 2)], [(0, 2)]], {})}
""",
        Grammar=library.__dict__["Grammar"],
    )
    return library, tokens, package


def tables() -> tuple[ModuleType, ...]:
    package = module(
        "held",
        """
class Lexer:
    rules = [(re.compile("[5]+").match, int), (re.compile("#").match, None), (re.compile(" "), "gap")]
prices = [("bolt", 1), ("nut", 2), ("[washer]", "x", 3)]
""",
        re=re,
    )
    return (package,)


KINDS: Mapping[str, Any] = {
    "PyparsingElements": pyparsing,
    "DocstringRules": docstrings,
    "LarkRules": lark,
    "ParsimoniousRules": parsimonious,
    "PgenTables": pgen,
    "PatternTables": tables,
}
"""By the class of the reader."""

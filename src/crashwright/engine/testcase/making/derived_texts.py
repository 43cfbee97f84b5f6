"""Texts that a grammar of the package derives: the shortest one towards each production that is asked for, then those in which its
parts and what is around it vary, each production once, and at last random ones. What has proved its worth can be changed part by
part.

Covering each production once is Purdom's (1972); pairs of a production and one of its parts are the paths of length two of k-path
coverage (Havrikov and Zeller 2019).
"""

from __future__ import annotations

import heapq
import itertools
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import inf
from random import Random
from typing import NamedTuple, cast

from crashwright.core.location import CodeKey
from crashwright.engine.subject.grammars.text_grammar import Production, Symbol, Terminal, TextGrammar
from crashwright.engine.testcase.making.derivation_trees import (
    Derivation,
    Node,
    Path,
    TreeChanges,
    WrittenTerminal,
    leaves,
    trees_in,
)
from crashwright.engine.testcase.making.matching_text import matching_text

LONGEST = 600
"""Of a text."""
WILD = (0.1, 0.2, 0.4)
"""How often a random text has another production than that of the shortest text; each has one of these."""
OFTEN = 3
"""Random texts through what is asked for, for each that covers another production."""
DEEPEST, MOST_SYMBOLS = 20, 40
"""Of a random derivation: the levels, and the symbols, after which it is brought to its end the shortest way."""
DRAWS, SHORT_DRAWS = 5, 16
"""Of a text that a regular expression matches: the first that it really matches is taken, or the shortest, which is drawn once."""
FREE = 300
"""Random texts in a row that are none that is new, after which there are no others."""
CHANGES_DRAWN = 12
"""Of a tree, until one can be done."""
INDENT = "    "
Choice = Callable[[str, int], Production]
_Place = tuple[str, Production]
_TOP = ""
"""What is reached from nothing: no rule."""


class _RuleUse(NamedTuple):
    """A rule is used at a place of a production of another."""

    rule: str
    production: Production
    at: int


class Derivations:
    """Without end if the texts of the grammar are; none comes twice. ``path``: the functions that they are to run through, the
    outermost first; what belongs to the innermost one comes first."""

    def __init__(self, grammar: TextGrammar, path: Sequence[CodeKey], rng: Random) -> None:
        self._deriver = _Deriver(grammar, rng)
        self._targets = targets_in(grammar, path)
        self._wanted = frozenset(production for _, production in self._targets)

    def __iter__(self) -> Iterator[str]:
        seen: set[str] = set()
        barren = 0
        for text in self._deriver.texts(self._targets):
            if text in seen or len(text) > LONGEST:
                barren += 1
                if barren > FREE:
                    return
                continue
            barren = 0
            seen.add(text)
            yield text

    def covering(self) -> list[str]:
        """One for each production."""
        deriver = self._deriver
        return list(dict.fromkeys(text for text in map(deriver.towards, deriver.every()) if len(text) <= LONGEST))

    def changed(self, texts: Sequence[str]) -> str | None:
        """One of these texts, the earlier ones more often, with a part of it changed by its rules (``derivation_trees``); None if
        what was drawn cannot be done. What belongs to the functions of the path stays in it. What is made is one of these texts."""
        for _ in range(CHANGES_DRAWN):
            made = self._deriver.changed(texts, self._wanted)
            if made is not None and len(made) <= LONGEST:
                return made
        return None


def targets_in(grammar: TextGrammar, path: Sequence[CodeKey]) -> list[_Place]:
    """The productions that functions of the path handle, those of the innermost one first."""
    found: list[tuple[int, _Place]] = []
    for rule, productions in grammar.rules.items():
        for production in productions:
            places = [at for at, key in enumerate(path) if any(owner.is_in(key) for owner in production.owners)]
            if places:
                found.append((-places[-1], (rule, production)))
    return [place for _, place in sorted(found, key=lambda pair: pair[0])]


def in_turns(texts: Sequence[Iterable[str]]) -> Iterator[str]:
    """One of each, until there are none."""
    for turn in itertools.zip_longest(*texts):
        yield from (text for text in turn if text is not None)


class _Deriver:
    def __init__(self, grammar: TextGrammar, rng: Random) -> None:
        self._grammar = grammar
        self._rng = rng
        self._costs: dict[str, float] = {}
        self._least: dict[str, Production] = {}
        self._short: dict[Terminal, str] = {}
        self._made: dict[str, Derivation] = {}
        """What each text was written from."""
        self._nests: dict[Production, tuple[Derivation, Sequence[Path]] | None] = {}
        self._changes = TreeChanges(rng, self._by_chance, self._nested)
        self._wild = WILD[0]
        self._find_costs()
        self._rules = {
            rule: [one for one in productions if self._cost(one.symbols) < inf] for rule, productions in grammar.rules.items()
        }
        self._ways: dict[str, _RuleUse | None] = {}
        for start in grammar.starts:
            for rule, step in self._ways_from([Production((start,))]).items():
                self._ways.setdefault(rule, step)

    def _cost(self, symbols: Collection[Symbol]) -> float:
        return sum(float(one != Terminal()) if isinstance(one, Terminal) else self._costs.get(one, inf) for one in symbols)

    def _find_costs(self) -> None:
        """The number of terminals in the shortest text of each rule."""
        users: dict[str, set[str]] = {}
        for rule, productions in self._grammar.rules.items():
            for symbol in (symbol for one in productions for symbol in one.symbols if type(symbol) is str):
                users.setdefault(symbol, set()).add(rule)
        waiting = dict.fromkeys(self._grammar.rules)
        while waiting:
            rule = next(iter(waiting))
            del waiting[rule]
            for production in self._grammar.rules[rule]:
                cost = self._cost(production.symbols) + 0.01  # a way round without a terminal is none
                if cost < self._costs.get(rule, inf):
                    self._costs[rule], self._least[rule] = cost, production
                    waiting.update(dict.fromkeys(sorted(users.get(rule, ()))))

    def _ways_from(self, first: Sequence[Production]) -> dict[str, _RuleUse | None]:
        """How each rule is reached from one of these, with the fewest terminals beside it, the nearest first."""
        found: dict[str, _RuleUse | None] = {}
        numbers = itertools.count()
        waiting: list[tuple[float, int, str, _RuleUse | None]] = [(0.0, next(numbers), _TOP, None)]
        while waiting:
            cost, _, rule, step = heapq.heappop(waiting)
            if rule in found:
                continue
            found[rule] = step
            for production in self._rules[rule] if rule else first:
                beside = self._cost(production.symbols)
                for at, symbol in enumerate(production.symbols):
                    if not isinstance(symbol, Terminal) and symbol not in found and beside < inf:
                        more = cost + beside - self._costs[symbol] + 0.01
                        heapq.heappush(waiting, (more, next(numbers), symbol, _RuleUse(rule, production, at)))
        return found

    def every(self) -> list[_Place]:
        """The productions that are reached, those of the shortest texts first."""
        places = [(rule, one) for rule in self._ways if rule for one in self._rules[rule]]
        return sorted(places, key=lambda place: self._cost(place[1].symbols))

    def texts(self, targets: Sequence[_Place]) -> Iterator[str]:
        """First of all those of the targets; then random ones through these take turns with all others."""
        known = [place for place in targets if place[0] in self._ways and place[1] in self._rules[place[0]]]
        yield from map(self.towards, known)
        yield from in_turns([self._within(known), *map(self._varied, known)])
        every = self.every()
        others = itertools.chain(map(self.towards, every), in_turns([self._varied(place) for place in every]))
        chance = self._random(known or every)
        yield from in_turns([*[chance] * OFTEN, others] if known else [others, chance])

    def _varied(self, place: _Place) -> Iterator[str]:
        """Each part of a production in each way, and the production in each place where it may be."""
        rule, production = place
        for at, symbol in enumerate(production.symbols):
            for other in [] if isinstance(symbol, Terminal) else self._ways_on(symbol):
                yield self._around(self._in_place(_RuleUse(rule, production, at), self._tree(str(symbol), other)))
        inner = self._tree(rule, production)
        for outer in self._ways:
            for one in self._rules[outer] if outer else ():
                for at, symbol in enumerate(one.symbols):
                    if symbol == rule:
                        yield self._around(self._in_place(_RuleUse(outer, one, at), inner))

    def changed(self, texts: Sequence[str], targets: Collection[Production]) -> str | None:
        """See :meth:`Derivations.changed`."""
        known = [self._made[text] for text in texts if text in self._made]
        if not known:
            return None
        root = known[int(len(known) * self._rng.random() * self._rng.random())]
        made = self._changes.changed(root, known)
        if made is None or (_has(root, targets) and not _has(made, targets)):
            return None
        text = self._written(made)
        self._made.setdefault(text, made)
        return text

    def _by_chance(self, rule: str) -> Derivation:
        self._wild = self._rng.choice(WILD)
        return self._grown(rule, self._chance)

    def _nested(self, rule: str) -> tuple[Derivation, Sequence[Path]] | None:
        """By one of the productions of a rule, in which it may be again."""
        if not self._rules.get(rule):
            return None
        production = self._rng.choice(self._rules[rule])
        if production not in self._nests:
            self._nests[production] = self._nest(rule, production)
        return self._nests[production]

    def _nest(self, rule: str, production: Production) -> tuple[Derivation, Sequence[Path]] | None:
        step = self._ways_from([production]).get(rule)
        if step is None:
            return None
        tree = self._grown(rule, self._shortest)
        while step is not None:
            tree, last = self._in_place(step, tree), step
            step = None if last.rule == _TOP else self._ways_from([production])[last.rule]
        tree = tree._replace(rule=rule)
        return tree, [path for path, one in trees_in(tree).items() if path and one.rule == rule]

    def _within(self, places: Sequence[_Place]) -> Iterator[str]:
        """Each production that parts of these may come to, the nearest first."""
        ways = self._ways_from([production for _, production in places])
        homes = {production: rule for rule, production in places}
        for rule in ways:
            for production in self._rules[rule] if rule else ():
                inner, step = self._tree(rule, production), ways[rule]
                while step is not None:
                    inner, last = self._in_place(step, inner), step
                    step = ways[step.rule]
                yield self._around(inner._replace(rule=homes[last.production]))

    def _ways_on(self, rule: str) -> Iterator[Production]:
        """What a rule may be: productions that add nothing to the one rule in them are passed through."""
        waiting = [rule]
        for one in waiting:  # which grows meanwhile
            for production in self._rules[one]:
                names = [symbol for symbol in production.symbols if self._cost([symbol]) >= 1]
                if len(names) == 1 and not isinstance(names[0], Terminal):
                    waiting += [name for name in names if type(name) is str and name not in waiting]
                else:
                    yield production

    def _random(self, places: Sequence[_Place]) -> Iterator[str]:
        """Through one of these, with all else by chance."""
        while places:
            rule, production = self._rng.choice(places)
            self._wild = self._rng.choice(WILD)
            yield self._around(self._tree(rule, production, self._chance), self._chance)

    def towards(self, place: _Place) -> str:
        """The shortest text with a production."""
        rule, production = place
        return self._around(self._tree(rule, production))

    def _in_place(self, step: _RuleUse, inner: Derivation, how: Choice | None = None) -> Derivation:
        before, after = step.production.symbols[: step.at], step.production.symbols[step.at + 1 :]
        how = how or self._shortest
        parts = (*self._expanded(before, how), inner, *self._expanded(after, how))
        return Derivation(step.rule, step.production, parts)

    def _around(self, inner: Derivation, how: Choice | None = None) -> str:
        """What was made for a rule, in a whole text."""
        step, whole = self._ways[inner.rule], inner
        while step is not None:
            whole = self._in_place(step, whole, how)
            step = self._ways[step.rule]
        text = self._written(whole)
        self._made.setdefault(text, whole)
        return text

    # What productions become

    def _shortest(self, rule: str, depth: int) -> Production:  # noqa: ARG002
        return self._least[rule]

    def _chance(self, rule: str, depth: int) -> Production:
        is_free = depth <= DEEPEST and self._rng.random() < self._wild
        return self._rng.choice(self._rules[rule]) if is_free else self._least[rule]

    def _tree(self, rule: str, production: Production, how: Choice | None = None) -> Derivation:
        return Derivation(rule, production, self._expanded(production.symbols, how or self._shortest))

    def _grown(self, rule: str, how: Choice) -> Derivation:
        (tree,) = self._expanded([rule], how)
        return cast(Derivation, tree)

    def _expanded(
        self, symbols: Sequence[Symbol], how: Choice, made: list[WrittenTerminal] | None = None, depth: int = 0
    ) -> tuple[Node, ...]:
        """``made``: the terminals of all that is made at once."""
        made = [] if made is None else made
        found: list[Node] = []
        for symbol in symbols:
            if isinstance(symbol, Terminal):
                made.append(WrittenTerminal(symbol, self._text(symbol, how == self._shortest)))
                found.append(made[-1])
            else:
                production = how(symbol, depth if len(made) < MOST_SYMBOLS else DEEPEST + 1)
                found.append(Derivation(symbol, production, self._expanded(production.symbols, how, made, depth + 1)))
        return tuple(found)

    def _text(self, terminal: Terminal, short: bool) -> str:
        if terminal.pattern is None:
            return terminal.text
        if short and terminal in self._short:
            return self._short[terminal]
        flags = terminal.flags & ~re.UNICODE & ~re.DEBUG
        # Short ones are the same in each grammar: dialects have most of their texts in common.
        rng = Random(zlib.crc32(terminal.pattern.encode("utf-8", "surrogatepass"))) if short else self._rng
        drawn = [matching_text(terminal.pattern, rng, flags) or "" for _ in range(SHORT_DRAWS if short else DRAWS)]
        right = [text for text in drawn if _is_matched(terminal.pattern, flags, text)] or drawn
        chosen = min(right, key=len) if short else right[0]
        if short:
            self._short[terminal] = chosen
        return chosen

    def _written(self, tree: Derivation) -> str:
        text, level = "", 0
        for terminal, part in leaves(tree):
            level += terminal.indent
            if not part:
                continue
            if text.endswith("\n"):
                text += INDENT * max(0, level)
            elif text and not terminal.glued and not part.isspace() and not text[-1].isspace():
                text += self._grammar.gap
            text += part
        return text


def _has(tree: Derivation, wanted: Collection[Production]) -> bool:
    return any(one.production in wanted for one in trees_in(tree).values())


def _is_matched(pattern: str, flags: int, text: str) -> bool:
    try:
        return re.fullmatch(pattern, text, flags) is not None
    except (re.error, RecursionError, OverflowError):
        return True  # it is of another module for regular expressions

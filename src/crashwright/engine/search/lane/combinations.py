"""Which values a callable is tried with: those of the right type first, each parameter's candidates in an order, and all
combinations of these by the sum of their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product, zip_longest
from random import Random
from typing import NamedTuple

from crashwright.engine.search.lane.live import Live, Pool
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Statement, Variable

MOST_COMBINATIONS = 3000
NARROW, WIDE = 4, 16
"""Candidates of a parameter at the first visit of a callable, and at most."""
ALONE = 60
"""Candidates at most where there is nothing else to choose."""
MOST_SEEN, MOST_GOOD = 10, 6
"""Values known of a parameter: those that tests pass, and those with which calls have returned."""
ON_ONE = 0.5
"""How often all calls of a turn are on one object: what it takes may be several of them."""
AGAIN = 2
"""Objects and arguments of a method call that is made again on an object."""
_STARRED = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_OF_INSTANCES = (CalleeKind.METHOD, CalleeKind.PROPERTY)

Accepts = Callable[[Hint, type], bool]
Expected = Callable[[Callee, str], Sequence[Hint]]


class CallForm(NamedTuple):
    """Which of the parameters a call passes: so many by position, and those by name."""

    positional: tuple[Parameter, ...]
    keywords: tuple[Parameter, ...]

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What tells it from others: the defaults of parameters need not be hashable."""
        return tuple(tuple(parameter.name for parameter in part) for part in self)


class Combinations:
    """``accepts``: whether a value of a class fits a type; ``expected``: the types that a parameter without annotation takes by
    what is done with it; ``plain``: variables of ``None``, empty and other simple values, tried for everything."""

    def __init__(self, pool: Pool, accepts: Accepts, expected: Expected, plain: Sequence[Live], rng: Random) -> None:
        self._pool = pool
        self._accepts = accepts
        self._expected = expected
        self._plain = plain
        self._rng = rng
        self._seen: dict[tuple[Callee, str], dict[Variable, Live]] = {}
        self._named: dict[str, dict[Variable, Live]] = {}
        self._forms: dict[Callee, dict[tuple[tuple[str, ...], ...], CallForm]] = {}
        self._good: dict[tuple[Callee, str], dict[Variable, Live]] = {}
        self._latest: tuple[Callee, list[tuple[Parameter, Live]]]
        self._tried: set[tuple[object, ...]] = set()
        self._visits: dict[Callee, int] = {}

    def learn(self, callee: Callee, passed: Sequence[tuple[Parameter, Live]], form: CallForm | None) -> None:
        """A test passes these."""
        for parameter, live in passed:
            for known in (self._seen.setdefault((callee, parameter.name), {}), self._named.setdefault(parameter.name, {})):
                if len(known) < MOST_SEEN:
                    known[live.variable] = live
        if form is not None:
            self._forms.setdefault(callee, {}).setdefault(form.names, form)

    def calls(self, callee: Callee, new: Callable[[], Variable], most: int) -> Iterator[Statement]:
        """Up to ``most`` calls that were not tried yet: each time of another form, with more candidates."""
        visit = self._visits[callee] = self._visits.get(callee, -1) + 1
        forms = self._forms_of(callee)
        form = forms[visit % len(forms)]
        width = min(WIDE, NARROW + 2 * (visit // len(forms)))
        places: list[list[Live]] = []
        if callee.kind in _OF_INSTANCES:
            places.append(self._receivers(callee))
        parameters = (*form.positional, *form.keywords)
        places += [self._candidates(callee, parameter) for parameter in parameters]
        if not all(places):
            return
        given = 0
        # What a method does depends on what its object has been through: a call of few arguments is worth another try.
        again = callee.kind is CalleeKind.METHOD and len(places) <= AGAIN
        widths = tuple(min(len(one), ALONE if len(places) == 1 else width) for one in places)
        for chosen in _by_places(widths):
            lives = [one[at] for one, at in zip(places, chosen, strict=True)]
            values = [live.variable for live in lives]
            key = (callee, len(form.positional), *values)
            if key in self._tried and not again:
                continue
            self._tried.add(key)
            self._latest = callee, [*zip(reversed(parameters), reversed(lives), strict=False)]
            yield _call(callee, form, values, new())
            given += 1
            if given >= most:
                return

    def worked(self) -> None:
        """The call that was given last returned: what it was passed is worth passing again."""
        callee, passed = self._latest
        for parameter, live in passed:
            known = self._good.setdefault((callee, parameter.name), {})
            known.setdefault(live.variable, live)
            if len(known) > MOST_GOOD:
                del known[next(iter(known))]

    def _forms_of(self, callee: Callee) -> list[CallForm]:
        known = self._forms.setdefault(callee, {})
        usual = [one for one in callee.parameters if one.kind not in _STARRED]
        required = tuple(one for one in usual if one.required and one.kind is not ParameterKind.KEYWORD_ONLY)
        named = tuple(one for one in usual if one.required and one.kind is ParameterKind.KEYWORD_ONLY)
        star = tuple(one for one in callee.parameters if one.kind is ParameterKind.VAR_POSITIONAL)
        forms = [CallForm(required, named), *(CallForm((*required, one), named) for one in star)]
        optional = [one for one in usual if not one.required and one.kind is not ParameterKind.POSITIONAL_ONLY]
        forms += [CallForm(required, (*named, one)) for one in optional]
        for form in forms:
            known.setdefault(form.names, form)
        return list(known.values())

    def _receivers(self, callee: Callee) -> list[Live]:
        found = [] if callee.owner is None else self._pool.deriving(callee.owner)
        if found and self._rng.random() < ON_ONE:
            return [found[int(self._rng.random() * len(found))]]
        found.sort(key=lambda live: live.cls is not callee.owner)
        return found

    def _candidates(self, callee: Callee, parameter: Parameter) -> list[Live]:
        """What tests pass, by type, of each class of the package one, what is always tried, by name, and at last any: one of each
        in turns, since nobody knows which of these says most."""
        hints = [parameter.hint] if not is_any(parameter.hint) else list(self._expected(callee, parameter.name))
        others = list(islice(self._pool.owned(), 2 * WIDE))
        self._rng.shuffle(others)
        kinds = (
            [*reversed(self._good.get((callee, parameter.name), {}).values())],
            self._seen.get((callee, parameter.name), {}).values(),
            [live for hint in hints for live in self._fitting(hint)],
            self._pool.one_of_each(),
            self._plain,
            self._named.get(parameter.name, {}).values(),
            others,
        )
        in_turns = (live for row in zip_longest(*kinds) for live in row if live is not None)
        return list({live.variable: live for live in in_turns}.values())

    def _fitting(self, hint: Hint) -> list[Live]:
        members = hint.members if isinstance(hint, UnionHint) else (hint,)
        found: list[Live] = []
        for member in members:
            if isinstance(member, ClassHint):
                for cls in self._pool.classes:
                    if self._accepts(member, cls):
                        found += self._pool.of(cls)
        # The newest of the package's own: what was made of much is seldom the first.
        return sorted(found, key=lambda live: live.size, reverse=self._rng.random() < 0.5)[: 2 * WIDE]


def _call(callee: Callee, form: CallForm, values: list[Variable], variable: Variable) -> Statement:
    receiver = values.pop(0) if callee.kind in _OF_INSTANCES else -1
    if callee.kind is CalleeKind.PROPERTY:
        return st.GetAttribute(variable, receiver, callee.name)
    by_position = len(form.positional)
    names = [parameter.name for parameter in form.keywords]
    arguments = Arguments(tuple(values[:by_position]), tuple(zip(names, values[by_position:], strict=True)))
    if callee.kind is CalleeKind.METHOD:
        return st.MethodCall(variable, receiver, callee.name, arguments, callee)
    return st.Call(variable, callee, arguments)


@lru_cache(maxsize=2000)
def _by_places(widths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All combinations of so many, those of the first ones first."""
    narrowed = list(widths)
    while (size := _size(narrowed)) > MOST_COMBINATIONS and max(narrowed) > 1:
        widest = narrowed.index(max(narrowed))
        narrowed[widest] -= max(1, narrowed[widest] // 8)
    del size
    return tuple(sorted(product(*map(range, narrowed)), key=sum))


def _size(widths: Sequence[int]) -> int:
    size = 1
    for width in widths:
        size *= width
    return size

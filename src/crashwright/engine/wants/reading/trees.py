"""From what a walk noted to wants: the tree of one parameter, with a line behind each fact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from crashwright.engine.subject.api.types import ANY, NONE, ChoiceHint, ClassHint, Hint, TypeHint, UnionHint, is_any, union_of
from crashwright.engine.subject.introspection import class_qualname, identities
from crashwright.engine.wants.reading.demand import Demands, Reached
from crashwright.engine.wants.reading.evidence import ANNOTATED, TypeEvidence
from crashwright.engine.wants.reading.values import CallNote, ClassSymbol, External, FunctionSymbol, Value
from crashwright.engine.wants.want import Fact, Origin, Want

_DEEPEST = 4
_UPSTREAM = 0.8
"""How much the items of what is passed count beside what is done with items."""
_ABSENT = 0.15
"""How much None weighs beside the types, where the code asks whether a value is there."""
_MOST_TYPES, _MOST_PARTS, _MOST_LITERALS, _MOST_FACTS = 4, 24, 12, 12
_NEGLIGIBLE = 0.12
"""Types that have less than this share of the first one's weight are left out."""
_HOLDING = identities(list, tuple, set, frozenset)
_SPLITS = frozenset({"split", "rsplit", "partition", "rpartition"})
_PARSERS = frozenset({"json.loads", "int", "float", "datetime.datetime.fromisoformat", "ast.literal_eval", "base64.b64decode"})
_PATTERNS = frozenset({"re.match", "re.search", "re.fullmatch", "re.compile", "re.findall", "re.split", "re.finditer"})


class Trees:
    """Makes wants of the values of one package."""

    def __init__(self, demands: Demands) -> None:
        self._demands = demands

    def of(self, value: Value, name: str = "") -> Want:
        """What the code wants of a value that is called ``name``."""
        return self._want([Reached(value, 1.0)], 0, self._demands.types(value, name))

    def hints(self, value: Value, name: str) -> tuple[tuple[Hint, float], ...]:
        """The types alone, with what their items are, None among them where it is asked for; no classes that are not loaded."""
        roots = [Reached(value, 1.0)]
        found = self._types(roots, self._demands.types(value, name), 0)
        real = [(one, weight) for hint, weight in found if not is_any(one := self._demands.evidences.classes.real(hint))]
        missing = any("optional" in (one.value.operations or ()) for one in self._demands.reached(roots))
        absent = [(NONE, _ABSENT * sum(weight for _, weight in real))] if missing and real else []
        return (*real, *absent)

    def classes(self, value: Value, name: str) -> list[ClassSymbol]:
        """The classes of the package among its likeliest types."""
        symbol = self._demands.evidences.classes.symbol
        return [one for found in _telling(self._demands.types(value, name)) if (one := symbol(found.hint)) is not None]

    def having(self, names: Collection[str]) -> list[Hint]:
        """The classes of the package that have all of these attributes, as far as they are loaded."""
        classes = self._demands.evidences.classes
        hints = [classes.real(ClassHint(classes.cls(symbol))) for symbol in self._demands.having(names)]
        return [hint for hint in hints if not is_any(hint)]

    def keywords(self, value: Value) -> dict[str, Hint]:
        """The keys of a mapping of keywords, and the parameters that it fills, with their likeliest types."""
        found: dict[str, Hint] = {}
        reached = self._demands.reached([Reached(value, 1.0)])
        kept = [part for one in reached if one.value.owned for part in self._demands.parts_called(one.value.owned[1])]
        for one, _ in (*reached, *self._demands.reached([Reached(part, 1.0) for part in kept])):
            asked = [(name, part) for name, part in (one.keys or {}).items() if type(name) is str and part.is_read]
            for site in [site for site, place in one.passed if place == "**"]:
                asked += self._demands.evidences.calls.spread(site)
            for name, part in asked:
                found.setdefault(name, self._keyword(part, name))
        return found

    def _keyword(self, part: Value, name: str) -> Hint:
        """Its likeliest type; what nothing is done with but that it decides is a flag."""
        decides = any(
            {"optional", "truth"} & (one.value.operations or {}).keys() for one in self._demands.reached([Reached(part, 1.0)])
        )
        return next((hint for hint, _ in self.hints(part, name)), ClassHint(bool) if decides else ANY)

    def _want(self, roots: Sequence[Reached], depth: int, ranked: tuple[TypeEvidence, ...]) -> Want:
        reached = self._demands.reached(roots)
        types = self._types(roots, ranked, depth)
        deeper = depth < _DEEPEST
        attributes = self._parts(reached, "attributes", depth) if deeper else ()
        keys = self._parts(reached, "keys", depth) if deeper else ()
        items = [Reached(one.value.items, one.share) for one in reached if one.value.items is not None]
        calls = [site for one in reached for site in one.value.methods if site.of_itself]
        results = [Reached(site.result, 1.0) for site in calls[:4]]
        return Want(
            types=types,
            literals=_literals(reached),
            attributes=_named(attributes),
            keys=keys,
            items=self._part(items, "", depth) if items and deeper else None,
            arities=_arities(calls),
            result=self._part(results, "", depth) if results and deeper else None,
            texts=tuple(dict.fromkeys((kind, text) for kind, text, _ in self._texts(reached)))[:_MOST_PARTS],
            optional=any("optional" in (one.value.operations or ()) for one in reached),
            producers=tuple(dict.fromkeys(self._producers(roots))),
            facts=tuple(self._facts(reached, ranked))[: 3 * _MOST_FACTS],
        )

    def _part(self, roots: Sequence[Reached], name: str, depth: int) -> Want:
        return self._want(roots, depth + 1, self._demands.ranked(roots, name))

    def _parts(self, reached: Sequence[Reached], which: str, depth: int) -> tuple[tuple[str | int, Want], ...]:
        groups: dict[str | int, list[Reached]] = {}
        for value, share in reached:
            known: Mapping[str | int, Value] | Mapping[str, Value] | None = (
                value.attributes if which == "attributes" else value.keys
            )
            for name, part in (known or {}).items():
                groups.setdefault(name, []).append(Reached(part, share))
        chosen = list(groups.items())[:_MOST_PARTS]
        found = [(name, self._part(roots, str(name) if type(name) is str else "", depth)) for name, roots in chosen]
        asked = self._demands.asked(reached)[0] if which == "attributes" else ()
        methods = [name for name in asked if name not in groups][: _MOST_PARTS - len(found)]
        return (*found, *((name, self._method(reached, name, depth)) for name in methods))

    def _method(self, reached: Sequence[Reached], name: str, depth: int) -> Want:
        """What is wanted of a method: how it is called, and what it returns."""
        sites = [site for one in reached for site in one.value.methods if site.name == name and not site.of_itself]
        return Want(arities=_arities(sites), result=self._part([Reached(site.result, 1.0) for site in sites[:4]], "", depth))

    # Types

    def _types(self, roots: Sequence[Reached], ranked: Sequence[TypeEvidence], depth: int) -> tuple[tuple[Hint, float], ...]:
        return tuple((self._with_items(roots, one.hint, depth), round(one.weight, 3)) for one in _telling(ranked))

    def _with_items(self, roots: Sequence[Reached], hint: Hint, depth: int) -> Hint:
        """With the types of its items, where the type is open."""
        if depth > 1 or not isinstance(hint, ClassHint) or hint.arguments or id(hint.cls) not in _HOLDING:
            return hint
        reached = self._demands.reached(roots)
        upstream = [Reached(value, _UPSTREAM) for one in roots for value in self._demands.evidences.upstream(one.value)]
        held = [Reached(item, one.share) for one in (*reached, *upstream) if (item := one.value.items) is not None]
        if not held:
            return hint
        inner = self._types(held, self._demands.ranked(held, ""), depth + 1)
        part = union_of(one for one, weight in inner if weight >= inner[0][1] / 2)
        if is_any(part):
            return hint
        return hint._replace(arguments=(part,)) if hint.cls is not tuple else ClassHint(list, (part,))

    # What else is known

    def _texts(self, reached: Sequence[Reached]) -> Iterator[tuple[str, str, Origin]]:
        for value, _ in reached:
            for site in value.methods:
                for argument in _written(site):
                    if site.name in _SPLITS:
                        yield "split", argument, _at(site)
                    elif site.name in ("startswith", "endswith", "removeprefix", "removesuffix"):
                        yield "prefix" if site.name in ("startswith", "removeprefix") else "suffix", argument, _at(site)
            for site, place in value.passed:
                for target in self._demands.evidences.calls.targets(site):
                    if isinstance(target, External):
                        yield from _parsed(site, target.name, place)

    def _producers(self, roots: Sequence[Reached]) -> Iterator[str]:
        calls = self._demands.evidences.calls
        for root in roots:
            if root.value.parameter is None:
                continue
            for _, term in [*calls.passed_to(*root.value.parameter)][:_MOST_PARTS]:
                sources = [term, *term.sources] if isinstance(term, Value) else []
                for one in sources:
                    if isinstance(one, Value) and one.made_by is not None:
                        for target in calls.targets(one.made_by):
                            if isinstance(target, FunctionSymbol):
                                yield f"{target.module.name}:{target.qualname}"

    def _facts(self, reached: Sequence[Reached], ranked: Sequence[TypeEvidence]) -> Iterator[Fact]:
        for one in _telling(ranked):
            yield Fact("type", f"{type_name(one.hint)}: {one.why}", one.origin)
        found: dict[tuple[str, str], Fact] = {}
        for value, _ in reached:
            for fact in _done_with(value):
                found.setdefault((fact.kind, fact.text), fact)
        for kind, text, origin in self._texts(reached):
            worded = f"is parsed by {text}" if kind == "parser" else f"{_WORDED[kind]} {text!r}"
            found.setdefault((kind, text), Fact("text", worded, origin))
        yield from found.values()


_WORDED = {
    "split": "is split at",
    "prefix": "may begin with",
    "suffix": "may end with",
    "format": "is parsed with the format",
    "regex": "is matched with",
}


def _telling(ranked: Sequence[TypeEvidence]) -> Sequence[TypeEvidence]:
    """The likeliest; beside what an annotation says, nothing that is guessed."""
    best = ranked[0].weight if ranked else 0.0
    least = best / 2 if best >= ANNOTATED else _NEGLIGIBLE * best
    return [one for one in ranked if one.weight >= least][:_MOST_TYPES]


def type_name(hint: Hint) -> str:
    """As one writes it in an annotation."""
    if isinstance(hint, UnionHint):
        return " | ".join(map(type_name, hint.members))
    if isinstance(hint, ChoiceHint):
        return " | ".join(map(repr, hint.values))
    if isinstance(hint, TypeHint):
        return f"type[{class_qualname(hint.cls)}]"
    if isinstance(hint, ClassHint):
        inner = f"[{', '.join(map(type_name, hint.arguments))}]" if hint.arguments else ""
        return f"{class_qualname(hint.cls)}{inner}"
    return "Any"


def _done_with(value: Value) -> Iterator[Fact]:
    path = value.module.path
    for name, part in (value.attributes or {}).items():
        yield Fact("attribute", f"has .{name}", Origin(path, part.line))
    for site in value.methods:
        yield Fact("call" if site.of_itself else "attribute", "is called" if site.of_itself else f"has .{site.name}()", _at(site))
    for key, part in (value.keys or {}).items():
        yield Fact("key", f"has [{key!r}]", Origin(part.module.path, part.line))
    for literal, line in value.literals:
        yield Fact("literal", f"is compared with {literal!r}", Origin(path, line))
    for operation, line in (value.operations or {}).items():
        if operation in _USES:
            yield Fact("use", _USES[operation], Origin(path, line))


_USES = {
    "iterate": "is gone through",
    "length": "has a length",
    "contains": "is asked what it contains",
    "store": "is stored into",
    "number": "is calculated with",
    "await": "is awaited",
    "with": "is entered",
    "unpack": "is unpacked",
    "optional": "may be None or empty",
}


def _literals(reached: Sequence[Reached]) -> tuple[object, ...]:
    found = {(type(literal), literal): literal for value, _ in reached for literal, _ in value.literals}
    return tuple(found.values())[:_MOST_LITERALS]


def _named(parts: Iterable[tuple[str | int, Want]]) -> tuple[tuple[str, Want], ...]:
    return tuple((name, part) for name, part in parts if type(name) is str)


def _arities(sites: Iterable[CallNote]) -> tuple[int, ...]:
    """With how many arguments by position these call."""
    return tuple(dict.fromkeys(sum(type(place) is int for place, _ in site.arguments) for site in sites))


def _written(site: CallNote) -> Iterator[str]:
    for place, _ in site.arguments[:1]:
        literal = site.literal(place)
        if type(literal) is str:
            yield literal


def _parsed(site: CallNote, name: str, place: int | str) -> Iterator[tuple[str, str, Origin]]:
    first, second = site.literal(0), site.literal(1)
    if name.endswith(".strptime") and place == 0 and type(second) is str:
        yield "format", second, _at(site)
    elif name in _PATTERNS and place == 1 and type(first) is str:
        yield "regex", first, _at(site)
    elif name in _PARSERS and place == 0:
        yield "parser", name, _at(site)


def _at(site: CallNote) -> Origin:
    return Origin(site.module.path, site.line)

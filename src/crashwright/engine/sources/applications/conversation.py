"""A conversation with an application: each operation is asked until a filling is found that it does not refuse.

What it answers says how to go on. A filling whose answer is a new one is changed further, in one place at a time: a key that the
answer names is added, a place that it names is given another value, ids are taken from what earlier answers gave out. What is
refused leaves the state of an application as it was, so that one run of it is enough for many questions.

Known from RESTler (Atlidakis, Godefroid, Polishchuk, ICSE 2019), which learns from answers in the same way.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from crashwright.engine.sources.applications.moments import moments_beside, otherwise_zoned
from crashwright.engine.sources.applications.operations import (
    AskedOperation,
    OpenPlace,
    added,
    filled,
    keys_in,
    last_name,
    leaves_of,
    text_of,
)
from crashwright.engine.sources.applications.replies import PRINTED, Reply
from crashwright.engine.subject.usage.shapes import Plain

MOST_ASKED = 40
"""Questions in which a filling of one operation is looked for."""
FRUITLESS, ENOUGH = 10, 20
"""Questions without a new answer after which another way is gone on with, and after which it is given up: what it lacks is not in
what is sent."""
MOST_VALUES, FEW_VALUES = 24, 8
"""That one place is given, if the answer names it, and if it names none."""
_STEM = 3
"""Letters of a name that are enough to tell what it is about."""
_KINDS: tuple[tuple[Plain, ...], ...] = (
    (1, 2, 50),
    ("2026-01-01T12:00:00", "2026-01-01T13:00:00", "2026-03-01T12:00:00", "2026-03-01T12:00:00+00:00"),
    ("2026-01-01", "2026-01-02", "2026-03-01", "2036-01-01"),
    ("ann@example.com", "bob@example.com"),
    ("1.50", "2.25"),
    ("12:00", "13:00"),
)
"""Values of each usual kind: where one is refused, another may do; what is far from the first comes last."""
_TYPICAL: tuple[Plain, ...] = (*(one[0] for one in _KINDS), *(one[1] for one in _KINDS), True, 0, "", 2.5)
MOST_OFFERED, MOST_REMEMBERED = 6, 10
"""Words of an answer that are tried in a place that it names, and that are remembered for it."""
_STATUS_AHEAD = re.compile(r"^\d{3} ")
_ONE_WORD = re.compile(r"[^\W_](?:[\w.:/+-]*\w)?")
_OFFERED = (
    re.compile(r"[\w.:/+-]*\d[\w.:/+-]*"),
    re.compile(r"'[\w.:/+-]+'|`[\w.:/+-]+`"),
    re.compile(r"[\w./+-]+(?:, (?:and |or )?[\w./+-]+)+(?: (?:and|or) [\w./+-]+)?"),
    re.compile(r"(?<=: )[\w./+-]+(?: [\w./+-]+)?$"),
)
_NUMBER = re.compile(r"\d+")
MOST_DENIED = 3
"""Answers that say so, after which nothing else is asked: it is not about what is sent."""
Values = Mapping[str, Sequence[Plain]]
Ask = Callable[[ast.Call], Reply]


Answered = tuple[ast.Call, Reply]


class Filling(NamedTuple):
    """The ``call`` that succeeded; ``heard`` are those before it whose answers were new ones."""

    call: ast.Call | None
    heard: tuple[ast.Call, ...] = ()
    denied: str = ""
    """What was said where it is not for this caller."""
    sought: tuple[ast.Call, ...] = ()
    """Those that ended by the exception that is looked for."""


class Conversation:
    """``known``: what answers had so far, by its keys; ids also by the last name in the address of what gave them out. ``sought``:
    the name of an exception that is looked for; ``invented`` are keys of documents that could have any name."""

    def __init__(self, sought: str = "", invented: Collection[str] = ()) -> None:
        self._sought = f"{sought}:"
        self._invented = invented
        self.known: dict[str, tuple[Plain, ...]] = {}
        self.offered: dict[str, tuple[Plain, ...]] = {}
        """What answers said that might stand under a name."""

    def fill(self, ask: Ask, operation: AskedOperation, begun: ast.Call | None = None, most: int = MOST_ASKED) -> Filling:
        """Ask until it succeeds, or nothing is left to try, at ``most`` so often. ``begun``: what to start from."""
        waiting = [call for way in (operation.ways if begun is None else (begun,)) for call in _begun(way, self.known)]
        going_on: list[Iterator[ast.Call]] = []
        asked: set[str] = set()
        heard: dict[object, ast.Call] = {}
        refused: list[tuple[ast.Call, Reply]] = []
        fruitless, denied, denial = 0, 0, ""
        shown: tuple[ast.Call, Reply] | None = None
        sought: list[ast.Call] = []
        while len(asked) < most:
            call = waiting.pop(0) if waiting else next((one for each in reversed(going_on) for one in each), None)
            if call is None and refused:
                # What an answer says is worth more than what came through as an error.
                refused.sort(key=lambda one: one[1].crashed)
                going_on = [_in_turns([self._changed(*one, operation) for one in refused])]
                refused = []
                continue
            if call is None:
                break
            text = text_of(call)
            if text in asked:
                continue
            asked.add(text)
            answer = ask(call)
            if answer.succeeded and answer.page and _posts(call):
                # The form once more, most often, with what is wrong.
                shown = shown or (call, answer)
            elif answer.succeeded:
                self.learn(call, answer)
                return Filling(call, tuple(heard.values()), sought=tuple(sought))
            if self.is_sought(answer):
                sought.append(call)
            denied = denied + 1 if answer.denied else 0
            denial = said_beside(answer.text, call) if answer.denied else ""
            if denied == MOST_DENIED:
                return Filling(None, tuple(heard.values()), denial, tuple(sought))
            # What is said of a key that is not there may be said of its value as well.
            said = said_beside(answer.text, call), keys_in(call)
            fruitless += 1
            if said in heard:
                if fruitless >= ENOUGH:
                    break
                if fruitless >= FRUITLESS and len(going_on) > 1:
                    going_on.insert(0, going_on.pop())
                    fruitless = 0
                continue
            heard[said] = call
            fruitless = 0
            if answer.unfit:
                continue
            if answer.lacks and not waiting:
                # Nothing but what is there would do, and that comes by other operations.
                going_on, refused = [self._changed(call, answer, operation)], []
            elif going_on and (not answer.crashed or any(_quotes(leaf, answer.text) for leaf in leaves_of(call))):
                going_on.append(self._changed(call, answer, operation))
            else:
                refused.append((call, answer))
        if shown is not None:
            self.learn(*shown)
        return Filling(None if shown is None else shown[0], tuple(heard.values()), denial, tuple(sought))

    def is_sought(self, answer: Reply) -> bool:
        """Whether it ended by the exception that is looked for."""
        return answer.crashed and answer.text.startswith(self._sought)

    def learn_stored(self, statements: Iterable[ast.stmt]) -> None:
        """What stands in the rows that these make: under the names of their fields, and of the rows."""
        for one in statements:
            match one:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(keywords=keywords)):
                    given = [(key.arg, key.value.value) for key in keywords if key.arg and isinstance(key.value, ast.Constant)]
                    plain = [(key, value) for key, value in given if type(value) is str or type(value) is int]
                    for key, value in (*plain, *((name, value) for _, value in plain), ("id", 1)):
                        self.known[key] = tuple(dict.fromkeys((*self.known.get(key, ()), value)))
                case _:
                    pass

    def begun(self, way: ast.Call) -> Iterator[ast.Call]:
        """With its open places filled by what is known."""
        return _begun(way, self.known)

    def others(self, call: ast.Call) -> Iterator[ast.Call]:
        """The same about something else that there is."""
        for number, leaf in enumerate(leaves_of(call)):
            yield from (filled(call, {number: value}) for value in _answered(leaf, self.known) if value != leaf.value)

    def is_counted(self, leaf: OpenPlace) -> bool:
        """Whether a number there is one of how much, and not the name of something."""
        about = leaf.name.removesuffix("_id").removesuffix("id")
        return not leaf.in_path and about == leaf.name and not any(_is_several(name, about) for name in self.known)

    def with_twins(self, call: ast.Call) -> Iterator[ast.Call]:
        """With another value of its kind in one place of its document: a later moment, another number; and first with all moments
        in a time zone, or all in none."""
        zoned = {number: other for number, leaf in enumerate(leaves_of(call)) if (other := otherwise_zoned(leaf.value))}
        if len(zoned) > 1:
            yield filled(call, zoned)
        for number, leaf in enumerate(leaves_of(call)):
            twins = [other for kind in _KINDS if leaf.value in kind for other in kind if other != leaf.value]
            twins += moments_beside(leaf.value)
            yield from (filled(call, {number: other}) for other in twins if not leaf.in_path and type(other) is type(leaf.value))

    def with_words(self, call: ast.Call, operation: AskedOperation) -> Iterator[ast.Call]:
        """With another of the choices in one place, then with a word that the code knows in one place of its document."""
        places = [(number, leaf) for number, leaf in enumerate(leaves_of(call)) if not leaf.in_path]
        yield from self.with_choices(call, operation)
        for number, leaf in places:
            words = () if leaf.name in operation.typed else operation.words
            yield from (filled(call, {number: word}) for word in words if word != leaf.value)

    def with_choices(self, call: ast.Call, operation: AskedOperation) -> Iterator[ast.Call]:
        """With another of the choices in one place."""
        for number, leaf in enumerate(leaves_of(call)):
            if not leaf.in_path:
                choices = dict.fromkeys((*operation.choices.get(leaf.name, ()), *self.offered.get(leaf.name, ())))
                yield from (filled(call, {number: one}) for one in choices if one != leaf.value)

    def as_others(self, call: ast.Call, operation: AskedOperation, words: Sequence[Plain]) -> Iterator[ast.Call]:
        """With one of the ``words`` under a key that it may have beside those that it has: another kind of caller."""
        lacking = [key for key in operation.keys if key not in keys_in(call)]
        yield from (added(call, key, word) for word in words for key in lacking)
        named = [(number, leaf) for number, leaf in enumerate(leaves_of(call)) if leaf.value == leaf.name and not leaf.in_path]
        yield from (filled(call, {number: word}) for word in words for number, _ in named)

    def with_key(self, call: ast.Call, key: str) -> ast.Call:
        """With one more key, and a value for it."""
        return added(call, key, next(iter(_answered(OpenPlace(key, None), self.known)), key))

    def learn(self, call: ast.Call, answer: Reply) -> None:
        """What was given out, and then what was sent: both are there now. What has no id is known by what is said of it first."""
        if not answer.succeeded:
            return
        given = answer.values.get("id") or next(iter(answer.values.values()), ())
        sent = [(leaf.name, (leaf.value,)) for leaf in leaves_of(call) if leaf.value is not None]
        for key, values in (*answer.values.items(), (last_name(call), given), *sent):
            # What stands under a name that could be any is not what has that name: the name itself is.
            values = (key,) if key in self._invented else values
            self.known[key] = tuple(dict.fromkeys((*self.known.get(key, ()), *values)))

    def learn_anew(self, answered: Sequence[Answered]) -> None:
        """What was asked before, in a run of its own: it is more likely now than what is known, for a number may be another one in
        each run."""
        before, self.known = self.known, {}
        for call, answer in answered:
            self.learn(call, answer)
        for key, values in before.items():
            self.known[key] = tuple(dict.fromkeys((*self.known.get(key, ()), *values)))

    def _changed(self, call: ast.Call, answer: Reply, operation: AskedOperation) -> Iterator[ast.Call]:
        """With one more key that the answer names; with another value in one place, the places in turn: of those that the answer
        names, if it names any; with one more key."""
        lacking = [key for key in dict.fromkeys((*answer.wrong, *operation.keys)) if key not in keys_in(call)]
        named_keys = [key for key in lacking if key in answer.wrong or _says(answer.text, key)]
        yield from (self.with_key(call, key) for key in named_keys)
        places = list(enumerate(leaves_of(call)))
        named = [(number, one) for number, one in places if _is_named(one, answer.text)]
        most = MOST_VALUES if named else FEW_VALUES
        ways = [
            [filled(call, {number: value}) for value in self._likely(leaf, operation, answer, bool(named))][:most]
            for number, leaf in named or (places if not named_keys else [])
        ]
        yield from _in_turns(ways)
        yield from (self.with_key(call, key) for key in lacking if not named_keys)

    def _likely(self, leaf: OpenPlace, operation: AskedOperation, answer: Reply, is_named: bool) -> Iterator[Plain]:
        """Where the answer names the place, first what else it says: ``no kind 'x'; known: early, late``."""
        offered = _offered(answer.text, leaf) if is_named and not (answer.lacks or (answer.crashed and not leaf.value)) else ()
        if offered and type(leaf.value) is str:
            self.offered[leaf.name] = tuple(dict.fromkeys((*offered, *self.offered.get(leaf.name, ()))))[:MOST_REMEMBERED]
            yield from offered
        yield from _values(leaf, operation, self.known, answer.lacks)


def _offered(text: str, leaf: OpenPlace) -> tuple[str, ...]:
    """What an answer says would have done: words with digits, in quotes, in a list, or behind a last colon; the last one first."""
    text = _STATUS_AHEAD.sub("", text)
    found = {place: word for pattern in _OFFERED for word, place in _words_of(pattern, text)}
    words = [found[place] for place in sorted(found, reverse=True)]
    return tuple(dict.fromkeys(word for word in words if word not in (leaf.name, leaf.value)))[:MOST_OFFERED]


def _words_of(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    for group in pattern.finditer(text):
        yield from ((word[0], group.start() + word.start()) for word in _ONE_WORD.finditer(group[0]))


def _posts(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "post"


def _in_turns(ways: Iterable[Iterable[ast.Call]]) -> Iterator[ast.Call]:
    """The first of each, then the second of each."""
    for turn in zip_longest(*ways):
        yield from (one for one in turn if one is not None)


def _begun(way: ast.Call, known: Values) -> Iterator[ast.Call]:
    """With all open places filled: by what answers had under their names, or by their own names; then by these alone."""
    places = {number: one for number, one in enumerate(leaves_of(way)) if one.value is None}
    own = {number: one.name for number, one in places.items()}
    yield filled(way, {**own, **{number: found[0] for number, one in places.items() if (found := _answered(one, known))}})
    met = {number: found[0] for number, one in enumerate(leaves_of(way)) if (found := _answered(one, known))}
    if not met.keys() <= places.keys():
        yield filled(way, {**own, **met})
    if met.keys() & places.keys():
        yield filled(way, own)


def _answered(leaf: OpenPlace, known: Values) -> list[Plain]:
    """What an answer had under that name; what was given out under its plural; any id."""
    about = leaf.name.removesuffix("_id").removesuffix("id")
    named = [value for name, ids in known.items() if _is_several(name, about) for value in ids]
    ids = (*known.get("id", ()), *known.get(PRINTED, ())) if leaf.in_path or leaf.name.endswith("id") else ()
    return list(dict.fromkeys((*known.get(leaf.name, ()), *named, *ids)))


def _is_several(name: str, one: str) -> bool:
    """Whether a name may be the plural of another."""
    return len(one) >= _STEM and name in (f"{one}s", f"{one}es", f"{one[:-1]}ies")


def said_beside(text: str, call: ast.Call) -> str:
    """What an answer says beside what was sent, and beside numbers."""
    leaves = leaves_of(call)
    names = {one.name for one in leaves}
    sent = {one.value for one in leaves if type(one.value) is str and len(one.value) > 1} - names
    for value in sorted(sent, key=lambda one: -len(one)):
        text = text.replace(value, "...")
    return _NUMBER.sub("0", text)


def _is_named(leaf: OpenPlace, text: str) -> bool:
    return bool(leaf.name) and (
        _says(text, leaf.name) or (type(leaf.value) is str and len(leaf.value) > 1 and _says(text, leaf.value))
    )


def _quotes(leaf: OpenPlace, text: str) -> bool:
    """Whether it says what is wrong there: a complaint, however it comes."""
    return type(leaf.value) is str and len(leaf.value) > 1 and any(f"{mark}{leaf.value}{mark}" in text for mark in "'\"`")


def _says(text: str, word: str) -> bool:
    """Whether it stands there, and not as a part of another word."""
    text, word = text.casefold(), word.casefold()
    return word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _values(leaf: OpenPlace, operation: AskedOperation, known: Values, lacks: bool) -> Iterator[Plain]:
    """What a place may have: what an answer had under its name, its choices, what the code knows, something of each kind. Of what
    is not there (``lacks``) only the first helps."""
    is_typed = leaf.name in operation.typed
    twins = [other for kind in _KINDS if leaf.value in kind for other in (kind if is_typed else kind[:2])]
    likely = (*operation.choices.get(leaf.name, ()), *(() if is_typed else known.get(PRINTED, ())))
    other = (
        ()
        if leaf.in_path or lacks
        else (*likely, *moments_beside(leaf.value), *twins, *(() if is_typed else (*operation.words, *_TYPICAL)))
    )
    for value, kind in dict.fromkeys((one, type(one)) for one in (*_answered(leaf, known), *other)):
        if (value, kind) != (leaf.value, type(leaf.value)):
            yield value

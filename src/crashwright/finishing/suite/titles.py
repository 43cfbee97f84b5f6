"""Names of tests after what they do: what is called, with what that is particular, and what comes of it.

``test_parse_empty_string_raises_value_error``. A name that several tests would have is made longer by what tells them apart, and
never numbered.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.statements import INVOKE, Display, Expected, Named, Variable
from crashwright.finishing.naming import snake
from crashwright.finishing.suite.draft import Draft
from crashwright.finishing.suite.wording import detail, particular

LONGEST = 60
"""Characters of a name."""
_MOST_WORDS = 2
_MOST_TOLD = 4
_WAYS = tuple(f"{number}_way" for number in "another a_third a_fourth a_fifth a_sixth a_seventh an_eighth a_ninth a_tenth".split())
"""For tests that nothing else tells apart."""
_ADJECTIVES = frozenset({"zero", "negative", "large_number", "infinity", "negative_infinity"})
_PLAIN_RESULTS = frozenset({"", "negative", "large_number", "multiline_string", "long_string", "non_ascii_string"})


class _Words(NamedTuple):
    """Of one test: ``few`` are its particular arguments, ``more`` all that it can say of them; ``result`` is for a
    test whose ``outcome`` is like any other."""

    base: str
    few: tuple[str, ...]
    more: tuple[str, ...]
    outcome: str
    result: str
    told: str
    """Words of the message that is expected."""
    raises: bool
    tells: bool
    """The result is a word that somebody chose, and not only a size or a sign."""
    silent: bool
    """It asserts nothing: then the condition alone says what it is for."""
    conditions: tuple[str, ...]

    def short(self) -> str:
        """With what is particular."""
        return _joined(self.base, self.few[:_MOST_WORDS], self.outcome)

    def longer(self) -> Iterator[str]:
        """From what is said first to what is said where nothing else tells tests apart."""
        outcome = self.outcome or self.result
        if self.silent:
            yield _joined(self.base, (_when(self.conditions[0]),), "")
        if self.told:
            yield _joined(self.base, (), f"{self.outcome}_{self.told}")
        if outcome != self.outcome and self.tells:
            yield _joined(self.base, (), outcome)
        for condition in self.conditions:
            yield _joined(self.base, (_when(condition),), self.outcome if self.raises else "")
        if outcome != self.outcome:
            yield _joined(self.base, self.few[:_MOST_WORDS], outcome)
        yield _joined(self.base, self.more, outcome)
        for condition in self.conditions:
            yield _joined(self.base, (_when(condition),), outcome)
        yield self.short()
        for way in _WAYS:
            yield _joined(self.base, (), f"{self.outcome}_{way}" if self.outcome else way)


def _when(condition: str) -> str:
    """What a loop goes over and what is caught have a word of their own: ``without_rows``, ``on_key_error``."""
    return condition if condition.startswith(("with_", "without_", "on_")) else f"when_{condition}"


def plain_titles(drafts: Sequence[Draft]) -> list[str]:
    """The names that ``drafts`` would have if each were alone."""
    return [_words(draft).short() for draft in drafts]


def titles(drafts: Sequence[Draft], taken: Iterable[str] = ()) -> list[str]:
    """A name for each of ``drafts``, in their order, all different and none in ``taken``."""
    words = [_words(draft) for draft in drafts]
    short = [one.short() for one in words]
    common = Counter(short)
    used = set(taken)
    found: dict[int, str] = {}
    # Those that need no other name first, so that nobody else takes it.
    for place in sorted(range(len(words)), key=lambda place: common[short[place]] > 1 or words[place].silent):
        one = words[place]
        names = [short[place]] if common[short[place]] == 1 and not one.silent else []
        found[place] = _first_free([*names, *one.longer()], used)
    return [found[place] for place in range(len(words))]


def _first_free(names: Iterable[str], used: set[str]) -> str:
    """One that is not used; there are ways enough, but for thousands of tests that nothing tells apart."""
    last = ""
    for name in names:
        last = name
        if name not in used:
            used.add(name)
            return name
    numbered = (f"{last[: LONGEST - len(str(number)) - 1].rstrip('_')}_{number}" for number in itertools.count(1))
    found = next(name for name in numbered if name not in used)
    used.add(found)
    return found


def _joined(base: str, words: tuple[str, ...], outcome: str) -> str:
    """As many of the words as there is room for; the outcome goes before them."""
    start, end = f"test_{base}"[:LONGEST].rstrip("_"), f"_{outcome}" if outcome else ""
    if len(start + end) > LONGEST:
        kept = (start + end)[: LONGEST + 1]
        return kept.rpartition("_")[0].rstrip("_") if "_" in kept[len(start) + 1 :] else kept[:LONGEST].rstrip("_")
    for word in words:
        if word and len(f"{start}_{word}{end}") <= LONGEST:
            start = f"{start}_{word}"
    return start + end


def _words(draft: Draft) -> _Words:
    arguments = list(_arguments(draft))
    few = tuple(dict.fromkeys(word for word, _ in arguments if word))
    more = tuple(dict.fromkeys(word for _, word in arguments if word))
    if draft.rows:
        inputs = [name for name in draft.parameters if name != draft.match and not name.startswith("expected")]
        more = (*few, "by_" + "_and_".join(snake(name) for name in inputs[:_MOST_WORDS]), "cases")
    check = _check_of_result(draft)
    return _Words(
        base=_base(draft),
        few=few,
        more=(*more, *_receiver(draft), *_before(draft)),
        outcome=_outcome(draft, check),
        result=_result(check),
        told=_told(draft),
        raises=draft.raised is not None,
        tells=check is not None and isinstance(check.expected, str | Named) and check.kind != "isinstance",
        silent=draft.is_bare and bool(draft.conditions),
        conditions=draft.conditions,
    )


def _told(draft: Draft) -> str:
    """The first words of the message that is expected."""
    message = draft.raised.message if draft.raised is not None and not draft.match else None
    words = [word.lower() for word in re.findall(r"[A-Za-z]{2,}", message or "")]
    return "_".join(words[:_MOST_TOLD])


def _base(draft: Draft) -> str:
    """The callable under test; the constructor of a class goes by ``init``."""
    plain = draft.subject.partition(".<locals>")[0]
    if plain == draft.owner:
        return "init"
    last = plain.rpartition(".")[2]
    return snake(last.strip("_")) or "call"


def _arguments(draft: Draft) -> Iterable[tuple[str, str]]:
    """For each argument of the call under test: what is particular about it, and what more can be said."""
    found = draft.call()
    if found is None:
        return
    index, line = found
    if isinstance(line, st.GetAttribute):
        return
    callee, arguments = line.callee, line.arguments
    parameters = [parameter.name for parameter in callee.parameters] if callee is not None else []
    several = len(arguments.positional) + len(arguments.keywords) > 1
    for place, variable in enumerate(arguments.positional):
        yield _argument(draft, index, variable, parameters[place] if place < len(parameters) else "", several)
    for name, variable in arguments.keywords:
        yield _argument(draft, index, variable, name, several)


def _receiver(draft: Draft) -> Iterable[str]:
    """What the object was made with whose method is under test."""
    found = draft.call()
    if found is None:
        return
    index, line = found
    if isinstance(line, st.Call):
        return
    made = draft.definition(line.receiver, index)
    if not isinstance(made, st.Call):
        return
    before = next(place for place, one in enumerate(draft.statements) if one is made)
    names = [parameter.name for parameter in made.callee.parameters]
    for place, variable in enumerate(made.arguments.positional):
        yield _argument(draft, before, variable, names[place] if place < len(names) else "", place > 0)[1]
    for name, variable in made.arguments.keywords:
        yield _argument(draft, before, variable, name, True)[1]


def _argument(draft: Draft, index: int, variable: Variable, name: str, several: bool) -> tuple[str, str]:
    """``several``: the name of the parameter tells more than the value alone."""
    line = draft.definition(variable, index)
    if isinstance(line, Given):
        if line.name in draft.fixtures:
            return "", ""
        words = {_value_words(value, name, several) for value in draft.column(line.name)}
        return words.pop() if len(words) == 1 else ("", "")
    if isinstance(line, st.Literal):
        return _value_words(line.value, name, several)
    if isinstance(line, st.Reference):
        return "", snake(line.named.qualname.rpartition(".")[2])
    if isinstance(line, st.StubCallable):
        return ("raising_callable",) * 2 if line.raises else ("", "callable")
    return "", snake(line.callee.name.strip("_")) if isinstance(line, st.Call) else ""


def _value_words(value: Expected, name: str, several: bool) -> tuple[str, str]:
    named = snake(name)
    if isinstance(value, bool) and named:
        word = named if value else f"not_{named}"
        return word, word
    few, more = particular(value), detail(value)
    return (_of(value, few, named), _of(value, more, named)) if several and named else (few, more)


def _of(value: Expected, word: str, name: str) -> str:
    """The word with the name of the parameter: ``empty_text``, ``zero_width``, ``width_7``."""
    if not word or isinstance(value, Display | bytes):
        return word
    if isinstance(value, str):
        return word.removesuffix("string") + name if word.endswith("_string") else word
    return (
        f"{word.removesuffix('number')}{'' if word.endswith('number') else '_'}{name}" if word in _ADJECTIVES else f"{name}_{word}"
    )


def _before(draft: Draft) -> tuple[str, ...]:
    """The method called last before the call under test."""
    found = draft.call()
    lines = draft.statements[: found[0]] if found is not None else draft.statements
    names = [snake(line.name.strip("_")) for line in lines if isinstance(line, st.MethodCall) and line.name != INVOKE]
    return (f"after_{names[-1]}",) if names and names[-1] else ()


def _check_of_result(draft: Draft) -> Check | None:
    """The first assertion on what the call under test returns."""
    found = draft.call()
    if found is None or draft.raised is not None:
        return None
    checks = (line for line in draft.statements[found[0] :] if isinstance(line, Check))
    check = next((check for check in checks if check.variable == found[1].variable and not check.path), None)
    # That a constructor makes an instance goes without saying.
    return None if check is not None and check.kind == "isinstance" and _base(draft) == "init" else check


def _outcome(draft: Draft, check: Check | None) -> str:
    if draft.raised is not None:
        return f"raises_{snake(draft.raised.exception.qualname.rpartition('.')[2])}"
    return "" if check is None else _returned(check, draft)


def _result(check: Check | None) -> str:
    if check is None or isinstance(check.expected, Given) or check.kind == "isinstance":
        return ""
    word = detail(check.expected)
    return f"returns_{word}" if word else ""


def _returned(check: Check, draft: Draft) -> str:
    expected = check.expected
    if check.kind == "nan":
        return "returns_nan"
    if isinstance(expected, Given):
        words = {particular(value) for value in draft.column(expected.name)}
        word = words.pop() if len(words) == 1 else ""
    elif isinstance(expected, Named):
        word = snake(expected.qualname.rpartition(".")[2]) if check.kind == "isinstance" else ""
    else:
        word = particular(expected)
    return "" if word in _PLAIN_RESULTS else f"returns_{word}"

"""What the runs of tests complained of: the values that the words of their exceptions name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from types import MappingProxyType, TracebackType
from typing import NamedTuple, cast

from crashwright.core.message_rule import printed_message
from crashwright.core.refusing import REFUSING, quotes_refusal
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, class_name, identities, instance_dict
from crashwright.engine.subject.usage.shapes import MOMENTS
from crashwright.engine.testcase.making.existing_parts import parts_of
from crashwright.engine.testcase.statements import FileFixture, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

LOOKS = 24
"""Frames that are looked at for one line."""
LOOKS_AT_TYPES = 400
"""Of those whose errors of type rarely name anything."""
LONGEST_WORDS = 400
"""Characters of a message that are read."""
LONGEST, MOST = 60, 3
"""Characters of a text that is told, and values of one message."""
MOST_OFFERED = 12
"""Keys of tables that are told."""
ALIKE = CrashScore(0.0, 0, 0, 0)
"""Of runs of which none comes nearer to a crash than others."""
EACH, WAITING = 3, 6
"""Tests that are taken of those that ended in one place having come equally far, beside the best; and how many wait at once."""
_REFUSED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        r"does not match format '([^']+)'$": (),
        r"invalid literal for int\(\) with base": ("1", "0", "7"),
        r"could not convert string to (?:float|complex)": ("1.5", "0"),
        r"Invalid literal for Fraction": ("1/2", "0"),
        r"Invalid isoformat string": ("2020-01-02", "2020-01-02T13:04:05", "13:04:05"),
        r"Invalid date value or format": ("Thu, 02 Jan 2020 13:04:05 +0000",),
        r"does not appear to be an IPv[46]": ("127.0.0.1",),
        r"non-hexadecimal number found": ("00ff",),
        r"unknown url type": ("http://example.org",),
    }
)
"""By what the interpreter says of a text, what would have been read in its place; a group is a format of moments."""
_LACKING = re.compile(r"\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", re.DOTALL)
"""Arguments that a call lacks: of one that takes a mapping apart they are its keys."""
_TRACEBACK: Callable[[BaseException], TracebackType | None] = vars(BaseException)["__traceback__"].__get__
_ARGUMENTS = vars(BaseException)["args"]
_CONTAINERS = identities(dict, set, frozenset, list, tuple)
_OF_TYPES = identities(TypeError, AttributeError, NameError, UnboundLocalError, ImportError)
_OF_VALUES = (ValueError, OSError)
_PLAIN = (str, int, float, type(None))


def plain_words(error: BaseException) -> str:
    """The message, where printing it runs no code of the subject."""
    printer = next((cls for cls in class_mro(type(error)) if "__str__" in class_dict(cls)), None)
    if printer is None or class_module(printer) != "builtins":
        return ""
    if not all(any(type(one) is kind for kind in _PLAIN) for one in _ARGUMENTS.__get__(error)):
        return ""
    return printed_message(error)


def complained_of(error: BaseException) -> tuple[Value, ...]:
    """The names and whole numbers among them, such as the key that a look-up lacked; few. Of some exceptions they are names of
    types and attributes: these have none."""
    words = plain_words(error)
    if id(type(error)) in _OF_TYPES:
        lacking = _LACKING.search(words[:LONGEST_WORDS])
        return () if lacking is None else tuple(re.findall(r"'(\w+)'", lacking[1])[:MOST])
    if REFUSING in words:
        return ()  # ours, which name nothing that the subject knows
    values = message_values(words[:LONGEST_WORDS])
    found: list[Value] = [one for one in values if (type(one) is str and 0 < len(one) <= LONGEST) or type(one) is int]
    return tuple(found[:MOST])


def texts_accepted(words: str) -> tuple[str, ...]:
    """What the functions of the standard library would have read that refused a text with these ``words``."""
    for pattern, texts in _REFUSED.items():
        found = re.search(pattern, words, re.DOTALL)
        if found is not None:
            return _moments(found[1]) if found.groups() else texts
    return ()


def _moments(layout: str) -> tuple[str, ...]:
    """None where ``layout`` is no format, or (from Python 3.14 on ``strftime`` takes that too) no text that can be written."""
    try:
        layout.encode()
        return tuple(moment.strftime(layout) for moment in MOMENTS)
    except ValueError:
        return ()  # a test may pass a format that is none


class NearRaising(NamedTuple):
    """Where a run ended: ``offered`` are the texts and whole numbers in the containers that the raising function has by name, or as
    attributes of what it has by name; ``tables`` are the keys of each dict among its variables."""

    offered: tuple[Value, ...] = ()
    tables: frozenset[tuple[object, ...]] = frozenset()


NOTHING = NearRaising()


def near_raising(error: BaseException) -> NearRaising:
    """In the innermost frame, as long as ``error`` has its traceback."""
    traceback = _TRACEBACK(error)
    if traceback is None:
        return NOTHING
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame = traceback.tb_frame
    names, values = frame.f_code.co_names, list(frame.f_locals.values())
    held = [own[name] for value in values for own in [instance_dict(value)] for name in names if name in own]
    containers = [*held, *(frame.f_globals[name] for name in names if name in frame.f_globals), *values]
    found: dict[tuple[type, Value], Value] = {}
    for one in containers:
        if id(type(one)) in _CONTAINERS:
            for item in _plain_items(cast(Collection[object], one)):
                found.setdefault((type(item), item), item)
    tables = (tuple(one) for one in values if type(one) is dict and len(one) <= MOST_OFFERED)
    plain = (keys for keys in tables if all(type(key) is str or type(key) is int for key in keys))
    return NearRaising(tuple(found.values()), frozenset(plain))


def _plain_items(container: Collection[object]) -> list[str | int]:
    """The first of them; of a set, which has no order that is the same in each run, those that come first by their spelling."""
    if type(container) is set or type(container) is frozenset:
        plain: Iterable[object] = sorted((one for one in container if type(one) is str or type(one) is int), key=repr)
    else:
        plain = container
    found = [one for one in islice(plain, MOST_OFFERED) if type(one) is str or type(one) is int]
    return [one for one in found if type(one) is int or not quotes_refusal(one)]


_End = tuple[str, int, int, int]
"""The exception, the place that raised it, and how far that is on the way."""


class Complaint(NamedTuple):
    """``named`` are values, ``ended_at`` is the statement of ``test`` that raised, ``place`` where in the code that was."""

    test: TestCase
    named: tuple[Value, ...]
    ended_at: int
    fitness: float
    place: _End
    near_raising: NearRaising = NOTHING
    accepted: tuple[Value, ...] = ()
    """Texts that what refused one would have read."""


class Complaints:
    """Of one search: a few for each place in which tests end, and that of each test which is better than all before."""

    def __init__(self) -> None:
        self._near_raising: dict[int, NearRaising] = {}
        self._looks: Counter[tuple[int, int]] = Counter()
        self._best = float("inf")
        self._ends: Counter[_End] = Counter()
        self._silent: Counter[_End] = Counter()
        """Those that named nothing: reading messages takes time."""
        self._waiting: list[Complaint] = []
        self.latest: tuple[str, int, int] | None = None
        """How the run that was heard last ended: the exception and its place; None where it returned."""
        self.words = ""
        """What the exception of that run says, where it is about a value."""

    def hear(self, test: TestCase, outcome: Outcome) -> None:
        """One run of a search in which all are alike, as long as its exception has its traceback."""
        self.latest, self.words = None, ""
        if outcome.error is not None and outcome.frames:
            if issubclass(type(outcome.error), _OF_VALUES):
                self.words = plain_words(outcome.error)[:LONGEST_WORDS]
            code, line, _ = outcome.frames[-1]
            self.latest = class_name(type(outcome.error)), id(code), line
            self.look(test, outcome)
            self.note(test, outcome, ALIKE)

    def look(self, test: TestCase, outcome: Outcome) -> None:
        """At the frame that raised, as long as there is one."""
        outcome = outcome.innermost
        if outcome.error is None or outcome.timed_out or not outcome.frames:
            return
        code, line, _ = outcome.frames[-1]
        self._looks[id(code), line] += 1
        if self._looks[id(code), line] <= LOOKS and complained_of(outcome.error):
            self._near_raising[test.key()] = near_raising(outcome.error)

    def note(self, test: TestCase, outcome: Outcome, score: CrashScore) -> None:
        """One run."""
        better, self._best = score.fitness < self._best, min(score.fitness, self._best)
        if outcome.error is None or score.level or outcome.timed_out or not outcome.frames:
            return
        code, line, _ = outcome.frames[-1]
        end = class_name(type(outcome.error)), id(code), line, score.frames
        most = LOOKS_AT_TYPES if id(type(outcome.error)) in _OF_TYPES else LOOKS
        if not better and (self._ends[end] >= EACH or self._silent[end] >= most):
            return
        found = self.of(test, outcome, score)
        if found is None:
            self._silent[end] += 1
        else:
            self._ends[end] += 1
            self._waiting = [*self._waiting, found][-WAITING:]

    def of(self, test: TestCase, outcome: Outcome, score: CrashScore) -> Complaint | None:
        """What a run complained of; None where that is nothing."""
        if outcome.error is None or not outcome.frames:
            return None
        code, line, _ = outcome.frames[-1]
        end = class_name(type(outcome.error)), id(code), line, score.frames
        seen = self._near_raising.pop(test.key(), NOTHING)
        named = complained_of(outcome.error)
        own = _own(test) if named else frozenset()
        looked_up = issubclass(type(outcome.error), LookupError | TypeError)
        accepted = texts_accepted(plain_words(outcome.error)[:LONGEST_WORDS])
        begun = [one for value in named for one in _begins(value, own)] if accepted else []
        named = tuple(value for value in named if looked_up or _is_in(value, own)) or tuple(begun)
        if not named:
            return None
        return Complaint(test, named, outcome.executed, score.fitness, end, seen, accepted)

    def take(self) -> list[Complaint]:
        """Those since this was called last, the latest first."""
        taken, self._waiting = self._waiting[::-1], []
        return taken

    def give_up(self, complaint: Complaint) -> None:
        """What was tried instead came no nearer: of such tests only the best ones are told of from now on."""
        self._ends[complaint.place] = EACH


def _is_in(value: Value, own: frozenset[Value]) -> bool:
    return value in own or (type(value) is str and any(type(one) is str and value in one for one in own))


def read_instead(test: TestCase, words: str) -> tuple[str, str] | None:
    """The text of the test that was refused with these ``words``, or that what was refused begins with, and one that would have
    been read."""
    accepted = texts_accepted(words)
    own = frozenset(one.value for one in test.statements if isinstance(one, Literal) and type(one.value) is str)
    refused = [one for value in message_values(words) for one in _begins(cast(Value, value), own)] if accepted else []
    return (refused[0], accepted[0]) if refused else None


def _begins(value: Value, own: frozenset[Value]) -> list[str]:
    """The text of the test that ``value`` begins with, of several the longest: code has put more behind it."""
    found = [one for one in own if type(one) is str and one and type(value) is str and value.startswith(one)]
    return sorted(found, key=len)[-1:]


def _own(test: TestCase) -> frozenset[Value]:
    """The texts and numbers that it has, and their words."""
    wholes = [
        one.value if isinstance(one, Literal) else one.content for one in test.statements if isinstance(one, Literal | FileFixture)
    ]
    return frozenset(part for whole in wholes for part in (whole, *parts_of(whole)) if type(part) is str or type(part) is int)

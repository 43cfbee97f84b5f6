"""The one filter: every value that leaves a report for a file, the screen, a cache, a seed or an engine has passed it.

A secret is replaced by a stand-in of the same shape (``core.placeholder``), wherever in the report it turns up again, so that the
parts of a report still fit together. What the subject says at run time passes the same filter. It errs on the side of leaving out.

Code is never secret: names of the report's functions, of their files and in echoed lines stay, though a value under a telling name
(``token='parse'``) reads like one of them; nor is a value that the project's own source writes out (``written``). What is run has
not passed the filter, only what is shown, sent or stored.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from crashwright.core.placeholder import is_placeholder, placeholder
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.secrets.forms import Secret, known_forms
from crashwright.crash.secrets.named import STRING, is_unquoted, named_secrets, value_at
from crashwright.crash.secrets.names import Weight, is_of_digest, weight
from crashwright.crash.secrets.noise import LABEL, random_runs

LEFT_OUT = "left out, since they look like secrets: "
_ZONES = re.compile(rf"{STRING}|#.*")
_LEAST_KNOWN = 5
"""Characters of a secret that is looked for in all of the report."""
_MOST_KNOWN = 200
_MOST_SEEN = 2000
_LETTERS = re.compile(r"[A-Za-z_ ]+")
_NAME = re.compile(r"[^\W\d]\w*")


class SecretFilter:
    """``allowed``: the user lets secrets in, everything passes as it is. Otherwise it learns from a report what its secrets are,
    and remembers what it left out."""

    def __init__(self, allowed: bool = False) -> None:
        self._allowed = allowed
        self._left_out: dict[str, None] = {}
        self._known: dict[str, str] = {}
        self._names: set[str] = set()
        self._spared: frozenset[str] = frozenset()
        self._pattern: re.Pattern[str] | None = None
        self._seen: dict[tuple[str, bool], tuple[Secret, ...]] = {}

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was replaced: names of variables, or what it looked like."""
        return tuple(self._left_out)

    @property
    def known(self) -> frozenset[str]:
        """The secrets that it looks for everywhere."""
        return frozenset(self._known)

    def spare(self, values: frozenset[str]) -> None:
        """These are none: they are written out in the code under test."""
        self._spared |= values
        spared = {self._known.pop(value) for value in values if value in self._known}
        for label in spared - set(self._known.values()):
            self._left_out.pop(label, None)
        self._look_for_known()

    @property
    def note(self) -> str:
        """What the user is told of it; "" where nothing was replaced."""
        if not self._left_out:
            return ""
        return f"{LEFT_OUT}{', '.join(self._left_out)} (--allow secrets keeps them)"

    def report(self, report: CrashReport) -> CrashReport:
        """``report`` with stand-ins."""
        if self._allowed:
            return report
        self._learn_names(report)
        self._report(report)  # what is a secret in one place is looked for in all others
        return self._report(report)

    def frame(self, frame: ReportedFrame) -> ReportedFrame:
        """``frame`` with stand-ins."""
        if self._allowed:
            return frame
        values = {name: self.local(name, text) for name, text in frame.local_values.items()}
        source = None if frame.source is None else self.code(frame.source)
        return replace(frame, path=self.value(frame.path), source=source, local_values=values)

    def local(self, name: str, text: str) -> str:
        """The repr ``text`` of the variable ``name``."""
        if self._allowed:
            return text
        strength = weight(name)
        if strength is Weight.STRONG and is_unquoted(text):
            own = [Secret(0, len(text), name)]
        else:
            own = list(value_at(text, 0, name, strength, code=False)) if strength else []
        found = [one for one in _secrets(text, code=False) if not (one.label == LABEL and is_of_digest(name))]
        return self._replaced(text, [*own, *(one._replace(label=name) for one in found)])

    def text(self, text: str) -> str:
        """A message, a note, a line for the user."""
        return text if self._allowed else self._replaced(text, self._secrets(text, code=False))

    def code(self, source: str) -> str:
        """A line of source."""
        return source if self._allowed else self._replaced(source, self._secrets(source, code=True))

    def learn(self, source: str) -> None:
        """Code that is run as it is: what in it looks like a secret is looked for in all that is shown, sent or stored; the names
        in it are no secrets."""
        if not self._allowed:
            self._names.update(_names_in(source))
            for secret in self._secrets(source, code=True):
                self._learn(source[secret.start : secret.end], secret.label)

    def literal(self, value: str) -> str:
        """A text in a test: as :meth:`value`, and one that is a secret as a whole, however short or plain."""
        if self._allowed:
            return value
        label = self._known.get(value)
        if label is None:
            return self.value(value)
        self._left_out.setdefault(label)
        return placeholder(value)

    def value(self, value: str) -> str:
        """A value without a context: only what is known for certain by its form, or was a secret in the report."""
        return value if self._allowed else self._replaced(value, known_forms(value))

    def _report(self, report: CrashReport) -> CrashReport:
        outer = tuple(replace(one, frames=tuple(map(self.frame, one.frames))) for one in report.outer)
        return replace(report, exceptions=tuple(map(self._exception, report.exceptions)), outer=outer)

    def _exception(self, one: ReportedException) -> ReportedException:
        place = one.place
        if place is not None and place.source is not None:
            place = replace(place, source=self.code(place.source))
        return replace(
            one,
            message=self.text(one.message),
            notes=tuple(map(self.text, one.notes)),
            frames=tuple(map(self.frame, one.frames)),
            group=tuple(map(self._report, one.group)),
            place=place,
        )

    def _secrets(self, text: str, code: bool) -> tuple[Secret, ...]:
        """As :func:`_secrets`; a recursion prints the same line a thousand times."""
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        if (text, code) not in self._seen:
            self._seen[text, code] = tuple(_secrets(text, code))
        return self._seen[text, code]

    def _replaced(self, text: str, secrets: Iterable[Secret]) -> str:
        pieces: list[str] = []
        end = 0
        for secret in _disjoint([*secrets, *self._again(text)]):
            found = text[secret.start : secret.end]
            if is_placeholder(found) or found in self._spared or self._is_code(found, secret.label):
                continue
            if secret.label:
                self._left_out.setdefault(secret.label)
                self._learn(found, secret.label)
            pieces += [text[end : secret.start], placeholder(found)]
            end = secret.end
        return "".join((*pieces, text[end:]))

    def _is_code(self, found: str, label: str) -> bool:
        """Whether a value that only might be a secret reads like a name of the code."""
        return found in self._names and weight(label) is not Weight.STRONG

    def _learn(self, secret: str, label: str) -> None:
        """It is looked for in other places."""
        if is_placeholder(secret) or secret in self._spared or self._is_code(secret, label):
            return
        if len(secret) >= _LEAST_KNOWN and len(self._known) < _MOST_KNOWN and secret not in self._known:
            self._known[secret] = label
            self._look_for_known()

    def _look_for_known(self) -> None:
        longest_first = sorted(self._known, key=len, reverse=True)
        either = "|".join(_anywhere(one, one in self._names) for one in longest_first)
        self._pattern = re.compile(either) if either else None

    def _again(self, text: str) -> Iterator[Secret]:
        """Where secrets that are known already stand."""
        if self._pattern is not None:
            yield from (Secret(match.start(), match.end(), self._known[match.group()]) for match in self._pattern.finditer(text))

    def _learn_names(self, report: CrashReport) -> None:
        frames = [*(one.frames for one in report.exceptions), *(one.frames for one in report.outer)]
        for frame in chain.from_iterable(frames):
            source = _ZONES.sub(" ", frame.source or "")
            self._names.update(name for text in (frame.function, frame.path, source) for name in _NAME.findall(text))
        for member in (member for one in report.exceptions for member in one.group):
            self._learn_names(member)


def _anywhere(secret: str, is_name: bool) -> str:
    """A word or a name of the code that is a password is elsewhere a word or that name, but where it is quoted."""
    if is_name or (_LETTERS.fullmatch(secret) and len(secret) < 16):
        return rf"(?<=['\"]){re.escape(secret)}(?=['\"])"
    before = r"(?<![A-Za-z0-9])" if secret[0].isalnum() else ""
    return before + re.escape(secret) + (r"(?![A-Za-z0-9])" if secret[-1].isalnum() else "")


def _names_in(source: str) -> Iterator[str]:
    """The names in a program; none where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "module", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                yield from word.split(".")


def _secrets(text: str, code: bool) -> Iterator[Secret]:
    sure = [*named_secrets(text, code), *known_forms(text)]
    yield from sure
    taken = sorted((one.start, one.end) for one in sure)
    for begin, end in [zone.span() for zone in _ZONES.finditer(text)] if code else [(0, len(text))]:
        for one in random_runs(text[begin:end]):
            found = one._replace(start=begin + one.start, end=begin + one.end)
            place = bisect_left(taken, (found.end,))
            # Where the form is known, the part that is secret is known as well.
            if place == 0 or max(last for _, last in taken[max(0, place - 3) : place]) <= found.start:
                yield found


def _disjoint(secrets: Iterable[Secret]) -> list[Secret]:
    """In order, without those that lie in others."""
    kept: list[Secret] = []
    for one in sorted(secrets, key=lambda secret: (secret.start, -secret.end, not secret.label)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end:
            kept.append(one._replace(start=kept[-1].end))
    return kept

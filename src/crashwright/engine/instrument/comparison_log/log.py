"""What the probes of rewritten code (``rewriting``) note in a run: comparisons of pieces of the text, with what was wanted.

The subject gets exactly what it would get without: each probe does what stood in its place, once, and hands the result on. What is
called is called in the subject's own frame, but for functions in C (``calls``), which cannot see who calls them.

# Deviation: not in the papers. What is compared often stands in the input: REDQUEEN's input-to-state correspondence (Aschermann et
al. 2019), there of the operands of machine instructions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from crashwright.engine.instrument.comparison_log.calls import MATCH, followed, is_stream
from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.instrument.comparison_log.origins import ComposedText, as_text, is_text
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.instrument.operations import ARITHMETIC, COMPARISONS, IN_PLACE
from crashwright.engine.subject.introspection import derives


class ComparisonLog:
    """``notes`` are those of the run in progress; there is one between ``begin`` and ``end``."""

    def __init__(self) -> None:
        self.notes = ComparisonNotes("")

    def begin(self, text: str) -> None:
        """A run on this text begins."""
        self.notes = ComparisonNotes(text)

    def end(self) -> ComparisonNotes:
        """What it noted. Code that still runs notes in vain."""
        notes, self.notes = self.notes, ComparisonNotes("")
        return notes

    # The probes

    def wrap(self, function: Any, site: int, /) -> Any:
        """``function``, about to be called: itself, or what calls it and looks at the result."""
        return followed(function, self.notes, site)

    def compare(self, symbol: str, left: Any, right: Any, site: int, fixed: int, /) -> Any:
        """A comparison; ``fixed`` says which of the two is a constant of the source: 1 the left one, 2 the right one."""
        result = COMPARISONS[symbol](left, right)
        notes = self.notes
        if not notes.is_full:
            if symbol in ("in", "not in"):
                notes.membership(left, right, site)
            elif type(left) is not bool and type(right) is not bool:
                if fixed != 1:
                    notes.compared(left, right, site, bool(fixed), symbol)
                if fixed != 2:
                    notes.compared(right, left, site, bool(fixed), symbol)
        return result

    def item(self, value: Any, index: Any, site: int, /) -> Any:
        """``value[index]``."""
        notes, kind = self.notes, type(value)
        if derives(kind, dict):
            if not notes.is_full:
                if is_text(index):
                    notes.keys(index, value, site)
                elif type(index) is int:
                    notes.numbers(index, dict.keys(value), site)
            return value[index]
        try:
            made = value[index]
        except IndexError:
            if is_text(value):
                notes.has_ended = True
                notes.origins.put("", notes.origins.end)
                self._beyond(value, index, site)
            raise
        if is_text(value):
            self._part(value, index, made, site)
        elif kind is MATCH:
            notes.group(value, index, made)
        return made

    def _beyond(self, value: Any, index: Any, site: int) -> None:
        whole = self.notes.origins.place(value) if type(value) is not str else None
        if whole is not None and type(index) is int and index >= 0:
            self.notes.more(whole, index + 1 - len(value), site)

    def _part(self, value: Any, index: Any, made: Any, site: int) -> None:
        origins = self.notes.origins
        whole = origins.place(value)
        if whole is None or whole.end - whole.start != len(value):
            return
        if type(index) is slice:
            if index.step in (None, 1):
                start, stop, _ = index.indices(len(value))
                if type(value) is not str:
                    self._bounds(whole, index, site)
                origins.put(made, Span(whole.start + start, whole.start + max(start, stop)))
        elif type(index) is int:
            at = whole.start + (index if index >= 0 else len(value) + index)
            self.notes.character(made, at)

    def _bounds(self, whole: Span, index: slice, site: int) -> None:
        """There should be more of data that is cut beyond its end."""
        size = whole.end - whole.start
        if type(index.stop) is int and index.stop > size:
            self.notes.more(whole, index.stop - size, site)
            self.notes.number_wanted(index.stop, size, site)

    slice_of = slice
    """What stands between brackets."""

    def iterate(self, items: Any, /) -> Any:
        """What a loop goes through."""
        if is_text(items) and len(items):
            whole = self.notes.origins.place(items)
            if whole is not None and whole.end - whole.start == len(items):
                return self._characters(items, whole.start)
        elif is_stream(items):
            return self._lines(items)
        return items

    def _characters(self, text: Iterable[Any], start: int) -> Iterator[Any]:
        for at, character in enumerate(text, start):
            self.notes.character(character, at)
            yield character

    def _lines(self, stream: Iterable[Any]) -> Iterator[Any]:
        for line in stream:
            self.notes.origins.read(stream, line)
            yield line

    def operated(self, symbol: str, left: Any, right: Any, site: int, /) -> Any:
        """``left symbol right``."""
        made = ARITHMETIC[symbol](left, right)
        self._operated(symbol, left, right, made, site)
        return made

    def change(self, symbol: str, left: Any, right: Any, site: int, /) -> Any:
        """What ``left symbol= right`` makes."""
        made = IN_PLACE[symbol](left, right)
        self._operated(symbol, left, right, made, site)
        return made

    def _operated(self, symbol: str, left: Any, right: Any, made: Any, site: int) -> None:
        if type(left) is int and type(right) is int:
            self.notes.operated(symbol, left, right, made, site)
        elif symbol == "+" and is_text(made):
            self._added(left, right, made)

    def _added(self, left: Any, right: Any, made: Any) -> None:
        origins = self.notes.origins
        first, second = origins.of(left), origins.of(right)
        if first is not None and len(left) and second is not None:
            origins.put(made, Span(first.start, max(first.end, second.end)))
        elif first is not None and len(left):
            origins.put_composed(made, ComposedText("", first, as_text(right)))
        elif second is not None and len(left):
            origins.put_composed(made, ComposedText(as_text(left), second, ""))
        elif second is not None:
            origins.put(made, second)

    def joined(self, made: Any, *parts: Any) -> Any:
        """A formatted string, with what stands in it by name."""
        origins = self.notes.origins
        for part in parts:
            span = origins.of(part)
            if span is not None and part:
                before, _, after = made.partition(as_text(part))
                origins.put_composed(made, ComposedText(before, span, after))
                break
        return made

    def matched(self, value: Any, site: int, *constants: Any) -> None:
        """``value`` is about to be matched with ``constants``."""
        for number, wanted in enumerate(constants):
            self.notes.compared(value, wanted, site + number, True, "==")


PROBES = frozenset(("wrap", "compare", "item", "slice_of", "iterate", "operated", "change", "joined", "matched"))

"""What an edit of a text breaks elsewhere in it: lengths, counts and checksums, whatever the code computes from one part of a text
and compares with another. It is put right after each edit, by what the comparison wants then.

Whether a text has such parts is asked of its code: a few characters are changed, and where a comparison that held before wants
something now that did not stand in the text, and something else for each change, it compares what it computes.

# Deviation: not in the papers. REDQUEEN (Aschermann et al. 2019) takes checks out of the code and mends them at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from crashwright.engine.instrument.comparison_log.wanted import TextWant

PLACES = 4
"""Of a text, that are changed, to see what depends on them."""
DISTINCT = 2
"""Values that a comparison has to want for as many changes, to be one of what is computed."""
ROUNDS = 3
"""A length is put right, and what is computed from that, and what is computed from this again."""


def changed(text: str) -> Iterator[str]:
    """``text`` with another character at places all over it, and with one more, which changes lengths, too."""
    places = range(0, len(text), max(1, -(-len(text) // PLACES)))
    for there, flipped in ((1, 1), (0, 1), (0, 2)):
        for at in places:
            other = chr(ord(text[at]) ^ flipped)
            yield f"{text[:at]}{other}{text[at + there :]}"


def broken(text: str, known: Collection[int], wants: Iterable[TextWant]) -> dict[int, TextWant]:
    """What comparisons want that wanted nothing before ``text`` was edited, as those of the sites ``known`` did: for each site one
    value, which did not stand in it. If a site wants several at several places, it is the one that is as long as what is there."""
    found: dict[int, list[TextWant]] = {}
    for want in wants:
        if want.site not in known:
            found.setdefault(want.site, []).append(want)
    chosen: dict[int, TextWant] = {}
    for site, several in found.items():
        fitting = [one for one in several if _fits(one)] or several
        if len(fitting) == 1 and type(fitting[0].value) is str and fitting[0].value not in text:
            chosen[site] = fitting[0]
    return chosen


def _fits(want: TextWant) -> bool:
    return type(want.value) is str and len(want.value) == want.span.end - want.span.start > 0


def put_right(text: str, wants: Iterable[TextWant]) -> str:
    """``text`` with these, the last of those that overlap."""
    before = len(text)
    for span, value, _ in sorted(wants, key=lambda want: want.span, reverse=True):
        if span.end <= before and type(value) is str:
            text = f"{text[: span.start]}{value}{text[span.end :]}"
            before = span.start
    return text


def computes(found: Sequence[dict[int, TextWant]]) -> bool:
    """Whether one comparison is of what is computed, by what was broken after each of some changes."""
    values: dict[int, set[object]] = {}
    for one in found:
        for site, want in one.items():
            values.setdefault(site, set()).add(want.value)
    return any(len(several) >= DISTINCT for several in values.values())

"""Documents with the elements and attributes that code asks for (``subject.usage.elements``): whole ones, and such where something
that is usual is missing, empty or without a value."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from crashwright.engine.subject.usage.elements import Element

MOST_DOCUMENTS = 240
MOST_OF_GROUP = 40
"""Documents of one element each, before one element stands in another."""
_STYLES = frozenset({"XML", "HTML"})
_VALUES = ("text", "1", "http://example.org/")
_OUTER = "alpha"


def element_documents(style: str, elements: Sequence[Element]) -> Iterator[str]:
    """Texts of the format ``style``; none where it is no markup. The elements take turns, but those that the crash is about come
    first."""
    if style not in _STYLES:
        return
    near = [one for one in elements if one.is_near]
    far = [one for one in elements if not one.is_near]
    seen: dict[str, None] = {}
    for group in (near, far):
        varied = _in_turn([_placed(one, _varied(one, style == "XML")) for one in group])
        for text in (*itertools.islice(varied, MOST_OF_GROUP), *_pairs(group, elements), *varied):
            if len(seen) >= MOST_DOCUMENTS:
                return
            for document in (text, _element(_OUTER, {}, text)) if style == "XML" else (text,):
                if document not in seen:
                    seen[document] = None
                    yield document


def _placed(element: Element, texts: Iterator[str]) -> Iterator[str]:
    """Each text within what the element is looked for in."""
    for text in texts:
        for tag in reversed(element.within):
            text = _element(tag, {}, text)
        yield text


def _varied(element: Element, is_strict: bool) -> Iterator[str]:
    tag = element.tag
    usual = _usual(element)
    yield _element(tag, usual)
    for name in usual:
        yield _element(tag, {key: value for key, value in usual.items() if key != name})
        yield _element(tag, {**usual, name: ""})
        if not is_strict:
            yield _element(tag, {**usual, name: None})
    yield _element(tag, {})
    yield _element(tag, usual, "")
    yield _element(tag, usual, " ")
    for name in usual:
        for value in _VALUES:
            yield _element(tag, {**usual, name: value})
        yield _element(tag, {name: usual[name]})
        yield _element(tag, {name: ""})
    if not is_strict:
        yield f"<{tag}>text"
        yield f"</{tag}>"
        yield f"<{tag}/>text"
    yield _element(tag, usual, _element(tag, {}))
    yield _element(tag, usual) * 2


def _element(tag: str, attributes: dict[str, str] | dict[str, str | None], content: str = "text") -> str:
    written = "".join(f" {name}" if value is None else f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{written}>{content}</{tag}>"


def _pairs(group: Sequence[Element], others: Sequence[Element]) -> Iterator[str]:
    """One in another."""
    for one, other in itertools.product(group, others):
        if one.tag != other.tag:
            yield _element(other.tag, {}, _element(one.tag, _usual(one)))
    for one, other in itertools.product(group, others):
        if one.tag != other.tag:
            yield _element(one.tag, _usual(one), _element(other.tag, {}))


def _usual(element: Element) -> dict[str, str]:
    return {name: _VALUES[place % len(_VALUES)] for place, name in enumerate(element.attributes)}


def _in_turn(streams: Sequence[Iterator[str]]) -> Iterator[str]:
    waiting = list(streams)
    while waiting:
        for stream in tuple(waiting):
            text = next(stream, None)
            if text is None:
                waiting.remove(stream)
            else:
                yield text

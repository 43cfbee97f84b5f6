"""Documents of the trees that code goes through (``subject.usage.element_trees``): the whole one first, then such where one thing
is missing, empty, of another kind or twice."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from crashwright.engine.subject.usage.element_trees import MOMENT, NUMBER, TEXT, Leaf, Tree

MOST_DOCUMENTS = 150
_STYLES = frozenset({"XML", "HTML"})
_OUTER = "alpha"
_USUAL = {TEXT: "text", NUMBER: "1", MOMENT: "2026-01-01"}
_ODD = {TEXT: ("1", " "), NUMBER: ("text", "0", "-1", "1.5", "1,5", " "), MOMENT: ("text", "01.02.2026", "2026-01-01T00:00:00Z")}


def tree_documents(style: str, trees: Sequence[Tree]) -> Iterator[str]:
    """Texts of the format ``style``; none where it is no markup."""
    if style in _STYLES:
        found = (_document(one) for tree in trees for one in itertools.chain([tree], _varied(tree)))
        yield from itertools.islice(dict.fromkeys(itertools.islice(found, 2 * MOST_DOCUMENTS)), MOST_DOCUMENTS)


def _varied(tree: Tree) -> Iterator[Tree]:
    """First what lacks something, then what has something odd."""
    for change in (_lacking, _odd, _doubled):
        yield from _changed(tree, change)


def _changed(tree: Tree, change: Callable[[Tree], Iterator[Tree]]) -> Iterator[Tree]:
    yield from change(tree)
    for place, child in enumerate(tree.children):
        for one in _changed(child, change):
            yield tree._replace(children=(*tree.children[:place], one, *tree.children[place + 1 :]))


def _lacking(tree: Tree) -> Iterator[Tree]:
    for place in range(len(tree.attributes)):
        yield tree._replace(attributes=(*tree.attributes[:place], *tree.attributes[place + 1 :]))
    for place in range(len(tree.children)):
        yield tree._replace(children=(*tree.children[:place], *tree.children[place + 1 :]))
    if tree.text is not None:
        yield tree._replace(text=None)


def _odd(tree: Tree) -> Iterator[Tree]:
    for place, (name, leaf) in enumerate(tree.attributes):
        for value in _others(leaf):
            odd = (name, leaf._replace(values=(value,)))
            yield tree._replace(attributes=(*tree.attributes[:place], odd, *tree.attributes[place + 1 :]))
    if tree.text is not None:
        for value in _others(tree.text):
            yield tree._replace(text=tree.text._replace(values=(value,)))


def _others(leaf: Leaf) -> tuple[str, ...]:
    return ("", *leaf.values[1:], *leaf.turned_away, *_ODD[leaf.kind])


def _doubled(tree: Tree) -> Iterator[Tree]:
    """One child twice, then with one that lacks something: what is sorted or compared are two that differ."""
    for place, child in enumerate(tree.children):
        for second in (child, *_lacking(child)):
            yield tree._replace(children=(*tree.children[: place + 1], second, *tree.children[place + 1 :]))


def _document(tree: Tree) -> str:
    uris = {uri: f"n{place}" for place, uri in enumerate(dict.fromkeys(_uris(tree)))}
    if len(uris) == 1 and not _has_named_attributes(tree):
        uris = dict.fromkeys(uris, "")  # nothing needs a prefix
    declared = "".join(f" xmlns{prefix and ':'}{prefix}={quoteattr(uri)}" for uri, prefix in uris.items())
    return _written(tree, uris, declared)


def _uris(tree: Tree) -> Iterator[str]:
    for tag in (tree.tag, *(name for name, _ in tree.attributes)):
        if tag.startswith("{"):
            yield tag[1:].partition("}")[0]
    for child in tree.children:
        yield from _uris(child)


def _has_named_attributes(tree: Tree) -> bool:
    return any(name.startswith("{") for name, _ in tree.attributes) or any(map(_has_named_attributes, tree.children))


def _written(tree: Tree, prefixes: dict[str, str], declared: str = "") -> str:
    name = _name(tree.tag, prefixes) or _OUTER
    attributes = "".join(f" {_name(key, prefixes)}={quoteattr(_value(leaf))}" for key, leaf in tree.attributes)
    text = "" if tree.text is None else escape(_value(tree.text))
    content = text + "".join(_written(child, prefixes) for child in tree.children)
    return f"<{name}{declared}{attributes}>{content}</{name}>" if content else f"<{name}{declared}{attributes}/>"


def _name(tag: str, prefixes: dict[str, str]) -> str:
    uri, _, name = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    prefix = prefixes.get(uri, "")
    return f"{prefix}:{name}" if prefix else name


def _value(leaf: Leaf) -> str:
    return leaf.values[0] if leaf.values else _USUAL[leaf.kind]

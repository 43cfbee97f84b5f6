"""What holds for every page: it is HTML without an error, loads nothing, runs nothing but its own script, and can be read by
whoever does not see it. And values that try to break out of their places."""

from __future__ import annotations

import dataclasses
import re
from enum import Enum
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

HOSTILE = (
    "</script><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>\"' onclick=alert(3) {{ 7*7 }} "
    "\u202e\0\ud800 javascript:"
)
"""Ends elements and attributes, begins scripts, is a template, turns the direction of text, and cannot be encoded."""


LOADING = frozenset("img iframe object embed link audio video base form image use".split())
"""Elements that fetch something, or send it."""


def hostile(value: Any) -> Any:
    """``value`` with every text in it replaced, also the keys of dicts; words that mean something to the program stay."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {field.name: hostile(getattr(value, field.name)) for field in dataclasses.fields(value) if field.name != "link"}
        return dataclasses.replace(value, **changed)
    if isinstance(value, Enum) or not isinstance(value, (str, tuple, dict)):
        return value
    if isinstance(value, dict):
        return {HOSTILE: HOSTILE} if value else {}
    if isinstance(value, tuple):
        items = [hostile(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return HOSTILE


def parsed(text: str) -> Element:
    """The tree of a page that has passed all checks."""
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    root = parser.parse(text.encode("utf-8").decode("utf-8"))
    _loads_nothing(root)
    _can_be_read(root)
    return root


def words(element: Element) -> str:
    """What stands in an element, on one line."""
    return " ".join("".join(element.itertext()).split())


def _loads_nothing(root: Element) -> None:
    for element in root.iter():
        tag = str(element.tag)
        assert tag.rpartition("}")[2] not in LOADING
        for name, value in element.attrib.items():
            assert not str(name).startswith("on"), (tag, name)
            assert name not in {"src", "srcset", "style", "action", "formaction", "data"}, (tag, name)
            assert name != "href" or value.startswith(("#", "./")), value
    scripts = [one for one in root.iter("script") if one.get("type") != "application/json"]
    assert len(scripts) == 1
    assert "default-src 'none'" in next(one.get("content", "") for one in root.iter("meta") if one.get("http-equiv"))
    assert not re.search(r"url\(|@import", words(next(root.iter("style"))))


def _can_be_read(root: Element) -> None:
    assert root.get("lang") == "en"
    assert words(next(root.iter("title")))
    for landmark in ("header", "nav", "main", "footer"):
        assert len(list(root.iter(landmark))) == 1, landmark
    ids = [str(one.get("id")) for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids)), sorted(ids)
    for element in root.iter():
        for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
            assert set((element.get(name) or "").split()) <= set(ids), (element.tag, element.attrib)
        link = element.get("href")
        assert link is None or not link.startswith("#") or link[1:] in ids, link
    levels = [int(str(one.tag)[1]) for one in root.iter() if re.fullmatch("h[1-6]", str(one.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    for table in root.iter("table"):
        caption = table.find("caption")
        assert caption is not None
        assert words(caption)
        assert all(head.get("scope") for head in table.iter("th"))
    labels = {one.get("for") for one in root.iter("label")}
    for element in root.iter():
        if element.tag in {"input", "select"}:
            assert element.get("id") in labels or element.get("aria-label"), element.attrib
        if element.tag == "button":
            assert words(element), element.attrib
        if element.get("role") in {"region", "img"}:
            assert element.get("aria-label") or element.get("aria-labelledby")

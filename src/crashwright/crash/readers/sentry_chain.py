"""The exceptions of a Sentry event as one chain: cause first as the SDK lists them, or joined by the ids of their mechanisms where
there are groups."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from crashwright.core.report import CrashReport, Link, ReportedException, Unknown
from crashwright.crash.readers.exact import as_printed, exact_exception, with_link
from crashwright.crash.readers.json_text import Json, Object, field, objects, text_field
from crashwright.crash.readers.sentry_frames import following_source, read_frame

_BARE_MODULES = frozenset({"", "builtins", "__builtin__", "exceptions", "__main__"})
"Of these Python prints the type's name alone."
_CHAINED: dict[str, Link] = {"__cause__": "cause", "__context__": "context"}
_MEMBER = re.compile(r"exceptions\[(?P<index>\d{1,6})\]")
_SUB_EXCEPTIONS = re.compile(r"\(\d+ sub-exceptions?\)")
_FROM = re.compile(r"\bfrom\b\s+(?!None\b)")
_MOST = 500
"Exceptions that are joined by their ids; what has more is no event of Sentry's."
_DEEPEST = 20
"Groups within groups that are kept."

_Chain = list[ReportedException]


class _Node(NamedTuple):
    """One exception with what its mechanism says."""

    exception: ReportedException
    number: int | None
    parent: int | None
    source: str
    is_group: bool
    chained_by: Link


def read_chain(values: Sequence[Object], meta: Json) -> tuple[ReportedException, ...] | Unknown:
    """The chain, cause first. ``meta`` is what Sentry notes on parts that it cut, with the indices of ``values`` as keys."""
    nodes = [node for index, value in enumerate(values) if (node := _node(value, field(meta, str(index))))]
    if not nodes:
        return Unknown("the Sentry event names no exception type")
    numbers = [node.number for node in nodes]
    tree = None not in numbers and len(set(numbers)) == len(nodes) <= _MOST
    chain = _joined(nodes) if tree else _linear(nodes)
    return (*chain[:-1], replace(chain[-1], link=None))


def _node(value: Object, meta: Json) -> _Node | None:
    kind, module = text_field(value, "type"), text_field(value, "module")
    if not kind:
        return None
    listed = objects(field(field(value, "stacktrace"), "frames"))
    noted = field(field(meta, "stacktrace"), "frames")
    frames = as_printed([read_frame(frame, field(noted, str(index))) for index, frame in enumerate(listed)])
    mechanism = field(value, "mechanism")
    number, source = _number(field(mechanism, "exception_id", "exceptionId")), text_field(mechanism, "source")
    parent = _number(field(mechanism, "parent_id", "parentId"))
    if source in _CHAINED and parent == 0 and number:
        # The SDK numbers a cause right behind its exception, but (2.75 and before) says that its parent is always 0.
        parent = number - 1
    by_cause = bool(listed) and _FROM.search(following_source(listed[-1])) is not None
    return _Node(
        exact_exception(kind if module in _BARE_MODULES else f"{module}.{kind}", text_field(value, "value"), frames),
        number,
        parent,
        source,
        field(mechanism, "is_exception_group", "isExceptionGroup") is True,
        "cause" if by_cause else "context",
    )


def _number(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _linear(nodes: Sequence[_Node]) -> _Chain:
    """Cause first. Whether an exception was the cause or only the context of the next one, the next one's source tells at best."""
    following = [*nodes[1:], nodes[-1]]
    return [replace(node.exception, link=after.chained_by) for node, after in zip(nodes, following, strict=True)]


def _joined(nodes: Sequence[_Node]) -> _Chain:
    """The chain of the exception that has no parent. Parents have smaller numbers than their children, so there are no circles."""
    by_number = {node.number or 0: node for node in nodes}
    children: dict[int, list[int]] = defaultdict(list)
    depths: dict[int, int] = {}
    roots = []
    for number in sorted(by_number):
        parent = by_number[number].parent
        if parent is None or parent >= number or parent not in by_number:
            roots.append(number)
            continue
        children[parent].append(number)
        depths[number] = depths.get(parent, 0) + _is_member(by_number[number], by_number[parent])
    chains: dict[int, _Chain] = {}
    for number in sorted(by_number, reverse=True):
        chains[number] = _chain_to(number, by_number, children[number], chains, depths.get(number, 0) < _DEEPEST)
    # More than one root: what was listed last is what was raised last.
    return chains[next((node.number or 0 for node in reversed(nodes) if (node.number or 0) in roots), roots[0])]


def _is_member(node: _Node, parent: _Node) -> bool:
    return _MEMBER.fullmatch(node.source) is not None or (parent.is_group and not node.source.startswith("__"))


def _chain_to(
    number: int, by_number: dict[int, _Node], children: Sequence[int], chains: dict[int, _Chain], with_members: bool
) -> _Chain:
    """The chain that ends with the exception of this number, its group's members within it."""
    node = by_number[number]
    members = [child for child in children if _is_member(by_number[child], node)]
    causes = sorted((child for child in children if child not in members), key=lambda child: by_number[child].source != "__cause__")
    chain: _Chain = []
    if causes:
        link = _CHAINED.get(by_number[causes[0]].source, node.chained_by)
        chain = list(with_link(CrashReport(tuple(chains[causes[0]])), link))
    exception = node.exception
    if members:
        members.sort(key=lambda child: _index(by_number[child]))
        group = tuple(CrashReport(tuple(chains[child])) for child in members) if with_members else ()
        message = exception.message
        if not _SUB_EXCEPTIONS.search(message):
            # The SDK sends the bare message; Python prints the count behind it.
            message = f"{message} ({len(members)} sub-exception{'s' if len(members) > 1 else ''})"
        exception = replace(exception, message=message, group=group)
    return [*chain, exception]


def _index(node: _Node) -> tuple[int, int]:
    match = _MEMBER.fullmatch(node.source)
    return (int(match["index"]) if match else _MOST, node.number or 0)

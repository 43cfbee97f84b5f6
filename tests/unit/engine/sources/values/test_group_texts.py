"""Texts that an expression matches, with what becomes of its groups."""

from __future__ import annotations

import ast
import random
import re
from datetime import datetime

from crashwright.engine.sources.values.group_texts import group_texts
from crashwright.engine.subject.usage.read_records import Reading

LINE = r'(?P<host>\S+) \[(?P<when>[^\]]+)\] "(?P<request>[^"]*)" (?P<size>\d+|-)'
SOURCE = """
def hit(line):
    match = LINE.match(line)
    when = datetime.strptime(match["when"], "%d/%b/%Y %H:%M")
    method, path = match["request"].split(" ")
    return when, method, path, int(match.group("size"))
"""


def made(source: str = SOURCE, *patterns: str) -> list[tuple[str, ...]]:
    records = Reading(ast.parse(source).body).records()
    return list(group_texts([(one, 0) for one in patterns or (LINE,)], records, lambda _name: (), random.Random(1)))


def test_the_whole_line_gets_through_all_gates() -> None:
    (whole,), (one, other), *_ = made()
    match = re.fullmatch(LINE, whole)
    assert match is not None
    assert datetime.strptime(match["when"], "%d/%b/%Y %H:%M").year == 2020
    assert len(match["request"].split(" ")) == 2
    assert int(match["size"]) == 1
    assert one == other == whole


def test_others_have_one_group_otherwise() -> None:
    (whole,), _, *others = made()
    singles = [one for (one,) in others[::2]]
    assert singles
    assert all(re.fullmatch(LINE, one) and one != whole for one in singles)
    moments = {re.fullmatch(LINE, one)["when"] for one in singles}  # type: ignore[index]
    assert len(moments) == 3
    assert [pair[0] for pair in others[1::2]] == [whole] * (len(others) // 2)


def test_nothing_is_made_where_no_group_is_read() -> None:
    assert made("def hit(line):\n    return LINE.match(line)['other']") == []
    assert made(SOURCE, r"(\S+) \d+", r"(?P<broken") == []

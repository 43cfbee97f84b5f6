"""Preconditions hold for arguments that crash, and for none that do not: measured on live objects, against what Python does."""

from __future__ import annotations

from textwrap import dedent

import pytest
from crash_cases import Case, holds_just_where_it_crashes
from walked import loaded, of_level, target_of, walked

from crashwright.engine.goals.crash.precondition import distance
from crashwright.symbolic.wording.preconditions import worded

CASES = {
    "none": Case(
        """
        def f(box, number):
            if number > 3:
                found = box
            else:
                found = "small"
            return found.upper()
        """,
        ("None, 7", "None, 4"),
        ("None, 3", "'a', 7"),
    ),
    "key": Case(
        """
        def f(record, name):
            name = name.strip()
            if name.endswith("!"):
                return record["loud"]
            return None
        """,
        ("{}, 'a!'", "{'quiet': 1}, ' b! '"),
        ("{'loud': 1}, 'a!'", "{}, 'a'"),
    ),
    "index": Case(
        """
        def f(items, place):
            place = place * 2
            if place < 0:
                return None
            return items[place]
        """,
        ("[1, 2], 1", "[], 0", "[1, 2, 3], 2"),
        ("[1, 2, 3], 1", "[1], -1", "[1], 0"),
    ),
    "division": Case(
        """
        def f(total, counted):
            rest = counted - 3
            return total // rest
        """,
        ("1, 3", "0, 3"),
        ("1, 4", "1, 2"),
    ),
    "raised": Case(
        """
        def f(width, height):
            if width == height:
                return 0
            if not width:
                raise ValueError("empty")
            return width / height
        """,
        ("0, 3", "0, 1"),
        ("3, 3", "2, 5"),
    ),
    "unbound": Case(
        """
        def f(wanted):
            if wanted > 2:
                found = 1
            elif wanted < 0:
                found = 2
            return found
        """,
        ("1", "2", "0"),
        ("3", "-1"),
    ),
    "loop": Case(
        """
        def f(names):
            for name in names:
                if name is None:
                    return name.title()
            return ""
        """,
        ("[None]", "['a', None]"),
        ("[]", "['a']"),
    ),
    "unpacked": Case(
        """
        def f(pair):
            first, second = pair
            return first
        """,
        ("(1,)", "[1]"),
        ("(1, 2)", "[3, 4]"),
    ),
    "caught": Case(
        """
        def f(record, key):
            try:
                value = record[key]
            except KeyError:
                value = None
            return value + 1
        """,
        ("{}, 'a'", "{'b': 1}, 'a'"),
        ("{'a': 1}, 'a'",),
    ),
    "generated": Case(
        """
        def f(rows, least):
            wide = list(row for row in rows if row > least)
            return wide[0]
        """,
        ("[1], 3", "[], 0"),
        ("[4], 3",),
    ),
    "put together": Case(
        """
        def f(first, rest):
            whole = [first, *rest]
            return whole[1]
        """,
        ("1, []", "2, ()"),
        ("1, [2]",),
    ),
    "made": Case(
        """
        class Box:
            def __init__(self, held):
                self.first = held[0]

        def f(items, wanted):
            if not wanted:
                return None
            return Box(items)
        """,
        ("[], True",),
        ("[1], True", "[], False"),
    ),
    "property": Case(
        """
        class Box:
            def __init__(self, held):
                self.held = held

            @property
            def first(self):
                return self.held[0]

        def f(box, skip):
            if skip:
                return None
            return box.first
        """,
        ("Box([]), False",),
        ("Box([1]), False", "Box([]), True"),
    ),
    "partition": Case(
        """
        def f(header):
            name, _, value = header.partition(":")
            if name == "count":
                return 10 // int(value)
            return None
        """,
        ("'count:0'",),
        ("'count:1'", "'other:0'"),
    ),
    "split": Case(
        """
        def f(line):
            return line.split(",")[1]
        """,
        ("''", "'a b'"),
        ("'a,b'", "'a,b,c'"),
    ),
    "last part": Case(
        """
        def f(path, known):
            return known[path.split("/")[-1]]
        """,
        ("'a/b', {}", "'b', {'a': 1}"),
        ("'a/b', {'b': 1}",),
    ),
    "stripped": Case(
        """
        def f(line):
            if line.startswith(("#", ";")):
                return None
            return line.rstrip(":")[0]
        """,
        ("'::'", "''"),
        ("'a:'", "'#'"),
    ),
    "joined": Case(
        """
        def f(names, wanted):
            if not wanted:
                return ""
            return ", ".join(names)
        """,
        ("None, True",),
        ("['a'], True", "None, False"),
    ),
    "tested": Case(
        """
        def f(word):
            if word.isalpha() and word.count("a") > 1:
                raise ValueError("twice")
            return None
        """,
        ("'banana'", "'aa'"),
        ("'a'", "'a1a'"),
    ),
    "data class": Case(
        """
        from dataclasses import dataclass

        @dataclass
        class Box:
            held: list
            least: int = 2

            def first(self):
                return self.held[self.least]

        def f(items, wanted):
            box = Box(items)
            return box.first() if wanted else None
        """,
        ("[1, 2], True", "[], True"),
        ("[1, 2, 3], True", "[], False"),
    ),
    "inherited": Case(
        """
        class Shelf:
            def __init__(self, held):
                self.held = held

        class Box(Shelf):
            def __init__(self, held, place):
                super().__init__(held)
                self.place = place

        def f(items, place):
            box = Box(items, place)
            return box.held[box.place]
        """,
        ("[1, 2], 2", "[], 0"),
        ("[1, 2, 3], 2", "[1], -1"),
    ),
    "next": Case(
        """
        def f(rows, least):
            return next(row for row in rows if row > least)
        """,
        ("[1, 2], 3", "[], 0"),
        ("[4], 3",),
    ),
    "base": Case(
        """
        def f(code):
            if code.startswith("x"):
                return int(code[1:], 16)
            return 0
        """,
        ("'xbunt'",),
        ("'xff'", "'bunt'"),
    ),
    "float": Case(
        """
        def f(price, scale):
            return float(price) * scale if scale else 0.0
        """,
        ("'ten', 2",),
        ("'1.5', 2", "' -.5e3 ', 1", "'ten', 0", "'inf', 3"),
    ),
    "asked": Case(
        """
        class Box:
            def __init__(self, held):
                if held:
                    self.held = held

        def f(box):
            if hasattr(box, "held"):
                return getattr(box, "held", None)
            return getattr(box, "held")
        """,
        ("Box(None)",),
        ("Box(3)",),
    ),
    "zip": Case(
        """
        def f(names, sizes):
            for name, size in zip(names, sizes):
                if size == 0:
                    raise ValueError("nothing")
            return None
        """,
        ("['a'], [0]", "['a', 'b'], [1, 0]"),
        ("['a'], [1, 0]", "[], [0]"),
    ),
    "abstract": Case(
        """
        from collections.abc import Mapping
        import collections.abc

        def f(found, known):
            if isinstance(found, Mapping) or isinstance(known, collections.abc.Sequence):
                return None
            return found[0]
        """,
        ("[], 3", "[], -1"),
        ("{}, {}", "[], []", "[1], {}"),
    ),
    "among": Case(
        """
        def f(mode, words):
            if mode in ("r", "rb") and "stop" not in words:
                return 1 // len(words)
            return 0
        """,
        ("'r', []", "'rb', []"),
        ("'w', []", "'r', ['go']"),
    ),
    "asserted": Case(
        """
        def f(low, high):
            assert low + 1 < high
            return high
        """,
        ("1, 2", "3, 0"),
        ("1, 3",),
    ),
    "encoded": Case(
        """
        def f(name):
            if name.endswith("!"):
                return name.encode("ascii")
            return b""
        """,
        ("'\u00e9!'",),
        ("'e!'", "'\u00e9'"),
    ),
    "method": Case(
        """
        class Box:
            def __init__(self, held):
                self.held = held

            def first(self):
                return self.held[0]

        def f(box, skip):
            if skip:
                return None
            return box.first()
        """,
        ("Box([]), False",),
        ("Box([1]), False", "Box([]), True"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_they_hold_just_where_the_crash_happens(name: str) -> None:
    holds_just_where_it_crashes(CASES[name])


def test_what_raises_somewhere_else_has_the_way_there_for_a_condition() -> None:
    source = dedent(
        """
        import json

        def f(text, wanted):
            if wanted == "yes":
                return json.loads(text)
            return None
        """
    )
    with pytest.raises(ValueError, match="Expecting") as caught:
        loaded(source).f("{", "yes")
    target = target_of(caught.value)
    found, _ = walked(source, target)
    (only,) = of_level(found, 1)
    assert [reason for reason in only.unmodelled if "JSONDecodeError" in reason]
    assert distance([only], {"text": "{", "wanted": "yes"}) < distance([only], {"text": "{", "wanted": "no"})


def test_a_message_names_the_type_that_was_wrong() -> None:
    source = dedent(
        """
        import re

        def f(text, pattern):
            return re.sub(pattern, "", text)
        """
    )
    with pytest.raises(TypeError) as caught:
        loaded(source).f(None, "a")
    found, _ = walked(source, target_of(caught.value))
    crashing, other = ({"text": text, "pattern": "a"} for text in (None, "b"))
    assert distance(of_level(found, 1), crashing) < distance(of_level(found, 1), other)


def test_a_loop_over_a_dict_is_no_contradiction() -> None:
    source = dedent(
        """
        def f(sizes, least):
            for name in sizes:
                if sizes.get(name) == 0:
                    raise ValueError(name)
        """
    )
    with pytest.raises(ValueError, match="a") as caught:
        loaded(source).f({"a": 0}, 1)
    found, _ = walked(source, target_of(caught.value))
    once = min(of_level(found, 1), key=lambda one: len(one.guards))
    assert distance([once], {"sizes": {"a": 0}, "least": 1}) < distance([once], {"sizes": [], "least": 1})


def test_the_rest_of_a_list_is_not_taken_for_that_of_a_text() -> None:
    source = dedent(
        """
        def f(path):
            name, rest = path[0], path[1:]
            if name == "go":
                return rest[0]
            return None
        """
    )
    with pytest.raises(IndexError, match="list") as caught:
        loaded(source).f(["go"])
    found, _ = walked(source, target_of(caught.value))
    assert distance(of_level(found, 1), {"path": ["go"]}) < distance(of_level(found, 1), {"path": ["stay"]})


def test_a_method_that_has_a_name_of_its_own_is_bound_already() -> None:
    source = dedent(
        """
        class Reader:
            def read(self, text):
                return 12 // len(text)

        read = Reader().read

        def f(given):
            return read(given)
        """
    )
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).f("")
    found, _ = walked(source, target_of(caught.value))
    said = [one.text for way in of_level(found, 2) for one in worded(way)]
    assert "`given` is empty" in said
    assert not any("Reader" in one for one in said)


def test_what_a_library_is_handed_may_have_written_what_is_read_after_it() -> None:
    source = dedent(
        """
        import re

        NAMES = [""]

        class Numbers:
            def spell(self, text):
                self.count = 0
                re.sub("a", self.group, text)
                return NAMES[self.count]

            def group(self, found):
                self.count += 1
                return ""
        """
    )
    with pytest.raises(IndexError) as caught:
        loaded(source).Numbers().spell("aa")
    found, _ = walked(source, target_of(caught.value))
    assert not any("is empty" in one.text for way in found for one in worded(way))


def test_a_key_error_shows_its_key_as_it_is_written() -> None:
    source = "def f(key):\n    raise KeyError(key)\n"
    for key, other in ((9, "9"), ("9", 9)):
        with pytest.raises(KeyError) as caught:
            loaded(source).f(key)
        found = of_level(walked(source, target_of(caught.value))[0], 1)
        assert distance(found, {"key": key}) == 0
        assert distance(found, {"key": other}) > 0

"""What is said of every way to a crash holds on every way, and says nothing of what only one of them does."""

from __future__ import annotations

from textwrap import dedent

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.symbolic.wording.preconditions import worded


def common(source: str, call: str, level: int = 1) -> list[str]:
    """What is said of all ways, in words; of the crash that the call makes."""
    source = dedent(source)
    module = loaded(source)
    with pytest.raises(Exception) as caught:  # noqa: PT011  # each source has its own
        eval(call, vars(module))
    found, _ = walked(source, target_of(caught.value), necessary=True)
    return [one.text for way in of_level(found, level) if way.is_necessary for one in worded(way)]


def test_what_one_branch_does_is_not_said() -> None:
    source = """
        def f(items, loud):
            if loud:
                place = 3
            else:
                place = len(items) - 8
            if loud is None:
                return 0
            return items[place]
        """
    assert common(source, "f([1], True)")[1:] == ["`loud` is not None"]


def test_a_loop_hides_what_it_writes_and_nothing_else() -> None:
    source = """
        def f(rows, width):
            total = 0
            for row in rows:
                total += row
            if not rows:
                return None
            return total // width
        """
    assert common(source, "f([1], 0)") == ["`width` == 0", "`rows` is truthy"]


def test_a_type_that_only_the_model_takes_for_granted_is_not_claimed() -> None:
    source = """
        class Record:
            def __init__(self, parts):
                self.parts = parts

            def __getitem__(self, key):
                return self.parts[key]

        def g(record, limit):
            if record[0] > limit:
                raise ValueError("too large")
            return record

        def f(record):
            return g(record, 3)
        """
    words = common(source, "f(Record([7]))")
    assert not [one for one in words if "is a" in one]


def test_what_a_handler_comes_from_is_anything_of_its_body() -> None:
    source = """
        def f(text, known):
            size = 0
            try:
                size = len(text)
                number = int(text)
            except ValueError:
                number = known
            return number.real // size
        """
    assert common(source, "f('', 5)") == ["some value == 0"]


def test_of_an_inner_frame_it_goes_out_to_the_caller() -> None:
    source = """
        def g(found):
            return found.upper()

        def f(names, wanted):
            found = None
            for name in names:
                if name == wanted:
                    found = name
            if wanted == "nobody":
                return ""
            return g(found)
        """
    assert common(source, "f(['a'], 'b')") == ["`found` is None"]
    assert "`wanted` != 'nobody'" in common(source, "f(['a'], 'b')", 2)


def test_what_is_compared_within_a_call_says_nothing_of_its_argument() -> None:
    source = """
        def f(names, fallback=()):
            return sorted(names or fallback)
        """
    assert not [one for one in common(source, "f([1, 'a'])") if " is an int" in one]


def test_a_name_that_may_be_several_types_is_not_taken_for_a_class() -> None:
    source = """
        from compat import string_types

        def f(name, known):
            if isinstance(name, string_types):
                return known[name]
            return None
        """
    source = dedent(source)
    module = loaded(source.replace("from compat import string_types", "string_types = (str,)"))
    with pytest.raises(KeyError) as caught:
        module.f("on", {})
    found, _ = walked(source, target_of(caught.value), necessary=True)
    words = [one.text for way in found if way.is_necessary for one in worded(way)]
    assert not [one for one in words if one.startswith("`name` is neither")]


def test_what_a_library_is_handed_may_write_what_it_writes() -> None:
    source = """
        import re

        NAMES = [""]

        class Numbers:
            def __init__(self):
                self.count = 0

            def spell(self, text):
                self.count = 0
                re.sub("a", self.group, text)
                return self.last()

            def group(self, found):
                self.count += 1
                return ""

            def last(self):
                return NAMES[self.count]
        """
    assert all("something of self" in one for one in common(source, "Numbers().spell('aa')", 2))


def test_a_call_of_something_unknown_may_be_of_any_method_of_its_name() -> None:
    source = """
        class Box:
            def __init__(self, filler):
                self.size = 4
                self.filler = filler

            def fill(self, box):
                box.size = 0

            def share(self):
                self.filler.fill(self)
                return 12 // self.size
        """
    assert all("something of self" in one for one in common(source, "Box(Box(None)).share()"))

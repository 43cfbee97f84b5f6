"""Regular expressions whose pattern the source says: preconditions against what Python does."""

from __future__ import annotations

import pytest
from crash_cases import Case, holds_just_where_it_crashes
from walked import loaded, target_of, walked

CASES = {
    "matched": Case(
        """
        import re

        def f(text):
            found = re.match(r"[a-z]+=", text)
            return found.end()
        """,
        ("'A='", "''", "' a='"),
        ("'a='", "'ab=c'"),
    ),
    "searched": Case(
        """
        import re

        def f(text):
            found = re.search("b+$", text)
            return found.end()
        """,
        ("'ba'", "''"),
        ("'ab'", "'abb\\n'"),
    ),
    "as a whole": Case(
        """
        import re

        def f(text):
            if re.fullmatch("[0-9]+", text):
                return 12 // int(text)
            return 0
        """,
        ("'0'",),
        ("'1'", "'a'", "'0 '"),
    ),
    "compiled": Case(
        """
        import re

        NUMBER = re.compile("x([0-9])", re.IGNORECASE)

        def f(text):
            found = NUMBER.match(text)
            if found is None:
                return 0
            return 12 // int(found.group(1))
        """,
        ("'x0'", "'X0'"),
        ("'x1'", "'0'"),
    ),
    "of a class": Case(
        """
        import re

        class Reader:
            number = re.compile("x(?P<digit>[0-9])")

            def read(self, text):
                found = self.number.search(text)
                return 12 // int(found["digit"]) if found else 0

        def f(reader, text):
            return reader.read(text)
        """,
        ("Reader(), 'x0'", "Reader(), 'ax0'"),
        ("Reader(), 'x1'", "Reader(), '0'"),
    ),
    "a group that may be missing": Case(
        """
        import re

        def f(text):
            found = re.match("a(b)?", text)
            if not found:
                return ""
            return found.group(1).upper()
        """,
        ("'a'", "'ac'"),
        ("'ab'", "'b'"),
    ),
    "groups": Case(
        """
        import re

        def f(text):
            one, other = re.match("([0-9])-([0-9])", text).groups()
            return int(one) // int(other)
        """,
        ("'3-0'",),
        ("'3-1'",),
    ),
    "compiled at once": Case(
        """
        import re

        def f(text):
            pattern = re.compile("a|b")
            return pattern.search(text).end()
        """,
        ("'c'", "''"),
        ("'ca'",),
    ),
    "substituted": Case(
        """
        import re

        def f(text):
            return re.sub("[0-9]", "", text)[0]
        """,
        ("'1'", "''", "'12'"),
        ("'1a'", "'a'"),
    ),
    "what is no text": Case(
        """
        import re

        def f(text, skip):
            if skip:
                return None
            return re.match("a", text)
        """,
        ("None, False", "None, 0"),
        ("'a', False", "None, True"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_they_hold_just_where_the_crash_happens(name: str) -> None:
    (*_, last) = holds_just_where_it_crashes(CASES[name])
    assert not last.unmodelled


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("", "re.sub('a', 'b', text, 1)"),
        ("pattern = re.compile('a')", "pattern.search(text, 1)"),
        ("pattern = re.compile('a')", "pattern.sub('b', text, 1)"),
        ("pattern = re.compile('a')\ndef g():\n    global pattern\n    pattern = None", "pattern.search(text)"),
        ("pattern = re.compile('a')\npattern = re.compile('b')", "pattern.search(text)"),
        ("", "re.sub('(a)', r'\\1', text)"),
        ("", "re.search(text, text)"),
    ],
)
def test_other_calls_are_not_known(head: str, call: str) -> None:
    source = f"import re\n{head}\ndef f(text):\n    found = {call}\n    return 1 // len(found or '')\n"
    with pytest.raises(Exception) as caught:  # noqa: PT011  # each has its own
        loaded(source).f("")
    found, _ = walked(source, target_of(caught.value))
    written = [repr(guard.term) for one in found for guard in one.guards]
    assert not any("re." in one and "unknown" not in one for one in written)


def test_a_class_below_may_have_another_pattern() -> None:
    source = """
import re
class Reader:
    number = re.compile("a")
    def read(self, text):
        return self.number.search(text).end()
class Other(Reader):
    number = re.compile("b")
def f(reader, text):
    return reader.read(text)
"""
    module = loaded(source)
    with pytest.raises(AttributeError) as caught:
        module.f(module.Reader(), "b")
    found, _ = walked(source, target_of(caught.value))
    assert not any("re.search" in repr(guard.term) for one in found for guard in one.guards)

"""Code in what people write."""

from __future__ import annotations

from crashwright.crash.suggested import LONGEST, MOST, CandidateText, suggested_code

ISSUE = """It crashes:

```python
import shop
shop.reserve([], 7)
```

or so

>>> import shop
>>> class Items:
...     def __getitem__(self, n):
...         return shop.nothing
>>> shop.reserve(Items(), 1)
Traceback (most recent call last):
  File "shop.py", line 3, in reserve
IndexError: 1
"""


def test_a_script_is_one_candidate_and_an_issue_has_blocks() -> None:
    found = suggested_code([CandidateText("a.py", "import shop\nshop.f()\n"), CandidateText("issue.md", ISSUE)])
    assert not found.problems
    assert [one.name for one in found.code] == ["a.py", "issue.md, block 1", "issue.md, block 2"]
    assert any("class Items:\n    def __getitem__" in one.source for one in found.code)
    assert any(one.source == "import shop\nshop.reserve([], 7)" for one in found.code)


def test_the_blocks_of_the_report_are_candidates() -> None:
    found = suggested_code([], ISSUE)
    assert [one.name for one in found.code] == ["the report, block 1", "the report, block 2"]
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    return g(1)\nValueError: x\n'
    assert suggested_code([], trace).code == ()


def test_what_is_bad_or_too_much_is_said_in_a_line_each() -> None:
    bad = {"a": "def f(:\n", "b": "\0\1", "c": "x = 1", "d": "f()\n" * LONGEST, "e": ""}
    found = suggested_code([CandidateText(name, text) for name, text in bad.items()])
    assert found.code == ()
    assert [line.partition(":")[0] for line in found.problems] == [f"candidate {name}" for name in bad]
    many = suggested_code([CandidateText(f"{n}.py", f"f({n})") for n in range(10_000)])
    assert len(many.code) == MOST
    assert many.problems == (f"{10_000 - MOST} candidates are left out: at most {MOST}, with 2,000,000 characters, are tried",)


def test_what_is_not_even_read_is_counted() -> None:
    found = suggested_code([CandidateText("a", "f()"), CandidateText("b", "", unread=True), CandidateText("c", "", unread=True)])
    assert (len(found.code), found.problems[0].partition(" are left out")[0]) == (1, "2 candidates")

"""Of all tests that crash with the frames and the message of the report, the one that shows what the report shows: real engines
on small subjects, bounded in evaluations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hunting import hunt, report

RATES = """\
RATES = {"full": 20, "half": 10}


def gross(net, rate):
    return net + net * RATES[rate] // 100
"""


def test_the_reported_value_ranks_above_any_other(tmp_path: Path) -> None:
    shown = report(
        "gross(net, chosen)",
        (5, "gross", "return net + net * RATES[rate] // 100", "                   ~~~~~^^^^^^"),
        crash="KeyError: 'zero'",
    )
    for seed in (1, 2, 3):
        assert "'zero'" in hunt(tmp_path, RATES, shown, 4000, seed).text.replace('"', "'")


SHELVES = """\
def joined(left, right, place):
    if len(left) > 1:
        place = place + 1
    return left[place] + right[place]
"""


def test_the_failing_part_of_the_line_is_that_of_the_report(tmp_path: Path) -> None:
    shown = report(
        "joined(one, other, place)",
        (4, "joined", "return left[place] + right[place]", "                     ~~~~~^^^^^^^"),
        crash="IndexError: list index out of range",
    )
    for seed in (1, 2, 3):
        hunted = hunt(tmp_path, SHELVES, shown, 6000, seed)
        namespace: dict[str, object] = {}
        exec((tmp_path / "tills.py").read_text().replace("+ right[place]", ""), namespace)
        exec(hunted.text, namespace)  # what stands left of the reported part does not fail


OPTIONS = """\
class Option:
    def __init__(self, names, kind=None, value=None):
        flag = value is not None or kind is None
        secondary = [name for name in names if "/" in name]
        if secondary and (kind is not None or flag):
            raise TypeError("secondary name of a flag that is none")
"""


@pytest.mark.nightly
def test_the_echoed_call_keeps_its_keywords(tmp_path: Path) -> None:
    shown = report(
        "Option(names, kind=bool)",
        (6, "__init__", 'raise TypeError("secondary name of a flag that is none")', ""),
        crash="TypeError: secondary name of a flag that is none",
    )
    for seed in (1, 2, 3):
        text = hunt(tmp_path, OPTIONS, shown, 8000, seed).text
        assert "kind=bool" in text
        assert "value=" not in text


PURSE = {
    "purse/__init__.py": """\
def worth(coin):
    if not type(coin).__module__.endswith(".coinage"):
        raise TypeError
    return 100 // (coin.face - 7)
""",
    "purse/coinage.py": """\
class Coin:
    def __init__(self, face):
        self.face = face
""",
}


@pytest.mark.nightly
def test_a_class_that_only_the_caller_had_imported_is_found(tmp_path: Path) -> None:
    shown = report(
        "worth(Coin(face))",
        (4, "worth", "return 100 // (coin.face - 7)", ""),
        crash="ZeroDivisionError: integer division or modulo by zero",
        file="purse/__init__.py",
    )
    assert hunt(tmp_path, PURSE, shown, 1500).text == "worth(Coin(7))"


PHRASES = """\
USUAL = {0: ["good", "day"], 1: ["good", "night"]}


def phrase(words, hour):
    if hour % 12 == 7:
        words = USUAL.get(hour // 12)
    return " ".join(words)
"""


def test_what_the_code_made_itself_is_blamed_rather_than_what_the_test_passed(tmp_path: Path) -> None:
    shown = report(
        "phrase(words, hour)",
        (7, "phrase", 'return " ".join(words)', "       ^^^^^^^^^^^^^^^"),
        crash="TypeError: can only join an iterable",
    )
    for seed in (1, 2):
        hunted = hunt(tmp_path, PHRASES, shown, 4000, seed)
        namespace: dict[str, object] = {}
        exec((tmp_path / "tills.py").read_text().replace("12)", "12, [])"), namespace)
        exec(hunted.text, namespace)  # the repaired function knows what to say at any hour


CODECS = """\
CODECS = {"reversed": reversed}


def decoded(body, encoding=None):
    if encoding:
        return CODECS.get(encoding).decode(body)
    return body
"""


@pytest.mark.nightly
def test_a_text_that_may_be_any_is_one_that_people_write_there(tmp_path: Path) -> None:
    shown = report(
        "decoded(body, value)",
        (6, "decoded", "return CODECS.get(encoding).decode(body)", "       ^^^^^^^^^^^^^^^^^^^^^^^^^^^"),
        crash="AttributeError: 'NoneType' object has no attribute 'decode'",
    )
    assert "'utf-8'" in hunt(tmp_path, CODECS, shown, 1500).text.replace('"', "'")

"""Candidates at the command line: what reproduces is made small and verified, what is harmful is confined, and nothing is left."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from command import Place

DEPOT = """
def work(order, stamp):
    total = 0
    for line in order.lines:
        total += line.weigh()
    if stamp == f"{order.name}-{total}" and total > 40:
        raise ValueError("too many")
    return total
"""
REPRODUCES = """
import victim


class Line:
    def __init__(self, weight):
        self.weight = weight

    def weigh(self):
        return self.weight


class Order:
    name = "bolts"

    def __init__(self):
        self.lines = []


order = Order()
unneeded = [1, 2, 3]
for weight in (20, 30):
    order.lines.append(Line(weight))
if __name__ == "__main__":
    victim.work(order, "bolts-50")
"""
BALANCE = """
def work(order, stamp):
    if stamp != f"{order['name']}-{len(order['name']) * 7}":
        return 0
    total = 0
    for line in order["lines"]:
        if line["unit"] not in ("kilo", "pound"):
            return 0
        if line["weight"] is None:
            raise ValueError("too many")
        total += line["weight"]
    return total
"""
NEARLY = """
import victim
lines = [{"unit": "kilo", "weight": 3}, {"unit": "pound", "weight": 4}]
victim.work({"name": "bolts", "lines": lines}, "bolts-35")
"""
HARMFUL = {
    "deletes.py": "import os, shutil, victim\nshutil.rmtree({keep!r})\nvictim.work(1, 2)\n",
    "exits.py": "import os, victim\nos._exit(3)\nvictim.work(1, 2)\n",
    "hangs.py": "import victim\nwhile True:\n    pass\n",
    "forks.py": "import os, victim\nwhile True:\n    os.fork()\n",
    "no.py": "this is no python",
}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    one = Place(tmp_path)
    one.subject(DEPOT)
    return one


def test_a_candidate_that_reproduces_is_made_small_and_verified(place: Place) -> None:
    (place.root / "candidate.py").write_text(REPRODUCES)
    done = place.reproduce("--candidate", str(place.root / "candidate.py"), "--evaluations", "500", "--json")
    assert done.code == 0, (done.out, done.err)
    assert done.left_nothing
    result = json.loads(done.out)
    assert (result["test"]["origin"], result["test"]["level"]) == ("a candidate", 4)
    assert [one["level"] for one in result["candidates"]] == [4]
    assert "unneeded" not in result["test"]["text"]


@pytest.mark.nightly
def test_one_value_away_from_a_candidate_is_looked_at_soon(place: Place) -> None:
    place.subject(BALANCE)
    (place.root / "nearly.py").write_text(NEARLY)
    words = ("--evaluations", "1200", "--without", "operands", "--json")
    assert place.reproduce(*words).code == 1
    done = place.reproduce("--candidate", str(place.root / "nearly.py"), *words)
    assert done.code == 0, (done.out, done.err)
    result = json.loads(done.out)
    assert (result["test"]["origin"], result["candidates"][0]["level"]) == ("a candidate", 0)


def test_harmful_candidates_do_no_harm_and_the_next_one_is_tried(place: Place) -> None:
    keep = place.root / "keep"
    keep.mkdir()
    options = []
    for name, text in {**HARMFUL, "good.py": REPRODUCES}.items():
        (place.root / name).write_text(textwrap.dedent(text).replace("{keep!r}", repr(str(keep))))
        options += ["--candidate", str(place.root / name)]
    done = place.reproduce(*options, "--evaluations", "500", "--json")
    assert keep.is_dir()
    assert done.left_nothing, (done.processes, done.scratch)
    assert done.code == 0, (done.out, done.err)
    result = json.loads(done.out)
    assert result["test"]["origin"] == "a candidate"
    assert any(note.startswith(f"candidate {place.root / 'no.py'}: not valid Python") for note in result["notes"])


def test_a_password_in_a_candidate_is_run_and_a_harmless_one_is_written(place: Place) -> None:
    place.subject("""
        def work(password, strict):
            if len(password) < 12 or password.islower():
                return 0
            if strict and set("0123456789").isdisjoint(password):
                return 1
            raise ValueError("too many")
        """)
    password = "-".join(("Blue", "42", "kettles"))  # put together here, for this file is read as well
    (place.root / "candidate.py").write_text(f"import victim\nvictim.work(password={password!r}, strict=True)\n")
    done = place.reproduce("--candidate", str(place.root / "candidate.py"), "--evaluations", "60", "--json")
    assert done.code == 0, (done.out, done.err)
    result = json.loads(done.out)
    assert [one["level"] for one in result["candidates"]] == [4]
    assert password not in done.out + done.err


@pytest.mark.nightly
def test_a_candidate_needs_no_way_in_that_the_search_finds(place: Place) -> None:
    place.subject('def work(order):\n    raise ValueError("too many")\n\n\nTABLE = {"a": lambda order: work(order)}\n')
    shown = '  File "/srv/victim.py", line 5, in <lambda>\n    TABLE = {"a": lambda order: work(order)}\n  File "/srv/victim.py"'
    place.report.write_text(place.report.read_text().replace('  File "/srv/victim.py"', shown))
    (place.root / "candidate.py").write_text('import victim\nvictim.TABLE["a"](1)\n')
    done = place.reproduce("--candidate", str(place.root / "candidate.py"), "--evaluations", "20", "--json")
    assert done.code == 0, (done.out, done.err)
    result = json.loads(done.out)
    assert (result["test"]["origin"], result["test"]["level"], result["frames_total"]) == ("a candidate", 4, 2)

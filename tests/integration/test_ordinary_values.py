"""A test of a crash ends with values that somebody would write: then the repaired subject passes it. Real engines on a small
subject, bounded in evaluations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hunting import hunt, report

BILLS = '''\
class Customer:
    def __init__(self, name: str) -> None:
        self.name = name

    def greeting(self):
        return "Dear " + self.name


def bill(customer, lines, due, note):
    """
    >>> bill(Customer("Ada"), [12, 30], date(2024, 5, 1), "thank you")
    """
    share = 100 // len(lines)
    return customer.greeting() + str(due.year + due.month) + note.strip() + str(share)
'''
CRASH = report(
    "bill(customer, [], due, note)",
    (13, "bill", "share = 100 // len(lines)", "        ~~~~^^~~~~~~~~~~~~"),
    crash="ZeroDivisionError: integer division or modulo by zero",
)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_the_crash_never_reached_is_of_its_usual_type(tmp_path: Path, seed: int) -> None:
    hunted = hunt(tmp_path, BILLS, CRASH, 3000, seed)
    namespace: dict[str, object] = {}
    exec((tmp_path / "tills.py").read_text().replace("100 //", "len(lines) and 100 //"), namespace)
    imports = "import datetime\nfrom datetime import date\n"
    exec(imports + hunted.text, namespace)  # the repaired function takes all of it
    assert "Customer(" in hunted.text
    assert "thank you" in hunted.text
    assert hunt(tmp_path, BILLS, CRASH, 3000, seed).text == hunted.text


def test_what_the_message_tells_is_not_made_ordinary(tmp_path: Path) -> None:
    source = 'def rate(table, key):\n    """\n    >>> rate({"full": 20}, "full")\n    """\n    return table[key]\n'
    shown = report("rate(table, key)", (5, "rate", "return table[key]", "       ~~~~~^^^^^"), crash="KeyError: ''")
    assert 'rate({}, "")' in hunt(tmp_path, source, shown, 2000).text.replace("'", '"')

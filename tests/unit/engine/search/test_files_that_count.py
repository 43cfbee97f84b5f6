"""Which files are of a package, for the judgement of what was raised."""

from __future__ import annotations

import os

import crashwright.core
from crashwright.engine.search.crash_goals import belongs_to


def test_sources_of_a_package_count_and_its_templates_do_not() -> None:
    folder = os.path.dirname(crashwright.__file__)
    holds = belongs_to("crashwright")
    assert holds(crashwright.core.__file__)
    assert not holds(os.path.join(folder, "reporting", "html", "templates", "crash.html.j2"))
    assert not holds(os.__file__)

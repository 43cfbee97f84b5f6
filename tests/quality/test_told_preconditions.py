"""Where a crash needs a state of objects that no branch distance tells of, a precondition leads the search there."""

from __future__ import annotations

import pytest
from terms_by_hand import attribute, element, equal, given, integer, is_a, less, literal, needs
from trial import ONCE_AND_OFTEN, most_find, search

from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.portions import STILL_EVALUATIONS
from crashwright.core.settings import SearchSettings

SEEDS = range(1, 11)
EVALUATIONS = 1200
SELF = given("self")
JAMS = needs(
    is_a(SELF, "belt:Belt"),
    equal(integer(attribute(SELF, "head")), literal(2)),
    equal(integer(attribute(SELF, "tail")), literal(6)),
    less(literal(900), integer(element(attribute(SELF, "slots"), literal(3)))),
    function=CodeKey("belt", "Belt.reverse", 28),
)


@ONCE_AND_OFTEN
def test_a_precondition_finds_the_state(often: bool) -> None:
    led = most_find(7 if often else 1, "belt", SEEDS, EVALUATIONS, SearchSettings(), [JAMS])
    assert led.found, led.trials


@pytest.mark.nightly
def test_without_it_the_state_is_seldom_found() -> None:
    alone = most_find(4, "belt", SEEDS, EVALUATIONS)
    assert not alone.found, alone.trials


@ONCE_AND_OFTEN
def test_one_that_comes_later_leads_as_well(often: bool) -> None:
    # It is taken in once the search has stood still.
    led = most_find(2 if often else 1, "belt", (1, 2, 3), EVALUATIONS + STILL_EVALUATIONS, preconditions=[JAMS], later=True)
    assert led.found, led.trials


def test_switched_off_it_is_the_search_without() -> None:
    off = SearchSettings(without=(Mechanism.PRECONDITIONS,))
    assert search("belt", 1, 500, off, [JAMS]) == search("belt", 1, 500)

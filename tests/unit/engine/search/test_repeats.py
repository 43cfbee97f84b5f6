"""What was run is left out, within bounds."""

from crashwright.engine.search.repeats import Repeats
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


def made(*values, first=0):
    return TestCase(tuple(Literal(first + place, value) for place, value in enumerate(values)))


def test_what_was_run_is_left_out_whatever_its_variables_are_called():
    repeats = Repeats(shape_of)
    repeats.note([made(1), made("a", 2)])
    fresh = [made(2), made(True), made(1.0)]
    assert repeats.new_of([made(1), made("a", 2, first=7), *fresh]) == fresh
    assert repeats.left_out == 2


def test_one_of_a_generation_is_run_once():
    repeats = Repeats(shape_of)
    first, second = made(1), made(2)
    assert repeats.new_of([first, second, made(1)]) == [first, second]


def test_half_of_a_generation_is_run_in_any_case():
    repeats = Repeats(shape_of)
    tests = [made(value) for value in (1, 2, 3, 4)]
    repeats.note(tests)
    assert repeats.new_of(tests) == tests[2:]
    assert repeats.new_of(tests[:1]) == tests[:1]


def test_the_same_test_is_run_again_where_it_may_do_something_else():
    repeats = Repeats(shape_of)
    tests = [made(1), made(2)]
    repeats.note(tests)
    repeats.forget()
    assert repeats.new_of(tests) == tests


def test_memory_is_bounded_and_the_oldest_go_first():
    repeats = Repeats(shape_of, most=10)
    for value in range(100):
        repeats.note([made(value)])
    assert len(repeats._recent) + len(repeats._older) <= 11
    again = [made(value) for value in (0, 99, 1, 2)]
    assert repeats.new_of(again) == [again[0], *again[2:]]

"""Values that the message of an explicit ``raise`` shows are conditions of the crash."""

from __future__ import annotations

from textwrap import dedent

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.engine.goals.crash.precondition import distance

CASES = {
    "f-string": ('f"no {name!r} in {count} rows"', "'ab', 3", ("'ac', 3", "'ab', 4")),
    "percent": ('"no %s of %d" % (name, count)', "'ab', 3", ("'ac', 3", "'ab', 4")),
    "one value": ('"no %s" % name', "'ab', 3", ("'ac', 3",)),
    "format": ('"no {}: {c}".format(name, c=count)', "'ab', 3", ("'ac', 3", "'ab', 4")),
    "the value itself": ("name", "'ab', 3", ("'ac', 3",)),
    "a number as a text": ('f"no {name}!"', "'12', 3", ("'13', 3",)),
}


@pytest.mark.parametrize("name", CASES)
def test_they_are_what_it_shows(name: str) -> None:
    text, crashing, others = CASES[name]
    source = dedent(
        f"""
        def f(name, count):
            if count > 0:
                raise ValueError({text})
            return name
        """
    )
    with pytest.raises(ValueError, match=r".") as caught:
        eval(f"f({crashing})", vars(loaded(source)))
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert found
    for arguments in (crashing, *others):
        first, second = eval(arguments)
        assert (distance(found, {"name": first, "count": second}) == 0) is (arguments == crashing)


def test_an_object_may_be_written_as_anything() -> None:
    source = "class A:\n    def __str__(self):\n        return 'x'\n\ndef f(a):\n    raise ValueError(f'no {a}')\n"
    module = loaded(source)
    with pytest.raises(ValueError, match=r".") as caught:
        module.f(module.A())
    found = of_level(walked(source, target_of(caught.value), necessary=True)[0], 1)
    always = [one for one in found if one.is_necessary]
    assert [distance(always, {"a": value}) for value in (module.A(), "x")] == [0, 0]


def test_a_text_that_can_be_read_in_several_ways_says_nothing() -> None:
    source = "def f(a, b):\n    raise ValueError(f'{a} {b}')\n"
    with pytest.raises(ValueError, match=r".") as caught:
        loaded(source).f("x y", "z")
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert [distance(found, {"a": a, "b": "z"}) for a in ("x y", "x")] == [0, 0]


def test_a_key_that_is_not_there_is_quoted() -> None:
    source = "def f(key, count):\n    if count:\n        raise KeyError(key)\n"
    with pytest.raises(KeyError) as caught:
        loaded(source).f("a", 1)
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert [distance(found, {"key": key, "count": 1}) == 0 for key in ("a", "b")] == [True, False]

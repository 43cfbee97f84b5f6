"""Crashes that something keeps every test from: the story says what, and advises only what helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Place

POOL = """
    import multiprocessing

    def double(value):
        return 2 * value

    def work(values):
        with multiprocessing.Pool(2) as pool:
            pool.map(double, values)
        raise ValueError("too many")
    """
LOG = """
    def work(values):
        with open("/victim.log", "a") as file:
            file.write("begin")
        raise ValueError("too many")
    """
NETWORK = """
    import socket

    def work(values):
        socket.create_connection(("127.0.0.1", 9))
        raise ValueError("too many")
    """
LICENCE = """
    import hashlib

    def work(licence):
        if hashlib.sha256(repr(licence).encode()).hexdigest()[:20] != "00000000000000000000":
            raise LookupError("no such licence")
        raise ValueError("too many")
    """
ONCE = """
    LIMIT = 3
    if LIMIT > 4:
        raise ValueError("too many")
    """


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def told(place: Place, source: str, *arguments: str, function: str = "work") -> list[str]:
    """The story's lines from ``why`` on."""
    place.subject(source, "raise ValueError", function)
    done = place.reproduce(*(arguments if "--evaluations" in arguments else ("--evaluations", "300", *arguments)), "--no-cache")
    assert done.code == 1, done.out + done.err
    assert "--allow write:/ " not in done.out + done.err
    lines = done.out.splitlines()
    return [line[11:] for line in lines[next(number for number, line in enumerate(lines) if line.startswith("why")) :]]


@pytest.mark.nightly
def test_a_pool_of_processes_is_named_with_what_allows_it(place: Place) -> None:
    # The threads and pipes of each pool that cannot start cost an engine now and then: its tests count, too.
    lines = told(place, POOL, "--evaluations", "900")
    assert "which tried to start a process (os.fork); --allow processes permits it" in lines[0]
    assert lines[1:] == ["allow what was refused, if you trust the code: --allow processes"]
    done = place.reproduce("--evaluations", "600", "--no-cache", "--allow", "processes")
    assert done.code == 0, done.out


@pytest.mark.nightly
def test_writing_everywhere_is_never_advised(place: Place) -> None:
    assert told(place, LOG) == [
        "confinement stopped all tests that got this far, which tried to open for writing /victim.log; "
        "it would be unsafe to allow that for all of /",
        "redirect it before each test, with a function of yours: --setup MODULE:FUNCTION",
    ]


def test_a_network_that_every_test_needs_is_what_stopped_it(place: Place) -> None:
    lines = told(place, NETWORK)
    assert lines[0].startswith("confinement stopped all tests that got this far, which tried to use the network (")
    assert lines[-1] == "allow what was refused, if you trust the code: --allow network"
    assert not any("--seed" in line or "--evaluations" in line for line in lines)


@pytest.mark.nightly
def test_the_exception_that_ended_most_tests_is_named(place: Place) -> None:
    lines = told(place, LICENCE)
    assert lines[0].endswith(" stopped at victim.py:5 work with LookupError: no such licence")
    assert lines[-2:] == ["more tests: --evaluations 1500", "another seed: --seed 2"]


def test_a_budget_that_ends_while_learning_is_not_blamed_on_the_arguments(place: Place) -> None:
    place.subject(LICENCE, "raise ValueError")
    done = place.reproduce("--evaluations", "20", "--no-cache")
    assert "the budget ended while crashwright was still learning about the package" in done.out


@pytest.mark.nightly
def test_of_a_module_that_is_imported_once_no_other_start_is_advised(place: Place) -> None:
    lines = told(place, ONCE, function="<module>")
    assert lines == ["importing victim did not raise the exception of the report"]

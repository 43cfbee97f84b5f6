"""Locks of multiprocessing that need no file do what those of the system do."""

from __future__ import annotations

import _multiprocessing
import threading
from collections.abc import Callable

import pytest
from confined import Run

from crashwright.engine.execution.confinement.shared_locks import SemLock

RECURSIVE, COUNTING = 0, 1


def said(function: Callable[[], object]) -> object:
    try:
        return function()
    except (AssertionError, ValueError) as error:
        return type(error), str(error)


def course(cls: type[SemLock], kind: int, value: int, most: int) -> list[object]:
    """What a lock says to a series of calls, from its thread and from another."""
    lock = cls(kind, value, most, "/crashwright-test", True)
    elsewhere: list[object] = []
    found: list[object] = [lock.kind, lock.maxvalue, lock.name, said(lock.release)]
    for _ in range(3):
        found += [lock.acquire(False), lock._count(), lock._is_mine(), lock._is_zero()]
    thread = threading.Thread(
        target=lambda: elsewhere.extend([lock.acquire(True, 0.01), lock._is_mine(), lock.acquire(False)]), daemon=True
    )
    thread.start()
    thread.join()
    for _ in range(4):
        found += [said(lock.release), lock._get_value(), lock._count()]
    return [*found, *elsewhere, lock.__enter__(), lock._is_zero()]


@pytest.mark.parametrize(("kind", "value", "most"), [(RECURSIVE, 1, 1), (COUNTING, 1, 1), (COUNTING, 2, 5), (COUNTING, 0, 3)])
def test_they_answer_as_those_of_the_system(kind: int, value: int, most: int) -> None:
    if value == 0:  # nothing would ever release it: only what does not wait is compared
        assert not SemLock(kind, value, most, "", True).acquire(True, 0.01)
        return
    real = type("Real", (_multiprocessing.SemLock,), {})
    assert course(SemLock, kind, value, most) == course(real, kind, value, most)


def test_a_confined_module_makes_locks_and_shared_values_when_it_is_imported(tmp_path) -> None:
    code = """
    os.environ["TMPDIR"] = here
    import multiprocessing
    lock, count = multiprocessing.Lock(), multiprocessing.Value("i", 3)
    with lock, count:
        count.value += 1
    print(count.value, attempt(write, "/dev/shm/crashwright-test"))
    """
    assert Run(tmp_path)(code) == ["4 PermissionError 13"]

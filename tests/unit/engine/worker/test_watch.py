"""When the watch gives a fork up that runs no test: by the CPU time it has used, since a busy machine is no death."""

from __future__ import annotations

from crashwright.engine.worker.watch import SET_UP_CPU, SILENCE_CPU, SILENCE_WAITING, is_dead


def test_busy_machine_is_no_death() -> None:
    assert not is_dead(SILENCE_CPU - 1, 10 * SILENCE_CPU, has_run_tests=True)
    assert not is_dead(2.0, 10 * SILENCE_WAITING, has_run_tests=True)


def test_loop_between_two_tests_is_one_and_so_is_waiting_for_nothing() -> None:
    assert is_dead(SILENCE_CPU + 1, SILENCE_CPU + 1, has_run_tests=True)
    assert is_dead(0.1, SILENCE_WAITING + 1, has_run_tests=True)


def test_set_up_may_take_longer_and_still_ends() -> None:
    assert not is_dead(SILENCE_CPU + 1, SILENCE_CPU + 1, has_run_tests=False)
    assert is_dead(SET_UP_CPU + 1, SET_UP_CPU + 1, has_run_tests=False)

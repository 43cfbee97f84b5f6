"""Finding live functions in a process that was forked after everything was frozen."""

import gc

from crashwright.engine.instrument.live import LiveFunctions


def _subject() -> int:
    return 1


def test_frozen_functions_are_found_and_stay_frozen() -> None:
    gc.freeze()
    try:
        live = LiveFunctions(lambda function: 7 if function is _subject else None)
        assert 7 in live
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_nothing_is_frozen_that_was_not() -> None:
    LiveFunctions(lambda _: None)
    assert gc.get_freeze_count() == 0

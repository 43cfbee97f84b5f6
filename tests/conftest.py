"""For all tests."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tiers import CHOSEN, FAST_ALONE, SLOW_FOLDERS, Tier, may_hold, tier_of

# On a busy machine an example takes as long as it takes: that is no failure.
settings.register_profile("crashwright", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("crashwright")

TESTS = Path(__file__).parent
SEARCHES = TESTS / "quality"
COLLECTOR = (20_000, 20, 20)
"""How many new objects there are before Python's collector looks at them, not 700: many tests make syntax trees."""


def pytest_configure(config: pytest.Config) -> None:
    """Leave slow and nightly tests out unless ``-m`` chooses or a path leads to some: who names a test or its file wants it run."""
    folders = [TESTS / name for name in SLOW_FOLDERS]
    named = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    leads = any(path.suffix == ".py" or path.resolve().is_relative_to(folder) for path in named for folder in folders)
    if not config.option.markexpr and not leads:
        config.option.markexpr = FAST_ALONE


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that hold nothing of what is chosen are not imported: a worker for slow tests begins after 14 CPU seconds, not 28."""
    chosen = CHOSEN.get(config.option.markexpr)
    if chosen is None or collection_path.suffix != ".py" or not collection_path.is_relative_to(TESTS):
        return None
    held = may_hold(collection_path.relative_to(TESTS), collection_path.read_text(encoding="utf-8"))
    return None if held & chosen else True


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """What is collected stays to the end: Python's own collector need not go through it meanwhile. It is not frozen, for what the
    program does depends on how much is frozen."""
    gc.disable()
    try:
        import_by_turns(session)
        return (yield)
    finally:
        gc.set_threshold(*COLLECTOR)
        gc.enable()


def import_by_turns(session: pytest.Session) -> None:
    """All workers of pytest-xdist import the same files at the same time. So each begins elsewhere, and finds what another one has
    begun with compiled, with its assertions rewritten, too."""
    worker, config = getattr(session.config, "workerinput", None), session.config
    if worker is None or {config.invocation_params.dir / argument for argument in config.args} != {TESTS}:
        return
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if not pytest_ignore_collect(path, config)]
    for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        sys.path.insert(0, str(path.parent))  # as pytest does when it comes to it
        try:
            importlib.import_module(path.stem)
        except (Exception, pytest.skip.Exception):  # noqa: BLE001 - pytest says so then
            continue
        finally:
            sys.path.remove(str(path.parent))


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before pytest chooses by markers, and after it
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Folders and markers say what is slow, and what nightly (tests/toys/tiers.py). What is left is dealt."""
    for item in items:
        tier = tier_of(item.path.relative_to(TESTS), {mark.name for mark in item.iter_markers()})
        if tier is Tier.SLOW:
            item.add_marker(Tier.SLOW.value)
    yield
    items[:] = dealt(items, getattr(config, "workerinput", {}).get("workercount", 1))


def dealt(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Searches of a minute come first for each worker, to which pytest-xdist gives a stretch of the list: in the end no processor
    waits for one of them."""
    searches = [item for item in items if item.path.is_relative_to(SEARCHES)]
    others = [item for item in items if not item.path.is_relative_to(SEARCHES)]
    size = -(-len(others) // workers)
    stretches = [(searches[number::workers], others[number * size : (number + 1) * size]) for number in range(workers)]
    return [item for first, rest in stretches for item in (*first, *rest)]


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """``-n auto -m slow``: two for each processor, for slow tests wait as long as they compute. So do nightly ones."""
    return 2 * len(os.sched_getaffinity(0)) if Tier.FAST not in CHOSEN.get(config.option.markexpr, {Tier.FAST}) else None


@pytest.fixture(autouse=True, scope="session")
def _programs_load_no_plugins() -> None:
    """The pytest that tests start as a program does without the plugins of this one: loading hypothesis takes it two seconds."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

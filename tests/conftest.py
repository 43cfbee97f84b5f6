"""For all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# On a busy machine an example takes as long as it takes: that is no failure.
settings.register_profile("crashwright", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("crashwright")

TESTS = Path(__file__).parent
SLOW_FOLDERS = ("browser", "integration", "quality")


def pytest_configure(config: pytest.Config) -> None:
    """Leave the slow tests out, unless ``-m`` chooses or a path leads to some of them: who names a test wants it run."""
    folders = [TESTS / name for name in SLOW_FOLDERS]
    named = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    if not config.option.markexpr and not any(path.resolve().is_relative_to(folder) for path in named for folder in folders):
        config.option.markexpr = "not slow"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that hold nothing of what is chosen are not imported: each worker would need half a minute and half a gigabyte."""
    chosen = {"slow": True, "not slow": False}.get(config.option.markexpr)
    if chosen is None or collection_path.suffix != ".py" or not collection_path.is_relative_to(TESTS):
        return None
    in_slow_folder = collection_path.relative_to(TESTS).parts[0] in SLOW_FOLDERS
    exception = "pytest.mark.smoke" if in_slow_folder else "pytest.mark.slow"
    return True if in_slow_folder is not chosen and exception not in collection_path.read_text(encoding="utf-8") else None


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What starts commands, searches or browsers is slow; ``smoke`` marks what runs all the same."""
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in SLOW_FOLDERS and not item.get_closest_marker("smoke"):
            item.add_marker("slow")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """``-n auto -m slow``: two for each processor, for slow tests wait as long as they compute."""
    return 2 * len(os.sched_getaffinity(0)) if config.option.markexpr == "slow" else None


@pytest.fixture(autouse=True, scope="session")
def _programs_load_no_plugins() -> None:
    """The pytest that tests start as a program does without the plugins of this one: loading hypothesis takes it two seconds."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

"""Threads that tests leave running have room beside the memory of the tests: their stacks alone would use it up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import crashwright
from crashwright.engine.execution.rlimits import address_space_in_use

SOURCE = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from crashwright.core.settings import LimitSettings
from crashwright.engine.execution.rlimits import limit_this_process
limit_this_process(LimitSettings(memory_mib=96), None, int(sys.argv[2]))
end = threading.Event()
try:
    for number in range(40):
        threading.Thread(target=end.wait, daemon=True).start()
    print(len(bytearray(64 << 20)))
except (RuntimeError, MemoryError) as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(address_space_in_use() is None, reason="this system does not limit memory")
@pytest.mark.parametrize(("threads", "said"), [(40, {str(64 << 20)}), (0, {"RuntimeError", "MemoryError"})])
def test_threads_have_room_beside_the_memory_of_tests(threads: int, said: set[str]) -> None:
    home = str(Path(crashwright.__file__).parents[1])
    run = subprocess.run([sys.executable, "-c", SOURCE, home, str(threads)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in said

from __future__ import annotations

import os
import sys
import time

import pytest
from patience import HANG

from crashwright.supervision.fresh import OUTPUT_LIMIT, FreshLimits, run_fresh
from crashwright.supervision.scratch import Scratch


def python(code, folder, seconds=10.0, limits=None, **environment):
    return run_fresh([sys.executable, "-c", code], folder, environment, seconds, limits)


def test_a_run(tmp_path):
    run = python("import os, sys; print(os.getcwd(), os.environ['X']); sys.stderr.write('err'); sys.exit(3)", tmp_path, X="y")
    assert run.code == 3
    assert f"{tmp_path} y" in run.output
    assert "err" in run.output


def test_home_is_new_and_gone_afterwards(tmp_path):
    run = python("import os; home = os.path.expanduser('~'); open(home + '/x', 'w'); print(home)", tmp_path)
    assert run.code == 0
    assert run.output.strip() != os.path.expanduser("~")
    assert not os.path.exists(run.output.strip())


def test_the_whole_group_is_killed_when_time_is_up(tmp_path):
    code = "import subprocess, sys, time; p = subprocess.Popen(['sleep', '3000']); print(p.pid, flush=True); time.sleep(3000)"
    begin = time.monotonic()
    run = python(code, tmp_path, 5.0)
    assert run.code is None
    assert time.monotonic() - begin < HANG
    stat = f"/proc/{int(run.output)}/stat"
    end = time.monotonic() + HANG
    while os.path.exists(stat) and time.monotonic() < end:
        with open(stat) as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                return
        time.sleep(0.01)
    assert not os.path.exists(stat)


def test_output_is_bounded(tmp_path):
    run = python("for _ in range(3000): print('x' * 1000)\nprint('end')", tmp_path)
    assert len(run.output) < OUTPUT_LIMIT + 100
    assert "bytes left out" in run.output
    assert run.output.endswith("end\n")


@pytest.mark.skipif(sys.platform != "linux", reason="limits are set from outside, which only Linux can")
def test_memory_is_bounded(tmp_path):
    run = python("import time; time.sleep(0.1); bytearray(1 << 30)", tmp_path, limits=FreshLimits(memory_mib=512))
    assert "MemoryError" in run.output


def test_a_death_by_signal(tmp_path):
    assert python("import os; os.abort()", tmp_path).code == -6


def test_scratch_is_removed():
    with Scratch() as path:
        (path / "sub").mkdir()
        (path / "sub" / "x").write_text("x")
    assert not path.exists()
    scratch = Scratch()
    scratch.remove()
    scratch.remove()
    assert not scratch.path.exists()


def test_scratch_of_a_purpose_has_the_same_name_in_each_run():
    purpose = "seed 1 of shelves"
    with Scratch(purpose=purpose) as first, Scratch(purpose=purpose) as beside, Scratch(purpose="seed 2 of shelves") as other:
        assert len({first, beside, other}) == 3  # never one that is there
    with Scratch(purpose=purpose) as again:
        assert again == first

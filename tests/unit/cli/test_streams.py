"""A reader that goes away before the command has said all."""

import subprocess
import sys

import pytest
from patience import HANG

TRACEBACK = 'Traceback (most recent call last):\n  File "/srv/a.py", line 1, in f\n    g()\nValueError: x\n'


@pytest.mark.parametrize(
    "command", [["explain", "-"], ["explain", "-", "--json"], ["doctor"], ["verify", "no_such_test.py", "-", "--json"]]
)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_pipe_ends_in_no_traceback(command: list[str], stream: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The pipe has no reader from the beginning: nothing of what is written arrives, and nobody complains."""
    other = tmp_path_factory.mktemp("streams") / "other"
    # The shell gives the command a pipe whose reader has ended before it begins to write.
    script = f"import os, subprocess, sys; r, w = os.pipe(); os.close(r); o = open({str(other)!r}, 'w')\n"
    script += f"kept = dict(stdout=w, stderr=o) if {stream!r} == 'stdout' else dict(stdout=o, stderr=w)\n"
    script += (
        f"done = subprocess.run([sys.executable, '-m', 'crashwright', *{command!r}], input={TRACEBACK!r}, text=True, **kept)\n"
    )
    script += "print(done.returncode)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=HANG)
    assert int(done.stdout) in (0, 2, 3)
    assert "BrokenPipe" not in other.read_text()

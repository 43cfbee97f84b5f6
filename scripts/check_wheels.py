"""Builds the wheel with and without a C compiler, installs both into empty folders and asks which probes they have.

python scripts/check_wheels.py                  ends with 1 and a line of explanation where something is not as it should be
python scripts/check_wheels.py --python OTHER   also loads the compiled ones in that interpreter; may be repeated
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NO_COMPILER = "false"
ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from crashwright.engine.instrument.compiled import choice
from crashwright.engine.instrument.probes import Recorder
print(choice().text.partition(" (")[0], type(Recorder().probes).__name__)
"""


def installed(folder: Path, compiler: str | None) -> tuple[str, Path]:
    """The name of the wheel that this compiler makes (None: the one that Python names), and where it was unpacked."""
    chosen = {} if compiler is None else {"CC": compiler}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    wheels, home = folder / "wheels", folder / "home"
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(wheels), str(ROOT)], check=True, env={**os.environ, **chosen})
    [wheel] = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(home), str(wheel)], check=True)
    return wheel.name, home


def probes_in(python: str, home: Path) -> str:
    """Which probes an interpreter takes that finds crashwright there and nothing else anywhere."""
    command = [python, "-I", "-S", "-c", ASK, str(home)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def checked(said: str, found: object, wanted: object) -> None:
    """Raise SystemExit unless it is as wanted."""
    print(f"{said}: {found}")
    if found != wanted:
        raise SystemExit(f"{said}: {found!r}, and not {wanted!r}")


def main() -> None:
    """Both wheels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", default=[], metavar="OTHER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        wheel, home = installed(Path(name, "compiled"), None)
        checked("with a compiler, for every CPython from 3.11 on", "-cp311-abi3-" in wheel, True)
        for python in (sys.executable, *options.python):
            checked(python, probes_in(python, home), "compiled CompiledProbes")
        wheel, home = installed(Path(name, "python"), NO_COMPILER)
        checked("without a compiler, for every Python", wheel.endswith("-py3-none-any.whl"), True)
        checked(sys.executable, probes_in(sys.executable, home), "in Python PythonProbes")


if __name__ == "__main__":
    main()

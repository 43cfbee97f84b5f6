"""Compiles the probes in C to one file for every CPython from 3.11 on, beside their source or elsewhere.

    python scripts/build_probes.py              into the source folder, for this checkout
    python scripts/build_probes.py --to FOLDER  elsewhere
    python scripts/build_probes.py --sanitize   with AddressSanitizer and UndefinedBehaviorSanitizer (see check_probes.py)

The build of a wheel calls :func:`build` too (``hatch_build.py``). It needs a C compiler and Python's headers, and nothing else.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src/crashwright/engine/instrument/_probes.c"
FILE = "_probes.abi3.so"
SECONDS = 120
SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer")


class NotBuilt(Exception):
    """Why there are no compiled probes, in a line for the user."""


def build(folder: Path, sanitize: bool = False, strict: bool = False) -> Path:
    """The compiled probes in ``folder``. Raises NotBuilt. ``strict``: what the compiler warns of is an error."""
    if sys.implementation.name != "cpython" or os.name != "posix":
        raise NotBuilt(f"{sys.implementation.name} on {sys.platform} runs those in Python")
    target = folder / FILE
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    options = ["-shared", "-fPIC", "-std=c11", "-fvisibility=hidden", *(SANITIZED if sanitize else ("-O2", "-g0", "-DNDEBUG"))]
    options += ["-Wall", "-Wextra", "-Wno-cast-function-type", *(["-Werror"] if strict else [])]
    if sys.platform == "darwin":
        options += ["-undefined", "dynamic_lookup", *shlex.split(os.environ.get("ARCHFLAGS", ""))]
    partial = target.with_suffix(f".{os.getpid()}")
    command = [*compiler, *options, "-I", sysconfig.get_path("include"), str(SOURCE), "-o", str(partial)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(f"no C compiler ({error})") from error
    if done.returncode:
        partial.unlink(missing_ok=True)
        reason = next((line for line in done.stderr.splitlines() if "error" in line), f"exit code {done.returncode}")
        raise NotBuilt(f"{compiler[0]}: {reason.strip()}")
    partial.replace(target)  # at once: an engine may be loading what was there
    return target


def main() -> None:
    """Build, or say why not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=SOURCE.parent)
    parser.add_argument("--sanitize", action="store_true")
    options = parser.parse_args()
    try:
        print(build(options.to, options.sanitize, strict=True))
    except NotBuilt as problem:
        raise SystemExit(f"not built: {problem}") from None


if __name__ == "__main__":
    main()

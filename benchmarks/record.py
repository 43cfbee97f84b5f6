"""Where the benchmarks leave their figures: results/NAME.json, with the date, the interpreter and the machine that gave them."""

from __future__ import annotations

import json
import os
import platform
import sysconfig
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def save(name: str, command: str, figures: dict[str, Any]) -> None:
    """Write the figures that ``command`` gave. ``load`` is how many processes wanted a processor meanwhile."""
    options = str(sysconfig.get_config_var("CONFIG_ARGS") or "")
    document = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": command,
        "python": f"{platform.python_version()} ({'optimised' if '--enable-optimizations' in options else 'plain'} build)",
        "machine": machine(),
        "load": round(os.getloadavg()[0], 1),
        "figures": figures,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")


def machine() -> str:
    """The system and its processors in words."""
    return f"{platform.system()} {platform.machine()}, {_processor()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.processor()

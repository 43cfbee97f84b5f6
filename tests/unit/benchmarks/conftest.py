"""Makes ``benchmarks`` importable: it is no part of what is installed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

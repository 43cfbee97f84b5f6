"""Writes ``NAME.json`` for the named ``NAME.txt``: what the readers make of it now. Read it with care before you keep it.

python record.py NAME...
"""

import json
import sys
from pathlib import Path

from crashwright.core.codec import to_json
from crashwright.crash.readers.registry import read_reports

for name in sys.argv[1:]:
    path = Path(__file__).parent.parent / f"{name}.txt"
    reports = read_reports(path.read_text(encoding="utf-8"))
    path.with_suffix(".json").write_text(json.dumps(to_json(reports), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

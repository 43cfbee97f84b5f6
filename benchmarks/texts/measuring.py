"""``python -m benchmarks.texts.measuring NAME FILE``: the share of outcomes that the texts in a JSON file take."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.texts.subject import coverage, subjects

if __name__ == "__main__":
    [subject] = [one for one in subjects() if one.name == sys.argv[1]]
    *_, last = coverage(subject, json.loads(Path(sys.argv[2]).read_text()))
    print(last)

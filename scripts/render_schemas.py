"""Renders ``docs/schemas``: a JSON Schema for the document of each command that takes ``--json``, from the classes of the program.

python scripts/render_schemas.py            writes the files
python scripts/render_schemas.py --check    exits with 1 if one differs
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from crashwright.reporting.schemas import schemas

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def texts() -> dict[str, str]:
    return {f"{command}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for command, schema in schemas().items()}


def main() -> int:
    wanted = texts()
    if "--check" not in sys.argv[1:]:
        FOLDER.mkdir(exist_ok=True)
        for name, text in wanted.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        return 0
    if {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()} == wanted:
        return 0
    print(f"{FOLDER} is not what the program says: python scripts/render_schemas.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""Articles and subscribers, as the newsroom's export has them."""

import json
import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

EXPORT = Path(os.environ.get("DIGESTS_EXPORT", "export.json"))


@dataclass(frozen=True)
class Article:
    title: str
    section: str
    day: date
    words: int


def load_articles(path=EXPORT):
    if not path.exists():
        return []
    return [
        Article(row["title"], row["section"], date.fromisoformat(row["day"]), int(row["words"]))
        for row in json.loads(path.read_text(encoding="utf-8"))["articles"]
    ]

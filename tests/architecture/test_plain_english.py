"""The pages that users read are in plain English: phrases that only their authors understood do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PHRASES = {
    r"\bstands? in (?!for\b)": "is stored in, is in",
    r"\bat at a time\b": "at the same time",
    r"\bpages? to look at\b": "HTML page",
    r"(?:^|[.!?:;] |\| |- )Of (?!course\b)": "a sentence that begins with its subject",
    r"(?:^|[.!?:;] |\| |- )Where (?!you\b|people\b|to\b)": "If",
    r"\bwhere (?:there is|there are|that is|it is (?:not|no)|nothing|none|no|not) ": "if",
    r"\bhangs? on chance\b": "depends on chance",
    r"\bis advised for\b": "a sentence with who does what",
    r"\bthat (?:is|are) (?:none|who)\b": "invalid, or the noun itself",
    r"\btells? (?:mutants|a mutant)\b": "kills mutants",
    r"\bof these alone\b": "these parts of them",
    r"\bwhere nothing else is said\b": "by default",
    r"\bthe story (?:says|names|has|then)\b": "the output says",
    r"\bwhat (?:it|they) (?:leaves?|left) (?:open|goes)\b": "unused time",
    r"\bfor want of\b": "for lack of",
    r"\bbut for (?:quoted|addresses)\b": "except for",
    r"\bis no (?:Python|proof|failure|terminal)\b": "is not",
    r"\bto the same end\b": "for the same purpose",
    r"\bleave --?\S+ away\b": "leave out",
}


def blamed(text: str) -> list[str]:
    """The lines of the prose of ``text`` with a phrase in them, with what to write instead. Code blocks do not count."""
    prose = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    return [
        f"line {number}: {found[0]!r}: write {instead!r}"
        for number, line in enumerate(prose.splitlines(), start=1)
        for phrase, instead in PHRASES.items()
        if (found := re.search(phrase, line))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_none_of_the_phrases(page: Path) -> None:
    assert blamed(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "planted",
    [
        "Everything stands in one SQLite file.",
        "which goals are aimed at at a time",
        "Make a page to look at of what --json printed.",
        "| `--retry` | Of --database: modules without a suite are tried again |",
        "A lot hangs on chance.",
        "no --allow is advised for all of /",
        "an address that is none",
        "Who may label issues may start it: that is who may triage.",
        "keeps those that tell mutants of your code from the original",
        "It is written. Where the fix is a commit, it is not.",
    ],
)
def test_a_planted_phrase_is_found(planted: str) -> None:
    assert blamed(f"# Page\n\n{planted}\n"), planted
    assert blamed(f"```\n{planted}\n```\n") == []

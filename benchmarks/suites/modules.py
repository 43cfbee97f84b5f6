"""The modules of the experiments: of the standard library, and of a corpus file."""

from __future__ import annotations

import json
from pathlib import Path

TUNING = ("textwrap", "shlex", "csv", "html.parser", "fractions", "configparser", "urllib.parse", "ipaddress")
"""The defaults are chosen on these: 120 to 580 branches, text, numbers and objects, source in every version, quick to run. None of
them is in a corpus that the tool is judged by."""
LARGE = ("statistics", "pprint", "urllib.parse", "configparser", "difflib", "ipaddress", "argparse")
"""Modules with 200 branches or more, for which paper 004 says that selecting goals matters most."""


def corpus(file: Path | None) -> tuple[str, ...]:
    """The modules of a JSON list of objects that have one."""
    return () if file is None else tuple(str(entry["module"]) for entry in json.loads(file.read_text()))


def taking_turns(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """One of each in turn, so that whenever time is up there are some of both; each module once."""
    turns = [one for pair in zip(first, second, strict=False) for one in pair]
    return tuple(dict.fromkeys((*turns, *first, *second)))

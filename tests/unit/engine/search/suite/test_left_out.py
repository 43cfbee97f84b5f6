"""Names that imports would have bound that failed, and who uses them."""

from __future__ import annotations

from crashwright.engine.search.suite.left_out import left_out, users
from crashwright.engine.subject.source import ModuleSource

SOURCE = """\
import os
import sys
try:
    import fast.parser
    from fast.errors import FastError as Error, Warned
    import json as fallback
except (ImportError, OSError):
    fast = None
if sys.platform:
    try:
        from slow import *
        import slow.down as slowly
    except Exception:
        pass
try:
    import never
except KeyError:
    pass

class Loader:
    def load(self, text):
        if fast is None:
            raise Error(text)
        return [fast.parser.load(line) for line in text]

def outer():
    def inner():
        return slowly
    return inner
"""
MODULE = ModuleSource("loaders_of_texts", "loaders_of_texts.py", SOURCE)


def test_what_is_missing_or_none_where_a_failed_import_is_caught() -> None:
    held = {"os": object(), "sys": object(), "fast": None, "fallback": object()}
    assert left_out(MODULE, held) == ("fast", "Error", "Warned", "slowly")


def test_nothing_is_missing_where_all_is_installed() -> None:
    assert left_out(MODULE, dict.fromkeys(("fast", "Error", "Warned", "fallback", "slowly"), 1)) == ()


def test_users_are_named_with_what_they_call_or_use() -> None:
    assert users(MODULE, ("fast", "Error", "slowly")) == {
        "fast": {"Loader.load": None},
        "Error": {"Loader.load": None},
        "fast.parser.load": {"Loader.load": None},
        "slowly": {"outer": None},
    }

"""What modules read of an object that they share, by whatever name they have it."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator

import pytest

from crashwright.engine.frameworks.session_keys import Keys, keys_asked_of

SHARED: dict[str, object] = {}
SOURCES = {
    "keys_home": "session['mine']",
    "keys_signing": """
KEY = "_user"
def load(): return find(session.get(KEY)) if "_fresh" in session else None
def leave(): session.pop(names.SEEN, None)
""",
    "keys_signing.more": "import keys_home\ndef show(): return keys_home.session['cart']",
    "keys_shop": """
def enter(): session["role"] = "clerk"
def guard(): return session.get("role") != "owner" and session["role"] is not None
def put(): session["seen"] = 1
""",
    "keys_other": "def f(session): return session['hers']",
}


class Names:
    SEEN = "_seen"


@pytest.fixture
def modules() -> Iterator[None]:
    for name in SOURCES:
        sys.modules[name] = types.ModuleType(name)
    for name in ("keys_home", "keys_signing", "keys_shop"):
        vars(sys.modules[name])["session"] = SHARED
    vars(sys.modules["keys_signing"]).update(KEY="_user", names=Names)
    vars(sys.modules["keys_signing.more"])["keys_home"] = sys.modules["keys_home"]
    yield
    for name in SOURCES:
        del sys.modules[name]


def asked() -> dict[str, Keys]:
    return keys_asked_of(SHARED, lambda module: ast.parse(SOURCES[module]) if module in SOURCES else None, "keys_home")


@pytest.mark.usefixtures("modules")
def test_keys_are_those_that_code_asks_the_very_object_for() -> None:
    found = asked()
    assert list(found) == ["keys_signing", "keys_shop"]
    assert list(found["keys_signing"]) == ["_user", "_fresh", "_seen", "cart"]


@pytest.mark.usefixtures("modules")
def test_literals_are_those_that_are_stored_or_compared_with() -> None:
    assert asked()["keys_shop"] == {"role": ["clerk", "owner"]}

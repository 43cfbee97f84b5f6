"""Files that a program keeps for its user, below the current folder and the user's home: what it has written there itself is a
document that it reads again, one step from what a crash takes.

# Deviation: the papers' subjects keep nothing between two calls.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice, zip_longest

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.testcase.editing.item_steps import document_steps, placed_steps, values_of_types
from crashwright.engine.testcase.editing.text_steps import text_steps
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Literal, MethodCall, Statement, Value
from crashwright.engine.testcase.structure.dialects import DIALECTS
from crashwright.engine.testcase.structure.documents import edited_documents
from crashwright.engine.testcase.testcase import TestCase

HOME = "~"
DOCUMENTS = 3
"""Steps in what a document holds for each one in its text."""
MOST_FILES, MOST_LOOKED = 6, 200
"""Files that are varied; those that are looked at."""


def own_path(path: str, folder: str) -> str:
    """As a user would write it: from ``folder``, or from the home if it is below that; "" if it is below neither."""
    place = os.path.realpath(os.path.join(folder, path))
    for root, before in ((os.path.realpath(folder), ""), (os.path.realpath(os.environ.get("HOME", os.devnull)), HOME + os.sep)):
        if place.startswith(root + os.sep):
            return before + os.path.relpath(place, root)
    return ""


def kept_texts(longest: int) -> dict[str, str]:
    """What there is of texts of at most ``longest`` bytes, by their paths; small ones first."""
    folder = os.getcwd()
    sized = []
    for root in dict.fromkeys((folder, os.environ.get("HOME", folder))):
        for place, _, names in os.walk(root):
            sized += [(os.path.getsize(path), path) for name in names if os.path.isfile(path := os.path.join(place, name))]
            if len(sized) > MOST_LOOKED:
                break
    found: dict[str, str] = {}
    for size, path in sorted(set(sized)):
        if size > longest or len(found) == MOST_FILES:
            break
        text = _text_of(path)
        if text:
            found[own_path(path, folder)] = text
    return found


def writing(name: str, held: str | bytes, so_far: CrashSoFar) -> tuple[Statement, ...]:
    """What writes such a file anew."""
    new = so_far.factory.new
    place, content = Literal(new(), name), Literal(new(), held)
    path = Call(new(), so_far.factory.api.standard("pathlib", "Path"), Arguments((place.variable,)))
    at_home = MethodCall(new(), path.variable, "expanduser", Arguments(())) if name.startswith(HOME) else None
    written = path if at_home is None else at_home
    method = "write_text" if type(held) is str else "write_bytes"
    write = MethodCall(new(), written.variable, method, Arguments((content.variable,)))
    return (place, path, *(() if at_home is None else (at_home,)), content, write)


@contextmanager
def rewritten_file(name: str, text: str) -> Iterator[None]:
    """It has this text meanwhile."""
    path = os.path.expanduser(name)
    before = _text_of(path)
    _write(path, text)
    try:
        yield
    finally:
        _write(path, before)


def in_own_home(test: TestCase, so_far: CrashSoFar) -> TestCase:
    """The home is new and empty."""
    if any(isinstance(one, Ambient) and one.place == "home" for one in test.statements):
        return test
    return TestCase((Ambient(so_far.factory.new(), "home", "", None), *test.statements))


def stepped_texts(texts: Mapping[str, str], said: Iterable[str], message: str = "") -> Iterator[tuple[str, str]]:
    """Each of them in each way that is one step away, the files in turn: the name, the new text. What the ``message`` says of types
    comes first."""
    words, values = tuple(said), values_of_types(message)
    ways = [_steps(text, words, values) for text in texts.values()]
    seen: set[tuple[str, str]] = set(texts.items())
    for turn in zip_longest(*ways):
        for name, text in zip(texts, turn, strict=True):
            if text is not None and (name, text) not in seen:
                seen.add((name, text))
                yield name, text


def _steps(text: str, words: Sequence[str], values: Sequence[Value]) -> Iterator[str]:
    """Where it is a document a step in its text mostly leaves none: those in what it holds come first, and more of them."""
    yield from edited_documents(text, partial(placed_steps, values=values), DIALECTS)
    held, written = edited_documents(text, document_steps, DIALECTS), text_steps(text, words)
    for one in held:
        yield from (one, *islice(held, DOCUMENTS - 1), *islice(written, 1))
    yield from written


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return ""  # no text, or gone meanwhile


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)

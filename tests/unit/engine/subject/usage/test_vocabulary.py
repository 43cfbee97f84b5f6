"""The vocabulary of a hand-written parser, from its source."""

from __future__ import annotations

import ast

from crashwright.engine.subject.usage.vocabulary import vocabulary_of

SOURCE = '''
def parse(self, line):
    """Never == "this"."""
    if line.startswith(("+++", "---")) or line[0] == "@":
        kind, _, rest = line.partition(": ")
    elif line[0] in "<>" and kind in ("alpha", "beta"):
        return line.split(sep)
    while self.peek().isdigit() and b"%" != self.data[0:1]:
        self.log("a message", 12 == 13)
    match line:
        case "{":
            raise ValueError("expected {")
    return line == "a very long sentence that no parser looks for"
'''


def test_what_texts_are_compared_with() -> None:
    found = vocabulary_of([ast.parse(SOURCE)])
    assert set(found.strings) == {"+++", "---", "@", ": ", "<", ">", "alpha", "beta", "%", "{"}
    assert found.kinds == ("0123456789",)


def test_functions_without_texts_have_none() -> None:
    assert vocabulary_of([ast.parse("def f(x):\n    return x == 1\n")]) == ((), ())


def test_codes_of_characters_are_characters_where_the_function_speaks_of_such() -> None:
    source = "def scan(data, place):\n    byte = data[place]\n    return byte not in (0x5B, 93) or byte == 34 or place == 3\n"
    assert vocabulary_of([ast.parse(source)]).strings == ("[", "]", '"')
    assert vocabulary_of([ast.parse(source.replace("byte", "price"))]).strings == ()

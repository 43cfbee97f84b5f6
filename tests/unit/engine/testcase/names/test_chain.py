"""What each source of names knows, and which of two that know a name is heard."""

from __future__ import annotations

import ast
import textwrap
from random import Random

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.names.chain import KnownNames, NameChain
from crashwright.engine.testcase.names.imported import ImportedNames, NameOrigin
from crashwright.engine.testcase.names.package import ExportedNames, OwnNames
from crashwright.engine.testcase.names.source import NameSource
from crashwright.engine.testcase.names.standard import BuiltinNames, StandardNames
from crashwright.engine.testcase.statements import Named

API = ApiModel("textwrap", ["textwrap"])
EXPORTS = Exports("textwrap")
OWN = OwnNames(API, (), True)
ODD = Named("somewhere", "odd", object())
IMPORTED = ImportedNames(API, {"odd": NameOrigin("textwrap", "dedent"), "tw": NameOrigin("textwrap")})


@pytest.mark.parametrize(
    ("source", "known", "address"),
    [
        (KnownNames({"odd": ODD}), "odd", ("somewhere", "odd")),
        (OWN, "textwrap.dedent", ("textwrap", "dedent")),
        (ExportedNames(API, EXPORTS, OWN), "TextWrapper", ("textwrap", "TextWrapper")),
        (IMPORTED, "tw.fill", ("textwrap", "fill")),
        (BuiltinNames(API), "len", ("builtins", "len")),
        (StandardNames(API, EXPORTS), "fractions.Fraction", ("fractions", "Fraction")),
        (StandardNames(API, None), "BytesIO", ("io", "BytesIO")),
    ],
    ids=["known", "own", "exported", "imported", "builtin", "standard", "telling"],
)
def test_each_source_knows_its_names_called_or_not_and_no_others(source: NameSource, known: str, address: tuple[str, str]) -> None:
    for rng in (None, Random(1)):
        found = source.meaning(known.split("."), rng)
        assert found is not None
        assert (found.module, found.qualname) == address
        assert source.meaning(["nobody"], rng) is None
        assert source.meaning(["nobody", "knows", "this"], rng) is None


def test_the_first_source_that_knows_a_name_is_heard() -> None:
    called = ast.parse("odd", mode="eval").body
    plain = NameChain(API, (), {"odd": ODD}, EXPORTS)
    assert plain.called(called, Random(1)) is ODD
    assert plain.callee(called, Random(1)) is None, "it is an object"
    chain = NameChain(API, (), {"odd": ODD}, EXPORTS, imported=IMPORTED)
    callee = chain.callee(called, Random(1))
    assert isinstance(callee, Callee)
    assert callee.live is textwrap.dedent
    assert chain.value("odd") == Named("textwrap", "dedent", textwrap.dedent)


def test_only_a_definition_is_told_what_stands_around_it() -> None:
    chain = NameChain(API, (), exports=EXPORTS, defines=True)
    assert chain.value("abstractmethod") is None
    assert chain.in_definition("abstractmethod") == Named("abc", "abstractmethod")
    assert NameChain(API, (), exports=EXPORTS).in_definition("abstractmethod") is None

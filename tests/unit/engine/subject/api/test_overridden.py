"""Parameters of methods that override others are what those are given."""

from __future__ import annotations

import argparse
import html.parser
import importlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import date

import pytest

from crashwright.engine.subject.api import overridden
from crashwright.engine.subject.api.signatures import SignatureReader
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint


class Carrier(ABC):
    @abstractmethod
    def price(self, weight: float, until: date, zone) -> float: ...  # type: ignore[no-untyped-def]


class Courier(Carrier):
    def price(self, grams, until, zone="eu", note=None):  # type: ignore[no-untyped-def]
        return grams


class Express(Courier):
    def price(self, grams, until: str, zone):  # type: ignore[no-untyped-def,override]
        return grams


class Returning(Courier):
    def price(self, grams: float, until, zone) -> float:  # type: ignore[no-untyped-def,override]
        return grams


class Shouting(logging.Formatter):
    def format(self, record):  # type: ignore[no-untyped-def]
        return record.getMessage().upper()


class Links(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):  # type: ignore[no-untyped-def]
        return None


class Level(argparse.Action):
    def __init__(self, parser, namespace) -> None: ...  # type: ignore[no-untyped-def]

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        return None


def hints(cls: type, method: str = "price") -> Sequence[Hint]:
    found = SignatureReader(lambda _name: None).function(vars(cls)[method], cls, True)
    return [parameter.hint for parameter in found.parameters]


def test_a_base_says_what_its_methods_are_given() -> None:
    weight, until, zone, note = hints(Courier)
    assert (weight, until) == (ClassHint(float), ClassHint(date))
    assert zone == ClassHint(str)
    assert note == ANY
    assert hints(Express)[:2] == [ClassHint(float), ClassHint(str)]


def test_what_a_method_gives_back_is_no_parameter_that_is_declared() -> None:
    assert hints(Returning)[:2] == [ClassHint(float), ClassHint(date)]


def test_what_the_standard_library_hands_over() -> None:
    assert hints(Shouting, "format") == [ClassHint(logging.LogRecord)]
    tag, attributes = hints(Links, "handle_starttag")
    assert tag == ClassHint(str)
    assert isinstance(attributes, ClassHint)
    assert attributes.cls is list
    parser, namespace, values, option = hints(Level, "__call__")
    assert (parser, namespace, values) == (ClassHint(argparse.ArgumentParser), ClassHint(argparse.Namespace), ANY)
    assert option == ClassHint(str)
    assert hints(Level, "__init__") == [ANY, ANY]
    record = SignatureReader(lambda _name: None).constructor(logging.LogRecord)
    assert [parameter.hint for parameter in record.parameters[:4]] == [ClassHint(str), ClassHint(int)] * 2


@pytest.mark.parametrize("method", sorted(overridden._HANDED))
def test_what_is_known_is_there(method: str) -> None:
    module, _, path = method.partition(":")
    cls, _, name = path.partition(".")
    assert name in vars(getattr(importlib.import_module(module), cls))
    for address in overridden._HANDED[method].split():
        home, _, handed = address.rpartition(":")
        assert handed in ("?", *overridden._SHORT) or isinstance(getattr(importlib.import_module(home or "builtins"), handed), type)

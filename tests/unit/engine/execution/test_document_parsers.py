"""The functions that read documents are found by what they return, and give values that note for once."""

from __future__ import annotations

import configparser
import json
import pickle
import tomllib
import types
from collections.abc import Callable
from typing import Any

from crashwright.engine.execution.document_parsers import MARKED, ParsersMet, giving
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.structure.dialects import DIALECTS

TEXTS = {one.name: one.written(MARKED) for one in DIALECTS}


def subject(source: str) -> dict[str, Any]:
    """The globals of a module of a package that is called ``shop``."""
    module = types.ModuleType("shop.config")
    exec(compile(source, "shop/config.py", "exec"), module.__dict__)
    return module.__dict__


READS = """
import configparser, json, pickle, tomllib

def toml(text):
    return tomllib.loads(text)["tool"]["shop"]

def js(text):
    return json.loads(text)["version"]

def compiled(text):
    return pickle.loads(text)

def through(text):
    return compiled(text)["shop"]

def sections(text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    if parser.has_section("shop"):
        parser.getint("shop", "limit")
        parser["shop"]["name"]
"""


def met(run: Callable[[Any], object], text: str | bytes) -> ParsersMet:
    found = ParsersMet("shop")
    with found:
        try:
            run(text)
        except KeyError:
            assert text in (*TEXTS.values(), pickle.dumps(MARKED)), "only the marked document lacks what is read"
    return found


def test_the_function_that_the_subject_calls_is_found() -> None:
    names = subject(READS)
    assert [one.__name__ for one in met(names["toml"], TEXTS["TOML"]).found] == ["loads"]
    assert met(names["toml"], TEXTS["TOML"]).found == (tomllib.loads,)
    assert met(names["js"], TEXTS["JSON"]).found == (json.loads,)


def test_other_documents_are_no_sign_of_a_parser() -> None:
    found = ParsersMet("shop")
    with found:
        subject(READS)["toml"]("[tool]\nshop = 1")
    assert (found.found, found.in_sections) == ((), False)


def test_where_the_parser_is_compiled_the_subjects_own_function_stands_for_it() -> None:
    names = subject(READS)
    assert met(names["through"], pickle.dumps(MARKED)).found == (names["compiled"],)


def asked(run: Callable[[str], object], text: str, layout: tuple[DemandKind, ...] = ()) -> Demand:
    found = met(run, text)
    demand = Demand()
    if layout:
        demand.kind, demand.layout = DemandKind.MAPPING, layout
    session = RecordingSession()
    for _ in range(8):
        session.begin()
        with giving(found.found, found.in_sections, lambda: session.value(demand)):
            try:
                run(text)
            except Decided:
                continue
    return demand


def test_what_is_asked_of_a_document_is_noted() -> None:
    demand = asked(subject(READS)["toml"], TEXTS["TOML"])
    assert [*demand.keys] == [(str, "tool")]
    assert [*demand.keys[str, "tool"].keys] == [(str, "shop")]


def test_sections_and_their_options_are_noted() -> None:
    demand = asked(subject(READS)["sections"], TEXTS["INI"], (DemandKind.MAPPING, DemandKind.TEXT))
    assert [*demand.keys] == [(str, "shop")]
    section = demand.keys[str, "shop"]
    assert section.kind is DemandKind.MAPPING
    assert {key for _, key in section.keys} == {"limit", "name"}


def test_parsers_are_as_ever_afterwards() -> None:
    before, read = tomllib.loads.__code__, configparser.RawConfigParser._read  # type: ignore[attr-defined]
    asked(subject(READS)["toml"], TEXTS["TOML"])
    asked(subject(READS)["sections"], TEXTS["INI"], (DemandKind.MAPPING, DemandKind.TEXT))
    assert tomllib.loads.__code__ is before
    assert configparser.RawConfigParser._read is read  # type: ignore[attr-defined]
    assert tomllib.loads("a = 1") == {"a": 1}

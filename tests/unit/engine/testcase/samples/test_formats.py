"""Samples are of the format that they stand for, and code tells by its parsers and its names which it reads."""

from __future__ import annotations

import ast
import configparser
import csv
import email
import html.parser
import io
import json
import sys
import tarfile
import tomllib
import urllib.parse
import warnings
import zipfile
from random import Random
from xml.etree import ElementTree

import pytest

from crashwright.engine.subject.usage.parsers import CALLED, NEAR, Sight, in_sight
from crashwright.engine.testcase.samples import binary, data, mail, markup
from crashwright.engine.testcase.samples.choosing import chosen_samples, with_words
from crashwright.engine.testcase.samples.formats import FORMATS, formats_in
from crashwright.engine.testcase.samples.machine import texts_for
from crashwright.engine.testcase.samples.python_code import python_samples


def _read(parser, sample):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parser(sample)
    except (ValueError, SyntaxError, ElementTree.ParseError, configparser.Error, csv.Error, zipfile.BadZipFile, tarfile.TarError):
        return False
    return True


@pytest.mark.parametrize(
    ("parser", "samples", "share"),
    [
        pytest.param(ast.parse, python_samples(), 0.7, id="Python"),
        pytest.param(ElementTree.fromstring, markup.XML, 0.7, id="XML"),
        pytest.param(html.parser.HTMLParser().feed, markup.HTML, 1.0, id="HTML"),
        pytest.param(json.loads, data.JSON, 0.6, id="JSON"),
        pytest.param(tomllib.loads, data.TOML, 0.55, id="TOML"),
        pytest.param(lambda text: configparser.ConfigParser(allow_no_value=True).read_string(text), data.INI, 0.6, id="INI"),
        pytest.param(lambda text: list(csv.reader(io.StringIO(text))), data.CSV, 1.0, id="CSV"),
        pytest.param(email.message_from_string, mail.MAIL, 1.0, id="mail"),
        pytest.param(urllib.parse.urlsplit, mail.URLS, 0.9, id="URL"),
        pytest.param(lambda content: zipfile.ZipFile(io.BytesIO(content)), binary.zip_samples(), 0.7, id="zip"),
        pytest.param(
            lambda content: tarfile.TarFile(fileobj=io.BytesIO(content)).close(), binary.tar_samples()[:-1], 0.8, id="tar"
        ),
    ],
)
def test_most_samples_are_read_by_the_parser_of_their_format_and_some_are_nearly_right(parser, samples, share) -> None:
    read = [_read(parser, sample) for sample in samples]
    assert sum(read) >= share * len(read)
    assert share == 1.0 or not all(read)


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_samples_of_a_format_are_the_same_in_every_run(one) -> None:
    samples = list(one.samples())
    assert len(samples) >= 15
    assert len(set(samples)) > 0.8 * len(samples)
    assert samples == list(one.samples())


def test_every_sample_of_python_is_more_than_a_letter() -> None:
    """A text among the samples that falls apart into its characters takes the places of dozens of others."""
    assert all(len(sample) > 1 or not sample.strip() or sample in "01" for sample in python_samples())
    assert len(set(python_samples()[:80])) == 80


def test_every_kind_of_statement_and_expression_is_in_the_samples_of_python() -> None:
    met = set()
    for sample in python_samples():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                met.update(type(node) for node in ast.walk(ast.parse(sample)))
        except SyntaxError:
            continue
    kinds = {kind for base in (ast.stmt, ast.expr) for kind in base.__subclasses__() if kind.__module__ in ("ast", "_ast")}
    of_old = {kind for kind in kinds if kind.__name__ in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis")}
    newer = set() if sys.version_info >= (3, 12) else {kind for kind in kinds if kind.__name__ == "TypeAlias"}
    # Template strings came with Python 3.14.
    assert {kind.__name__ for kind in kinds - of_old - newer - met} <= {"TemplateStr", "Interpolation"}


def test_a_parser_of_the_standard_library_is_seen_in_the_functions_and_in_their_modules() -> None:
    tree = ast.parse(
        "import configparser\nfrom xml.etree import ElementTree\ndef read(x):\n    import csv\n    return csv.reader(x)\n"
    )
    sight = in_sight([tree.body[2]], [tree], ["a.module"])
    assert sight.modules["csv"] == CALLED
    assert sight.modules["configparser"] == sight.modules["xml.etree.ElementTree"] == NEAR
    assert [one.name for one, _ in formats_in(sight)] == ["CSV", "XML", "INI"]


def test_names_tell_formats_that_the_standard_library_does_not_read() -> None:
    tree = ast.parse("def from_yaml(sql_text, initial, pathology):\n    return '.md'\n")
    sight = in_sight([tree.body[0]], [tree], ["wares"])
    assert {one.name for one, _ in formats_in(sight)} == {"YAML", "SQL", "Markdown", "path"}


def test_formats_take_turns_by_how_much_says_so_and_use_the_words_of_the_subject() -> None:
    formats = [(one, weight, None) for one, weight in formats_in(Sight({"json": CALLED, "csv": 1}, {}))]
    samples = chosen_samples(formats, [], ["shelf", "row"], 200, Random(1))
    contents = [sample.content for sample in samples]
    assert contents[:16] == list(data.JSON[:16])
    assert contents[16] == data.CSV[0]
    assert any("shelf" in content or "row" in content for content in contents)
    assert len(set(contents)) == len(contents)
    again = chosen_samples(formats, [], ["shelf", "row"], 200, Random(1))
    assert samples == again


def test_a_name_becomes_one_word_wherever_it_stands() -> None:
    assert with_words("<alpha><beta/></alpha>", ["shelf"], Random(1)) == "<shelf><shelf/></shelf>"


def test_what_lies_on_the_machine_is_read_for_the_formats_in_sight_alone() -> None:
    by_name = {one.name: one for one in FORMATS}
    _, statements = texts_for([by_name["Python"]], "json", Random(1))
    assert len(statements) > 200
    assert _read(ast.parse, statements[0]) or any(_read(ast.parse, text) for text in statements)
    shipped, statements = texts_for([by_name["mail"]], "pytest", Random(1))
    assert any(text.startswith("Metadata-Version:") for text in shipped)
    assert not statements

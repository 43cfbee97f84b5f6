"""Where samples go in a test, and when the stage that tries them is given up."""

from __future__ import annotations

import ast
import io
from random import Random
from xml.etree.ElementTree import Element

from crashwright.engine.sources.values.samples import (
    Beside,
    entry_templates,
    holes_of,
    most_open,
    sample_tests,
    samples_for,
    stock,
)
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.text import random_text
from crashwright.engine.testcase.samples.formats import PARSERS, Sample
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, FileFixture, Literal, Ref, Statement
from crashwright.engine.testcase.testcase import TestCase


class NoApi:
    callables: tuple[Callee, ...] = ()
    constants = ()

    def methods_of(self, cls: type) -> tuple[Callee, ...]:
        return ()

    def constructors_of(self, hint: object) -> tuple[Callee, ...]:
        return ()

    def producers(self, hint: object) -> tuple[Callee, ...]:
        return ()

    def builtin(self, name: str) -> Callee:
        raise KeyError(name)

    def standard(self, module: str, name: str) -> Callee:
        return Callee(module, name, CalleeKind.FUNCTION)


def read(*hints: Hint) -> Callee:
    parameters = tuple(Parameter(f"p{n}", ParameterKind.POSITIONAL_OR_KEYWORD, hint, True, None) for n, hint in enumerate(hints))
    return Callee("m", "read", CalleeKind.FUNCTION, parameters)


def call(callee: Callee, *values: object) -> TestCase:
    literals: list[Statement] = [Literal(n, value) for n, value in enumerate(values)]  # type: ignore[arg-type]
    return TestCase((*literals, Call(100, callee, Arguments(tuple(range(len(values)))))))


def factory_of(*entry: Callee) -> Factory:
    return Factory(NoApi(), SeedPool(), entry)


def test_open_texts_are_what_is_untyped_or_a_text_and_not_quoted() -> None:
    callee = read(ANY, ClassHint(int), ClassHint(str), ClassHint(bytes))
    test = call(callee, 1, 2, "a", b"b")
    assert [(hole.place, hole.takes_text, hole.takes_bytes) for hole in holes_of(test, ())] == [(0, True, False), (2, True, False)]
    assert [hole.place for hole in holes_of(test, (0,))] == [2, 3]
    assert [hole.place for hole in holes_of(call(read(ClassHint(int)), 1), ())] == []


def test_what_holds_other_variables_is_not_open_itself() -> None:
    arguments = Literal(2, Display("list", (Ref(0), Ref(1))))
    test = TestCase((Literal(0, "--check"), FileFixture(1, "data.txt", ""), arguments, Call(3, read(ANY), Arguments((2,)))))
    assert [hole.place for hole in holes_of(test, (0,))] == [1]


def test_calls_that_differ_in_their_holes_alone_are_filled_once() -> None:
    callee = read(ClassHint(str), ClassHint(int))
    templates = [(call(callee, text, number), ()) for number in (1, 2) for text in ("a", "b")]
    assert most_open(templates, 4) == [templates[0], templates[2]]
    assert most_open(templates, 1) == templates[:1]


def test_a_stream_and_a_file_take_the_text_as_their_content() -> None:
    stream = Callee("io", "StringIO", CalleeKind.CLASS, live=io.StringIO)
    statements = (Literal(0, "x"), Call(1, stream, Arguments((0,))), FileFixture(2, "data.txt", ""))
    test = TestCase((*statements, Call(3, read(ANY, ANY), Arguments((1, 2)))))
    made = list(sample_tests([(test, ())], [Sample("<a/>")], factory_of()))
    assert made[0].statements[0] == Literal(0, "<a/>")
    assert made[1].statements[2] == FileFixture(2, "data.txt", "<a/>")


def test_what_takes_bytes_gets_the_text_encoded() -> None:
    [made] = sample_tests([(call(read(ClassHint(bytes)), b""), ())], [Sample("\xe9")], factory_of())
    assert made.statements[0] == Literal(0, b"\xc3\xa9")


def test_what_takes_a_document_gets_what_the_parser_makes_of_the_text() -> None:
    samples = [Sample("a = 1", PARSERS["Python"]), Sample("<a/>", PARSERS["XML"]), Sample("plain")]
    [tree] = sample_tests([(call(read(ClassHint(ast.AST)), None), ())], samples, factory_of())
    assert [type(one) for one in tree.statements] == [Literal, Call, Call]
    assert isinstance(tree.statements[1], Call)
    assert tree.statements[1].callee.address == "ast:parse"
    assert tree.is_valid()
    [element] = sample_tests([(call(read(ClassHint(Element)), None), ())], samples, factory_of())
    assert isinstance(element.statements[1], Call)
    assert element.statements[1].callee.name == "fromstring"
    both = list(sample_tests([(call(read(ANY), None), ())], samples[:1], factory_of()))
    assert [len(one) for one in both] == [2, 3]


def test_entries_serve_where_the_report_echoes_nothing() -> None:
    callee = read(ClassHint(str))
    factory = factory_of(callee)
    [(template, quoted)] = entry_templates([callee], factory, Random(1))
    assert holes_of(template, quoted)


def test_documents_with_the_elements_that_the_failing_line_asks_for_are_among_the_first() -> None:
    source = "import xml\ndef load(root):\n    for part in root.iter('part'):\n        int(part.attrib['count'])\n"
    tree = ast.parse(source)
    samples = [sample.content for sample in samples_for([tree.body[1]], [tree], ["m"], "m", Random(1), (), {4})]
    assert samples.index("<alpha><part>text</part></alpha>") < 60  # the attribute is missing
    assert samples.index('<part count="">text</part>') < 60


def test_samples_of_what_the_path_reads_are_drawn_as_texts() -> None:
    tree = ast.parse("import json\ndef load(text):\n    return json.loads(text)['shelf']\n")
    samples = samples_for([tree.body[1]], [tree], ["m"], "m", Random(1))
    assert any(sample.content.startswith('{"shelf"') for sample in samples if isinstance(sample.content, str))
    pool = SeedPool()
    stock(pool, samples)
    rng = Random(1)
    drawn = {random_text(rng, pool) for _ in range(300)}
    assert len(drawn.intersection(pool.samples)) > 20
    assert pool.marks is not None
    assert {"{", '"'} <= set("".join(pool.marks.strings))


def test_what_is_spelled_with_the_words_of_the_path_is_tried_too() -> None:
    tree = ast.parse("def load(mark):\n    return mark in ('\\u00ab', '\\u00bb', '\\u00a6', '\\u2020')\n")
    samples = samples_for([tree.body[0]], [tree], ["m"], "m", Random(1))
    assert sum("\u00ab" in sample.content for sample in samples if isinstance(sample.content, str)) > 5
    assert samples == samples_for([tree.body[0]], [tree], ["m"], "m", Random(1))


def test_the_shortest_texts_stand_between_the_first_samples() -> None:
    tree = ast.parse("import json\ndef load(text):\n    return json.loads(text)\n")
    samples = [sample.content for sample in samples_for([tree.body[1]], [tree], ["m"], "m", Random(1))]
    assert samples[:9:3] == ["", " ", "\n"]
    assert {"%", "(", "\\", "-"} <= set(samples[:110])
    assert sum(type(content) is str and len(content) > 2 for content in samples[:60]) > 30


def test_code_in_whose_sight_is_no_format_is_given_the_shortest_texts() -> None:
    tree = ast.parse("def load(text):\n    return text\n")
    assert {"", " ", "%"} <= {sample.content for sample in samples_for([tree.body[0]], [tree], ["m"], "m", Random(1))}


def test_a_template_of_an_entry_has_a_file_where_it_takes_one() -> None:
    entry = Callee(
        "m", "read", CalleeKind.FUNCTION, (Parameter("path", ParameterKind.POSITIONAL_OR_KEYWORD, ClassHint(str), True, None),)
    )
    for seed in range(5):
        factory = Factory(NoApi(), SeedPool(), (entry,))
        [(test, _)] = entry_templates((entry,), factory, Random(seed))
        assert any(type(one) is FileFixture for one in test.statements)


def test_samples_go_to_the_templates_with_a_file() -> None:
    plain = call(read(ANY), "x")
    file = TestCase((FileFixture(0, "data.txt", ""), Call(1, read(ANY), Arguments((0,)))))
    assert [test for test, _ in most_open([(plain, ()), (file, ())], 4)] == [file]
    assert [test for test, _ in most_open([(plain, ())], 4)] == [plain]


def test_what_is_called_beside_the_path_reads_lines_too() -> None:
    path = ast.parse("def main(path): load(path)").body
    beside = ast.parse("def load(path):\n for line in open(path):\n  a, b = line.split(':')").body
    found = samples_for(path, [], [], "m", Random(1), beside=Beside(tuple(beside)))
    assert "text:text\n" in [sample.content for sample in found]
    assert "text:text\n" not in [sample.content for sample in samples_for(path, [], [], "m", Random(1))]

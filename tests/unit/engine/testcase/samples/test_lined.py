"""Lines that code splits."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import stations

from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.read_records import Reading, known_values
from crashwright.engine.subject.usage.shapes import Shape
from crashwright.engine.testcase.samples.keyed import documents
from crashwright.engine.testcase.samples.lined import line_texts


def records_in(functions: Sequence[ast.AST]) -> list[Shape]:
    return Reading(functions).records()


def nothing(_name: str) -> tuple[()]:
    return ()


def read(text: str) -> list[ast.AST]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]


def test_lines_as_the_functions_take_them_apart() -> None:
    source = Sources().of_module(stations.__name__)
    assert isinstance(source, ModuleSource)
    records = records_in([node for _, node in source.codes() if isinstance(node, ast.FunctionDef)])
    texts = list(line_texts(records, nothing, ["lost"]))
    assert texts[0] == ("unit text", "1/1|1.5|text")
    assert (*texts[0], "1/1|1.5") in texts  # what a star takes need not be there
    assert (*texts[0], "1/1|lost|text") in texts
    ledger = stations.Ledger()
    ledger.read("unit mm\n" + texts[0][1])
    assert ledger.latest() == (1, 1)


def test_parts_by_index_and_moments_in_the_format_that_is_read() -> None:
    records = records_in(
        read(
            "def f(lines):\n for line in lines:\n"
            "  parts = line.split(',')\n"
            "  when = datetime.strptime(parts[1], '%d.%m.%Y')\n"
            "  name, _, size = parts[0].partition('=')\n"
            "  int(size)\n"
        )
    )
    assert next(line_texts(records, nothing, ())) == ("text=1,02.01.2020",)


def test_parts_that_are_put_together_again_and_members_of_a_collection() -> None:
    records = records_in(
        read(
            "def f(lines):\n for line in lines:\n"
            "  day, time, level, text = line.split(' ', 3)\n"
            "  if level not in LEVELS: return\n"
            "  when = datetime.fromisoformat(f'{day} {time}')\n"
        )
    )
    known = known_values([{"LEVELS": ("DEBUG", "INFO")}], {})
    lines = [line for text in line_texts(records, known, ()) for line in text]
    assert lines[0] == "2020-01-02 13:04:05 DEBUG text"
    assert "2020-01-02 13:04:05 INFO text" in lines


def test_columns_that_are_multiplied_hold_numbers() -> None:
    records = records_in(
        read("def f(frame):\n frame['sum'] = frame['units'] * frame['price']\n frame['day'] = pd.to_datetime(frame['day'])\n")
    )
    assert next(documents("CSV", records, nothing, ())).splitlines() == ["units,price,day", "1,1,2020-01-02"]


def test_a_split_text_within_a_record() -> None:
    records = records_in(read("def f(row):\n width, height = row['size'].split('x')\n return int(width) / int(height)\n"))
    assert next(documents("JSON", records, nothing, ())) == '{"size": "1x1"}'

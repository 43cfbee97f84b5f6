from __future__ import annotations

import ast
import enum
from typing import cast

from crashwright.engine.subject.usage.read_records import Reading, known_values
from crashwright.engine.subject.usage.shape_reader import ShapeReader
from crashwright.engine.subject.usage.shapes import Shape


def of(source: str) -> list[Shape]:
    return Reading(ast.parse(source).body).records()


def drawn(shape: Shape) -> object:
    """The shape as plain data: fields in order, items in a list, of others the values."""
    if shape.fields:
        return {key + "?" * one.is_optional: drawn(one) for key, one in shape.fields.items()}
    return [drawn(shape.items)] if shape.items is not None else shape.values


def test_keys_in_the_order_of_the_source() -> None:
    (record,) = of("def f(row):\n    a = row['b']\n    if 'c' in row:\n        return row['a'], row.get('d')\n")
    assert drawn(record) == {"b": [], "c?": [], "a": [], "d?": []}


def test_parts_loops_and_aliases() -> None:
    (record,) = of(
        "def f(data):\n"
        "    user = data['user']\n"
        "    names = [one['name'].strip().lower() for one in data['items']]\n"
        "    for line in user.get('lines') or []:\n"
        "        line['price'] * 2\n"
    )
    assert drawn(record) == {"user": {"lines?": [{"price": [1]}]}, "items": [{"name": []}]}


def test_what_values_look_like() -> None:
    (record,) = of(
        "def f(row):\n"
        "    int(row['n']); Decimal(row['d']); datetime.date.fromisoformat(row['day'])\n"
        "    if row['kind'] in ('a', 'b') or row['kind'] == 'c': row['text'].split(',')\n"
    )
    assert drawn(record) == {
        "n": ["1", "0"],
        "d": ["1.5", "0"],
        "day": ["2020-01-02", "2030-12-31", "2001-02-03"],
        "kind": ["a", "b", "c"],
        "text": ["text"],
    }


def test_what_is_passed_on_is_one_record() -> None:
    (record,) = of("def f(data):\n    for one in data['items']:\n        g(1, one)\ndef g(n, item):\n    return item['price']\n")
    assert drawn(record) == {"items": [{"price": []}]}
    (apart,) = of("def f(a):\n    return a\ndef g(self, item):\n    return item['price']\n")
    assert drawn(apart) == {"price": []}


def test_what_a_loop_goes_through_is_a_row() -> None:
    (record,) = of("def f(text):\n    for row in reader(text):\n        row['a']\n")
    assert record.is_row


def test_nothing_where_no_keys_are_read() -> None:
    assert of("def f(x):\n    x['a'] = 1\n    return x[0] + y[x]\n") == []


def test_sections_and_options() -> None:
    (record,) = of("def f(config):\n    return config.getint('server', 'port'), config['server']['host']\n")
    assert drawn(record) == {"server": {"port": [], "host": []}}


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


def test_values_of_an_enum_are_known() -> None:
    known = known_values([{"other": 1}, {"Colour": Colour}], {"shade": ["dark"]})
    assert known("Colour") == ["red", "green"]
    assert known("shade") == ["dark"]
    assert known("other") == known("nobody") == []


def test_what_parameters_have_to_look_like() -> None:
    tree = ast.parse(
        "def f(day, size, other):\n"
        "    day = date.fromisoformat(day)\n"
        "    g(size)\n"
        "    other.strip()\n"
        "def g(number):\n    return int(number)\n"
    )
    first, second = tree.body
    reading = Reading(tree.body)
    assert reading.looks(first) == {"day": ["2020-01-02", "2030-12-31", "2001-02-03"], "size": ["1", "0"]}
    assert reading.looks(second) == {"number": ["1", "0"]}
    assert reading.looks(tree) == {}


TABLES = """
def load(rows):
    frame = pd.DataFrame(rows)
    frame["day"] = pd.to_datetime(frame["day"])
    frame["month"] = frame["day"].dt.month
    return frame


def totals(frame):
    return frame.groupby(["month", "shop"])["amount"].sum()


def report(rows, title):
    frame = load(rows)
    return totals(frame)
"""


def test_columns_of_a_table_are_keys_of_its_rows_but_for_those_that_the_code_adds() -> None:
    functions = ast.parse(TABLES).body
    found = Reading(functions).parameters(functions[2])
    assert {name: drawn(shape) for name, shape in found.items()} == {"rows": [{"day": ["2020-01-02"], "shop": [], "amount": [1]}]}


def test_a_parameter_that_a_loop_goes_through_has_items() -> None:
    found = of("def f(lines):\n    for number, line in enumerate(sorted(lines)):\n        line['price'] * number\n")
    assert [{"price": [1]}] in [drawn(one) for one in found]
    assert {"price": [1]} in [drawn(one) for one in found if one.is_row]  # a table, too


def test_a_mapping_of_records_has_one_under_any_key() -> None:
    found = of("def f(prices):\n    for name, price in prices.items():\n        price['net'] * 2\n")
    assert [drawn(one) for one in found] == [{"name?": {"net": [1]}}]


def test_a_match_is_read_as_a_record_and_a_section_too() -> None:
    (match,) = of("def f(text):\n    found = LINE.match(text)\n    return int(found.group('size')), found.groupdict()['name']\n")
    assert drawn(match) == {"size": ["1", "0"], "name": []}
    (section,) = of("def f(part):\n    return part['name'], part.getint('keep', 3)\n")
    assert drawn(section) == {"name": [], "keep?": [1]}


def test_what_is_passed_on_by_keyword_is_one_record() -> None:
    (record,) = of(
        "def f(data):\n    for one in data['items']:\n        g(item=one, n=1)\ndef g(*, n, item):\n    return item['price']\n"
    )
    assert drawn(record) == {"items": [{"price": []}]}


def test_a_place_that_is_counted_is_one_of_the_items() -> None:
    (record,) = of(
        "def f(data):\n"
        "    for i in range(len(data['rows'])):\n"
        "        data['rows'][i]['a'], data['rows'][i - 1]['b'], data['rows'][-1]['c']\n"
        "    last = 0\n"
        "    data['parts'][last]['d']\n"
    )
    assert drawn(record) == {"rows": [{"a": [], "b": [], "c": []}], "parts": [{"d": []}]}


def test_what_lies_under_a_name_is_under_any_key() -> None:
    found = of("def f(prices, name):\n    return prices[name]['net'] * 2\n")
    assert [drawn(one) for one in found] == [{"name?": {"net": [1]}}]
    (outer,) = of("def f(prices, name):\n    return g(prices['of'], prices['of'][name])\ndef g(all, one):\n    return one['net']\n")
    assert drawn(outer) == {"of": {"name?": {"net": []}}}


def test_patterns_of_a_match_ask_for_keys_items_and_values() -> None:
    (record,) = of(
        "def f(event):\n"
        "    match event:\n"
        "        case {'kind': 'open' | 'close', 'at': {'line': int(line)}}:\n"
        "            return line\n"
        "        case {'kind': 'list', 'items': [{'name': str() as name}, *_]} if name.isdigit():\n"
        "            return int(name)\n"
        "        case {'size': size}:\n"
        "            return size / 2\n"
    )
    assert drawn(record) == {
        "kind": ["open", "close", "list"],
        "at": {"line": [1]},
        "items": [{"name": ["text", "1", "0"]}],
        "size": [1],
    }


def test_patterns_of_a_split_text_are_for_its_parts() -> None:
    source = (
        "def f(line):\n"
        "    match line.split(','):\n"
        "        case ['add' | 'sub', x, y]:\n"
        "            return int(x)\n"
        "        case ['end']:\n"
        "            pass\n"
    )
    function = ast.parse(source).body[0]
    reader = ShapeReader(cast(ast.FunctionDef, function))
    (shape,) = reader.roots
    assert [part.values for part in shape.splits[","].parts] == [["add", "sub", "end"], ["1", "0"], []]


def test_what_the_own_functions_read_comes_first() -> None:
    functions = ast.parse("def f(body):\n    return body['a']\n\ndef g(row):\n    return row['b'], row['c']\n").body
    assert [[*one.fields] for one in Reading(functions).records()] == [["b", "c"], ["a"]]
    assert [[*one.fields] for one in Reading(functions).records(own=1)] == [["a"], ["b", "c"]]

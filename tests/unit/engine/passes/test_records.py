"""The record that lacks the key of the report gets the others that are read beside it."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from crashwright.core.target import CrashTarget
from crashwright.engine.passes.records import Records, records_of
from crashwright.engine.testcase.statements import Display, Literal, Ref
from crashwright.engine.testcase.testcase import TestCase

SOURCE = ast.parse(
    textwrap.dedent("""
        def parse(raw, options):
            tags = raw["tags"].split()
            options["sort"], raw.get("link"), raw[tags[0]]
            raw["seen"] = True
            return raw["title"], raw["tags"], raw["pages"]
    """)
)


def target(exception: str, message: str) -> CrashTarget:
    return CrashTarget("feeds", exception, message, ())


def read(test: TestCase) -> list[Any]:
    return [plain(statement.value) for statement in test.statements if isinstance(statement, Literal)]


def plain(value: Any) -> Any:
    if isinstance(value, Display) and value.kind == "dict":
        return {key: plain(item) for key, item in value.items}
    return [plain(item) for item in value.items] if isinstance(value, Display) else value


def crashes(test: TestCase) -> bool:
    """As the function above for each record of the last list, with nothing said of the options."""
    return any("tags" not in record and record.get("pages") != 0 for record in read(test)[-1])


def test_what_is_read_of_the_same_record_is_known() -> None:
    assert records_of(target("KeyError", "'tags'"), [SOURCE]) == Records("tags", ("title", "pages"))
    assert records_of(target("KeyError", "3"), [SOURCE]) is None
    assert records_of(target("KeyError", "<Rate.ZERO>"), [SOURCE]) is None
    assert records_of(target("ValueError", "'tags'"), [SOURCE]) is None
    assert records_of(target("KeyError", "'unread'"), [SOURCE]) == Records("unread", ())


def test_only_the_record_that_lacks_the_key_is_completed() -> None:
    options = Literal(0, Display("dict", ()))
    records = Literal(1, Display("list", (Display("dict", (("title", "x"),)), Ref(0))))
    test = TestCase((options, records))
    lacking = TestCase((options, Literal(1, Display("list", (Display("dict", (("title", "x"),)),)))))
    assert read(test)[0] == {}
    assert read(Records("tags", ("title", "pages")).completed(lacking, crashes)) == [{}, [{"title": "x", "pages": "1"}]]


def test_a_key_with_which_it_is_not_as_good_is_left_out() -> None:
    test = TestCase((Literal(1, Display("list", (Display("dict", ()),))),))
    assert read(
        Records("tags", ("pages", "title")).completed(test, lambda one: "pages" not in str(one.statements) and crashes(one))
    ) == [[{"title": "1"}]]
    assert Records("tags", ()).completed(test, crashes) is test

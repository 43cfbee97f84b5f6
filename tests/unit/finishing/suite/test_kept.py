"""``--update``: what a user wrote or changed stays, what we wrote goes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import SuiteFile, suite_file
from crashwright.finishing.suite.kept import NOTHING_KEPT, is_from_us, kept_text
from crashwright.finishing.suite.writer import beside_what_is_written, check_suite_path, kept_of, write_suite

Case = tuple[SuiteTest, AssertedTest]


def parsed(value: int | str, expected: int, line: int = 1) -> Case:
    parse = Callee("shop", "parse", CalleeKind.FUNCTION)
    test = TestCase((Literal(0, value), Call(1, parse, Arguments((0,)))))
    return SuiteTest({}, "parse", (), line), AssertedTest(test, (Assertion(1, Observed(1), "equals", expected),))


def inserted(key: str) -> Case:
    tree = Call(0, Callee("shop", "Tree", CalleeKind.CLASS), Arguments())
    insert = MethodCall(2, 0, "insert", Arguments((1,)), Callee("shop", "Tree.insert", CalleeKind.METHOD))
    checks = (Assertion(2, Observed(0, ("len",)), "equals", 1),)
    return SuiteTest({}, "Tree.insert", (), 9), AssertedTest(TestCase((tree, Literal(1, key), insert)), checks)


def made(*tests: Case, text: str = "") -> SuiteFile:
    return suite_file(tests, ModuleTarget("shop"), "crashwright generate shop", kept_text(text))


FIRST = made(parsed("", 0), parsed("one two", 12), inserted("a")).text


def names(text: str) -> list[str]:
    tree = ast.parse(text)
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.ClassDef):
            found.extend(f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef))
    return found


def test_what_sets_up_django_is_ours_too() -> None:
    target = ModuleTarget("shop", preparation=Preparation(FrameworkSetUp("django", "conf.settings")))
    text = suite_file([parsed("1", 0)], target, "crashwright generate shop").text
    opening = 'import os\n\nimport django\n\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "conf.settings")\ndjango.setup()\n'
    assert opening in text
    assert "# noqa: E402\n" in text
    assert kept_text(text) == NOTHING_KEPT
    added = text + "\nX = 1\n"
    again = suite_file([parsed("1", 0)], target, "crashwright generate shop", kept_text(added)).text
    assert again.count("django.setup()") == again.count("os.environ.setdefault") == again.count("X = 1") == 1


def test_unedited_file_is_replaced_whole() -> None:
    assert kept_text(FIRST).is_empty
    assert made(inserted("b"), text=FIRST).text == made(inserted("b")).text


def test_reformatted_file_is_still_ours() -> None:
    assert kept_text(FIRST.replace('""', "''").replace("parse(", "parse( ").replace("    ", "  ")).is_empty


def test_edited_and_added_tests_imports_and_helpers_stay() -> None:
    edited = (
        FIRST.replace("import pytest\n", "")
        .replace("from shop import", "import os\n\nfrom shop import")
        .replace(
            "class TestTree:\n",
            "HELP = os.sep\n\n\nclass TestTree:\n    def test_mine(self):\n        assert Tree() is not HELP\n\n",
        )
        .replace("assert len(tree) == 1", "assert len(tree) == 1  # checked by hand")
        .replace("# What was", "@pytest.mark.lengthy\ndef test_parse_mine():\n    assert parse\n\n\n# What was")
    )
    updated = made(parsed("x", 1), inserted("b"), text=edited).text
    assert names(updated) == [
        "test_parse",
        "TestTree.test_mine",
        "TestTree.test_insert",
        "TestTree.test_insert_b",
        "test_parse_mine",
    ]
    assert "  # checked by hand" in updated
    assert updated.count("HELP = os.sep") == updated.count("import os") == updated.count("from shop import Tree, parse") == 1
    assert names(made(parsed("x", 1), inserted("b"), text=updated).text) == names(updated)
    assert made(parsed("x", 1), inserted("b"), text=updated).text == updated


def test_what_the_user_wrote_keeps_its_place_among_ours() -> None:
    mine = "def test_mine_{0}():\n    assert {0}\n\n\n"
    first, second = (name for name in names(FIRST) if not name.startswith("TestTree"))
    edited = (
        FIRST.replace(f"def {second}(", mine.format(1) + f"def {second}(")
        .replace("class TestTree:", mine.format(2) + "class TestTree:")
        .replace(
            "# What was", "    # of the class\n    def test_mine_3(self):\n        assert 3\n\n\n" + mine.format(4) + "# What was"
        )
    )
    assert names(edited) == [
        first,
        "test_mine_1",
        second,
        "test_mine_2",
        "TestTree.test_insert",
        "TestTree.test_mine_3",
        "test_mine_4",
    ]
    again = made(parsed("", 0), parsed("one two", 12), inserted("a"), text=edited).text
    assert names(again) == names(edited)
    assert made(parsed("", 0), parsed("one two", 12), inserted("a"), text=again).text == again
    assert kept_text(again).agrees(kept_text(edited))
    more = made(parsed("", 0), parsed("x", 7), parsed("one two", 12), inserted("b"), inserted("a"), text=edited).text
    own = [name for name in names(more) if "mine" in name]
    assert own == ["test_mine_1", "test_mine_2", "TestTree.test_mine_3", "test_mine_4"]
    assert names(more)[-1] == "test_mine_4"
    fewer = made(inserted("b"), text=edited).text
    assert [name for name in names(fewer) if "mine" in name] == own
    assert made(inserted("b"), text=fewer).text == fewer


def test_comment_above_a_test_makes_it_the_users() -> None:
    commented = FIRST.replace("class TestTree", "# important\nclass TestTree").replace(
        "def test_parse_empty", "# why\ndef test_parse_empty"
    )
    assert names(made(text=commented).text) == ["test_parse_empty_string_returns_zero"]
    assert "# why\ndef" in made(text=commented).text


def test_foreign_file_is_added_to_and_names_do_not_clash() -> None:
    foreign = '"""Mine."""\n\nfrom __future__ import annotations\n\nfrom other import parse\n\n\ndef test_parse():\n    parse()\n'
    updated = made(parsed("x", 1), text=foreign).text
    assert names(updated) == ["test_parse", "test_parse_returns_one"]
    assert "from shop import parse as shop_parse" in updated
    assert "assert shop_parse(" in updated
    assert (
        updated.index('"""Mine."""') < updated.index("from __future__") < updated.index("from shop") < updated.index("from other")
    )


def test_import_that_only_kept_code_needs_stays_and_others_go() -> None:
    edited = FIRST.replace("def test_parse_empty_string_returns_zero():", "def test_edited():")
    updated = made(inserted("a"), text=edited).text
    assert "from shop import Tree, parse" in updated
    assert "parse" not in made(inserted("a"), text=FIRST).text


def test_without_update_only_our_own_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "test_shop.py"
    check_suite_path(path, update=False)
    write_suite(made(parsed("", 0)), path, update=False)
    write_suite(made(inserted("a")), path, update=False)
    assert path.read_text() == made(inserted("a")).text
    path.write_text(path.read_text() + "\n\ndef test_mine():\n    pass\n")
    with pytest.raises(UsageError) as raised:
        check_suite_path(path, update=False)
    assert "--update" in raised.value.advice
    updated = suite_file([parsed("", 0)], ModuleTarget("shop"), "crashwright generate shop", kept_of(path, update=True))
    write_suite(updated, path, update=True)
    assert names(path.read_text()) == ["test_parse_empty_string_returns_zero", "test_mine"]


def test_file_that_changed_meanwhile_or_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "test_shop.py"
    file = made(parsed("", 0))
    path.write_text("def test_mine(): pass\n")
    with pytest.raises(UsageError):
        write_suite(file, path, update=True)
    path.write_text("def broken(\n")
    with pytest.raises(UsageError):
        kept_of(path, update=True)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError):
        kept_of(path, update=True)
    with pytest.raises(EnvironmentProblem):
        check_suite_path(tmp_path / "none" / "test_shop.py", update=True)


def test_what_the_file_begins_with_stays_there() -> None:
    text = made(parsed("x", 1)).text
    licence = "#!/usr/bin/env python\n# Copyright: mine.\n"
    edited = licence + "\n" + text
    again = made(parsed("y", 2), text=edited).text
    assert again.startswith(licence + "\n# Generated by")
    assert made(parsed("y", 2), text=again).text == again
    assert "Copyright" not in again.removeprefix(licence)


def test_a_file_of_ours_is_known_with_whatever_was_added() -> None:
    text = made(parsed("x", 1)).text
    assert is_from_us(text)
    assert is_from_us("# mine\n\n" + text.replace("# Generated by", "# Edited, once generated by"))
    assert not is_from_us("def test_mine():\n    assert True\n")


def test_a_file_of_somebody_else_gets_one_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "test_shop.py"
    assert beside_what_is_written(path) == path
    path.write_text("def test_mine():\n    assert True\n", encoding="utf-8")
    assert beside_what_is_written(path) == tmp_path / "test_shop_generated.py"
    path.write_text(made(parsed("x", 1)).text + "\n\ndef test_mine():\n    assert True\n", encoding="utf-8")
    assert beside_what_is_written(path) == path
    path.write_bytes(b"\xff")
    assert beside_what_is_written(path) == path

"""The file of a suite: header, imports, plain tests and classes of tests in the order of the source, fingerprints."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Raised
from crashwright.engine.testcase.checks import Check
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import INDENT
from crashwright.finishing.naming import snake
from crashwright.finishing.preparation_lines import with_imports
from crashwright.finishing.suite.draft import Draft, draft
from crashwright.finishing.suite.fingerprints import fingerprint, fingerprint_lines
from crashwright.finishing.suite.fixtures import shared
from crashwright.finishing.suite.function_text import function_lines
from crashwright.finishing.suite.import_lines import import_lines
from crashwright.finishing.suite.kept import HEADER, NOTHING_KEPT, Kept, PlacedDefinition
from crashwright.finishing.suite.parameters import MOST_TESTS, distinct, parametrised
from crashwright.finishing.suite.surroundings import in_common
from crashwright.finishing.suite.titles import titles

ACCIDENTS = "<accidents>"
"""The owner of the tests that pin accidents."""
_ACCIDENTS_CLASS = "TestAccidents"
_ACCIDENTS_SAID = '"""What Python raises where the code expects something else: nobody wrote these exceptions."""'


@dataclass(frozen=True, slots=True)
class FileTest:
    """A test function of the file: ``node`` as pytest names it without the file (``TestTree::test_insert``), and the places of the
    tests that it stands for in what :func:`suite_file` was given, case by case where it is parametrised."""

    node: str
    indices: tuple[int, ...]
    parametrised: bool = False


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """``text`` is the whole file, with what is kept of an earlier one; ``tests`` are those that we write. ``unprintable`` are the
    places of tests that cannot be written."""

    text: str
    tests: tuple[FileTest, ...]
    unprintable: tuple[int, ...]
    target: ModuleTarget
    command: str
    kept: Kept
    drafts: tuple[Draft, ...]
    most: int = MOST_TESTS
    """Test functions for one function of the module, where they can be cases of others."""

    def without(self, indices: Iterable[int]) -> SuiteFile:
        """The file without some of the tests, by their places; names and imports are made afresh."""
        gone = frozenset(indices)
        rest = [one for one in self.drafts if one.indices[0] not in gone]
        return _file(rest, self.target, self.command, self.kept, self.unprintable, self.most)

    def bare(self) -> frozenset[int]:
        """The places of tests that assert nothing: nobody has seen how they end."""
        return frozenset(one.indices[0] for one in self.drafts if one.is_bare)

    def raising(self, exceptions: Mapping[int, Raised]) -> SuiteFile:
        """The file where some of the tests, by their places, are expected to raise."""
        return self.with_drafts([replace(one, raised=exceptions.get(one.indices[0], one.raised)) for one in self.drafts])

    def with_drafts(self, drafts: Iterable[Draft]) -> SuiteFile:
        """The file of these drafts; those that are alike are written once."""
        return _file(distinct(list(drafts)), self.target, self.command, self.kept, self.unprintable, self.most)

    @property
    def assertions(self) -> int:
        """How many there are in the tests that are written, expected exceptions included."""
        checks = sum(isinstance(line, Check) for one in self.drafts for line in one.statements)
        return checks + sum(one.raised is not None for one in self.drafts)


def suite_file(
    tests: Sequence[tuple[SuiteTest, AssertedTest]],
    target: ModuleTarget,
    command: str,
    kept: Kept = NOTHING_KEPT,
    most: int = MOST_TESTS,
) -> SuiteFile:
    """The file for ``tests`` of a module; ``command`` repeats the run. Tests that are alike are written once, or as cases."""
    drafts: list[Draft] = []
    unprintable: list[int] = []
    for index, (test, asserted) in enumerate(tests):
        try:
            one = draft(index, test, asserted)
            ast.parse("\n".join(function_lines(one, "test_it", Imports(), method=False)))
        except (ValueError, KeyError, SyntaxError):  # a test that refers to what is not there is one test less, not a dead run
            unprintable.append(index)
        else:
            drafts.append(one)
    return _file(distinct(drafts), target, command, kept, tuple(unprintable), most)


def _file(
    drafts: Sequence[Draft], target: ModuleTarget, command: str, kept: Kept, unprintable: tuple[int, ...], most: int
) -> SuiteFile:
    imports = kept.imports()
    for one in drafts:  # all names that are imported, before any is used
        function_lines(one, "test_it", imports, method=False)
    inside, around = in_common(drafts, imports.names | kept.taken(""), imports)
    groups = _groups(parametrised(inside, imports, most))
    tests: list[FileTest] = []
    blocks: list[tuple[str, list[list[str]]]] = [("", [around])] if around else []
    names = _class_names(groups, imports.names)
    made: set[str] = set()
    for owner, group in groups:
        class_name = names.get(owner, "")
        members, fixtures = shared(group, imports.names | kept.taken("") | made, imports) if class_name else (group, [])
        made.update(one.name for one in fixtures)
        if fixtures:
            blocks.append(("", [one.lines(imports) for one in fixtures]))
        names_here = titles(members, kept.taken(class_name) | (set() if class_name else {test.node for test in tests}))
        functions = []
        for member, name in zip(members, names_here, strict=True):
            functions.append(function_lines(member, name, imports, method=bool(class_name)))
            node = f"{class_name}::{name}" if class_name else name
            tests.append(FileTest(node, member.indices, bool(member.rows)))
        blocks.append((class_name, functions))
    # What the first printing imported and the last no longer needs would be an unused import.
    used = _used(blocks)
    entries = [entry for entry in imports.entries() if entry not in kept.bound and (entry[2] in used or entry in kept.needed)]
    lines = with_imports(target.preparation, import_lines(entries))
    text = _assembled(target, command, kept, lines, blocks, names.get(ACCIDENTS, ""))
    return SuiteFile(text, tuple(tests), unprintable, target, command, kept, drafts=tuple(drafts), most=most)


def _groups(drafts: Sequence[Draft]) -> list[tuple[str, list[Draft]]]:
    """The drafts of each class, and of each function of the module, ordered by line; functions in a row are one group. Accidents
    come last."""
    by_owner: dict[tuple[str, str], list[Draft]] = {}
    accidents = [one for one in drafts if one.accident]
    for one in drafts:
        if not one.accident:
            by_owner.setdefault((one.owner, "" if one.owner else one.subject), []).append(one)
    ordered = sorted(by_owner.items(), key=lambda item: (min(one.line for one in item[1]), item[0]))
    if accidents:
        ordered.append(((ACCIDENTS, ""), accidents))
    groups: list[tuple[str, list[Draft]]] = []
    for (owner, _), members in ordered:
        subjects = {one.subject: min(other.line for other in members if other.subject == one.subject) for one in members}
        members.sort(key=lambda one: (subjects[one.subject], one.subject, one.raised is not None, one.line, one.indices))
        if not owner and groups and not groups[-1][0]:
            groups[-1][1].extend(members)
        else:
            groups.append((owner, members))
    return groups


def _class_names(groups: Sequence[tuple[str, list[Draft]]], taken: frozenset[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for owner, _ in groups:
        if not owner:
            continue
        words = [part for name in owner.split(".") for part in snake(name).split("_")]
        plain = owner.rpartition(".")[2].strip("_")
        wanted = "Test" + (plain if plain[:1].isupper() and "." not in owner else "".join(word.capitalize() for word in words))
        wanted = _ACCIDENTS_CLASS if owner == ACCIDENTS else wanted
        name, number = wanted, 1
        while name in names.values() or name in taken:
            number += 1
            name = f"{wanted}{number}"
        names[owner] = name
    return names


def _used(blocks: Sequence[tuple[str, list[list[str]]]]) -> set[str]:
    """The names that the tests read; of ``import a.b``, the dotted one."""
    used: set[str] = set()
    for _, functions in blocks:
        for function in functions:
            for node in ast.walk(ast.parse("\n".join(function))):
                if isinstance(node, ast.Name):
                    used.add(node.id)
                elif isinstance(node, ast.Attribute):
                    used.add(ast.unparse(node))
    return used


def _assembled(
    target: ModuleTarget,
    command: str,
    kept: Kept,
    imports: list[str],
    blocks: Sequence[tuple[str, list[list[str]]]],
    accidents: str,
) -> str:
    prints = [_print(lines) for _, functions in blocks for lines in functions]
    prints.extend(_print([statement]) for statement in (*_statements(imports), *[_ACCIDENTS_SAID] * bool(accidents)))
    fresh: list[PlacedDefinition] = []
    added: dict[str, list[PlacedDefinition]] = {}
    for class_name, functions in blocks:
        if not class_name:
            fresh.extend(PlacedDefinition(_name(lines), lines) for lines in functions)
            continue
        methods = [PlacedDefinition(_name(lines), [INDENT + line if line else "" for line in lines]) for lines in functions]
        if class_name in kept.classes:
            added[class_name] = methods
        else:
            said = [INDENT + _ACCIDENTS_SAID, ""] if class_name == accidents else []
            inside = [line for one in methods for line in ["", *one.lines]]
            fresh.append(PlacedDefinition(class_name, [f"class {class_name}:", *said, *inside[1:]]))
    parts = [kept.preamble, imports] if imports else [kept.preamble]
    head = [line for part in parts if part for line in ["", *part]]
    rest = [line for block in kept.with_tests(fresh, added) for line in ["", "", *block]]
    top = [*kept.top, ""] if kept.top else []
    lines = [*top, *_header(target, command), *head, *rest, "", "", *fingerprint_lines(prints)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _header(target: ModuleTarget, command: str) -> list[str]:
    return [f"{HEADER}{target.module}; the command was:", f"#     {' '.join(command.split())}"]


def _statements(lines: list[str]) -> list[str]:
    """Each with what is said behind it."""
    whole = "\n".join(lines).split("\n")
    return ["\n".join(whole[node.lineno - 1 : node.end_lineno]) for node in ast.parse("\n".join(whole)).body]


def _name(lines: list[str]) -> str:
    """What a function is called."""
    return next(node.name for node in ast.parse("\n".join(lines)).body if isinstance(node, ast.FunctionDef))


def _print(lines: list[str]) -> str:
    source = "\n".join(lines)
    return fingerprint(ast.parse(source).body[0], source)

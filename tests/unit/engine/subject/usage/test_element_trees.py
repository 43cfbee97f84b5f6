"""Which elements code looks for within which, and what it reads of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from crashwright.engine.subject.usage.element_trees import MOMENT, NUMBER, Leaf, Tree, element_trees


def trees_of(source: str, known: Mapping[str, object] | None = None) -> list[Tree]:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return element_trees(functions[:1], functions[1:], known or {})


def test_what_is_found_in_what_is_found_stands_in_it() -> None:
    source = """
def read(text):
    root = fromstring(text)
    head = root.find("head")
    title = head.find("title").text
    for item in root.iterfind("item"):
        price = Decimal(item.findtext("price"))
        count = int(item.get("count"))
"""
    head = Tree("head", children=(Tree("title", text=Leaf()),))
    item = Tree("item", (("count", Leaf(NUMBER)),), children=(Tree("price", text=Leaf(NUMBER)),))
    assert trees_of(source) == [Tree("", children=(head, item))]


def test_prefixes_are_those_of_the_table_that_the_module_holds() -> None:
    source = 'def read(root):\n    return root.find("a:b/c", SPACES).attrib["d"]\n'
    inner = Tree("c", (("d", Leaf()),))
    assert trees_of(source, {"SPACES": {"a": "urn:x"}}) == [Tree("", children=(Tree("{urn:x}b", children=(inner,)),))]
    assert trees_of(source) == [Tree("", children=(Tree("b", children=(inner,)),))]


def test_names_of_constants_are_parts_of_a_path() -> None:
    source = 'def read(root):\n    return [one.text for one in root.findall(f"{{{SPACE}}}b")]\n'
    assert trees_of(source, {"SPACE": "urn:x"}) == [Tree("", children=(Tree("{urn:x}b", text=Leaf()),))]


def test_elements_are_followed_into_the_functions_that_get_them() -> None:
    source = """
def read(root):
    for entry in root.findall("entry"):
        one(entry)

def one(entry):
    return datetime.strptime(entry.find("when").text.strip(), "%Y")
"""
    assert trees_of(source) == [
        Tree("", children=(Tree("entry", children=(Tree("when", text=Leaf(MOMENT, ("2020", "2030", "2001"))),)),))
    ]


def test_the_children_of_an_element_are_told_apart_by_their_tags() -> None:
    source = """
def read(text):
    root = fromstring(text)
    for child in root:
        if child.tag == "alpha":
            child.get("x")
        elif child.tag == "beta" and child.get("kind") == "big":
            child.get("kind")
"""
    (tree,) = trees_of(source)
    assert tree.children == (Tree("alpha", (("x", Leaf()),)), Tree("beta", (("kind", Leaf(values=("big",))),)))


def test_a_lambda_is_read_as_other_functions_are() -> None:
    (function,) = (node for node in ast.walk(ast.parse('lambda root: root.find("a").text')) if isinstance(node, ast.Lambda))
    assert element_trees([function], [], {}) == [Tree("", children=(Tree("a", text=Leaf()),))]


def test_texts_are_no_trees() -> None:
    assert trees_of('def cut(line):\n    place = line.find(",")\n    return line[place:]\n') == []


def test_what_an_element_must_not_be_called_is_not_what_the_body_is_about() -> None:
    arms = """
def read(text):
    root = fromstring(text)
    for child in root:
        if child.tag != "alpha":
            child.get("x")
        else:
            child.get("y")
"""
    (tree,) = trees_of(arms)
    assert tree.children == (Tree("", (("x", Leaf()),)), Tree("alpha", (("y", Leaf()),)))
    leaving = """
def read(text):
    root = fromstring(text)
    if root.tag != "feed":
        raise ValueError
    for child in root:
        if child.tag != "alpha" or child.get("kind") != "big":
            continue
        child.get("y")
"""
    (tree,) = trees_of(leaving)
    assert tree == Tree("feed", children=(Tree("alpha", (("kind", Leaf(values=("big",))), ("y", Leaf()))),))


def test_texts_by_which_an_element_is_turned_away_are_no_values_of_it() -> None:
    source = """
def read(root):
    one = root.find("one").text
    if one == "bad":
        raise ValueError
    two = root.find("two").text
    if not two == "good":
        return None
    three = root.find("three").text
    return [three for _ in root if three != "skip"]
"""
    (tree,) = trees_of(source)
    assert [child.text for child in tree.children] == [
        Leaf(turned_away=("bad",)),
        Leaf(values=("good",)),
        Leaf(turned_away=("skip",)),
    ]

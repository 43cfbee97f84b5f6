"""What is read off code that takes markup apart."""

from __future__ import annotations

import ast
import textwrap

from crashwright.engine.subject.usage.elements import MOST_ATTRIBUTES, MOST_OTHERS, Element, elements_in

HANDLER = """
class Reader:
    def handle_starttag(self, tag, attrs):
        if tag in ("list", "menu"):
            self.depth = int(attrs["depth"])
        elif tag == "link" and "rel" in attrs:
            target = attrs["target"]
            self.seen[attrs["rel"].strip()] = target
        attrs.get("lang")
"""


def elements(source: str, *lines: int, modules: str = "") -> list[Element]:
    tree = ast.parse(textwrap.dedent(source))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return elements_in(functions, [ast.parse(textwrap.dedent(modules))], lines)


def test_attributes_belong_to_the_elements_under_whose_condition_they_are_asked_for() -> None:
    found = {one.tag: one for one in elements(HANDLER)}
    assert found["list"].attributes == found["menu"].attributes == ("depth",)
    assert found["link"].attributes == ("target", "rel")
    assert not any(one.is_near for one in found.values())


def test_what_is_asked_for_unless_it_has_a_name_is_not_asked_of_elements_of_that_name() -> None:
    source = """
        def read(self, tag, attrs):
            if tag != "skip":
                attrs["depth"]
            elif tag == "skip":
                attrs["size"]
        """
    assert [(one.tag, one.attributes) for one in elements(source)] == [("skip", ("size",))]
    assert [(one.tag, one.attributes) for one in elements(source.replace("!=", "=="))] == [("skip", ("depth", "size"))]


def test_the_element_that_the_failing_line_is_about_comes_first_and_what_that_line_asks_for() -> None:
    assert elements(HANDLER, 8)[0] == Element("link", ("rel", "target"), True)
    assert elements(HANDLER, 5)[0] == Element("list", ("depth",), True)


def test_paths_name_elements_and_attributes() -> None:
    source = """
        def read(root):
            for item in root.findall(".//order/x:item[@state]") or select(root, qualified(".//ns:line")):
                int(item.attrib["count"]) + int(item.get("price"))
        """
    found = elements(source, 4)
    assert [one.tag for one in found] == ["order", "item", "line"]
    assert {one.attributes for one in found} == {("count", "price", "state")}


def test_loops_within_loops_look_for_elements_within_elements() -> None:
    source = """
        def read(root):
            for shelf in root.findall("shelf"):
                for box in shelf.findall("box"):
                    box.find("label").attrib["lang"]
            root.find("owner")
        """
    assert {one.tag: one.within for one in elements(source)} == {
        "shelf": (),
        "box": ("shelf",),
        "label": ("shelf", "box"),
        "owner": (),
    }


def test_methods_that_begin_an_element_name_it_and_modules_know_others() -> None:
    found = elements("def _end_entry(self): pass", modules="def start_feed(self, attrs):\n    attrs['base']\n")
    assert found == [Element("entry", ("base",), True), Element("feed", (), False)]


def test_code_that_asks_for_no_element_says_nothing() -> None:
    assert elements("def f(row):\n    return row['price'] if row.kind == 'a' else row.get('b')", modules=HANDLER) == []
    assert elements("def f(a):\n    return a == 1 and a[0] in 'x'") == []


def test_there_are_not_too_many() -> None:
    source = "def f(tag, attrs):\n    tag == 'a'\n" + "".join(f"    attrs['k{number}']\n" for number in range(300))
    others = "".join(f"def start_x{number}(): pass\n" for number in range(300))
    found = elements(source, modules=others)
    assert len(found) == 1 + MOST_OTHERS
    assert len(found[0].attributes) == MOST_ATTRIBUTES

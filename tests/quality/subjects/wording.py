"""Texts that programs put together: ``main(["--strict", "shop.py"])``."""

from __future__ import annotations

import argparse
import ast
import re

FIELD = re.compile(r"\{(\w*)\}")


class Finder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[tuple[str, ast.Call]] = []

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant) and node.func.attr == "format":
            self.found.append((str(node.func.value.value), node))
        self.generic_visit(node)


def filled(template: str, call: ast.Call) -> str:
    given = {str(place): ast.unparse(one) for place, one in enumerate(call.args)}
    for place, name in enumerate(FIELD.findall(template)):
        template = template.replace("{" + name + "}", given[name or str(place)], 1)
    return template


def checked(text: str) -> list[str]:
    finder = Finder()
    finder.visit(ast.parse(text))
    texts = []
    for template, call in finder.found:
        texts.append(filled(template, call))
    return texts


def main(argv: list | None = None) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args(argv)
    texts = 0
    for name in args.files if args.strict else ():
        with open(name, encoding="utf-8", errors="replace") as file:
            texts += len(checked(file.read()))
    return texts

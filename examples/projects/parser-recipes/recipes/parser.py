"""From tokens to a recipe."""

from __future__ import annotations

from dataclasses import dataclass, field

from recipes.lexer import Token, tokens


@dataclass
class Section:
    title: str
    ingredients: list[Token] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


class Parser:
    def __init__(self, source: str) -> None:
        self.tokens = tokens(source)
        self.sections: list[Section] = []

    def section(self) -> Section:
        return self.sections[-1]

    def run(self) -> list[Section]:
        for token in self.tokens:
            if token.kind == "title":
                self.sections.append(Section(token.text))
            elif token.kind == "ingredient":
                self.section().ingredients.append(token)
            elif token.kind == "step":
                self.add_step(token)
        return self.sections

    def add_step(self, token: Token) -> None:
        """A step that begins with ``...`` goes on with the one before."""
        if token.text.startswith("..."):
            self.section().steps[-1] += " " + token.text[3:].strip()
        else:
            self.section().steps.append(token.text)


def parse(source: str) -> list[Section]:
    return Parser(source).run()

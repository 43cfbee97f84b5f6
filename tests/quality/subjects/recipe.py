"""A tiny parser that breaks on one directive: ``@serves`` without a number."""


class Recipe:
    def __init__(self, title):
        self.title = title
        self.serves = 1
        self.steps = []


def parse(text):
    lines = [line.strip() for line in text.split("\n")]
    recipe = Recipe(lines[0])
    for line in lines[1:]:
        if line.startswith("@"):
            _directive(recipe, line)
        elif line:
            recipe.steps.append(line)
    return recipe


def _directive(recipe, line):
    name, _, value = line.partition(" ")
    if name == "@serves":
        recipe.serves = int(value)
    elif name == "@note":
        recipe.steps.append(value)

"""A chain of eight frames about a tree: each asks one thing of what it is given, and hands a part of it on."""


class Node:
    def __init__(self, tag, attributes=None, children=()):
        self.tag = tag
        self.attributes = attributes or {}
        self.children = list(children)

    def get(self, name):
        return self.attributes.get(name)


class Style:
    def __init__(self, text):
        self.parts = dict(one.split(":") for one in text.split(";") if one)


class Page:
    def __init__(self):
        self.root = None
        self.ready = False

    def close(self, root):
        self.root = root
        self.ready = True


def scaled(width):
    return 1 / (width % 60 - 42)


def in_points(length):
    if not length.endswith("pt"):
        return 0
    return scaled(int(length[:-2]))


def styled(style):
    if "width" not in style.parts:
        return 0
    return in_points(style.parts["width"])


def cell(node):
    if node.tag != "td":
        return 0
    return styled(Style(node.get("style") or ""))


def row(cells):
    return [cell(one) for one in cells]


def table(node):
    if node.tag != "table" or not node.children:
        return []
    return row(node.children[0].children)


def body(nodes):
    return {name: table(node) for name, node in nodes.items()}


def layout(page):
    if not page.ready:
        return None
    return body({page.root.get("id"): page.root})

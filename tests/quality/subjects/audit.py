"""A chain of eight frames about objects: each asks one thing of what it is given, and hands a part of it on."""


class Sheet:
    def __init__(self, lines, kind="draft"):
        self.lines = lines
        self.kind = kind


class Case:
    def __init__(self, content, owner, sealed=True):
        self.content = content
        self.owner = owner
        self.sealed = sealed

    def unwrap(self):
        return None if self.sealed else self.content


def ratio(part):
    return 100 / (part - 37)


def share(text):
    return ratio(int(text))


def field(line):
    name, _, value = line.partition("=")
    if name.strip() != "share":
        return 0
    return share(value)


def entry(lines):
    if len(lines) < 3:
        return 0
    return field(lines[2])


def sheet(page):
    if page.kind != "final":
        return 0
    return entry(page.lines)


def folder(papers):
    if "stamp" not in papers:
        return 0
    return sheet(papers["sheet"])


def opened(case):
    papers = case.unwrap()
    if papers is None:
        return 0
    return folder(papers)


def office(cases):
    total = 0
    for case in cases:
        if case.owner == "north":
            total += opened(case)
    return total

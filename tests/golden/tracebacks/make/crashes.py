"""Functions that crash, one for each thing that a report can hold. ``report.py`` prints each as a tool does."""
# How the lines are broken is part of the crashes.
# ruff: noqa
# fmt: off

import json


class Shelf:
    def __init__(self, name: str) -> None:
        self.name = name
        self.slots: list[int] = []

    def __repr__(self) -> str:
        return f"<Shelf {self.name!r}>"

    def take(self, count: int, *, polite: bool = False) -> int:
        wanted = {"count": count, "label": "Größe → ünïcode ✓"}
        return self.slots[wanted["count"] - 1] + int(polite)


def parse(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise KeyError(text) from error


def chained() -> object:
    """A cause, then a context."""
    shelf = Shelf("bolts")
    try:
        return parse("{broken: \"'yes'\"}")
    except KeyError:
        return shelf.take(
            3,
            polite=True,
        )


def noted() -> None:
    try:
        {"ключ": None}["ключ"].strip()
    except AttributeError as error:
        error.add_note("while reading the café's menu")
        error.add_note("two lines:\n  the second")
        raise


def paragraphs() -> None:
    raise RuntimeError("the job failed:\n\n  step: 3\n  why: ¿quién sabe?\n")


def again(depth: int) -> int:
    return again(depth + 1) + 1


def recursion() -> None:
    again(0)


def _fails(kind: type[Exception], *arguments: object) -> Exception:
    try:
        raise kind(*arguments)
    except kind as error:
        return error


def _caused() -> Exception:
    try:
        parse("[")
    except KeyError as error:
        return error
    raise AssertionError


def group() -> None:
    inner = ExceptionGroup("inner", [_fails(ValueError, "größer\nas two lines"), TypeError("never raised")])
    inner.add_note("a note of the inner group")
    try:
        raise ExceptionGroup("outer", [_caused(), inner, _fails(IndexError, 3)])
    except ExceptionGroup as error:
        error.add_note("a note of the outer group")
        raise


def group_in_the_middle() -> None:
    try:
        try:
            chained()
        except IndexError as error:
            raise ExceptionGroup("many", [_fails(ValueError, number) for number in range(20)]) from error
    except ExceptionGroup:
        raise LookupError("after the group")  # noqa: B904


def syntax() -> None:
    exec("total = 1\nif total\n    print(total)\n")


def indentation() -> None:
    compile("def f():\n  x = 1\n   y = 2\n", "/srv/app/größe.py", "exec")


def importing() -> None:
    import broken_module  # noqa: F401


def spread() -> int:
    """A failing expression on several lines whose first one is the deepest."""
    values = [1, 2, 3]
    return sum(
        value // (
                value
          - 2
        )
        for value in values
    )


def attribute_of_call() -> str:
    total = 3
    shelf = {"name": None,
             "count": 1}
    return (shelf
            .get("name")
            .format(total
                    =total))


def bare_assertion() -> None:
    total = {"größe": 3}
    assert total == {}


def large_values() -> None:
    table = {f"key {number}": list(range(number, number + 30)) for number in range(6)}
    text = "日本語の文字列 " * 20
    path = "/very/long/" + "x" * 120
    lines = "one\ntwo\n\tthree"
    print(len(table) / (len(text) - len(text)), path, lines, "a line that is too long to be shown in a box, for it goes on and on")


urlpatterns: list[object] = []  # for Django

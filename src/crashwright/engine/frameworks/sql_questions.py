"""What an SQL statement looks for: the tables, and the conditions that compare a column with a value, as far as a statement with
its values in it shows that; and statements that store what is looked for. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>"[^"]+"|`[^`]+`|\[[^\]]+\]|\w+)|(?P<mark><=|>=|<>|!=|==|[=<>().,*])"""
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_CREATES = re.compile(r"\s*create\s+(?:temp\w*\s+)?table\s+(?:if\s+not\s+exists\s+)?([\"`\[]?)(\w+)", re.IGNORECASE)
_CREATE = re.compile(r"^(\s*create\s+(?:temp\w*\s+)?table\s+)(?!if\b)", re.IGNORECASE)
_STORED = (str, int, float, bytes)
_MONTH = re.compile(r"\d{4}-\d\d")
_BEFORE_TABLE = ("from", "join", "update")
_BEHIND_TABLE = frozenset(
    "where on join left right inner outer cross natural full order group limit set using having union as".split()
)
_COMPARED = {"=": "==", "==": "==", "is": "==", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "<>": "!=", "!=": "!=", "like": "like"}


class SqlQuestion(NamedTuple):
    """``conditions``: table ("" if the statement does not say it), column, operator (of ``store.Condition``), value."""

    tables: tuple[str, ...]
    conditions: tuple[tuple[str, str, str, object], ...]


class _Token(NamedTuple):
    kind: str
    text: str

    @property
    def word(self) -> str:
        """In small letters; "" for what is no name."""
        return self.text.lower() if self.kind == "name" else ""

    @property
    def name(self) -> str:
        """Without quotes."""
        return self.text.strip('"`[]')


def created(statement: str) -> Iterator[tuple[str, str]]:
    """The table that it creates, and the statement."""
    found = _CREATES.match(_COMMENT.sub(" ", statement))
    if found is not None:
        yield found[2], _COMMENT.sub(" ", statement).strip().rstrip(";")


def questions(statement: str) -> Iterator[SqlQuestion]:
    """What it looks for, none for one that only writes. What is asked within it is a part of the same question."""
    tokens = _tokens(statement)
    if not tokens or tokens[0].word not in ("select", "update", "delete", "with"):
        return
    named = dict(_tables(tokens))
    if named:
        conditions = tuple(
            (named.get(table, ""), column, operator, value) for table, column, operator, value in _conditions(tokens)
        )
        yield SqlQuestion(tuple(dict.fromkeys(named.values())), conditions)


def stored(statement: str) -> tuple[str, tuple[str, ...], tuple[object, ...]] | None:
    """The table, the columns (none where the statement does not name them) and the values of the first row that it inserts; None
    for a statement that inserts none, or that says what is to become of one that is there already."""
    tokens = _tokens(statement)
    words = [one.word for one in tokens]
    if words[:2] != ["insert", "into"] or "conflict" in words or "values" not in words or len(tokens) < 3:
        return None
    values = words.index("values")
    columns = tuple(one.name for one in tokens[3:values] if one.kind == "name")
    found: list[object] = []
    for part in _parts(tokens[values + 1 :]):
        value = _value(part, 0) if len(part) == 1 else None
        found.append(None if value is None else value[0])
    return tokens[2].name, columns, tuple(found)


def _parts(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """What stands between the commas of the first parentheses."""
    part: list[_Token] = []
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "mark" else 0
        if depth == 0 or (depth == 1 and token.text == ","):
            yield part
            part = []
            if depth == 0:
                return
        elif not (depth == 1 and token.text == "("):
            part.append(token)


def if_needed(creating: str) -> str:
    """The same statement for a table that may be there already."""
    return _CREATE.sub(r"\1if not exists ", creating, count=1)


def inserting(table: str, given: Mapping[str, object]) -> tuple[str, tuple[Any, ...]]:
    """The statement that stores a row, and its values."""
    values = {name: value for name, value in given.items() if any(type(value) is kind for kind in _STORED)}
    if not values:
        return f"INSERT INTO {table} DEFAULT VALUES", ()
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())


def _tokens(statement: str) -> list[_Token]:
    return [_Token(str(one.lastgroup), one[0]) for one in _TOKEN.finditer(_COMMENT.sub(" ", statement))]


def _tables(tokens: Sequence[_Token]) -> Iterator[tuple[str, str]]:
    """By the names that conditions have for them: their own, and those that the statement gives them."""
    for place, token in enumerate(tokens[:-1]):
        is_next = token.text == "," and _in_from(tokens, place)
        if (token.word in _BEFORE_TABLE or is_next) and tokens[place + 1].kind == "name":
            table = tokens[place + 1].name
            yield table, table
            behind = [one for one in tokens[place + 2 : place + 4] if one.word != "as"][:1]
            if behind and behind[0].kind == "name" and behind[0].word not in _BEHIND_TABLE:
                yield behind[0].name, table


def _in_from(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a comma stands between tables."""
    for token in reversed(tokens[:place]):
        if token.word == "from":
            return True
        if token.kind != "name" and token.text not in (",", "."):
            return False
        if token.word in ("where", "select", "by", "set", "on", "values"):
            return False
    return False


def _conditions(tokens: Sequence[_Token]) -> Iterator[tuple[str, str, str, object]]:
    """In WHERE, ON and HAVING: a column, or a call that a column is the first argument of, and what it is compared with."""
    looking = False
    for place, token in enumerate(tokens):
        looking = token.word in ("where", "on", "having") or (looking and token.word not in ("order", "group", "limit", "select"))
        operator = _COMPARED.get(token.word or token.text, "")
        word = token.word
        if not looking or place == 0 or not (operator or word in ("in", "between")):
            continue
        column = _column(tokens, place)
        value = _value(tokens, place + 1)
        if column is None or value is None:
            continue
        if tokens[place - 1].text == ")" and type(value[0]) is str and _MONTH.fullmatch(value[0]):
            value = (f"{value[0]}-15",)  # a part of a day is asked for
        negated = tokens[place + 1].word == "not" or tokens[place - 1].word == "not"
        found = {"in": "==", "between": ">="}.get(word, operator)
        yield (*column, "!=" if negated else found, value[0])


def _column(tokens: Sequence[_Token], place: int) -> tuple[str, str] | None:
    """What stands before an operator."""
    last = place - 1 - (tokens[place - 1].word == "not")
    if last >= 0 and tokens[last].text == ")":
        while last > 0 and tokens[last].text != "(":
            last -= 1
        first = last + 1
        if first + 2 < place and tokens[first + 1].text == ".":
            first += 2
        last = first
    if last < 0 or tokens[last].kind != "name":
        return None
    qualified = last >= 2 and tokens[last - 1].text == "." and tokens[last - 2].kind == "name"
    return (tokens[last - 2].name if qualified else "", tokens[last].name)


def _value(tokens: Sequence[_Token], place: int) -> tuple[object] | None:
    """A literal, or the first of several."""
    while place < len(tokens) and (tokens[place].word == "not" or tokens[place].text == "("):
        place += 1
    if place >= len(tokens):
        return None
    token = tokens[place]
    if token.kind == "text":
        return (token.text[1:-1].replace("''", "'"),)
    if token.kind == "number":
        return (float(token.text) if "." in token.text else int(token.text),)
    return (None,) if token.word == "null" else None

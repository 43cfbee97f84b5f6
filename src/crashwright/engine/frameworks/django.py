"""Django: models, and what query sets ask for. Rows save themselves.

What is asked is heard where each query set is compiled to SQL and run. It is used where Django is set up with a database.
"""

from __future__ import annotations

import datetime
import decimal
import importlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from crashwright.engine.frameworks.store import Asked, Condition, Field, Opening

MOST = 60
"""Questions of one run that are kept."""
_LOOKUPS = {"exact": "==", "iexact": "==", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "in": "in"}
"""By the names of Django; those of texts ask for a part."""
_PARTS = frozenset({"contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"})
_KINDS: Mapping[str, type] = MappingProxyType(
    {
        **dict.fromkeys(("CharField", "TextField", "SlugField", "FileField", "FilePathField", "ImageField", "EmailField"), str),
        **dict.fromkeys(("URLField", "GenericIPAddressField"), str),
        **dict.fromkeys(("IntegerField", "SmallIntegerField", "BigIntegerField", "PositiveIntegerField"), int),
        **dict.fromkeys(("PositiveSmallIntegerField", "PositiveBigIntegerField"), int),
        "BooleanField": bool,
        "FloatField": float,
        "DecimalField": decimal.Decimal,
        "DateField": datetime.date,
        "DateTimeField": datetime.datetime,
        "TimeField": datetime.time,
        "DurationField": datetime.timedelta,
        "JSONField": dict,
        "BinaryField": bytes,
        "UUIDField": uuid.UUID,
    }
)
"""What fields hold, by the names of their kinds."""


class Django:
    """See ``store.Store``. One a process: what it listens to is there to the end."""

    rows_save_themselves = True

    def __init__(self) -> None:
        self._asked: list[Asked] | None = None
        self._listens = False

    def begin(self) -> None:
        """From now on note what is asked."""
        if not self._listens:
            compiler: Any = importlib.import_module("django.db.models.sql.compiler").SQLCompiler  # loaded at the first query
            run = compiler.execute_sql

            def execute_sql(compiled: Any, *arguments: Any, **options: Any) -> Any:
                self._note(compiled.query)
                return run(compiled, *arguments, **options)

            compiler.execute_sql = execute_sql
            self._listens = True
        self._asked = []

    def end(self) -> Sequence[Asked]:
        """What was asked since."""
        asked, self._asked = self._asked or [], None
        return asked

    def _note(self, query: Any) -> None:
        if self._asked is None or len(self._asked) >= MOST:
            return
        try:
            one = Asked(self, (query.model,), tuple(_conditions(query.where, False)))
        except Exception:  # noqa: BLE001 - a query of a kind that is not known here; the subject goes on with it
            return
        self._asked.append(one)

    def fields(self, model: type) -> tuple[Field, ...]:
        """Those of a model that an object of it is made with."""
        meta: Any = getattr(model, "_meta", None)
        return () if meta is None else tuple(map(_field, meta.concrete_fields))

    def opening(self, value: object) -> Opening | None:  # noqa: ARG002 - there are no sessions
        """None."""
        return None

    def behind(self, value: object) -> object:  # noqa: ARG002
        """None."""
        return None

    def address(self, store: object) -> str:  # noqa: ARG002
        """None: tests have a database of their own."""
        return ""

    def lacks_tables(self, error: BaseException) -> bool:  # noqa: ARG002
        """They are made before the tests."""
        return False


def _conditions(node: Any, negated: bool) -> Iterator[Condition]:
    """Those that make it true; of alternatives the first that says something."""
    parts = getattr(node, "children", None)
    if parts is None:
        yield from _compared(node, negated)
        return
    found = [list(_conditions(part, negated is not bool(node.negated))) for part in parts]
    either = (node.connector == "OR") is not bool(node.negated)
    yield from next((part for part in found if part), []) if either else (one for part in found for one in part)


def _compared(lookup: Any, negated: bool) -> Iterator[Condition]:
    name, value = lookup.lookup_name, lookup.rhs
    target = getattr(lookup.lhs, "target", None) or next((getattr(one, "target", None) for one in _sources(lookup.lhs)), None)
    if target is None or hasattr(value, "resolve_expression"):
        return
    if name == "isnull":
        is_null = bool(value) is not negated
        yield Condition(target.model, target.attname, "==" if is_null else "!=", None)
        return
    operator = _LOOKUPS.get(name, "like" if name in _PARTS else "")
    if negated:
        operator = {"==": "!=", "in": "not in"}.get(operator, "")
    if operator == "not in":
        value, operator = next(iter(value), None), "!="
    if operator:
        yield Condition(target.model, target.attname, operator, list(value) if operator == "in" else value)


def _sources(expression: Any) -> list[Any]:
    found = getattr(expression, "get_source_expressions", None)
    return [] if found is None else [one for one in found() if one is not None]


def _field(field: Any) -> Field:
    refers = None if field.remote_field is None else field.remote_field.model
    kind = field.get_internal_type()
    counted = field.primary_key and kind.endswith("AutoField")
    required = not (field.has_default() or field.null or field.blank or counted or getattr(field, "auto_now", False))
    return Field(
        field.name,
        refers or _KINDS.get(kind, int if counted else None),
        required and not getattr(field, "auto_now_add", False),
        bool(field.null),
        tuple(dict.fromkeys((field.attname, field.name))),
        members=tuple(value for value, _ in field.flatchoices) if field.choices else (),
        refers=refers,
        refers_to=() if refers is None else (field.target_field.attname,) * 2,
        key=bool(field.primary_key),
        unique=bool(field.unique),
    )

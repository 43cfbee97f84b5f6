"""Django: models and rows, what query sets ask for, routes, the test client, requests for views, management commands.

What is asked is heard where each query set is compiled to SQL and run. It is used where Django is set up with a database. Rows save
themselves.

# Deviation: none of the papers stores rows; the state of their subjects is in objects.
"""

from __future__ import annotations

import ast
import contextlib
import datetime
import decimal
import importlib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from crashwright.core.preparation import Preparation
from crashwright.engine.frameworks.django_routes import routes_below
from crashwright.engine.frameworks.model_rows import StoringWay
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.frameworks.store import ColumnCondition, Field, Opening, StoreQuestion, in_the_way
from crashwright.engine.frameworks.web import WRITING, Route, call_of
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import (
    class_module,
    class_name,
    instance_dict,
    is_class,
    live_at,
    loaded_module,
)
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.wants.parameter_names import snake_case

MOST = 60
"""Questions of one run that are kept."""
MOST_MODELS, MOST_STORED = 40, 6
"""Models that are read, and those of which one is stored."""
_LOOKUPS = {"exact": "==", "iexact": "==", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "in": "in"}
"""By the names of Django; those of texts ask for a part."""
_PARTS = frozenset({"contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"})
_TEXT, _CODE = "'x'", "'1'"
"""Any text; one by which something is looked up, which is the same in capitals and in small letters."""
_TEXTS = ("CharField", "TextField", "SlugField", "FileField", "FilePathField", "ImageField")
_NUMBERS = ("IntegerField", "SmallIntegerField", "BigIntegerField")
_COUNTS = ("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField")
_HELD: Mapping[str, tuple[type, str]] = MappingProxyType(
    {
        **dict.fromkeys(_TEXTS, (str, _TEXT)),
        **dict.fromkeys((*_NUMBERS, *_COUNTS), (int, "1")),
        "EmailField": (str, "'ann@example.com'"),
        "URLField": (str, "'https://example.com'"),
        "GenericIPAddressField": (str, "'127.0.0.1'"),
        "BooleanField": (bool, "False"),
        "FloatField": (float, "1.0"),
        "DecimalField": (decimal.Decimal, "decimal.Decimal('1.00')"),
        "DateField": (datetime.date, "datetime.date(2026, 1, 1)"),
        "DateTimeField": (datetime.datetime, "datetime.datetime(2026, 1, 1, 12, 0)"),
        "TimeField": (datetime.time, "datetime.time(12, 0)"),
        "DurationField": (datetime.timedelta, "datetime.timedelta(days=1)"),
        "JSONField": (dict, "{}"),
        "BinaryField": (bytes, "b'x'"),
        "UUIDField": (uuid.UUID, "uuid.UUID(int=1)"),
    }
)
"""What fields hold, by the names of their kinds, with a plain value as source."""
_ASKED, _SENT = frozenset({"GET", "query_params"}), frozenset({"body", "data"})
"""Of a request, or of what is built on one, the parts that are its query and its document."""
_FOR_REQUESTS = (
    ("django.test", "RequestFactory"),
    ("django.contrib.auth.models", "AnonymousUser"),
    ("rest_framework.test", "APIClient"),
)
_NOTHING: Mapping[str, str] = MappingProxyType({})
_KEYS = ("pk", "id")


class DjangoProject:
    """See ``web.WebFramework``."""

    client = ("django.test", "Client")
    makes_client = True
    sends = "", ""

    def routes(self) -> Iterator[Route]:
        """Through all that is included."""
        return routes_below(importlib.import_module("django.urls").get_resolver())

    def names(self, api: ApiModel) -> dict[str, Known]:
        """What makes requests."""
        if loaded_module("rest_framework") is not None:
            with contextlib.suppress(Exception):  # it needs settings that this project has not
                importlib.import_module("rest_framework.test")
        found = {name: live for module, name in _FOR_REQUESTS if is_class(live := live_at(module, name))}
        user = _user()
        if user is not None:
            found[user.name] = user.live
        return {name: api.constructor(live) for name, live in found.items()}

    def opening(self, known: Collection[str]) -> list[str]:
        """See ``WebFramework``."""
        return ["client = Client()"] if "Client" in known else []

    def signing_in(self, route: Route, known: Mapping[str, Known], source: Source) -> Iterator[list[str]]:  # noqa: ARG002
        """A user as the project's model has them: a plain one, one who may do everything, then those who differ in what the model
        lets users differ by."""
        user = _user()
        if user is None or user.name not in known:
            return
        name = snake_case(user.name)
        made = _store(user, [user], False, {}).removesuffix(")")
        for more in _users(user):
            given = ", ".join(f"{field}={value}" for field, value in more.items())
            call = f"{made}{', ' if given and not made.endswith('(') else ''}{given})"
            yield [call, f"client.force_login({name})"]
            if "APIClient" in known:
                yield [call, "client = APIClient()", f"client.force_authenticate({name})"]

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:  # noqa: ARG002
        """None: its objects are stored ahead of the opening (:func:`stores`)."""
        return []

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """See ``WebFramework``."""
        if (method == "get" and not _ASKED.isdisjoint(read)) or (method == "post" and "POST" in read):
            yield carried
        elif method in WRITING and not _SENT.isdisjoint(read):
            yield f"{carried}, content_type='application/json'"

    def calls(self, known: Collection[str], callee: Callee, read: Collection[str], carried: str) -> Iterator[str]:
        """With a request in the place of its first parameter."""
        first = next(iter(callee.parameters), None)
        if "RequestFactory" not in known or first is None or not _takes_request(callee):
            return
        ways = [f"get('/', {carried})"] if "GET" in read or not ("POST" in read or "body" in read) else []
        ways += [f"post('/', {carried})"] if "POST" in read else []
        ways += [f"post('/', {carried}, content_type='application/json')"] if "body" in read else []
        for way in ways:
            lines = [f"{first.name} = RequestFactory().{way}"]
            lines += [f"{first.name}.user = AnonymousUser()"] if "user" in read and "AnonymousUser" in known else []
            lines += [f"{first.name}.session = {{}}"] if "session" in read else []
            yield "\n".join([*lines, call_of(callee, (first.name,))])


def likely_methods(read: Collection[str]) -> tuple[str, ...]:
    """The methods that a view seems to answer which does not tell."""
    parts = (("get", _ASKED), ("post", frozenset({"POST"})), ("post", _SENT))
    return tuple(method for method, part in parts if not part.isdisjoint(read))[:1] or ("get",)


def _takes_request(callee: Callee) -> bool:
    first = callee.parameters[0]
    if isinstance(first.hint, ClassHint) and first.declared:
        return class_name(first.hint.cls).endswith("Request")
    return first.name == "request"


def management_commands() -> frozenset[str]:
    """The names of what ``manage.py`` runs."""
    management: Any = importlib.import_module("django.core.management")
    return frozenset(management.get_commands())


def _user() -> DjangoModel | None:
    """The model of the project's users; None where it signs nobody in."""
    settings: Any = live_at("django.conf", "settings")
    if settings is None or not settings.configured or "django.contrib.auth" not in settings.INSTALLED_APPS:
        return None
    try:
        return _model(importlib.import_module("django.contrib.auth").get_user_model())
    except Exception:  # noqa: BLE001 - the settings name a model that is not there
        return None


def _users(user: DjangoModel) -> Iterator[dict[str, str]]:
    """What they are given beyond what a user needs."""
    model: Any = user.live
    fields = {field.name: field for field in model._meta.concrete_fields}
    yield {}
    yield {name: "True" for name in ("is_staff", "is_superuser") if name in fields}
    for name, field in fields.items():
        members = [value for value, _ in field.flatchoices] if field.choices else []
        yield from (
            {name: repr(value)} for value in members if (type(value) is str or type(value) is int) and value != field.default
        )
    yield {name: "True" for name in ("is_staff",) if name in fields}


class DjangoModel(NamedTuple):
    """``needed`` and ``optional`` are fields with the source of a value, or with the name of the model that they refer to."""

    live: type
    needed: tuple[tuple[str, str], ...]
    optional: tuple[tuple[str, str], ...]
    refers: frozenset[str]

    @property
    def name(self) -> str:
        """Of its class."""
        return class_name(self.live)


def models_of(preparation: Preparation, packages: frozenset[str]) -> tuple[DjangoModel, ...]:
    """Those of the top-level ``packages``: what others refer to comes first."""
    if not preparation.database:
        return ()
    apps: Any = importlib.import_module("django.apps").apps
    own = [one for one in apps.get_models() if class_module(one).partition(".")[0] in packages]
    waiting = [_model(one) for one in own[:MOST_MODELS]]
    found: list[DjangoModel] = []
    while waiting:
        known = {one.name for one in found}
        ready = [one for one in waiting if one.refers <= known | {one.name}] or waiting[:1]  # a circle begins anywhere
        found += ready
        waiting = [one for one in waiting if one not in ready]
    return tuple(found)


def _model(cls: Any) -> DjangoModel:
    needed: list[tuple[str, str]] = []
    optional: list[tuple[str, str]] = []
    refers: set[str] = set()
    for field, value, reference in _fields(cls):
        if field.has_default() or field.null or field.blank:
            optional.append((field.name, value))
        else:
            needed.append((field.name, value))
            refers |= {value} if reference else set()
    return DjangoModel(cls, tuple(needed), tuple(optional), frozenset(refers))


def _fields(cls: Any) -> Iterator[tuple[Any, str, bool]]:
    """Those that take a value when an object is made, with one."""
    for field in cls._meta.concrete_fields:
        if field.auto_created or (field.primary_key and field.has_default()):
            continue
        if field.remote_field is not None:
            yield field, class_name(field.remote_field.model), True
        elif field.choices:
            yield field, repr(next(iter(field.flatchoices))[0]), False
        elif field.get_internal_type() in _HELD:
            value = _HELD[field.get_internal_type()][1]
            yield field, _CODE if field.unique and value == _TEXT else value, False


def stores(models: Sequence[DjangoModel], named: Collection[str], told: Mapping[str, str] = _NOTHING) -> list[list[str]]:
    """Growing rows of statements: the first object, the first two, and so on, each also with its optional fields. Models that the
    code ``named`` come first, after those that they refer to; then those that refer to them. ``told`` are values of fields by their
    names, such as those in the path of a request."""
    chosen = _chosen(models, named)
    flows: list[list[str]] = []
    for count in range(1, len(chosen) + 1):
        plain = [_store(model, chosen, False, told) for model in chosen[:count]]
        flows += [plain, [*plain[:-1], _store(chosen[count - 1], chosen, True, told)]]
    return [flow for place, flow in enumerate(flows) if flow not in flows[:place]]


def names_in(models: Sequence[DjangoModel], functions: Iterable[ast.AST], modules: Iterable[ast.AST]) -> frozenset[str]:
    """The names in some functions; if no model is among them, those in their modules: what a class says of itself is in no
    function."""
    known = {model.name for model in models}
    for trees in (functions, modules):
        found = frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))
        if not found.isdisjoint(known):
            return found
    return frozenset()


def _chosen(models: Sequence[DjangoModel], named: Collection[str]) -> list[DjangoModel]:
    by_name = {model.name: model for model in models}
    wanted: dict[str, None] = {}

    def want(model: DjangoModel) -> None:
        for name in sorted(model.refers):
            if name in by_name and name not in wanted and name != model.name:
                want(by_name[name])
        wanted.setdefault(model.name)

    for model in models:
        if model.name in named:
            want(model)
    for model in models:  # found through those
        if not model.refers.isdisjoint(wanted):
            want(model)
    return [by_name[name] for name in wanted][:MOST_STORED]


def _store(model: DjangoModel, stored: Sequence[DjangoModel], filled: bool, told: Mapping[str, str]) -> str:
    names = {one.name: snake_case(one.name) for one in stored}
    optional = [(field, value) for field, value in model.optional if filled or field in told]
    given = [
        (field, _as_told(value, told.get(field, "")) or names.get(value, value))
        for field, value in [*model.needed, *optional]
        if value in names or not value.isidentifier() or value == "False"
    ]
    number = next((told[key] for key in _KEYS if told.get(key, "").isdigit() and told[key] != "1"), "")
    given += [("pk", number)] if number else []
    return f"{names[model.name]} = {model.name}.objects.create({', '.join(f'{field}={value}' for field, value in given)})"


def _as_told(value: str, told: str) -> str:
    """What the request has for a field of that ``value``, as source; "" where that is of another type."""
    if told and value[:1] in ("'", '"'):
        return repr(told)
    return str(int(told)) if told.isdigit() and value.isdigit() else ""


class Django:
    """See ``store.Store``. One a process: what it listens to is there to the end."""

    rows_save_themselves = True

    def __init__(self) -> None:
        self._asked: list[StoreQuestion] | None = None
        self._in_the_way: list[StoreQuestion] = []
        self._listens = False

    def begin(self) -> None:
        """From now on note what is asked."""
        if not self._listens:
            compilers: Any = importlib.import_module("django.db.models.sql.compiler")  # loaded at the first query
            _listen(compilers.SQLCompiler, self._note)
            _listen(compilers.SQLInsertCompiler, self._note_stored)
            self._listens = True
        self._asked, self._in_the_way = [], []

    def begin_call(self) -> None:
        """See ``store.Store``."""
        self._in_the_way = []

    def end(self) -> Sequence[StoreQuestion]:
        """What was asked since, and what would have stood in the way."""
        asked, self._asked = self._asked or [], None
        return [*asked, *self._in_the_way]

    def _note_stored(self, query: Any) -> None:
        if self._asked is None or len(self._in_the_way) >= MOST:
            return
        for stored in query.objs[:1]:
            values = {field.attname: instance_dict(stored).get(field.attname) for field in query.fields}
            self._in_the_way += in_the_way(self, query.model, values, _unique(query.model._meta))

    def _note(self, query: Any) -> None:
        if self._asked is None or len(self._asked) >= MOST:
            return
        try:
            one = StoreQuestion(self, (query.model,), tuple(_conditions(query.where, False)))
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


def _listen(compiler: Any, note: Callable[[Any], None]) -> None:
    run = compiler.execute_sql

    def execute_sql(compiled: Any, *arguments: Any, **options: Any) -> Any:
        note(compiled.query)
        return run(compiled, *arguments, **options)

    compiler.execute_sql = execute_sql


def _unique(meta: Any) -> Iterator[tuple[str, ...]]:
    """The columns in which no two rows may be alike."""
    yield from ((field.attname,) for field in meta.concrete_fields if field.unique)
    for names in (*meta.unique_together, *(one.fields for one in meta.total_unique_constraints)):
        yield tuple(meta.get_field(name).attname for name in names)


def _conditions(node: Any, negated: bool) -> Iterator[ColumnCondition]:
    """Those that make it true; of alternatives the first that says something."""
    parts = getattr(node, "children", None)
    if parts is None:
        yield from _compared(node, negated)
        return
    found = [list(_conditions(part, negated is not bool(node.negated))) for part in parts]
    either = (node.connector == "OR") is not bool(node.negated)
    yield from next((part for part in found if part), []) if either else (one for part in found for one in part)


def _compared(lookup: Any, negated: bool) -> Iterator[ColumnCondition]:
    name, value = lookup.lookup_name, lookup.rhs
    target = getattr(lookup.lhs, "target", None) or next((getattr(one, "target", None) for one in _sources(lookup.lhs)), None)
    if target is None or hasattr(value, "resolve_expression"):
        return
    if name == "isnull":
        is_null = bool(value) is not negated
        yield ColumnCondition(target.model, target.attname, "==" if is_null else "!=", None)
        return
    operator = _LOOKUPS.get(name, "like" if name in _PARTS else "")
    if negated:
        operator = {"==": "!=", "in": "not in"}.get(operator, "")
    if operator == "not in":
        value, operator = next(iter(value), None), "!="
    if operator:
        yield ColumnCondition(target.model, target.attname, operator, list(value) if operator == "in" else value)


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
        refers or _HELD.get(kind, (int if counted else None, ""))[0],
        required and not getattr(field, "auto_now_add", False),
        bool(field.null),
        tuple(dict.fromkeys((field.attname, field.name))),
        members=tuple(value for value, _ in field.flatchoices) if field.choices else (),
        refers=refers,
        refers_to=() if refers is None else (field.target_field.attname,) * 2,
        key=bool(field.primary_key),
        unique=bool(field.unique),
    )

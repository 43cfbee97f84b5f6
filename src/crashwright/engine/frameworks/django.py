"""Django: models and rows, what query sets ask for, routes, the test client, requests for views, management commands.

What is asked is heard where each query set is compiled to SQL and run. It is used where Django is set up with a database. Rows save
themselves.

# Deviation: none of the papers stores rows; the state of their subjects is in objects.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import importlib
import os
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from crashwright.core.django_settings import minimal_settings
from crashwright.core.preparation import FrameworkSetUp, SetUpPart
from crashwright.engine.frameworks.django_forms import complaints_of, pages_tell
from crashwright.engine.frameworks.django_routes import routes_below
from crashwright.engine.frameworks.framework import Framework
from crashwright.engine.frameworks.model_rows import StoringWay
from crashwright.engine.frameworks.saved_models import SavedModel, store_of
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.frameworks.store import ColumnCondition, Field, Opening, StoreQuestion, in_the_way
from crashwright.engine.frameworks.web import ASKED, SENT, WRITING, ManagedCommands, Route, call_of
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
from crashwright.engine.testcase.statements import Named
from crashwright.engine.wants.parameter_names import snake_case

MOST = 60
"""Questions of one run that are kept."""
MOST_MODELS = 40
"""Models that are read."""
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
_CALL = "call_command"
_FOR_REQUESTS = (
    ("django.test", "RequestFactory"),
    ("django.contrib.auth.models", "AnonymousUser"),
    ("rest_framework.test", "APIClient"),
)


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
        made = store_of(user, [user], False, {}).removesuffix(")")
        for more in _users(user):
            given = ", ".join(f"{field}={value}" for field, value in more.items())
            call = f"{made}{', ' if given and not made.endswith('(') else ''}{given})"
            yield [call, f"client.force_login({name})"]
            if "APIClient" in known:
                yield [call, "client = APIClient()", f"client.force_authenticate({name})"]

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:  # noqa: ARG002
        """None: its objects are stored ahead of the opening (``saved_models``)."""
        return []

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """See ``WebFramework``."""
        if (method == "get" and not ASKED.isdisjoint(read)) or (method == "post" and "POST" in read):
            yield carried
        elif method in WRITING and not SENT.isdisjoint(read):
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


def _takes_request(callee: Callee) -> bool:
    first = callee.parameters[0]
    if isinstance(first.hint, ClassHint) and first.declared:
        return class_name(first.hint.cls).endswith("Request")
    return first.name == "request"


def management_commands() -> ManagedCommands:
    """What ``manage.py`` runs."""
    management: Any = importlib.import_module("django.core.management")
    call = Named("django.core.management", _CALL, management.call_command)
    return ManagedCommands(frozenset(management.get_commands()), call)


def _user() -> SavedModel | None:
    """The model of the project's users; None where it signs nobody in."""
    settings: Any = live_at("django.conf", "settings")
    if settings is None or not settings.configured or "django.contrib.auth" not in settings.INSTALLED_APPS:
        return None
    try:
        return _model(importlib.import_module("django.contrib.auth").get_user_model())
    except Exception:  # noqa: BLE001 - the settings name a model that is not there
        return None


def _users(user: SavedModel) -> Iterator[dict[str, str]]:
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


def models_of(set_up: FrameworkSetUp, packages: frozenset[str]) -> tuple[SavedModel, ...]:
    """Those of the top-level ``packages``: what others refer to comes first."""
    if SetUpPart.DATABASE not in set_up.parts:
        return ()
    apps: Any = importlib.import_module("django.apps").apps
    own = [one for one in apps.get_models() if class_module(one).partition(".")[0] in packages]
    waiting = [_model(one) for one in own[:MOST_MODELS]]
    found: list[SavedModel] = []
    while waiting:
        known = {one.name for one in found}
        ready = [one for one in waiting if one.refers <= known | {one.name}] or waiting[:1]  # a circle begins anywhere
        found += ready
        waiting = [one for one in waiting if one not in ready]
    return tuple(found)


def _model(cls: Any) -> SavedModel:
    needed: list[tuple[str, str]] = []
    optional: list[tuple[str, str]] = []
    refers: set[str] = set()
    for field, value, reference in _fields(cls):
        if field.has_default() or field.null or field.blank:
            optional.append((field.name, value))
        else:
            needed.append((field.name, value))
            refers |= {value} if reference else set()
    return SavedModel(cls, tuple(needed), tuple(optional), frozenset(refers), "objects.create")


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


# Its row


def _before_import(set_up: FrameworkSetUp) -> None:
    if set_up.address:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", set_up.address)
    else:
        settings: Any = importlib.import_module("django.conf").settings
        settings.configure(**minimal_settings(set_up.apps))
    django: Any = importlib.import_module("django")
    django.setup()
    if set_up.address:
        importlib.import_module("django.test")  # has what makes requests


def _after_import(set_up: FrameworkSetUp) -> None:
    if SetUpPart.DATABASE in set_up.parts:
        _empty_databases()


def _empty_databases() -> None:
    """In memory, as Django's own tests have them. What a test writes is never committed: it is rolled back after each
    (``Ambient.transactions``)."""
    connections: Any = importlib.import_module("django.db").connections
    if any(one.vendor != "sqlite" for one in connections.all()):
        return  # a server that is not to be reached: what needs it fails in its own way, and is told
    importlib.import_module("django.test.utils").setup_databases(verbosity=0, interactive=False)
    for one in connections.all():
        one.settings_dict["AUTOCOMMIT"] = False  # else the end of a request closes what is not as the settings say
        one.set_autocommit(False)


DJANGO = Framework(
    "django",
    lambda set_up: DjangoProject() if set_up.address else None,
    before_import=_before_import,
    after_import=_after_import,
    listening=lambda set_up: pages_tell() if set_up.address else contextlib.nullcontext(),
    stores=lambda set_up: [Django()] if SetUpPart.DATABASE in set_up.parts else [],
    models=models_of,
    commands=lambda set_up: management_commands() if set_up.address else ManagedCommands(),
    command_home=".management.commands.",
    lacks_settings=frozenset(("django.core.exceptions", name) for name in ("ImproperlyConfigured", "AppRegistryNotReady")),
    complaints=complaints_of,
)

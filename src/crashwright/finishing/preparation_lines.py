"""The lines of a printed test that set up what its calls need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crashwright.core.preparation import Preparation

MARK = "@pytest.mark.django_db"


def needed(preparation: Preparation, body: Iterable[str]) -> Preparation:
    """What a test with this body needs: one that enters a request context of its own needs no other, nor does one with a client;
    a database serves what stores something or sends requests."""
    text = "\n".join(body)
    own = any(one in text for one in (".test_request_context(", ".test_client("))
    stored = any(one in text for one in (".objects.", ".save(", "Client("))
    made = preparation.flask.partition(":")[2].partition("(")[0]
    instance = preparation.instance and (not own or f"{made}(" in text)
    return replace(preparation, flask="" if own else preparation.flask, database=preparation.database and stored, instance=instance)


def with_imports(preparation: Preparation, imports: list[str]) -> list[str]:
    """The import lines, after what has to stand before them; linters are told that it has to."""
    before = _before(preparation)
    told = (f"{line}  # noqa: E402" if line.startswith(("import ", "from ")) else line for line in imports)
    return [*before, "", *told] if before else imports


def _before(preparation: Preparation) -> list[str]:
    """What has to run before the subject is imported."""
    lines: list[str] = []
    if preparation.django:
        named = f'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "{preparation.django}")'
        lines = ["import os", "", "import django", "", named, "django.setup()"]
    elif preparation.apps:
        settings = [f"    {name}={_written(value)}," for name, value in preparation.minimal.items()]
        lines = ["import django", "from django.conf import settings", "", "settings.configure(", *settings, ")", "django.setup()"]
    if preparation.early:
        module, _, name = preparation.function.partition(":")
        lines += [*([""] if lines else []), f"import {module}{'  # noqa: E402' if lines else ''}", "", f"{module}.{name}()"]
    return lines


def _written(value: object) -> str:
    return repr(value).replace("'", '"')


def imports(preparation: Preparation) -> list[str]:
    """What the fixtures import."""
    addresses = [one for one in (preparation.flask, "" if preparation.early else preparation.function) if one]
    lines = [f"import {address.partition(':')[0]}" for address in addresses]
    if preparation.database and preparation.marked:
        return [*lines, "import pytest"]
    if preparation.database:
        lines.append("from django.test.utils import setup_databases, teardown_databases")
    return [*lines, "import pytest"] if lines or preparation.instance else []


def fixtures(preparation: Preparation, scope: str = "function") -> list[str]:
    """The fixtures, each with the two lines that follow a function; ``scope`` is that of the database."""
    lines = []
    if preparation.instance:  # its name comes before that of the next one: pytest takes them in that order
        lines += ["@pytest.fixture(autouse=True)", "def instance_folder(tmp_path, monkeypatch):"]
        lines += ['    monkeypatch.setattr("flask.Flask.auto_find_instance_path", lambda app: str(tmp_path))', "", ""]
    if preparation.flask:
        application = preparation.flask.replace(":", ".", 1)
        lines += ["@pytest.fixture(autouse=True)", "def request_context():"]
        lines += [f"    with {application}.test_request_context():", "        yield", "", ""]
    if preparation.database and not preparation.marked:
        lasts = "" if scope == "function" else f', scope="{scope}"'
        lines += [f"@pytest.fixture(autouse=True{lasts})", "def database():"]
        lines += ["    before = setup_databases(verbosity=0, interactive=False)", "    yield"]
        lines += ["    teardown_databases(before, verbosity=0)", "", ""]
    if preparation.function and not preparation.early:
        lines += ["@pytest.fixture(autouse=True)", "def set_up():", f"    {preparation.function.replace(':', '.')}()", "", ""]
    return lines


def marks(preparation: Preparation) -> list[str]:
    """The decorators of the test: pytest-django keeps a database from tests without its own."""
    return [MARK] if preparation.database and preparation.marked else []

"""Django: the settings of a project, whether its database is one that tests can be given, and the lines that set both up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from crashwright.core.django_settings import minimal_settings
from crashwright.core.preparation import FrameworkSetUp, SetUpPart
from crashwright.crash.frameworks.lines import SetUpLines
from crashwright.crash.frameworks.searched import Places, SearchedProject, file_of
from crashwright.environment.source_roots import pytest_setting, sources_below

_SETTINGS = "DJANGO_SETTINGS_MODULE"
_IN_MANAGE = re.compile(rf"""["']{_SETTINGS}["']\s*(?:,|\]\s*=)\s*["']([\w.]+)["']""")
_SERVED = frozenset({"wsgi.py", "asgi.py"})
"""The files that a server starts a project by, as Django makes them."""
_SQLITE = "django.db.backends.sqlite3"
_ALWAYS = ("django.contrib.contenttypes", "django.contrib.auth")
"""The applications that most others need."""
_MARK = "@pytest.mark.django_db"


class DjangoSetUp(SetUpLines):
    """See ``table.SetUpFramework``. It is set up before anything else is imported."""

    name = "django"
    is_settings = True
    plugins = ((_MARK, "pytest_django.plugin"),)

    def found(self, project: SearchedProject) -> FrameworkSetUp | None:
        """With an empty database if the settings name one that needs no server."""
        settings = self._settings_of(project)
        has_database = bool(settings) and _uses_sqlite(settings, project.places)
        if not settings:
            return None
        marked = has_database and project.has_installed("pytest_django")
        return self.at(settings, *([SetUpPart.DATABASE] if has_database else []), *([SetUpPart.MARK] if marked else []))

    def at(self, settings: str, *parts: SetUpPart) -> FrameworkSetUp:
        """With the settings of that module."""
        beside = " and an empty database" if SetUpPart.DATABASE in parts else ""
        return FrameworkSetUp(self.name, settings, parts, text=f"Django with the settings {settings}{beside}")

    def for_suites(self, project: SearchedProject) -> FrameworkSetUp | None:
        """No database: what a test of a module stores is not what it is about."""
        settings = self._settings_of(project)
        return self.at(settings) if settings else None

    def for_package(self, apps: Sequence[str]) -> FrameworkSetUp | None:
        """With minimal settings, and these applications of the package."""
        apps = tuple(dict.fromkeys((*_ALWAYS, *apps)))
        text = f"Django with minimal settings and the applications {', '.join(apps)}"
        return FrameworkSetUp(self.name, apps=apps, text=text)

    def _settings_of(self, project: SearchedProject) -> str:
        return _settings(project.places, project.environment) if project.has_installed("django") else ""

    def needed(self, set_up: FrameworkSetUp, body: str) -> FrameworkSetUp:
        """A database serves what stores something or sends requests."""
        stored = any(one in body for one in (".objects.", ".save(", "Client("))
        return set_up if stored else replace(set_up, parts=())

    def is_done_by(self, source: str) -> bool:
        """Whether a file sets it up itself."""
        return "django.setup(" in source

    def before(self, set_up: FrameworkSetUp) -> list[str]:
        """What has to run before the subject is imported."""
        if set_up.address:
            named = f'os.environ.setdefault("{_SETTINGS}", "{set_up.address}")'
            return ["import os", "", "import django", "", named, "django.setup()"]
        settings = [f"    {name}={_written(value)}," for name, value in minimal_settings(set_up.apps).items()]
        return ["import django", "from django.conf import settings", "", "settings.configure(", *settings, ")", "django.setup()"]

    def imports(self, set_up: FrameworkSetUp) -> list[str]:
        """What makes the database."""
        made = SetUpPart.DATABASE in set_up.parts and SetUpPart.MARK not in set_up.parts
        return ["from django.test.utils import setup_databases, teardown_databases"] if made else []

    def fixtures(self, set_up: FrameworkSetUp, scope: str) -> list[str]:
        """The database, unless a mark gives it."""
        if SetUpPart.DATABASE not in set_up.parts or SetUpPart.MARK in set_up.parts:
            return []
        lasts = "" if scope == "function" else f', scope="{scope}"'
        lines = [f"@pytest.fixture(autouse=True{lasts})", "def database():"]
        lines += ["    before = setup_databases(verbosity=0, interactive=False)", "    yield"]
        return [*lines, "    teardown_databases(before, verbosity=0)", "", ""]

    def marks(self, set_up: FrameworkSetUp) -> list[str]:
        """The plugin keeps the database from tests without its mark."""
        return [_MARK] if {SetUpPart.DATABASE, SetUpPart.MARK} <= {*set_up.parts} else []


def _written(value: object) -> str:
    return repr(value).replace("'", '"')


def _settings(places: Places, environment: Mapping[str, str]) -> str:
    named = environment.get(_SETTINGS) or next(filter(None, (pytest_setting(one, _SETTINGS) for one in places.folders)), "")
    if named:
        return named
    manage = next(filter(None, (_named_in(folder / "manage.py") for folder in places.folders)), "")
    if manage:
        return manage
    files = [file for root in places.projects for file in sources_below(root) if file.name in _SERVED]
    return next(filter(None, map(_named_in, files)), "")


def _named_in(file: Path) -> str:
    """The settings that a file of a project names for its own process."""
    try:
        match = _IN_MANAGE.search(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""  # there is none
    return match[1] if match else ""


def _uses_sqlite(settings: str, places: Places) -> bool:
    """Whether the settings, or what lies beside them (``settings/base.py``), name sqlite: a database that needs no server."""
    home = places.home_of(settings)
    file = None if home is None else file_of(settings, home)
    if file is None:
        return False
    apart = settings.count(".") > 1 or file.name == "__init__.py"
    beside = sorted(file.parent.glob("*.py")) if apart else [file]
    return any(_SQLITE in one.read_text(encoding="utf-8", errors="replace") for one in beside)

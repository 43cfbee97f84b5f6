"""What has to run before the subject's functions can be called: a framework's set-up, or a function of the user's."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, NamedTuple


class Application(NamedTuple):
    """What stands at ``module:name``, or what the factory there makes with these arguments: ``call`` is "" for the first."""

    module: str
    name: str
    call: str = ""

    @classmethod
    def at(cls, address: str) -> Application:
        """Read from its address."""
        module, _, rest = address.partition(":")
        name, bracket, arguments = rest.partition("(")
        return cls(module, name, bracket + arguments)

    def made_by(self, found: Any) -> Any:
        """The application, of what was ``found`` there."""
        if not self.call:
            return found
        call = ast.parse(f"made{self.call}", mode="eval").body
        assert isinstance(call, ast.Call)
        given = [ast.literal_eval(one) for one in call.args]
        named = {one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg}
        return found(*given, **named)


@dataclass(frozen=True, slots=True)
class Preparation:
    """``django`` is a settings module, set up before anything else is imported; ``database`` where its database is one that tests
    can be given: an empty one in memory, by a mark of pytest-django where the project has that (``marked``). ``function``
    (``module:function``) is called before each test. ``flask`` (``module:name``, or ``module:name(...)`` for a factory, with
    literals) is the application in whose request context tests run; ``asgi``, written in the same way, is one that a test client
    starts, sends requests to and ends, and so is ``aiohttp``. ``apps``, for an installed package that reads Django's settings when
    it is imported, are the applications of minimal ones. ``early``: ``function`` is called once, before the subject is imported.
    ``instance``: what makes the Flask application keeps files in its instance folder, in whose place tests have one of their
    own."""

    django: str = ""
    function: str = ""
    flask: str = ""
    asgi: str = ""
    aiohttp: str = ""
    database: bool = False
    marked: bool = False
    apps: tuple[str, ...] = ()
    early: bool = False
    instance: bool = False

    def __bool__(self) -> bool:
        return bool(self.django or self.function or self.flask or self.asgi or self.aiohttp or self.apps)

    @property
    def minimal(self) -> dict[str, object]:
        """The minimal settings."""
        memory = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
        return {"INSTALLED_APPS": list(self.apps), "DATABASES": memory}

    @property
    def text(self) -> str:
        """In words for the user."""
        beside = " and an empty database" if self.database else ""
        parts = [f"Django with the settings {self.django}{beside}"] if self.django else []
        parts += [f"Django with minimal settings and the applications {', '.join(self.apps)}"] if self.apps else []
        folder = ", an instance folder of its own" if self.instance else ""
        parts += [f"a request context of the Flask application {self.flask}{folder}"] if self.flask else []
        parts += [f"requests to the ASGI application {self.asgi}"] if self.asgi else []
        parts += [f"requests to the aiohttp application {self.aiohttp}"] if self.aiohttp else []
        parts += [f"{self.function} is called first"] if self.function else []
        return ", ".join(parts)

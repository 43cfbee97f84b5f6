"""What has to run before the subject's functions can be called: a framework's set-up, or a function of the user's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preparation:
    """``django`` is a settings module, set up before anything else is imported; ``database`` where its database is one that tests
    can be given: an empty one in memory, by a mark of pytest-django where the project has that (``marked``). ``function``
    (``module:function``) is called before each test. ``flask`` (``module:name``, or ``module:name()`` for a factory) is the
    application in whose request context tests run; ``asgi``, written in the same way, is one that a test client starts, sends
    requests to and ends. ``apps``, for an installed package that reads Django's settings when it is imported, are the applications
    of minimal ones. ``early``: ``function`` is called once, before the subject is imported."""

    django: str = ""
    function: str = ""
    flask: str = ""
    asgi: str = ""
    database: bool = False
    marked: bool = False
    apps: tuple[str, ...] = ()
    early: bool = False

    def __bool__(self) -> bool:
        return bool(self.django or self.function or self.flask or self.asgi or self.apps)

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
        parts += [f"a request context of the Flask application {self.flask}"] if self.flask else []
        parts += [f"requests to the ASGI application {self.asgi}"] if self.asgi else []
        parts += [f"{self.function} is called first"] if self.function else []
        return ", ".join(parts)

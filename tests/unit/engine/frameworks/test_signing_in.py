"""How tests sign a caller in, by what each framework says of the application."""

import ast
import enum
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException, status
from flask import Flask, session
from patience import HANG

from crashwright.core.location import CodeKey
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import routes_of, web_of
from crashwright.engine.frameworks.web import Route
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.statements import Named

HERE = __name__.partition(".")[0]
app = Flask(__name__)
app.secret_key = "test"
VIEWS = """
def show():
    if "user" not in session:
        return "who?", 401
    return str(loans_of(session["user"]))
def staff():
    return session.get("role") == "owner"
"""


@app.get("/who")
def who() -> dict[str, object]:
    return {"user": session.get("user"), "role": session.get("role")}


def in_flask(source: str) -> list[list[str]]:
    framework = web_of(Preparation(FrameworkSetUp("flask", f"{__name__}:app")))
    assert framework is not None
    own: Callable[[str], ast.AST | None] = lambda module: ast.parse(source) if module == __name__ else None  # noqa: E731
    return list(
        framework.signing_in(Route("/loans", ("get",), (CodeKey(HERE, "show", 2),)), {"app": Named(__name__, "app", app)}, own)
    )


def test_flask_puts_what_the_code_reads_of_the_session_into_it() -> None:
    ways = in_flask(VIEWS)
    assert ways[0] == ["with client.session_transaction() as session:\n    session['user'] = '1'\n    session['role'] = 'owner'"]
    assert ways[1] == ["with client.session_transaction() as session:\n    session['user'] = '1'"]
    assert ["with client.session_transaction() as session:\n    session['user'] = 1"] in ways


def test_the_view_finds_it_there() -> None:
    (line,) = in_flask(VIEWS)[0]
    client = app.test_client()
    exec(line, {"client": client})
    assert client.get("/who").get_json() == {"user": "1", "role": "owner"}


def test_an_application_that_reads_nothing_of_its_session_signs_nobody_in() -> None:
    assert in_flask("def show(): return 1") == []


DJANGO = """
import django
from django.conf import settings
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"] if {auth} else [],
    DATABASES={{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}}},
)
django.setup()
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import routes_of, web_of
from crashwright.engine.frameworks.web import Route
for way in web_of(Preparation(FrameworkSetUp("django", "settings"))).signing_in(Route("/loans", (), ()), {{"User": None}}, None):
    print("; ".join(way))
"""


def in_django(auth: bool) -> list[str]:
    command = [sys.executable, "-c", DJANGO.format(auth=auth)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_django_signs_in_users_as_the_model_has_them() -> None:
    assert in_django(auth=True) == [
        "user = User.objects.create(password='x', username='1'); client.force_login(user)",
        "user = User.objects.create(password='x', username='1', is_staff=True, is_superuser=True); client.force_login(user)",
        "user = User.objects.create(password='x', username='1', is_staff=True); client.force_login(user)",
    ]


def test_without_users_django_signs_nobody_in() -> None:
    assert in_django(auth=False) == []


class Caller:
    def __init__(self, name: str) -> None:
        self.name = name


def anybody() -> str:
    return "anybody"


def caller(name: Annotated[str, Header()] = "") -> Caller:
    if not name:
        raise HTTPException(status.HTTP_401_UNAUTHORIZED)
    return Caller(name)


class Clerks:
    def __call__(self, who: Annotated[Caller, Depends(caller)]) -> Caller:
        if who.name != "clerk":
            raise HTTPException(403, "not for you")
        return who


class Refusal(Exception):
    status_code = 400


class NotAllowed(Refusal):
    status_code = 403


class Rank(enum.Enum):
    GUEST = "guest"
    OWNER = "owner"


def rank(token: Annotated[str, Header()] = "") -> Rank:
    try:
        return Rank({"secret": "owner"}[token])
    except KeyError:
        raise NotAllowed("unknown token") from None


def owner(held: Annotated[Rank, Depends(rank)]) -> Rank:
    if held is not Rank.OWNER:
        raise NotAllowed("owners only")
    return held


api = FastAPI()


@api.get("/garage")
def garage(held: Annotated[Rank, Depends(owner)]) -> str:
    return held.value


@api.get("/open")
def opened(name: Annotated[str, Depends(anybody)]) -> str:
    return name


@api.get("/loans")
def loans(who: Annotated[Caller, Depends(Clerks())]) -> str:
    return who.name


def in_asgi(path: str) -> list[list[str]]:
    framework = web_of(Preparation(FrameworkSetUp("asgi", f"{__name__}:api")))
    assert framework is not None
    known = framework.names(ApiModel(HERE, [__name__]))
    (route,) = [one for one in routes_of(Preparation(FrameworkSetUp("asgi", f"{__name__}:api"))) if one.path == path]
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    return list(framework.signing_in(route, known, lambda module: tree if module == __name__ else None))


def test_fastapi_replaces_what_sends_callers_away() -> None:
    address = f"{__name__}.api.dependency_overrides"
    assert in_asgi("/loans") == [["signed_in = Caller(name)", f"monkeypatch.setattr({address!r}, {{caller: lambda: signed_in}})"]]


def test_exceptions_of_the_project_say_that_they_send_away_and_all_that_do_are_replaced_at_once() -> None:
    address = f"{__name__}.api.dependency_overrides"
    made = "signed_in = Rank.OWNER"
    assert in_asgi("/garage") == [
        [made, f"monkeypatch.setattr({address!r}, {{owner: lambda: signed_in, rank: lambda: signed_in}})"],
        [made, f"monkeypatch.setattr({address!r}, {{owner: lambda: signed_in}})"],
        [made, f"monkeypatch.setattr({address!r}, {{rank: lambda: signed_in}})"],
    ]


def test_what_lets_everybody_in_is_left_alone() -> None:
    assert in_asgi("/open") == []

"""The set-up that a crash of a web project needs is found in its files."""

from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation, SetUpPart
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.frameworks.applications import ClientFramework
from crashwright.crash.frameworks.django import DjangoSetUp
from crashwright.crash.frameworks.table import FRAMEWORKS
from crashwright.crash.preparation import (
    folders_of,
    minimal_settings_for,
    preparation_for,
    preparation_for_suites,
    settings_for_module,
)
from crashwright.environment.interpreter import Interpreter

MANAGE = 'import os\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "conf.settings")\n'
VIEWS = "from flask import request\n\ndef show():\n    return request.args\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for file, text in {
        "site-packages/django/__init__.py": "",
        "site-packages/flask/__init__.py": "",
        "work/pyproject.toml": "",
        "work/shop/__init__.py": "",
        "work/shop/views.py": VIEWS,
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path / "work"


def found(project: Path, own: bool = True, **environment: str) -> Preparation:
    views = project / "shop" / "views.py"
    frame = TargetFrame(CodeKey("shop.views", "show", 3), str(views), 4, "return request.args", None, True)
    target = CrashTarget("shop", "KeyError", "'x'", (frame,))
    interpreter = Interpreter("python", (3, 11, 7), (str(project.parent / "site-packages"),), (), True, str(project))
    return preparation_for(target, interpreter, own, environment=environment)


def test_settings_of_django(project: Path) -> None:
    assert found(project) == Preparation()
    (project / "manage.py").write_text(MANAGE)
    assert found(project) == Preparation(DjangoSetUp().at("conf.settings"))
    assert found(project, own=False) == Preparation()
    (project / "pytest.ini").write_text("[pytest]\nDJANGO_SETTINGS_MODULE = conf.testing\n")
    assert address_of(found(project)) == "conf.testing"
    assert address_of(found(project, DJANGO_SETTINGS_MODULE="conf.local")) == "conf.local"
    (project.parent / "site-packages/django/__init__.py").unlink()
    assert found(project).framework is None


def address_of(preparation: Preparation) -> str:
    return "" if preparation.framework is None else preparation.framework.address


def parts_of(preparation: Preparation) -> tuple[SetUpPart, ...]:
    return () if preparation.framework is None else preparation.framework.parts


def apps_of(preparation: Preparation) -> tuple[str, ...]:
    return () if preparation.framework is None else preparation.framework.apps


def client_framework(name: str) -> ClientFramework:
    (row,) = (one for one in FRAMEWORKS if isinstance(one, ClientFramework) and one.name == name)
    return row


def elsewhere(project: Path, *path: Path) -> tuple[Preparation, tuple[str, ...]]:
    """What is found by somebody who stands in another folder."""
    views = project / "shop" / "views.py"
    frame = TargetFrame(CodeKey("shop.views", "show", 3), str(views), 4, "return request.args", None, True)
    target = CrashTarget("shop", "KeyError", "'x'", (frame,))
    (project.parent / "home").mkdir(exist_ok=True)
    interpreter = Interpreter(
        "python", (3, 11, 7), (str(project.parent / "site-packages"),), (), True, str(project.parent / "home")
    )
    folders = [str(folder) for folder in path]
    found = preparation_for(target, interpreter, True, environment={}, path=folders)
    return found, folders_of(found, interpreter, folders, [str(views)])


@pytest.mark.parametrize("marked", [True, False])
def test_the_projects_of_the_frames_and_of_path_are_looked_at(project: Path, marked: bool) -> None:
    if not marked:
        (project / "pyproject.toml").unlink()
    (project / "conf").mkdir()
    (project / "conf/settings.py").write_text('ENGINE = "django.db.backends.sqlite3"')
    (project / "manage.py").write_text(MANAGE)
    wanted = Preparation(DjangoSetUp().at("conf.settings", SetUpPart.DATABASE)), (str(project),)
    assert elsewhere(project) == wanted
    (project / "manage.py").rename(project.parent / "manage.py")
    assert address_of(elsewhere(project, project.parent)[0]) == "conf.settings"
    (project.parent / "manage.py").unlink()
    (project / "conf/wsgi.py").write_text('import os\nos.environ["DJANGO_SETTINGS_MODULE"] = "conf.settings"\n')
    assert elsewhere(project, project) == wanted


def test_what_lies_between_a_frame_and_its_repository(project: Path) -> None:
    (project.parent / ".git").mkdir()
    (project.parent / "manage.py").write_text(MANAGE.replace("conf", "work.conf"))
    assert address_of(elsewhere(project)[0]) == "work.conf.settings"


def test_applications_of_a_project_without_any_mark(project: Path) -> None:
    (project / "pyproject.toml").unlink()
    (project / "main.py").write_text("from flask import Flask\napp: Flask = Flask(__name__)\n")
    assert address_of(elsewhere(project)[0]) == "main:app"


def test_suites_of_a_django_project_need_its_settings_alone(project: Path) -> None:
    interpreter = Interpreter("python", (3, 11, 7), (str(project.parent / "site-packages"),), (), True, str(project))
    assert preparation_for_suites(interpreter, {}) == Preparation()
    (project / "manage.py").write_text(MANAGE)
    assert preparation_for_suites(interpreter, {}) == Preparation(DjangoSetUp().at("conf.settings"))


@pytest.mark.parametrize(
    ("settings", "file", "text", "expected"),
    [
        ("conf.settings", "conf/settings.py", 'ENGINE = "django.db.backends.sqlite3"', True),
        ("conf.settings", "conf/settings.py", 'ENGINE = "django.db.backends.postgresql"', False),
        ("conf.settings.local", "conf/settings/base.py", 'ENGINE = "django.db.backends.sqlite3"', True),
        ("conf.settings", "other/base.py", 'ENGINE = "django.db.backends.sqlite3"', False),
    ],
)
def test_a_database_that_needs_no_server(project: Path, settings: str, file: str, text: str, expected: bool) -> None:
    for name, content in {f"{settings.replace('.', '/')}.py": "", file: text}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(content)
    assert parts_of(found(project, DJANGO_SETTINGS_MODULE=settings)) == ((SetUpPart.DATABASE,) if expected else ())
    plugin = project.parent / "site-packages/pytest_django/__init__.py"
    plugin.parent.mkdir()
    plugin.touch()
    assert parts_of(found(project, DJANGO_SETTINGS_MODULE=settings)) == ((SetUpPart.DATABASE, SetUpPart.MARK) if expected else ())


@pytest.mark.parametrize(
    ("file", "text", "address"),
    [
        ("shop/__init__.py", "from flask import Flask\napp = Flask(__name__)\n", "shop:app"),
        ("shop/web.py", "import flask\nserver = flask.Flask('shop')\n", "shop.web:server"),
        ("wsgi.py", "from flask import Flask\ndef create_app(config=None):\n    return Flask('x')\n", "wsgi:create_app()"),
        ("wsgi.py", "from flask import Flask\ndef create_app(config):\n    return Flask('x')\n", ""),
        ("venv/pyvenv.cfg", "", ""),
    ],
)
def test_a_flask_application_where_the_code_uses_flask(project: Path, file: str, text: str, address: str) -> None:
    (project / file).parent.mkdir(exist_ok=True)
    (project / file).write_text(text)
    assert address_of(found(project)) == address
    (project / "shop/views.py").write_text(VIEWS.replace("flask", "shop"))
    assert found(project).framework is None


@pytest.mark.parametrize(
    ("text", "instance"),
    [
        ("def create_app():\n    return Flask('x', instance_relative_config=True)\n", True),
        ("def create_app():\n    app = Flask('x')\n    app.config['DATABASE'] = app.instance_path\n    return app\n", True),
        ("def create_app():\n    return Flask('x')\n", False),
        ("URL = 'sqlite:///shop.sqlite3'\ndef create_app():\n    return Flask('x')\n", True),
        ("URL = 'sqlite:////srv/x'\nOTHER = 'sqlite:///:memory:'\ndef create_app():\n    return Flask('x')\n", False),
        ("app = Flask('x', instance_relative_config=True)\n", False),
    ],
)
def test_a_factory_that_keeps_files_in_its_instance_folder(project: Path, text: str, instance: bool) -> None:
    (project / "wsgi.py").write_text(f"from flask import Flask\n{text}")
    (project / "shop/views.py").write_text(VIEWS)
    prepared = found(project)
    assert (address_of(prepared).partition(":")[0], parts_of(prepared)) == ("wsgi", (SetUpPart.FOLDER,) if instance else ())


def test_an_installed_package_has_settings_made_for_it_and_is_set_up_before_its_import(project: Path) -> None:
    frame = TargetFrame(CodeKey("shop.views", "show", 3), str(project / "shop/views.py"), 4, "return request.args", None, True)
    target = CrashTarget("shop", "KeyError", "'x'", (frame,))
    always = ("django.contrib.contenttypes", "django.contrib.auth")
    assert minimal_settings_for(target, Preparation()) == Preparation(DjangoSetUp().for_package([]))
    assert apps_of(minimal_settings_for(target, Preparation())) == always
    (project / "shop/apps.py").touch()
    assert apps_of(minimal_settings_for(target, Preparation())) == (*always, "shop")
    interpreter = Interpreter("python", (3, 11, 7), (), (), True, str(project))
    found = preparation_for(target, interpreter, False, "conf.tests:configure")
    assert found == Preparation(function="conf.tests:configure", early=True)


def test_a_module_of_an_installed_package_has_settings_made_for_it(project: Path) -> None:
    (project / "shop/models.py").touch()
    found = settings_for_module("shop.views", str(project / "shop/views.py"), Preparation())
    assert apps_of(found) == ("django.contrib.contenttypes", "django.contrib.auth", "shop")


@pytest.mark.parametrize(
    ("file", "text", "address"),
    [
        ("shop/main.py", "from fastapi import FastAPI\nserver: FastAPI = FastAPI(lifespan=None)\n", "shop.main:server"),
        ("main.py", "import starlette.applications\nfrom starlette.applications import Starlette\napp = Starlette()\n", "main:app"),
        ("main.py", "from fastapi import FastAPI\ndef create_app():\n    return FastAPI()\n", "main:create_app()"),
        ("main.py", "app = dict(name='FastAPI')\n", ""),
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_an_asgi_application_is_found_from_any_folder(project: Path, file: str, text: str, address: str, marked: bool) -> None:
    for package in ("fastapi", "starlette"):
        (project.parent / "site-packages" / package).mkdir()
        (project.parent / "site-packages" / package / "__init__.py").touch()
    if not marked:
        (project / "pyproject.toml").unlink()
    (project / "shop/views.py").write_text("from fastapi import APIRouter\n\ndef show():\n    return request.args\n")
    (project / file).write_text(text)
    wanted = Preparation(client_framework("asgi").at(address)) if address else Preparation()
    assert found(project) == wanted
    assert elsewhere(project)[0] == wanted
    assert elsewhere(project, project)[0] == wanted
    (project / "shop/views.py").write_text(VIEWS.replace("flask", "shop"))
    assert not found(project)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (
            "from aiohttp import web\n\ndef build(debug=False):\n    made = web.Application()\n    return made\n",
            "shop.main:build()",
        ),
        ("import aiohttp.web\n\nasync def init() -> object:\n    return aiohttp.web.Application()\n", "shop.main:init()"),
        ("from aiohttp.web import Application\n\napp = Application()\n", "shop.main:app"),
        ("from aiohttp import web\n\ndef run():\n    web.run_app(web.Application())\n", ""),
        ("from aiohttp import web\n\ndef build(settings):\n    return web.Application()\n", ""),
    ],
)
def test_an_aiohttp_application_is_found_by_what_its_factory_returns(project: Path, text: str, address: str) -> None:
    (project.parent / "site-packages/aiohttp").mkdir()
    (project.parent / "site-packages/aiohttp/__init__.py").touch()
    (project / "shop/views.py").write_text("from aiohttp import web\n\nasync def show(request):\n    return request.args\n")
    (project / "shop/main.py").write_text(text)
    assert found(project) == (Preparation(client_framework("aiohttp").at(address)) if address else Preparation())

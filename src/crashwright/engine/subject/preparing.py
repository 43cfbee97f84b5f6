"""Running what a :class:`Preparation` says, in the engine: once, before the state that tests are put back to is taken."""

from __future__ import annotations

import importlib
import os
import tempfile
from typing import Any

from crashwright.core.preparation import Application, Preparation
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.project_files import FOLDER


def before_import(preparation: Preparation) -> None:
    """What the subject's modules need to be imported."""
    if preparation.django:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", preparation.django)
        django: Any = importlib.import_module("django")
        django.setup()
        importlib.import_module("django.test")  # has what makes requests
    if preparation.apps:
        settings: Any = importlib.import_module("django.conf").settings
        settings.configure(**preparation.minimal)
        framework: Any = importlib.import_module("django")
        framework.setup()
    if preparation.instance:
        flask: Any = importlib.import_module("flask")
        flask.Flask.auto_find_instance_path = _own_folder
    if preparation.early:
        _named(preparation.function)()


def _own_folder(_application: object) -> str:
    """That of a test: ``tmp_path`` in what is written."""
    folder = os.path.join(tempfile.gettempdir(), FOLDER)
    os.makedirs(folder, exist_ok=True)
    return folder


def after_import(preparation: Preparation) -> None:
    """What its functions need to be called. A context that is entered here stays for all tests."""
    if preparation.flask:
        application = Application.at(preparation.flask)
        found = _named(f"{application.module}:{application.name}")
        application.made_by(found).test_request_context().push()
    if preparation.asgi:
        importlib.import_module(preparation.asgi.partition(":")[0])
        _client_of_asgi()
    if preparation.aiohttp:
        importlib.import_module(preparation.aiohttp.partition(":")[0])
        importlib.import_module("aiohttp.test_utils")
    if preparation.database:
        _empty_databases()
    if preparation.function and not preparation.early:
        _named(preparation.function)()


def relate_models() -> None:
    """SQLAlchemy's classes get to know each other, as they do at their first use. If that were in a test, what it adds to them
    would be taken from them after it, and they would not get it again. Where it fails, which a fork finds out, it is left to the
    test that uses them."""
    configure: Any = loaded_dict("sqlalchemy.orm").get("configure_mappers")
    if configure is None:
        return
    child = os.fork()
    if not child:
        try:
            configure()
        except BaseException:  # noqa: BLE001 - whatever is wrong with the subject's models
            os._exit(1)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        configure()


def _client_of_asgi() -> None:
    """Has the test client at hand, and what it runs on."""
    try:
        importlib.import_module("starlette.testclient")
    except (ImportError, RuntimeError):
        return  # it needs an HTTP library that is not installed: endpoints can still be called, without a request


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


def _named(address: str) -> Any:
    module, _, name = address.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found

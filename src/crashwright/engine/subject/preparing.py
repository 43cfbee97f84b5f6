"""Running what a :class:`Preparation` says, in the engine: once, before the state that tests are put back to is taken."""

from __future__ import annotations

import importlib
import os
from typing import Any

from crashwright.core.preparation import Preparation


def before_import(preparation: Preparation) -> None:
    """What the subject's modules need to be imported."""
    if preparation.django:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", preparation.django)
        django: Any = importlib.import_module("django")
        django.setup()
        importlib.import_module("django.test")  # has what makes requests


def after_import(preparation: Preparation) -> None:
    """What its functions need to be called. A context that is entered here stays for all tests."""
    if preparation.flask:
        application, factory, _ = preparation.flask.partition("()")
        found = _named(application)
        (found() if factory else found).test_request_context().push()
    if preparation.function:
        _named(preparation.function)()


def _named(address: str) -> Any:
    module, _, name = address.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found

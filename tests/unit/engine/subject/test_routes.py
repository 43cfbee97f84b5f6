"""The routes that a set-up application has, as the frameworks tell them."""

from __future__ import annotations

import subprocess
import sys

from flask import Flask
from flask.views import MethodView

from crashwright.core.preparation import Preparation
from crashwright.engine.subject.routes import routes_of


def index() -> str:
    return ""


class Shelf(MethodView):
    def get(self, number: int) -> str:
        return str(number)

    def delete(self, number: int) -> str:
        return str(number)


def test_routes_of_flask_have_methods_and_the_code_of_their_views() -> None:
    app = Flask("routes", static_folder=None)
    app.add_url_rule("/", view_func=index, methods=["GET", "POST"])
    app.add_url_rule("/shelves/<int:number>", view_func=Shelf.as_view("shelf"))
    with app.test_request_context():
        plain, shelf = routes_of(Preparation(flask="routes:app"))
    assert (plain.path, plain.methods) == ("/", ("get", "post"))
    assert [key.qualname for key in plain.keys] == ["index"]
    assert (shelf.path, shelf.methods) == ("/shelves/<int:number>", ("get", "delete"))
    assert {"Shelf.get", "Shelf.delete"} <= {key.qualname for key in shelf.keys}


DJANGO = """
import sys, types
import django
from django.conf import settings
from django.urls import include, path, re_path
from crashwright.core.preparation import Preparation
from crashwright.engine.subject.routes import routes_of

def show(request, pk): ...
urls = types.ModuleType("urls")
urls.urlpatterns = [path("rooms/", include([path("<int:pk>", show)])), re_path("^old/", show)]
sys.modules["urls"] = urls
settings.configure(ROOT_URLCONF="urls")
django.setup()
print([(one.path, [key.qualname for key in one.keys]) for one in routes_of(Preparation(django="urls"))])
"""


def test_routes_of_django_are_found_through_includes() -> None:
    done = subprocess.run([sys.executable, "-c", DJANGO], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "[('/rooms/<int:pk>', ['show'])]", done.stderr


def test_nothing_that_is_set_up_has_no_routes() -> None:
    assert routes_of(Preparation()) == ()

"""The routes that a set-up application has, as the frameworks tell them."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable

from flask import Flask
from flask.views import MethodView
from patience import HANG

from crashwright.core.location import CodeKey
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import routes_of
from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.request_paths import path_of


def index() -> str:
    return ""


class Shelf(MethodView):
    def get(self, number: int) -> str:
        return str(number)

    def delete(self, number: int) -> str:
        return str(number)


def test_places_of_flask_tell_what_may_stand_there() -> None:
    app = Flask("routes", static_folder=None)
    for path in (
        "/<any(red, blue):colour>",
        "/<string(length=3):code>",
        "/<int(min=5):year>",
        "/<int:n>/<name>",
        "/digits/<int(fixed_digits=3):n>",
    ):
        app.add_url_rule(path, path, index)
    with app.test_request_context():
        found = [path_of(route) for route in routes_of(Preparation(FrameworkSetUp("flask", "routes:app")))]
    adapter = app.url_map.bind("localhost")
    assert [adapter.match(path)[0] for path in found] == [rule.endpoint for rule in app.url_map.iter_rules()]
    assert found[2:4] == ["/5", "/1/x"]


def test_routes_of_flask_have_methods_and_the_code_of_their_views() -> None:
    app = Flask("routes", static_folder=None)
    app.add_url_rule("/", view_func=index, methods=["GET", "POST"])
    app.add_url_rule("/shelves/<int:number>", view_func=Shelf.as_view("shelf"))
    with app.test_request_context():
        plain, shelf = routes_of(Preparation(FrameworkSetUp("flask", "routes:app")))
    assert (plain.path, plain.methods) == ("/", ("get", "post"))
    assert [key.qualname for key in plain.keys] == ["index"]
    assert (shelf.path, shelf.methods) == ("/shelves/<int:number>", ("get", "delete"))
    assert {"Shelf.get", "Shelf.delete"} <= {key.qualname for key in shelf.keys}


def roles_required(*roles: str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    def decorate(view: Callable[[], str]) -> Callable[[], str]:
        @functools.wraps(view)
        def guarded() -> str:
            return view() if roles else ""

        return guarded

    return decorate


def before() -> None:
    """Runs before all views."""


def test_routes_of_flask_tell_what_decorators_were_given_and_what_runs_before() -> None:
    app = Flask("routes", static_folder=None)
    app.add_url_rule("/crates", view_func=roles_required("keeper", "admin")(index))
    app.before_request(before)
    with app.test_request_context():
        (route,) = routes_of(Preparation(FrameworkSetUp("flask", "routes:app")))
    assert route.given == ("keeper", "admin")
    assert [key.qualname for key in route.before] == ["before"]


DJANGO = """
import sys, types
import django
from django.conf import settings
from django.urls import include, path, re_path, resolve
from django.views import View
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.sources.applications.request_paths import path_of
from crashwright.engine.frameworks.registry import routes_of

def show(request, pk): ...
class Rooms(View):
    def post(self, request): ...
def viewset(request, pk): ...  # a class with a table of methods, as a router of views makes them
class Books:
    def retrieve(self, request, pk): ...
viewset.cls, viewset.actions = Books, {"get": "retrieve"}
def api_view(function):  # a decorator that puts the function into a class
    def handler(self, request): return function(request)
    made = type("Made", (View,), {"get": handler})
    def view(request): return made()
    view.cls = made
    return view
@api_view
def total(request): ...
urls = types.ModuleType("urls")
urls.urlpatterns = [
    path("rooms/", include([path("<int:pk>", show), re_path("^(?P<pk>[0-9]{4})/old$", show)])),
    path("rooms/new", Rooms.as_view()),
    re_path(r"^books/(?P<pk>[^/.]+)/$", viewset),
    re_path(r"^books/(?P<pk>[^/.]+)\\.(?P<format>[a-z0-9]+)/?$", viewset),
    re_path(r"^(old|older)/\\d+$", show),
    path("total", total),
]
sys.modules["urls"] = urls
settings.configure(ROOT_URLCONF="urls")
django.setup()
for one in routes_of(Preparation(FrameworkSetUp("django", "urls"))):
    made = path_of(one)
    print(one.path, [key.qualname for key in one.keys if "." not in key.qualname or "<" not in key.qualname], one.methods,
        resolve(made).func is not None)
"""


def test_routes_of_django_are_found_through_includes_expressions_and_classes() -> None:
    done = subprocess.run([sys.executable, "-c", DJANGO], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.stdout.splitlines() == [
        "/rooms/<int:pk> ['show'] () True",
        "/rooms/<pk>/old ['show'] () True",
        "/rooms/new ['Rooms.post'] ('post',) True",
        "/books/<pk>/ ['viewset', 'Books.retrieve'] ('get',) True",
        "/<pattern_0> ['show'] () True",
        "/total ['total'] ('get',) True",
    ], done.stderr


def test_nothing_that_is_set_up_has_no_routes() -> None:
    assert routes_of(Preparation()) == ()


def test_a_route_is_of_the_package_of_its_class_where_all_that_answers_is_inherited() -> None:
    inherited, own = CodeKey("rest.mixins", "Create.create", 3), CodeKey("library.views", "Loans.settle", 9)
    route = Route("/loans", ("post",), (inherited,), home="library.views")
    assert route.is_of({"library"})
    assert not route.is_of({"other"})
    assert not route._replace(home="").is_of({"library"})
    assert route._replace(keys=(inherited, own)).with_functions_of({"library"}).keys == (own,)

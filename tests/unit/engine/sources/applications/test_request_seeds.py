"""Calls of the entry with a request: what it carries is read from the functions on the path."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import web_of
from crashwright.engine.sources.applications.request_seeds import request_sessions
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint

KIND = ParameterKind.POSITIONAL_OR_KEYWORD

DJANGO = Preparation(FrameworkSetUp("django", "shop.settings"))


def callee(name: str, *parameters: str) -> Callee:
    return Callee("shop.views", name, CalleeKind.FUNCTION, tuple(Parameter(one, KIND) for one in parameters))


def sessions(preparation: Preparation, known: set[str], one: Callee, source: str) -> list[str]:
    tree = ast.parse(textwrap.dedent(source))
    return ["\n".join(map(ast.unparse, session)) for session in request_sessions(web_of(preparation), known, [one], [tree])]


def test_a_flask_view_runs_in_a_context_that_has_what_it_reads() -> None:
    source = """
        def buy(number):
            order = request.get_json()
            return order["items"], order.get("gift-wrap")
    """
    found = sessions(Preparation(FrameworkSetUp("flask", "shop:create_app()")), {"create_app"}, callee("buy", "number"), source)
    opening = "with create_app().test_request_context(json={%s}, method='POST'):\n    pass\nbuy(number)"
    assert found == [
        opening % "'items': items, 'gift-wrap': ''",
        opening % "'items': '', 'gift-wrap': ''",
        opening % "'items': [], 'gift-wrap': []",
        opening % "'items': 0, 'gift-wrap': 0",
    ]


def test_a_flask_application_that_is_an_object_is_named() -> None:
    (found, *_) = sessions(Preparation(FrameworkSetUp("flask", "shop:app")), {"app"}, callee("find"), "request.args['q']")
    assert found == "with app.test_request_context(query_string={'q': q}):\n    pass\nfind()"


def test_a_key_that_is_a_keyword_is_no_name() -> None:
    (found, *_) = sessions(Preparation(FrameworkSetUp("flask", "shop:app")), {"app"}, callee("find"), "request.args['from']")
    assert "{'from': from_}" in found


def test_a_view_that_reads_no_request_needs_none() -> None:
    assert sessions(Preparation(FrameworkSetUp("flask", "shop:app")), {"app"}, callee("find"), "prices['q']") == []
    assert sessions(Preparation(FrameworkSetUp("flask", "shop:app")), set(), callee("find"), "request.args['q']") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("request.GET.get('q')", "request = RequestFactory().get('/', {'q': q})\nfind(request, page)"),
        ("request.POST['q']", "request = RequestFactory().post('/', {'q': q})\nfind(request, page)"),
        (
            "json.loads(request.body)['q']; request.user; request.session",
            "request = RequestFactory().post('/', {'q': q}, content_type='application/json')\n"
            "request.user = AnonymousUser()\nrequest.session = {}\nfind(request, page)",
        ),
    ],
)
def test_a_django_view_is_handed_a_request(source: str, expected: str) -> None:
    known = {"RequestFactory", "AnonymousUser"}
    (found, *_) = sessions(DJANGO, known, callee("find", "request", "page"), source)
    assert found == expected


def test_what_is_handed_no_request_gets_none() -> None:
    assert sessions(DJANGO, {"RequestFactory"}, callee("find", "text"), "text['q']") == []
    assert sessions(Preparation(), set(), callee("find", "request"), "request.GET['q']") == []


class Request:
    """Stands for that of a server's framework."""


Request.__module__ = "starlette.requests"


def test_what_takes_the_request_of_a_server_is_handed_its_scope() -> None:
    asked = Parameter("asked", KIND, ClassHint(Request), declared=True)
    one = Callee("shop.api", "tenant", CalleeKind.FUNCTION, (Parameter("shop", KIND), asked))
    source = "asked.headers['X-Tenant'], asked.query_params.get('q'), asked.cookies['id'], other['z']"
    (found, *_) = sessions(Preparation(), {"Request"}, one, source)
    assert found == (
        "tenant(shop, Request({'type': 'http', 'method': 'GET', 'path': '/', "
        "'headers': [(b'x-tenant', b'x'), (b'cookie', b'id=x')], "
        "'query_string': b'q=x', 'path_params': {}}))"
    )
    assert sessions(Preparation(), set(), one, source) == []

"""Requests to a view through a test client: which come before it, and what they carry."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from crashwright.core.invocation import SentRequest
from crashwright.core.location import CodeKey
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import web_of
from crashwright.engine.frameworks.saved_models import SavedModel
from crashwright.engine.frameworks.web import Description, Route
from crashwright.engine.sources.applications.client_sessions import Readings, client_sessions, is_telling, names_and_attributes
from crashwright.engine.subject.usage.client_tests import ClientTest
from crashwright.engine.testcase.statements import Named

ADD, SHOW, EMPTY = (CodeKey("shop.views", name, line) for line, name in enumerate(("add", "show", "empty"), 1))
BOOKS = CodeKey("library.views", "lend", 9)
SOURCES = {
    ADD: "def add():\n    line = request.get_json()\n    basket().add(line['sku'], line.get('pieces', 1))",
    SHOW: "def show():\n    return basket().price(request.args['currency'])",
    EMPTY: "def empty():\n    basket().clear()",
}
ROUTES = (
    Route("/admin/basket/<int:number>", ("delete",), (EMPTY,)),
    Route("/basket/show", ("get",), (SHOW,)),
    Route("/basket/lines", ("post",), (ADD,)),
    Route("/library/lend", ("post",), (BOOKS,)),
)
APPLICATION = {"create_app": Named("shop", "create_app", None), "app": Named("shop", "app", None)}
DJANGO = Preparation(FrameworkSetUp("django", "hotel.settings"))
FLASK = Preparation(FrameworkSetUp("flask", "shop:create_app()"))


def sessions(
    preparation: Preparation, path: Sequence[CodeKey], looked_up: dict[CodeKey, list[str]], routes: Sequence[Route] = ROUTES
) -> list[list[str]]:
    """The lines of each, after those that make the client."""
    trees = {key: ast.parse(textwrap.dedent(source)) for key, source in SOURCES.items()}
    code = Readings(trees.get, lambda _keys: [], lambda keys: [value for key in keys for value in looked_up.get(key, [])])
    found = client_sessions(
        web_of(preparation), {**APPLICATION, "Client": Named("django.test", "Client", None)}, routes, path, code
    )
    return [[ast.unparse(statement) for statement in one] for one in found]


OPENING = ["app = create_app()", "app.testing = True", "client = app.test_client()"]
SHOWN = "client.get('/basket/show', query_string={'currency': currency})"
ADDED = "client.post('/basket/lines', json={'sku': sku, 'pieces': pieces})"
EMPTIED = "client.delete('/admin/basket/1')"


def test_a_view_is_asked_alone_and_after_what_writes() -> None:
    found = sessions(FLASK, [SHOW], {})
    assert all(one[:3] == OPENING for one in found)
    flows = [one[3:] for one in found]
    assert flows[0] == [SHOWN]
    assert [ADDED, EMPTIED, SHOWN] in flows  # what is nearer to the view by its path comes first, what deletes last
    assert [ADDED, SHOWN] in flows
    assert [EMPTIED, SHOWN] in flows
    assert not any("/library" in line for one in flows for line in one)  # another package's


def test_what_is_looked_up_stands_for_what_is_needed() -> None:
    flows = [one[3:] for one in sessions(FLASK, [SHOW], {ADD: ["mug", "tee"]})]
    assert ["client.post('/basket/lines', json={'sku': 'mug'})", SHOWN] in flows
    assert ["client.post('/basket/lines', json={'sku': 'tee'})", EMPTIED, SHOWN] in flows


def test_the_view_itself_is_sent_plain_values() -> None:
    flows = [one[3:] for one in sessions(FLASK, [ADD], {}, ROUTES[2:])]
    assert ["client.post('/basket/lines', json={'sku': '', 'pieces': ''})"] in flows
    assert ["client.post('/basket/lines', json={'sku': [], 'pieces': []})"] in flows


def test_a_view_that_reads_a_day_is_asked_for_days() -> None:
    helper = ast.parse("def day(request):\n    return date.fromisoformat(request.GET['since']), request.GET['until']")
    code = Readings({SHOW: ast.parse("def show(request): return day(request)")}.get, lambda _keys: [helper], lambda _keys: [])
    known = {"Client": Named("django.test", "Client", None)}
    found = client_sessions(web_of(DJANGO), known, [Route("/bill", (), (SHOW,))], [SHOW], code)
    lines = [ast.unparse(one[-1]) for one in found]
    assert lines[:2] == [
        "client.get('/bill', {'since': since, 'until': until})",
        "client.get('/bill', {'since': '2026-01-01', 'until': '2026-01-11'})",
    ]
    assert is_telling("2026-01-11")
    assert is_telling("/bill")
    assert not is_telling("bill")


def test_what_a_view_finds_is_stored_before() -> None:
    code = Readings(
        {SHOW: ast.parse("def show(request): return Room")}.get,
        lambda _keys: [],
        lambda _keys: [],
        [SavedModel(Room, (), (), frozenset(), "objects.create")],
    )
    known = {"Client": Named("django.test", "Client", None)}
    found = client_sessions(web_of(DJANGO), known, [Route("/rooms", (), (SHOW,))], [SHOW], code)
    flows = [list(map(ast.unparse, one)) for one in found]
    assert ["room = Room.objects.create()", "client = Client()", "client.get('/rooms')"] in flows


class Room:
    """Stands in for a model."""


def test_an_application_that_is_an_object_is_named() -> None:
    (first, *_) = sessions(Preparation(FrameworkSetUp("flask", "shop:app")), [SHOW], {})
    assert first == ["app.testing = True", "client = app.test_client()", SHOWN]


def test_what_no_request_comes_to_has_no_session() -> None:
    assert sessions(FLASK, [CodeKey("shop.tasks", "nightly", 3)], {}) == []
    assert sessions(Preparation(FrameworkSetUp("flask", "shop:make_app()")), [SHOW], {}) == []  # a name that nothing explains
    assert sessions(Preparation(), [SHOW], {}) == []


def test_a_view_of_django_is_asked_as_it_reads() -> None:
    source = {SHOW: "def show(request, pk):\n    return request.GET['from']"}
    code = Readings({key: ast.parse(text) for key, text in source.items()}.get, lambda _keys: [], lambda _keys: [])
    known = {"Client": Named("django.test", "Client", None)}
    found = client_sessions(
        web_of(DJANGO),
        known,
        [Route("/rooms/<int:pk>/quote", (), (SHOW,))],
        [SHOW],
        code,
    )
    assert ["client = Client()", "client.get('/rooms/1/quote', {'from': from_})"] in [list(map(ast.unparse, one)) for one in found]


def test_a_document_in_the_data_of_a_request_is_sent() -> None:
    code = Readings(
        {SHOW: ast.parse("def put(request):\n    return request.data['from'] + request.query_params['to']")}.get,
        lambda _keys: [],
        lambda _keys: [],
    )
    known = {"Client": Named("django.test", "Client", None)}
    found = client_sessions(web_of(DJANGO), known, [Route("/rooms", ("put",), (SHOW,))], [SHOW], code)
    sent = "client.put('/rooms', {'to': to, 'from': from_}, content_type='application/json')"
    assert sent in [ast.unparse(one[-1]).replace("{'from': from_, 'to': to}", "{'to': to, 'from': from_}") for one in found]


def test_a_document_within_a_document_is_sent_as_it_is_read() -> None:
    nested = "{'lines': [{'sku': 'mug', 'pieces': 1}]}"
    trees = {ADD: ast.parse("def add():\n    return reserve(request.get_json()['lines'])")}
    code = Readings(trees.get, lambda _keys: [], lambda _keys: [], bodies=lambda keys: [nested, "{}"] if ADD in keys else [])
    found = client_sessions(web_of(FLASK), APPLICATION, ROUTES[2:3], [ADD], code)
    lines = [ast.unparse(one[-1]) for one in found]
    assert lines[0] == f"client.post('/basket/lines', json={nested})"
    assert "client.post('/basket/lines', json={})" in lines


def test_an_asgi_application_is_started_and_sent_what_it_describes() -> None:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"tool": {"type": "string"}}}}}}
    told = Description({"post": {"requestBody": body}})
    rate = Description({})
    routes = [Route("/loans/<desk>", ("post",), (ADD,), (), told), Route("/rate", ("get",), (SHOW,), (), rate)]
    code = Readings(
        {SHOW: ast.parse("async def show(request): return request.query_params['currency']")}.get,
        lambda _keys: [],
        lambda _keys: [],
    )
    known = {"app": Named("shop", "app", None), "TestClient": Named("starlette.testclient", "TestClient", None)}
    found = client_sessions(web_of(Preparation(FrameworkSetUp("asgi", "shop:app"))), known, routes, [SHOW], code)
    flows = [list(map(ast.unparse, one)) for one in found]
    opening = "with TestClient(app) as client:\n    pass"
    assert flows[0] == [opening, "client.get('/rate', params={'currency': currency})"]
    assert [opening, "client.post('/loans/x', json={'tool': tool})", flows[0][1]] in flows
    assert [opening, "client.post('/loans/x', json={'tool': 'x'})", flows[0][1]] in flows
    assert (
        client_sessions(web_of(Preparation(FrameworkSetUp("asgi", "shop:server"))), known, routes, [SHOW], code) == ()
    )  # a name that nothing explains


def test_the_request_of_the_report_is_sent_as_it_is() -> None:
    code = Readings({key: ast.parse(text) for key, text in SOURCES.items()}.get, lambda _keys: [], lambda _keys: [])
    told = [SentRequest("get", "/basket/show?currency=CHF"), SentRequest("post", "/basket/lines", body='{"sku": "ink"}')]
    nightly = [CodeKey("shop.tasks", "nightly", 3)]  # no view is on the path: the report says enough
    found = client_sessions(web_of(FLASK), APPLICATION, ROUTES, nightly, code, told)
    flows = [list(map(ast.unparse, one))[3:] for one in found]
    assert flows[0] == ["client.get('/basket/show?currency=CHF')"]
    assert [ADDED, "client.get('/basket/show?currency=CHF')"] in flows
    assert ["client.post('/basket/lines', json={'sku': 'ink'})"] in flows


def test_what_stands_in_the_path_is_stored() -> None:
    model = SavedModel(Room, (("slug", "'x'"), ("floor", "1")), (("wing", "'x'"),), frozenset(), "objects.create")
    code = Readings(lambda _key: None, lambda _keys: [], lambda _keys: [], [model], modules=[ast.parse("Room")])
    known = {"Client": Named("django.test", "Client", None)}
    route = Route("/rooms/<slug:slug>/<int:floor>", ("get",), ())
    told = [SentRequest("get", "/rooms/blue-salon/3?wing=north")]
    found = client_sessions(web_of(DJANGO), known, [route], [SHOW], code, told)
    stored = "room = Room.objects.create(slug='blue-salon', floor=3, wing='north')"
    assert [stored, "client = Client()", "client.get('/rooms/blue-salon/3?wing=north')"] in [
        list(map(ast.unparse, one)) for one in found
    ]


def test_a_body_that_cannot_be_read_any_more_is_left_out() -> None:
    code = Readings(lambda _key: None, lambda _keys: [], lambda _keys: [])
    told = [SentRequest("post", "/nowhere", body='{"key": ***}')]
    (only,) = client_sessions(web_of(FLASK), APPLICATION, ROUTES, [SHOW], code, told)[:1]
    assert ast.unparse(only[-1]) == "client.post('/nowhere')"


def test_the_request_is_sent_as_the_projects_own_tests_send_theirs() -> None:
    opening = ["app = create_app({'TESTING': True})", "db.create_all()", "client = app.test_client()"]
    sent = ["client.post('/basket/lines', json={'sku': 'mug'})", "client.get('/basket/show')"]
    made, asked = (tuple(ast.parse("\n".join(lines)).body) for lines in (opening, sent))
    far = ClientTest(made, tuple(ast.parse("client.post('/library/lend')").body), ("/library/lend",))
    tests = [far, ClientTest(made, asked, ("/basket/lines", "/basket/show"))]
    code = Readings(lambda _key: None, lambda _keys: [], lambda _keys: [], tests=tests)
    told = [SentRequest("get", "/basket/show?currency=CHF")]
    found = client_sessions(web_of(FLASK), APPLICATION, ROUTES, [SHOW], code, told)
    flows = [list(map(ast.unparse, one)) for one in found]
    request = "client.get('/basket/show?currency=CHF')"
    assert flows[0] == [*opening, request]
    assert [*OPENING, request] in flows
    assert [*opening, *sent, request] in flows
    assert flows.index([*opening, *sent]) < flows.index([*opening, "client.post('/library/lend')"])  # what is nearer comes first


def test_a_client_of_the_framework_is_logged_in_as_the_projects_tests_do_it() -> None:
    logged_in = ["user = User.objects.create_user('ada')", "client.force_login(user)"]
    tests = [ClientTest(tuple(ast.parse("\n".join(logged_in)).body), tuple(ast.parse("client.get('/x')").body), ("/x",))]
    code = Readings(lambda _key: None, lambda _keys: [], lambda _keys: [], tests=tests)
    known = {"Client": Named("django.test", "Client", None)}
    told = [SentRequest("get", "/rooms/1")]
    found = client_sessions(web_of(DJANGO), known, [], [SHOW], code, told)
    flows = [list(map(ast.unparse, one)) for one in found]
    assert flows[0] == ["client = Client()", *logged_in, "client.get('/rooms/1')"]
    assert ["client = Client()", *logged_in, "client.get('/x')", "client.get('/rooms/1')"] in flows


def test_names_and_attributes() -> None:
    assert names_and_attributes([ast.parse("loan.due_on + day()")]) == {"loan", "due_on", "day"}

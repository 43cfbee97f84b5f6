"""What a web application can be asked in turn, beside what a report tells of."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.core.invocation import SentRequest
from crashwright.core.location import CodeKey
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import web_of
from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.client_sessions import Readings, Sending, targets_on
from crashwright.engine.sources.applications.operations import Asking, text_of
from crashwright.engine.sources.applications.route_operations import MOST_OTHERS, route_operations
from crashwright.engine.testcase.statements import Named

SHOW = CodeKey("shop.views", "show", 1)
ADD = CodeKey("shop.views", "add", 4)
MANY = [
    Route(f"/aside/{number}", ("post",), (CodeKey("shop.views", f"aside{number}", number + 10),)) for number in range(MOST_OTHERS)
]
ROUTES = (Route("/basket", ("get",), (SHOW,)), *MANY, Route("/lines/<int:basket>", ("post",), (ADD,)))


def asked(told: Sequence[SentRequest]) -> Asking:
    framework = web_of(Preparation(FrameworkSetUp("flask", "shop:create_app()")))
    assert framework is not None
    readings = Readings(lambda _key: ast.parse("def view(): pass"), lambda _keys: [], lambda _keys: [])
    sending = Sending.of(framework, {"create_app": Named("shop", "create_app", None)}, ROUTES, [SHOW], readings)
    return route_operations(sending, ROUTES, told)


def test_what_the_report_tells_of_is_asked_however_many_there_are() -> None:
    name = "post /lines/<int:basket>"
    assert name not in [one.name for one in asked([]).others]
    found = asked([SentRequest("get", "/basket", 500), SentRequest("post", "/lines/3", 201)])
    assert [one.name for one in found.targets] == ["get /basket"]
    assert name in [one.name for one in found.others]
    assert len(found.others) == MOST_OTHERS
    assert found.told == (name, "get /basket")
    assert found.session == ()


def test_with_what_was_sent_the_requests_of_the_report_come_word_for_word() -> None:
    found = asked([SentRequest("get", "/basket?all=1", 500), SentRequest("post", "/lines/3", 201, '{"sku": "mug"}')])
    assert list(map(text_of, found.session)) == ["client.post('/lines/3', json={'sku': 'mug'})", "client.get('/basket?all=1')"]


GUARDS = ast.parse(
    """
def load_user():
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        g.user = users[header.removeprefix("Bearer ")]
"""
)


def test_roles_and_headers_are_read_where_callers_are_let_in() -> None:
    framework = web_of(Preparation(FrameworkSetUp("flask", "shop:create_app()")))
    assert framework is not None
    guard = CodeKey("shop.security", "load_user", 2)
    route = Route("/basket", ("get",), (SHOW,), before=(guard,), given=("keeper", "admin"))
    readings = Readings(lambda key: GUARDS if key == guard else ast.parse("def view(): pass"), lambda _keys: [], lambda _keys: [])
    sending = Sending.of(framework, {"create_app": Named("shop", "create_app", None)}, [route, *MANY], [SHOW], readings)
    found = route_operations(sending, [route], [])
    assert found.callers == ("keeper", "admin")
    (header,) = found.headers
    assert header.written == "client.environ_base.update(HTTP_AUTHORIZATION={value})"
    assert "Bearer " in header.before
    assert "" in header.before


def test_of_routes_that_share_a_decorator_those_are_asked_that_have_the_whole_path() -> None:
    guarded = CodeKey("shop.security", "guarded", 9)
    show, add = Route("/basket", ("get",), (guarded, SHOW)), Route("/lines", ("post",), (guarded, ADD))
    assert targets_on([guarded, SHOW], [add, show]) == [show]
    assert targets_on([guarded], [add, show]) == [add, show]

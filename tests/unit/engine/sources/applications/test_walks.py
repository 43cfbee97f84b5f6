"""Walks through a depot whose parcels crash after an order of scans that nobody tells."""

from __future__ import annotations

import ast
import random
from typing import Any

from crashwright.engine.sources.applications.conversation import Conversation
from crashwright.engine.sources.applications.flows import Turn, enlarged
from crashwright.engine.sources.applications.operations import AskedOperation, call_in, keys_in, text_of
from crashwright.engine.sources.applications.replies import Reply
from crashwright.engine.sources.applications.walks import MOST_STEPS, AskingWalks

MOVES = {"announced": {"arrive": "sorted"}, "sorted": {"hold": "held", "load": "tour"}, "tour": {"miss": "sorted"}}
EVENTS = ("arrive", "hold", "load", "miss")


def operation(name: str, way: str, **more: Any) -> AskedOperation:
    call = call_in(way)
    assert call is not None
    return AskedOperation(name, (call,), **more)


class Depot:
    def __init__(self) -> None:
        self.state = ""

    def __call__(self, call: ast.Call) -> Reply:
        text = text_of(call)
        if "/parcels'" in text:
            if self.state:
                return Reply(False, "409 it is there")
            self.state = "announced"
            return Reply(True, "201", {"state": (self.state,)})
        if not self.state:
            return Reply(False, "404", lacks=True)
        if self.state not in MOVES:
            return Reply(False, f"KeyError: {self.state}", crashed=True)
        event = next((one for one in MOVES[self.state] if f"'{one}'" in text), "")
        self.state = MOVES[self.state].get(event, self.state)
        return Reply(bool(event), "200" if event else "409", {"state": (self.state,)})


PARCELS = operation("post /parcels", "client.post('/parcels', json={'to': 'ann'})")
SCANS = operation("post /scans", "client.post('/scans', json={'event': event})", choices={"event": EVENTS})


def test_an_order_of_calls_is_found_and_what_was_done_before_is_known() -> None:
    conversation = Conversation("KeyError")
    walks = AskingWalks((SCANS,), (PARCELS,), (), conversation, random.Random(1))
    found = [(walk, *one) for walk in (walks.walk(Depot()) for _ in range(6)) for one in walk.found]
    assert found
    walk, done, call = found[0]
    depot = Depot()
    assert all(depot(one.call).succeeded for one in walk.done[:done])
    assert depot(call).text == "KeyError: held"
    assert len(walk.done) <= MOST_STEPS


def test_it_ends_where_nothing_is_new() -> None:
    asked: list[ast.Call] = []

    def refuse(call: ast.Call) -> Reply:
        asked.append(call)
        return Reply(False, "409 no")

    walk = AskingWalks((SCANS,), (PARCELS,), (), Conversation("KeyError"), random.Random(1)).walk(refuse)
    assert (walk.done, walk.found) == ([], [])
    assert len(asked) < 40


def test_with_more_than_one_of_each_something_is_left_over() -> None:
    shows = operation("post /shows", "client.post('/shows', json={'capacity': 1})")
    orders = operation("post /orders", "client.post('/orders', json={'show_id': 1, 'count': 1})")
    bare = call_in("client.post('/orders', json={'show_id': 1})")
    assert bare is not None
    flows = list(enlarged([Turn(shows, shows.ways[0]), Turn(orders, bare)], lambda leaf: not leaf.name.endswith("id")))
    assert [[text_of(one.call) for one in flow] for flow in flows] == [
        ["client.post('/shows', json={'capacity': 2})", "client.post('/orders', json={'show_id': 1, 'count': 2})"],
        ["client.post('/shows', json={'capacity': 2})", "client.post('/orders', json={'show_id': 1})"],
    ]
    assert keys_in(bare) == {"show_id"}

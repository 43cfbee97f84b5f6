"""How somebody is let in whom an application turns away."""

from __future__ import annotations

import ast
from types import SimpleNamespace

from crashwright.engine.sources.applications.letting_in import sent_from_now_on
from crashwright.engine.sources.applications.operations import Asking, SentHeader, call_in
from crashwright.engine.sources.applications.replies import Reply, reply_of


def test_what_an_answer_gave_out_is_sent_in_a_header_from_now_on() -> None:
    call = call_in("client.post('/login', json={'name': 'ann'})")
    assert call is not None
    header = SentHeader("client.headers.update(X_KEY={value})", "{answer}.json", ("Bearer ", ""))
    answer = reply_of(SimpleNamespace(status_code=200, text='{"ok": "yes", "token": "0123456789"}'))
    made = sent_from_now_on(call, answer, Asking(headers=(header,)))
    sent = "client.post('/login', json={'name': 'ann'}).json['token']"
    assert [ast.unparse(one) for one in made] == [
        f"client.headers.update(X_KEY='Bearer ' + {sent})",
        f"client.headers.update(X_KEY={sent})",
    ]
    assert not list(sent_from_now_on(call, Reply(True, "200 no document"), Asking(headers=(header,))))

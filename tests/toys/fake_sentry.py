"""A Sentry server on this machine that has the documented shapes, for as long as a test takes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

TOKEN = "sntryu_not-a-real-one"
PROJECT = "/api/0/projects/acme/shop"


class Answer(NamedTuple):
    """What the server says to one path; ``body`` is JSON unless it is bytes."""

    body: object = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Server(NamedTuple):
    url: str
    asked: list[tuple[str, str | None]]
    """Paths with their queries, and the header Authorization."""


@contextmanager
def serving(answers: dict[str, Answer | list[Answer]]) -> Iterator[Server]:
    """The paths of ``answers``, which are used up where they are lists; 404 for all others."""
    asked: list[tuple[str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("Authorization")))
            found = answers.get(self.path, Answer({"detail": "The requested resource does not exist"}, 404))
            answer = found.pop(0) if isinstance(found, list) else found
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def issue(number: int) -> dict[str, object]:
    return {"id": str(number), "shortId": f"SHOP-{number}", "title": "a crash", "count": "7", "platform": "python"}


def event(number: int, **more: object) -> dict[str, object]:
    identity = f"{number:032x}"
    return {"id": identity, "eventID": identity, "groupID": "1", "dateCreated": "2026-11-21T17:30:42Z", **more}


def link(cursor: str, results: str) -> tuple[tuple[str, str], ...]:
    at = f"http://elsewhere.invalid{PROJECT}/issues/?cursor="
    previous = f'<{at}0:0:1>; rel="previous"; results="false"; cursor="0:0:1"'
    return (("Link", f'{previous}, <{at}{cursor}>; rel="next"; results="{results}"; cursor="{cursor}"'),)

"""An answer of a server, bounded: what is too large, too slow or sent on to elsewhere is given up."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.parse import SplitResult, urlsplit

from crashwright.workflows.deadline import Clock

MOST_BYTES = 32 << 20
"""Of one answer."""
SILENCE = 30.0
"""Seconds without a byte after which an answer is given up."""
LONGEST = 120.0
"""Seconds that one answer may take."""
_CHUNK = 1 << 16


class TooLarge(Exception):
    """The answer has more than ``MOST_BYTES``."""


class TooSlow(Exception):
    """The answer takes more than ``LONGEST``."""


class AtHome(urllib.request.HTTPRedirectHandler):
    """Follows redirections on the same server only, since the token goes there; any other remains the error that it is."""

    def __init__(self, home: SplitResult) -> None:
        self._home = home

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        there = urlsplit(newurl)
        if (there.scheme, there.netloc) != (self._home.scheme, self._home.netloc):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def body_of(answer: HTTPResponse, clock: Clock) -> bytes:
    """All of it. Raises TooLarge and TooSlow."""
    parts: list[bytes] = []
    size, until = 0, clock() + LONGEST
    while chunk := answer.read1(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > MOST_BYTES:
            raise TooLarge
        if clock() > until:
            raise TooSlow
    return b"".join(parts)


def usable(address: str) -> SplitResult | None:
    """The parts of an address of http or https without a password in it; None where it is none."""
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        return None
    return parts if known and "@" not in parts.netloc and re.fullmatch(r"[!-~]+", address) else None


def why(error: OSError | HTTPException) -> str:
    """In words of this machine: what an HTTPException says is the server's."""
    if isinstance(error, HTTPException):
        return "its answer breaks off, or is not HTTP"
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return f"no answer within {SILENCE:.0f} s"
    return (reason.strerror if isinstance(reason, OSError) else "") or type(reason).__name__

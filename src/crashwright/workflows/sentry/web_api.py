"""Sentry's web API (docs.sentry.io/api): one GET after the other with the user's token, each bounded in time and size.

Whatever answers is not trusted: the token goes to the address that the user gave and nowhere else, and no word of an answer
gets into an error, since it might be the token.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from http.client import HTTPException, HTTPResponse
from typing import NoReturn
from urllib.parse import quote, urlsplit

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.crash.readers.json_text import Json
from crashwright.workflows.deadline import Clock
from crashwright.workflows.web.bounded import LONGEST, MOST_BYTES, SILENCE, AtHome, TooLarge, TooSlow, body_of, usable, why

ADDRESS = "https://sentry.io"
TOKEN = "SENTRY_AUTH_TOKEN"
"""The environment variable; there is no option for it, since command lines can be read by others."""
PATIENCE = 60.0
"""Seconds that are waited where the server asks for it; longer ones are told."""
ATTEMPTS = 4
MOST_PAGES = 1000
_NEXT = re.compile(r'<[^>]*>((?:\s*;\s*\w+="[^"]*")+)')
_PARAMETER = re.compile(r'(\w+)="([^"]*)"')
_SECRET = b"[left out]"


class NotThere(UsageError):
    """The server knows of no such thing, or shows it to nobody with this token."""


class WebApi:
    """One server, and the token for it. Raises UsageError for an address or token that can be none, and EnvironmentProblem where
    the server cannot be asked, or answers nonsense."""

    def __init__(self, address: str, token: str, clock: Clock, sleep: Callable[[float], None]) -> None:
        self._address = _checked_address(address)
        self._token = _checked_token(token)
        self._clock = clock
        self._sleep = sleep
        self._opener = urllib.request.build_opener(AtHome(urlsplit(self._address)))

    @property
    def host(self) -> str:
        """The server's name."""
        return urlsplit(self._address).netloc

    def text(self, path: str, *query: tuple[str, str]) -> bytes:
        """The answer to a GET, without the token should it be in there."""
        return self._answer(path, query)[0]

    def listed(self, path: str, *query: tuple[str, str]) -> Iterator[Json]:
        """The members of a list that comes page by page."""
        cursor = ""
        for _ in range(MOST_PAGES):
            body, headers = self._answer(path, (*query, ("cursor", cursor)) if cursor else query)
            page = self.value(body)
            if not isinstance(page, list):
                self.nonsense("a list was expected")
            yield from page
            cursor = _next_cursor(headers)
            if not cursor:
                return

    def value(self, body: bytes) -> Json:
        """The JSON in an answer."""
        try:
            value: Json = json.loads(body)
        except (ValueError, RecursionError):
            self.nonsense("it is not JSON")
        return value

    def nonsense(self, reason: str) -> NoReturn:
        """The server's answer makes no sense."""
        raise EnvironmentProblem(f"{self.host} does not answer like Sentry: {reason}.", "Give the server's address with --url.")

    def _answer(self, path: str, query: tuple[tuple[str, str], ...]) -> tuple[bytes, Message]:
        asked = "&".join(f"{name}={quote(value, safe='')}" for name, value in query)
        url = f"{self._address}/api/0/{path}{'?' if asked else ''}{asked}"
        for _ in range(ATTEMPTS):
            request = urllib.request.Request(url, headers={"Accept": "application/json", "User-Agent": "crashwright"})
            request.add_header("Authorization", f"Bearer {self._token}")
            try:
                with self._opener.open(request, timeout=SILENCE) as answer:
                    return self._read(answer).replace(self._token.encode(), _SECRET), answer.headers
            except urllib.error.HTTPError as error:
                with error:
                    wait = self._refused(error.code, error.headers)
            except (OSError, HTTPException) as error:
                raise EnvironmentProblem(f"{self.host} cannot be reached: {why(error)}.", _NETWORK) from None
            self._sleep(wait)
        raise EnvironmentProblem(f"{self.host} asks to wait again and again (429).", "Try again later, or use a smaller --limit.")

    def _read(self, answer: HTTPResponse) -> bytes:
        try:
            return body_of(answer, self._clock)
        except TooLarge:
            self.nonsense(f"an answer is larger than {MOST_BYTES >> 20} MB")
        except TooSlow:
            raise EnvironmentProblem(f"{self.host} did not answer within {LONGEST:.0f} s.", _NETWORK) from None

    def _refused(self, code: int, headers: Message) -> float:
        """How long to wait before asking again. Raises CrashwrightError where that does not help."""
        if code in (401, 403):
            told = "does not accept the token" if code == 401 else "does not let this token see that"
            raise EnvironmentProblem(f"{self.host} {told} ({code}).", _SCOPES)
        if code == 404:
            raise NotThere(f"{self.host} has no such project or issue, or hides it from this token (404).", _NAMES)
        if code == 429:
            wait = _seconds(headers.get("Retry-After", ""))
            if wait > PATIENCE:
                advice = f"Try again in {wait:.0f} s, or use a smaller --limit."
                raise EnvironmentProblem(f"{self.host} has been asked too often (429).", advice)
            return wait
        if 300 <= code < 400:
            raise EnvironmentProblem(f"{self.host} redirects to another server, which does not get the token ({code}).", _REGION)
        raise EnvironmentProblem(f"{self.host} cannot answer ({code}).", "Try again later.")


_NETWORK = "Is there a network, and is the address that of --url or SENTRY_URL?"
_SCOPES = f"{TOKEN} has to be a token with the scopes event:read and project:read, of the server of --url."
_NAMES = "Give ORG/PROJECT as in the addresses of its pages, and of an issue the number (--issue)."
_REGION = "If that is right, give its address with --url, such as https://de.sentry.io."


def _checked_address(address: str) -> str:
    advice = f"Give an address such as {ADDRESS} with --url or SENTRY_URL."
    parts = usable(address)
    # What stands before an @ may be a password: it is not repeated.
    if parts is None or "@" in address or parts.query or parts.fragment:
        raise UsageError("The address of Sentry is not valid.", advice)
    return address.rstrip("/")


def _checked_token(token: str) -> str:
    if not token.strip():
        raise UsageError(
            f"{TOKEN} is not set: Sentry needs a token.",
            f"Make one in Sentry (event:read, project:read): export {TOKEN}=...",
        )
    # The standard library would repeat in its error what can be no header.
    if not re.fullmatch(r"[!-~]{8,4096}", token.strip()):
        raise UsageError(f"{TOKEN} does not hold a valid token.", "Copy the token again, without quotes and line ends.")
    return token.strip()


def _next_cursor(headers: Message) -> str:
    """The cursor of the next page, by the header ``Link``; empty on the last one."""
    for link in _NEXT.finditer(headers.get("Link", "")):
        parameters = dict(_PARAMETER.findall(link[1]))
        if parameters.get("rel") == "next" and parameters.get("results") == "true":
            return str(parameters.get("cursor", ""))
    return ""


def _seconds(text: str) -> float:
    """What ``Retry-After`` asks for; some where it does not say, or names a date."""
    return float(text) if re.fullmatch(r"[0-9]{1,9}", text.strip()) else 5.0

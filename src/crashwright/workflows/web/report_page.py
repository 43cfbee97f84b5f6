"""A report at an address: the text of an issue of GitHub, by its API, or any text, page or JSON that a server gives to everybody.

Nothing but the request is sent, to the address that the user gave. The token goes to the API alone, and no word of an answer gets
into an error.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import MutableMapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.parse import urlsplit

from crashwright.core.errors import EnvironmentProblem, ReportError, UsageError
from crashwright.crash.readers.cleaning import decoded
from crashwright.crash.readers.json_text import Json
from crashwright.crash.readers.registry import read_reports
from crashwright.workflows.deadline import Clock
from crashwright.workflows.web.bounded import LONGEST, MOST_BYTES, SILENCE, AtHome, TooLarge, TooSlow, body_of, usable, why

SERVER, API = "GITHUB_SERVER_URL", "GITHUB_API_URL"
"""Environment variables with the addresses of a GitHub of one's own, under the names that its runners give them."""
TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
"""Environment variables, of which the first that is set is sent to the API: private repositories, and more requests an hour."""
MOST_REDIRECTIONS = 5
_ISSUE = re.compile(r"/([\w.-]+)/([\w.-]+)/(?:issues|pull)/(\d+)/?")
_OF_API = re.compile(r"/repos/[\w.-]+/[\w.-]+/issues/\d+/?")
_TEXT = re.compile(r"(?i)\s*(?:text/.*|application/(?:.*\+)?(?:json|xml|xhtml\+xml|x-ndjson)\b.*)?")
_NETWORK = "Is there a network, and is the address right?"


def fetched_report(address: str, environment: MutableMapping[str, str], clock: Clock) -> str:
    """The text at ``address``. A token is taken out of the ``environment``, where no process that is started later finds it.

    Raises UsageError for what is no address, ReportError where there is no text, and EnvironmentProblem where the server cannot be
    asked.
    """
    parts = usable(address)
    if parts is None:
        raise UsageError("The address of the report is not valid.", "Give one such as https://HOST/PATH, without a password.")
    server = environment.get(SERVER, "https://github.com").rstrip("/")
    api = environment.get(API, "https://api.github.com").rstrip("/")
    plain = f"{parts.scheme}://{parts.netloc}{parts.path}"
    issue = _ISSUE.fullmatch(plain.removeprefix(server)) if plain.startswith(f"{server}/") else None
    if issue is not None:
        plain = f"{api}/repos/{issue[1]}/{issue[2]}/issues/{issue[3]}"
    if plain.startswith(f"{api}/") and _OF_API.fullmatch(plain.removeprefix(api)):
        return _issue_text(plain.rstrip("/"), _Web(clock, _token(environment)))
    return decoded(_Web(clock).get(address))


def _token(environment: MutableMapping[str, str]) -> str:
    found = [value.strip() for name in TOKENS if (value := environment.pop(name, ""))]
    if found and not re.fullmatch(r"[!-~]{8,4096}", found[0]):
        raise UsageError("GITHUB_TOKEN has no valid token.", "Copy the token again, without quotes and line ends, or unset it.")
    return found[0] if found else ""


def _issue_text(url: str, web: _Web) -> str:
    """What the issue says; where no report is in that, its comments."""
    issue = _value(web.get(url))
    said = str(issue.get("body") or "") if isinstance(issue, dict) else ""
    if _has_report(said):
        return said
    comments = _value(web.get(f"{url}/comments?per_page=100"))
    bodies = [str(one.get("body") or "") for one in comments if isinstance(one, dict)] if isinstance(comments, list) else []
    return "\n\n".join((said, *bodies))


def _has_report(text: str) -> bool:
    try:
        return bool(read_reports(text))
    except ReportError:
        return False


def _value(body: bytes) -> Json:
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError):
        raise EnvironmentProblem("GitHub's API did not answer with JSON.", _NETWORK) from None
    return value


@dataclass(frozen=True, slots=True)
class _Web:
    """With a ``token``, which is left out of the answers, no redirection leads to another server."""

    clock: Clock
    token: str = ""

    def get(self, url: str) -> bytes:
        """The body of the answer to a GET."""
        host = urlsplit(url).netloc
        request = urllib.request.Request(
            url, headers={"Accept": "text/*, application/json, */*;q=0.1", "User-Agent": "crashwright"}
        )
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        opener = urllib.request.build_opener(AtHome(urlsplit(url)) if self.token else _NoFurther())
        try:
            with opener.open(request, timeout=SILENCE) as answer:
                _check_text(answer.headers, host)
                body = body_of(answer, self.clock)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error.code, host) from None
        except (OSError, HTTPException) as error:
            raise EnvironmentProblem(f"{host} cannot be reached: {why(error)}.", _NETWORK) from None
        except TooLarge:
            raise ReportError(
                f"The answer of {host} is larger than {MOST_BYTES >> 20} MB.", "Download it, and pass the part with the traceback."
            ) from None
        except TooSlow:
            raise EnvironmentProblem(f"{host} did not answer within {LONGEST:.0f} s.", _NETWORK) from None
        return body.replace(self.token.encode(), b"[left out]") if self.token else body

    def _refused(self, code: int, host: str) -> EnvironmentProblem | ReportError:
        if code in (404, 410):
            hidden = "" if self.token else f", or hides it: {TOKENS[0]} in the environment is sent to GitHub's API"
            return ReportError(f"{host} has no such page ({code}).", f"Check the address: there is no such page{hidden}.")
        if code in (401, 403, 429):
            told = "does not accept the token" if code == 401 and self.token else "does not show that, or has been asked too often"
            return EnvironmentProblem(
                f"{host} {told} ({code}).", f"{TOKENS[0]} in the environment is sent to GitHub's API, nowhere else."
            )
        if 300 <= code < 400:
            return EnvironmentProblem(f"{host} redirects too often, or to a forbidden address ({code}).", _NETWORK)
        return EnvironmentProblem(f"{host} cannot answer ({code}).", "Try again later.")


def _check_text(headers: Message, host: str) -> None:
    kind = headers.get("Content-Type", "")
    if not _TEXT.fullmatch(kind):
        shown = (
            kind.partition(";")[0].strip() if re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}\s*(?:;.*)?", kind) else "something else"
        )
        raise ReportError(
            f"{host} answers with {shown}, not with text.", "Give the address of the text itself, such as that of a raw file."
        )


class _NoFurther(urllib.request.HTTPRedirectHandler):
    """A few redirections, to web servers, and never from one that is encrypted to one that is not."""

    def __init__(self) -> None:
        self._left = MOST_REDIRECTIONS

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        there = usable(newurl)
        self._left -= 1
        if self._left < 0 or there is None or (req.type == "https" and there.scheme != "https"):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)

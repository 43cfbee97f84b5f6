"""``crashwright sentry``: the events of a Sentry project become the reports of a batch."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import replace
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.batch import BatchOptions, batch_report, batch_request, worked_off
from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import EVERYDAY
from crashwright.cli.page_file import check_page
from crashwright.cli.project_settings import configured
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.batch.events import BatchTold
from crashwright.workflows.sentry.events import Fetched, WantedEvents, fetch
from crashwright.workflows.sentry.web_api import ADDRESS, TOKEN, WebApi

_DEFAULTS = BatchOptions()

app = App(
    name="sentry",
    config=configured("python", "path", "package", "seed", "allow", "json"),
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    project: Annotated[str, Parameter(name="ORG/PROJECT")],
    /,
    *,
    issue: str | None = None,
    query: str | None = None,
    limit: int = 100,
    url: str | None = None,
    options: BatchOptions = _DEFAULTS,
) -> int:
    """Reproduce the crashes of a Sentry project, like batch: the newest event of each issue.

    The environment variable SENTRY_AUTH_TOKEN has to hold a token with the scopes event:read and project:read.

    Parameters
    ----------
    project
        The project, as in the address of its page: acme/shop.
    issue
        Use only the events of this issue, the newest first. Example: --issue 4711.
    query
        A Sentry search for issues, such as "is:unresolved release:2.4" [default: unresolved issues].
    limit
        How many issues (with --issue: events) to load at most.
    url
        The server's address [default: the environment variable SENTRY_URL, or https://sentry.io].
    """
    # Taken away: no process that is started here, and no code of a subject, is to find it.
    token = os.environ.pop(TOKEN, "")
    shown = batch_report(options.json)
    with errors_as_json(options.json), closing(shown):
        check_page(options.html)
        request = batch_request((project,), options)  # what is wrong with the options is told before the server is asked
        wanted = WantedEvents(project, issue or "", query or "", limit)
        api = WebApi(url or os.environ.get("SENTRY_URL") or ADDRESS, token, time.monotonic, time.sleep)
        with Scratch(Watchdog()) as folder:
            fetched = fetch(api, wanted, folder)
            shown.event(BatchTold(_told(fetched, wanted, api)))
            return worked_off(replace(request, names=tuple(fetched.names), called=fetched.names), options, shown)


def _told(fetched: Fetched, wanted: WantedEvents, api: WebApi) -> str:
    gone = f"; {fetched.gone} no longer exist" if fetched.gone else ""
    return f"{len(fetched.names)} events of {wanted.project} loaded from {api.host}{gone}"

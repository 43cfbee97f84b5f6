"""A command of ours run for somebody else, in a process of its own: it can touch what the command line can, no more, and ends with
whoever waits for it."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from crashwright.supervision.watchdog import Watchdog

_LAST_SECONDS = 2.0
"""Until a process that was killed is gone, at most."""
LONGEST_LINE = 8 << 20
"""Bytes of a line of progress: it may hold a test."""

Told = Callable[[str], Awaitable[None]]


async def run_command(words: Sequence[str], text: str, told: Told, watchdog: Watchdog, farewell: float = 0.0) -> dict[str, Any]:
    """Run ``crashwright WORDS``, with ``text`` on standard input; ``told`` hears of its progress. Its JSON document, or what it
    printed, as lines. Cancelled, it is interrupted, and has ``farewell`` seconds to tell what it has; then it is killed."""
    command = [sys.executable, "-m", "crashwright", *words]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST_LINE, start_new_session=True
    )
    watchdog.watch_group(process.pid)
    try:
        told_all = asyncio.gather(_read(process.stdout), _listen(process.stderr, told), _write(process.stdin, text))
        try:
            out, _, _ = await (asyncio.shield(told_all) if farewell else told_all)
        except asyncio.CancelledError:
            if not farewell:
                raise
            process.send_signal(signal.SIGINT)
            try:
                out, _, _ = await asyncio.wait_for(told_all, farewell)
            except TimeoutError:
                raise asyncio.CancelledError from None
        code = await process.wait()
    finally:
        if process.returncode is None:
            # Nobody waits any more. What it has started ends with it: its watchdog sees to that.
            process.send_signal(signal.SIGKILL)
            with suppress(TimeoutError):
                # Otherwise Python complains of it, once the loop is closed.
                await asyncio.wait_for(process.wait(), _LAST_SECONDS)
        watchdog.forget_group(process.pid)
    return _document(out.decode(errors="replace"), code)


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()


async def _write(stream: asyncio.StreamWriter | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text.encode(errors="replace"))
        await stream.drain()
    except (BrokenPipeError, ConnectionResetError):
        return  # it has ended already, and says why
    finally:
        stream.close()


async def _listen(stream: asyncio.StreamReader | None, told: Told) -> None:
    while stream is not None and (line := await stream.readline()):
        try:
            event = json.loads(line)
        except ValueError:
            event = {"text": line.decode(errors="replace").strip().removeprefix("...").strip()}
        if isinstance(event, dict) and event.get("text"):
            await told(str(event["text"]))


def _document(out: str, code: int) -> dict[str, Any]:
    try:
        document = json.loads(out)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return document
    return {"exit_code": code, "lines": out.splitlines()}

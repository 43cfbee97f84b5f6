"""The process that imports the subject once and forks engines from it: it watches them, kills what hangs, remembers what killed.

It has no threads and runs no test. Standard input holds a Start line; what follows is for its forks, until another Start line comes
for a search from another frame, and its end asks to stop.
"""

from __future__ import annotations

import dataclasses
import gc
import importlib
import importlib.util
import os
import platform
import random
import select
import signal
import sys
import traceback
from types import FrameType

from crashwright.core.messages import AnyStart, Failed, FailureKind, Imported, Incident, IncidentKind, Start, StartSuite, decode
from crashwright.engine.execution.confinement import die_with_parent
from crashwright.engine.execution.enclosure import Enclosure
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.streams import Streams, redirect_descriptors
from crashwright.engine.frameworks.preparing import SubjectSetUp
from crashwright.engine.frameworks.sqlalchemy import relate_models
from crashwright.engine.instrument.compiled import choice
from crashwright.engine.subject.importing import import_subject, load_further
from crashwright.engine.worker.bytecode import Bytecode
from crashwright.engine.worker.channel import Channel, Checkpoints, out_of_reach
from crashwright.engine.worker.engine import CLOCKS
from crashwright.engine.worker.folders import Folders
from crashwright.engine.worker.fork_server import ForkServer
from crashwright.engine.worker.protocol import Repeatable, Session


def main(descriptor: int, session: str, bytecode: Bytecode) -> None:
    """Serve one host. ``descriptor`` is the pipe for messages; ``session`` names the module or file whose ``session()`` makes the
    Session. Our modules come from ``bytecode`` until the subject is near."""
    die_with_parent()
    descriptor = out_of_reach(descriptor)
    channel = Channel(descriptor)
    try:
        _serve(descriptor, channel, session, bytecode)
    except BrokenPipeError:
        return  # the host is gone
    except Exception as error:  # noqa: BLE001 (a defect of ours: told to the host as such)
        channel.send(Failed(FailureKind.INTERNAL, f"the engine failed: {type(error).__name__}: {error}", traceback.format_exc()))


def _serve(descriptor: int, channel: Channel, session_name: str, bytecode: Bytecode) -> None:
    control = _take_over_standard_input()
    start = _read_start(control)
    if start is None:
        return
    if not hasattr(os, "fork"):
        channel.send(Failed(FailureKind.TARGET, "this system cannot fork processes, which crashwright needs"))
        return
    signal.signal(signal.SIGTERM, _leave)
    folders = Folders(start.settings.scratch)
    folders.enter()
    streams = Streams()
    streams.install()
    sys.argv = [""]
    session = load_session(session_name)
    bytecode.leave()
    gc.enable()  # the bootstrap has put it to rest
    subject = session.prepare(start)
    enclosure = Enclosure(folders.root, start.settings)
    enclosure.close()
    random.seed(start.settings.search.seed)
    limits = start.settings.limits
    imported = import_subject(
        subject.modules,
        start.settings.path,
        limits.import_seconds,
        limits.longest_import,
        SubjectSetUp(start.settings.preparation),
    )
    refused = enclosure.guard.take_refusals()
    if not isinstance(imported, Failed):
        load_further(subject.further(), limits.import_seconds)
        enclosure.guard.take_refusals()  # nothing that was asked for
    enclosure.guard.rest()
    if isinstance(imported, Failed):
        channel.send(_with_refusals(imported, refused))
        return
    relate_models()
    python, probes, confined = platform.python_version(), choice().text, enclosure.confined(refused)
    channel.send(Imported(imported.seconds))
    if bytecode.damage:
        channel.send(Incident(IncidentKind.NOTED, bytecode.damage))
    os.set_blocking(control, False)  # for the forks that read it
    while True:
        ready = session.imported(imported.modules)
        if isinstance(ready, Failed):
            channel.send(ready)
        else:
            heartbeat = Heartbeat()
            checkpoints = Checkpoints(heartbeat, folders.root)
            isolation = Isolation(subject.packages, streams, start.settings.search.seed, folders.all)
            channel.send(
                dataclasses.replace(ready, python=python, import_seconds=imported.seconds, confined=confined, probes=probes)
            )
            gc.collect()
            gc.freeze()
            ForkServer(
                session=session,
                start=start,
                channel=Channel(descriptor, checkpoints, control),
                heartbeat=heartbeat,
                checkpoints=checkpoints,
                isolation=isolation,
                folders=folders,
                enclosure=enclosure,
                control=control,
                clock=CLOCKS.wall,
            ).run()
        if not isinstance(session, Repeatable):
            return
        another = _next_start(control)
        if another is None:
            return
        start = another
        random.seed(start.settings.search.seed)
        session.begin_again(start)


def load_session(name: str) -> Session:
    """The Session made by ``session()`` of a module, or of a file where ``name`` ends in ``.py``."""
    if name.endswith(".py"):
        spec = importlib.util.spec_from_file_location("crashwright_session", name)
        if spec is None or spec.loader is None:
            raise ImportError(f"no session in {name}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)
    made: Session = module.session()
    return made


def _with_refusals(problem: Failed, refused: tuple[str, ...]) -> Failed:
    """A failed import may be our doing: what the subject was kept from, unless the problem names it already."""
    told = [f"crashwright refused to {refusal}" for refusal in refused if refusal not in problem.text]
    if not refused and "PermissionError" in problem.detail:
        told.append("it ran confined; --allow network, processes or write:FOLDER allows more")
    return dataclasses.replace(problem, text="; ".join([problem.text, *told]))


def _take_over_standard_input() -> int:
    """The host's pipe under another number, out of the subject's way; descriptors 0-2 become /dev/null."""
    control = out_of_reach(os.dup(0))
    redirect_descriptors()
    return control


def _read_start(control: int) -> AnyStart | None:
    data = b""
    while not data.endswith(b"\n"):
        part = os.read(control, 1 << 16)
        if not part:
            return None
        data += part
    message = decode(data)
    return message if isinstance(message, Start | StartSuite) else None


def _next_start(control: int) -> Start | None:
    """What the host wants of this process next, for the same package; None where it wants no more. What was said to a fork that has
    ended is passed over."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    data = b""
    while True:
        poll.poll()
        try:
            part = os.read(control, 1 << 16)
        except BlockingIOError:
            continue
        if not part:
            return None
        *lines, data = (data + part).split(b"\n")
        for line in lines:
            try:
                message = decode(line)
            except ValueError:
                continue  # half a line, the beginning of which a fork has read
            if isinstance(message, Start):
                return message


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)

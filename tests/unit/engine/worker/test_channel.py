from __future__ import annotations

import os

from crashwright.core.messages import Incident, decode
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.worker.channel import Channel, Checkpoints


def test_messages_arrive_as_lines():
    reading, writing = os.pipe()
    Channel(writing).send(Incident("kind", "two\nlines"))
    os.close(writing)
    with open(reading, "rb") as pipe:
        assert [decode(line) for line in pipe] == [Incident("kind", "two\nlines")]


def test_the_last_checkpoint_counts_whatever_its_length(tmp_path):
    checkpoints = Checkpoints(Heartbeat(), str(tmp_path))
    assert checkpoints.load() is None
    channel = Channel(-1, checkpoints)
    for data in (b"long" * 1000, b"short", b""):
        channel.checkpoint(data)
        assert checkpoints.load() == data
    assert checkpoints.count == 3
    assert os.listdir(tmp_path) == []


def test_a_checkpoint_survives_the_death_of_the_fork_that_wrote_it(tmp_path):
    checkpoints = Checkpoints(Heartbeat(), str(tmp_path))
    pid = os.fork()
    if pid == 0:
        checkpoints.save(b"from the child")
        os._exit(1)
    os.waitpid(pid, 0)
    assert checkpoints.load() == b"from the child"

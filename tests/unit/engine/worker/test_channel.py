from __future__ import annotations

import math
import os

from crashwright.core.messages import Incident, IncidentKind, Insight, Migrants, Stop, decode, encode
from crashwright.core.precondition import WrittenPreconditions
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.worker.channel import Channel, Checkpoints


def test_messages_arrive_as_lines():
    reading, writing = os.pipe()
    Channel(writing).send(Incident(IncidentKind.KILLED, "two\nlines"))
    os.close(writing)
    with open(reading, "rb") as pipe:
        assert [decode(line) for line in pipe if line.strip()] == [Incident(IncidentKind.KILLED, "two\nlines")]


def test_a_message_after_rubbish_is_on_a_line_of_its_own():
    reading, writing = os.pipe()
    os.write(writing, b'{"message": "Incid')
    Channel(writing).send(Incident(IncidentKind.KILLED, "text"))
    os.close(writing)
    with open(reading, "rb") as pipe:
        *_, last = pipe
        assert decode(last) == Incident(IncidentKind.KILLED, "text")


def test_the_last_checkpoint_counts_whatever_its_length(tmp_path):
    checkpoints = Checkpoints(Heartbeat(), str(tmp_path))
    assert checkpoints.load() is None
    channel = Channel(-1, checkpoints)
    for data in (b"long" * 1000, b"short", b""):
        channel.checkpoint(data)
        assert checkpoints.load() == data
    assert checkpoints.count == 3
    assert os.listdir(tmp_path) == []


def test_a_checkpoint_that_was_written_into_does_not_count(tmp_path):
    checkpoints = Checkpoints(Heartbeat(), str(tmp_path))
    checkpoints.save(b"twelve bytes")
    for descriptor in checkpoints._files:
        os.pwrite(descriptor, b"?", 7)
    assert checkpoints.load() is None
    checkpoints.save(b"again")
    assert checkpoints.load() == b"again"


def test_a_checkpoint_survives_the_death_of_the_fork_that_wrote_it(tmp_path):
    checkpoints = Checkpoints(Heartbeat(), str(tmp_path))
    pid = os.fork()
    if pid == 0:
        checkpoints.save(b"from the child")
        os._exit(1)
    os.waitpid(pid, 0)
    assert checkpoints.load() == b"from the child"


def test_what_the_host_says_is_heard_in_pieces_and_half_a_line_is_passed_over():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    channel = Channel(-1, None, reading)
    assert channel.receive(Migrants) == []
    line = encode(Migrants(3, ({"a": 1},)))
    os.write(writing, line[5:] + line + line[:9])
    assert channel.receive(Migrants) == [Migrants(3, ({"a": 1},))]
    assert channel.receive(Migrants) == []
    os.write(writing, line[9:])
    assert channel.receive(Migrants, 1.0) == [Migrants(3, ({"a": 1},))]
    os.close(writing)
    os.close(reading)


def test_without_a_host_that_speaks_nothing_is_heard():
    assert Channel(-1).receive(Migrants, 5.0) == []


def test_each_listener_takes_its_own_kind_and_leaves_the_rest():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    channel = Channel(-1, None, reading)
    insight, migrants = Insight(WrittenPreconditions()), Migrants(1)
    os.write(writing, encode(insight) + encode(migrants))
    assert channel.receive(Migrants) == [migrants]
    assert channel.receive(Insight) == [insight]
    channel.hear_again([insight])
    assert channel.receive(Insight) == [insight]
    assert channel.receive(Insight) == []
    os.close(writing)
    os.close(reading)


def test_what_the_host_grants_after_the_search_is_heard_and_can_only_become_less():
    reading, writing = os.pipe()
    channel = Channel(-1, control=reading)
    os.set_blocking(reading, False)
    assert (channel.asked_to_stop(), channel.granted) == (False, math.inf)
    for said, heard in ((4.0, 4.0), (0.0, 0.0), (2.0, 0.0)):
        os.write(writing, encode(Stop(said)))
        assert (channel.asked_to_stop(), channel.granted) == (True, heard)
    os.close(writing)
    os.close(reading)

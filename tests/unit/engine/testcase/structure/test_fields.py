"""Binary data as fields."""

from __future__ import annotations

import random
import struct

from crashwright.engine.subject.usage.layouts import Layout
from crashwright.engine.testcase.making.text import mutate_bytes, random_bytes
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.fields import edited_data, is_binary, made_data

HEADER = Layout("big", (2, 4))


def edits(data: bytes, layouts: tuple[Layout, ...] = (), number: int = 77) -> list[bytes]:
    return [edited_data(random.Random(seed), data, layouts, lambda: number) for seed in range(4000)]


def test_records_are_made_with_edges_and_lengths() -> None:
    made = [made_data(random.Random(seed), (HEADER,), lambda: 77) for seed in range(500)]
    numbers = [struct.unpack(">HI", data[:6]) for data in made]
    assert {0, 1, 77, 0xFFFF} <= {kind for kind, _ in numbers}
    assert {0, 77, 0xFFFFFFFF, 0x7FFFFFFF} <= {size for _, size in numbers}
    assert any(size == len(data) - 6 > 0 for data, (_, size) in zip(made, numbers, strict=True))


def test_lengths_follow_what_they_count_or_are_just_wrong() -> None:
    data = b"\x30\x07\x02\x01\x05\x04\x02ab"
    grown = [one for one in edits(data) if len(one) > len(data) and one[0] == 0x30 and one[2:5] == b"\x02\x01\x05"]
    right = [one for one in grown if one[1] == len(one) - 2]
    wrong = [one for one in grown if 0 < abs(one[1] - (len(one) - 2)) <= 2]
    assert len(right) > 50
    assert len(wrong) > 5


def test_lengths_within_lengths_all_follow() -> None:
    data = b"\x30\x04\x30\x02\x05\x00"
    made = {one for one in edits(data) if len(one) > 6 and one[1] == len(one) - 2 and one[3] == len(one) - 4}
    assert any(one[:1] == one[2:3] == b"\x30" and one[4:6] == b"\x05\x00" for one in made)


def test_numbers_are_written_by_layout() -> None:
    data = struct.pack(">HI", 3, 5) + b"rest"
    made = set(edits(data, (HEADER,)))
    assert struct.pack(">HI", 3, 4) + b"rest" in made, "what is left behind the field"
    assert struct.pack(">HI", 77, 5) + b"rest" in made, "what the subject knows"
    assert struct.pack(">HI", 0xFFFF, 5) + b"rest" in made
    assert any(bytes([0x80 + size]) + b"\xff" * size in one for one in made for size in range(3, 17)), "a number that says its size"


def test_text_is_no_binary_data() -> None:
    assert not is_binary(b"GET / HTTP/1.1\r\n")
    assert is_binary(b"\x00\x01")
    assert not is_binary(b"")


def test_pools_with_layouts_make_records() -> None:
    pool = SeedPool(structured=True)
    pool.layouts = [Layout("big", (8, 8))]
    made = [random_bytes(random.Random(seed), pool) for seed in range(300)]
    assert sum(len(data) >= 16 for data in made) > 100
    plain, structured = SeedPool(), SeedPool(structured=True)

    def right(pool: SeedPool) -> int:
        data = [mutate_bytes(random.Random(seed), b"\x30\x03\x02\x01\x05", pool) for seed in range(600)]
        return sum(len(one) > 5 and one[0] == 0x30 and one[1] == len(one) - 2 for one in data)

    assert right(structured) > 3 * right(plain)

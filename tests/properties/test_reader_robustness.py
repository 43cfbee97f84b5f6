"""No text breaks the readers or takes them long: shuffled, re-encoded and mixed reports of every format. For cut and mutated
ones see the conformance suite of readers."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import read_or_refuse

from crashwright.crash.readers.registry import read_reports

FILES = sorted(Path(__file__).parents[1].joinpath("golden/tracebacks").glob("*.txt"), key=lambda path: path.stat().st_size)
GOLDEN = [path.read_text(encoding="utf-8") for path in FILES]
goldens = st.sampled_from(GOLDEN)


@given(goldens, goldens, st.randoms(use_true_random=False), st.sampled_from(["shuffled", "mixed", "dropped", "doubled"]))
@settings(max_examples=36, deadline=None)
def test_lines_out_of_order(text: str, other: str, rng: random.Random, way: str) -> None:
    lines = text.split("\n")
    if way == "shuffled":
        rng.shuffle(lines)
    elif way == "mixed":
        lines = [one for pair in zip(lines, other.split("\n"), strict=False) for one in pair]
    elif way == "dropped":
        lines = [line for line in lines if rng.random() < 0.8]
    else:
        lines = [line for line in lines for _ in range(1 + (rng.random() < 0.2))]
    read_or_refuse("\n".join(lines))


@given(goldens, goldens)
@settings(max_examples=24, deadline=None)
def test_one_after_the_other(first: str, second: str) -> None:
    read_or_refuse(first + second)
    read_or_refuse(first.rstrip("\n") + second)


MISREADINGS: dict[str, Callable[[str], str]] = {
    "utf-16 as latin-1": lambda text: text.encode("utf-16").decode("latin-1"),
    "utf-16 as utf-8": lambda text: text.encode("utf-16-le").decode("utf-8", "backslashreplace"),
    "utf-8 as cp1252": lambda text: text.encode().decode("cp1252", "replace"),
    "utf-8 as latin-1": lambda text: text.encode().decode("latin-1"),
    "utf-8 as ascii": lambda text: text.encode().decode("ascii", "backslashreplace"),
    "utf-8 as utf-16": lambda text: text.encode().decode("utf-16", "replace"),
    "cp1252 as utf-8": lambda text: text.encode("cp1252", "replace").decode("utf-8", "replace"),
    "rot": lambda text: "".join(chr(ord(one) ^ 1) for one in text if ord(one) < 0xD7FF),
}


@given(goldens, st.sampled_from(sorted(MISREADINGS)))
@settings(max_examples=36, deadline=None)
def test_misread_encodings(text: str, misreading: str) -> None:
    read_or_refuse(MISREADINGS[misreading](text))


@pytest.mark.parametrize("misreading", ["utf-16 as latin-1", "utf-16 as utf-8"])
def test_wide_encodings_are_undone(misreading: str) -> None:
    path = Path(__file__).parents[1] / "golden/tracebacks/python311_recursion.txt"
    text = path.read_text(encoding="utf-8")
    assert read_reports(MISREADINGS[misreading](text)) == read_reports(text)


@pytest.mark.parametrize("misreading", ["utf-8 as latin-1", "utf-8 as cp1252"])
@pytest.mark.parametrize("name", ["rich_recursion", "loguru_recursion"])
def test_boxes_and_arrows_are_read_in_the_wrong_encoding(misreading: str, name: str) -> None:
    text = (Path(__file__).parents[1] / f"golden/tracebacks/{name}.txt").read_text(encoding="utf-8")
    garbled = "".join(_as_single_byte(byte, misreading) for byte in text.encode())
    assert read_reports(garbled) == read_reports(text)


def _as_single_byte(byte: int, misreading: str) -> str:
    try:
        return bytes([byte]).decode("cp1252" if "cp1252" in misreading else "latin-1")
    except UnicodeDecodeError:
        return chr(byte)  # as browsers do


HEADER = "Traceback (most recent call last):"
BOX = "╭── Traceback (most recent call last) ──╮\n│ a:1 in f │\n╰──╯\nE: x\n"
LOG = "2026-01-02 03:04:05,678 INFO [worker] handled request 12345 in 0.12 s\n" * 100
LONG: dict[str, Callable[[int], str]] = {
    "log": lambda size: (LOG + GOLDEN[len(GOLDEN) // 2]) * (size // 10_000),
    "every format": lambda size: ("".join(GOLDEN) * (size // sum(map(len, GOLDEN)) + 1))[:size],
    "one line of headers": lambda size: HEADER * (size // 40),
    "escaped headers": lambda size: f"{HEADER}\\n" * (size // 40),
    "frames without an end": lambda size: HEADER + "\n" + '  File "x", line 3, in f\n' * (size // 25),
    "broken frames": lambda size: HEADER + "\n" + '  File "x' * (size // 10),
    "rulers": lambda size: "+-+---------------- 1 ----------------\n" * (size // 40),
    "groups in groups": lambda size: "".join("  " * depth + "+-+------- 1 -------\n" for depth in range(int(size**0.5))),
    "tops of boxes": lambda size: "╭── Traceback (most recent call last) ──╮\n" * (size // 40),
    "members": lambda size: BOX + "\n╭── Sub-exception #1 ──╮\n│ KeyError: x │\n╰──╯\n" * (size // 50),
    "strings in one line": lambda size: "[" + f'"{HEADER}\\n  File \\"x\\", line 3, in f\\nKeyError: 3", ' * (size // 80),
    "a list of lines": lambda size: f'["{HEADER}\\n"' + ', "  x\\n"' * (size // 9),
    "a wrapped message": lambda size: BOX + f"{'x' * 41}\n" * (size // 42),
    "a ruler below a box": lambda size: BOX + "+" + "-" * size,
    "notes below a box": lambda size: BOX + "[NOTE] x\n" * (size // 9),
    "backslashes": lambda size: HEADER + "\\" * size,
    "spaces": lambda size: " " * size + HEADER,
    "sentences": lambda size: "A: 1\n\nDuring handling of the above exception, another exception occurred:\n\n" * (size // 80),
    "escapes": lambda size: "\x1b]8;;x" * (size // 5),
    "entities": lambda size: "File &quot;" + "&lt;span <span" * (size // 14),
    "brackets": lambda size: "[" * size,
}


@pytest.mark.parametrize("name", LONG)
def test_time_grows_with_the_length_alone(name: str) -> None:
    """500 kB take a fraction of a second; what is quadratic would take minutes. The bound leaves room for a busy machine."""
    text = LONG[name](500_000)
    start = time.process_time()
    read_or_refuse(text)
    assert time.process_time() - start < 30


def test_a_large_log_is_read() -> None:
    log = (LOG * 8 + GOLDEN[0]) * 100
    assert len(log) > 5_000_000
    start = time.process_time()
    assert len(read_reports(log)) == 100 * len(read_reports(GOLDEN[0]))
    assert time.process_time() - start < 60

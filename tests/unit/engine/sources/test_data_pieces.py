"""Files that are too long for a test are tried piece by piece."""

from __future__ import annotations

from crashwright.engine.sources.data_beside import LARGEST, MOST_PIECES, in_pieces


def test_short_files_are_whole() -> None:
    assert list(in_pieces({"a.csv": "x\n1\n", "b.bin": b"\0"})) == [{"a.csv": "x\n1\n", "b.bin": b"\0"}]


def test_each_line_of_a_long_file_is_in_a_piece_with_its_head() -> None:
    lines = [f"{number};{'x' * 90}\n" for number in range(4 * LARGEST // 100)]
    pieces = [one["long.csv"] for one in in_pieces({"long.csv": "".join(["head\n", *lines]), "short.csv": "a"})]
    assert 1 < len(pieces) <= MOST_PIECES + 1
    texts = [one for one in pieces if type(one) is str]
    assert texts == pieces
    assert all(one.startswith("head\n") for one in texts)
    assert [line for one in texts for line in one.splitlines(keepends=True)[1:]] == lines


def test_bytes_that_are_too_many_are_left_out() -> None:
    assert list(in_pieces({"big.bin": b"\0" * (LARGEST + 1)})) == []

"""Files, folders and standard input: what is read of them, how much, and why not."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from crashwright.workflows.batch import gathering
from crashwright.workflows.batch.gathering import Text, Unread, gathered, last_bytes, renamed

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app.py", line 3, in main
    work({})
  File "/srv/shop/cart.py", line 8, in work
    return items[{}]
IndexError: list index out of range
"""


class Pipe(io.RawIOBase):
    """What cannot be sought in."""

    def __init__(self, data: bytes) -> None:
        self._stream = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)


def read(*names: str | Path, standard_input: bytes = b"") -> list[Text | Unread]:
    return list(gathered(map(str, names), Pipe(standard_input), 7.0))


def test_a_folder_is_read_to_its_depth_and_says_what_it_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    for name in ("a.log", "deep/er/b.txt", ".git/c.txt", ".hidden", "deep/test_x.py", "crashwright.sqlite"):
        (tmp_path / name).write_text(TRACEBACK)
    (tmp_path / "notes.txt").write_text("nothing happened\n")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    found = read(tmp_path, tmp_path / "missing", tmp_path)
    assert [Path(one.name).name for one in found if isinstance(one, Text)] == ["a.log", "b.txt"]
    reasons = {Path(one.name).name: (one.reason, one.notable) for one in found if isinstance(one, Unread)}
    assert reasons["gone.txt"] == ("cannot be read: No such file or directory", True)
    assert reasons["missing"] == ("cannot be read: No such file or directory", True)
    assert "no Python traceback" in reasons["notes.txt"][0]
    assert not reasons["notes.txt"][1]
    assert len(reasons) == 3


def test_standard_input_is_known_by_its_content() -> None:
    texts = [b"x\n" + TRACEBACK.encode(), b"x\n" + TRACEBACK.encode(), TRACEBACK.encode()]
    first, again, other = (read("-", standard_input=data)[0] for data in texts)
    assert isinstance(first, Text)
    assert isinstance(other, Text)
    assert first == again
    assert first.key != other.key
    assert (first.name, first.changed) == ("-", 7.0)


@pytest.mark.parametrize("pipe", [False, True])
def test_of_an_enormous_text_the_end_is_read_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pipe: bool) -> None:
    monkeypatch.setattr(gathering, "MOST_BYTES", 4_000_000)
    monkeypatch.setattr(gathering, "_CHUNK", 300_000)
    data = TRACEBACK.replace("{}", "1").encode() + b"all is well\n" * 500_000 + TRACEBACK.encode()
    if pipe:
        [found] = read("-", standard_input=data)
    else:
        (tmp_path / "big.log").write_bytes(data)
        [found] = read(tmp_path / "big.log")
    assert isinstance(found, Text)
    assert len(found.reports) == 1
    assert found.note == "only the last 4 MB of 6 are read"


def test_a_sparse_gigabyte_costs_no_gigabyte(tmp_path: Path) -> None:
    file = tmp_path / "huge.log"
    with file.open("wb") as stream:
        stream.truncate(1 << 30)
        stream.seek(0, os.SEEK_END)
        stream.write(b"\n" + TRACEBACK.encode())
    with file.open("rb") as stream:
        data, size = last_bytes(stream, 1000)
    assert (len(data), size) == (1000, (1 << 30) + 1 + len(TRACEBACK))
    assert data.endswith(TRACEBACK.encode())


def test_names_that_last_stand_for_files_that_do_not(tmp_path: Path) -> None:
    file = tmp_path / "1.txt"
    file.write_text(TRACEBACK.format(1, 2))
    [text] = read(file)
    shown = renamed(text, {str(file): "acme/shop/1"})
    assert isinstance(shown, Text)
    assert (shown.name, shown.key, shown.text) == ("acme/shop/1", "acme/shop/1", file.read_text())
    assert renamed(Unread(str(file), "no"), {str(file): "acme/shop/1"}) == Unread("acme/shop/1", "no")
    assert renamed(text, {}) is text

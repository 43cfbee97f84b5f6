"""Two environments have the same digests where the same code would be imported; otherwise it is said what differs."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import replace
from pathlib import Path

from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_digests import PYTHON, difference, source_digests


def interpreter(*folders: Path, stdlib: tuple[str, ...] = ()) -> Interpreter:
    return Interpreter("python", (3, 11, 7), tuple(map(str, folders)), stdlib, False)


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_contents_and_names_of_sources_count_and_nothing_else(tmp_path: Path) -> None:
    here, there, stdlib = (tmp_path / name for name in ("here", "there", "stdlib"))
    for folder in (here, there, stdlib):
        write(folder / "shop" / "cart.py", "x = 1\n")

    def digests(folder: Path) -> dict[str, str]:
        return source_digests(interpreter(folder, stdlib, stdlib / "lib-dynload", stdlib=(str(stdlib),)))

    first = digests(here)
    assert len(first["shop"]) == 16
    assert difference(first, digests(there)) == ""
    for ignored in ("shop/__pycache__/cart.py", "shop/notes.txt", "crashwright-tests/test_a.py", ".hidden/a.py"):
        write(there / ignored, "y")
    write(there / "venv" / "pyvenv.cfg", "")
    write(there / "venv" / "lib" / "a.py", "y")
    write(stdlib / "json.py", "y")
    write(stdlib / "lib-dynload" / "_json.so", "y")
    assert difference(first, digests(there)) == ""
    write(there / "till.py", "y")
    write(there / "shop" / "cart.py", "x = 2\n")
    assert difference(first, digests(there)) == "shop has different source code, till is there alone"
    assert difference(digests(there), first) == "shop has different source code, till is missing"
    (here / "shop" / "cart.py").rename(here / "shop" / "bill.py")
    assert difference(first, digests(here)) == "shop has different source code"
    one = interpreter()
    assert difference(source_digests(one), source_digests(replace(one, version=(3, 12, 0)))) == ("the Python version differs")
    assert difference({}, dict.fromkeys(("a", "b", "c", "d", PYTHON), "1")).endswith(
        "a is there alone, b is there alone and 2 more"
    )


def installed(folder: Path, text: str) -> Path:
    """A distribution with one module, as an installer leaves it."""
    write(folder / "shop.py", text)
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
    record = folder / "shop-1.0.dist-info" / "RECORD"
    write(record, f'shop.py,sha256={digest},{len(text)}\n../../../bin/shop,sha256=a,1\n"odd\n')
    return record


def test_what_installers_wrote_down_is_believed_unless_the_file_has_changed(tmp_path: Path) -> None:
    record, other = installed(tmp_path / "here", "x = 1\n"), installed(tmp_path / "there", "x = 2\n")
    write(tmp_path / "plain" / "shop.py", "x = 1\n")

    def digest(folder: str) -> str:
        return source_digests(interpreter(tmp_path / folder))["shop"]

    assert digest("here") == digest("plain") != digest("there")
    record.write_text(other.read_text())
    assert digest("here") == digest("there")  # not read
    later = record.stat().st_mtime_ns + 1
    os.utime(tmp_path / "here" / "shop.py", ns=(later, later))
    assert digest("here") == digest("plain")  # read


def test_the_sources_of_editable_installs_count_where_a_hook_finds_them(tmp_path: Path) -> None:
    code, site = tmp_path / "code", tmp_path / "site"
    write(code / "shop" / "cart.py", "x = 1\n")
    write(site / "__editable___shop_1_0_finder.py", f"MAPPING: dict[str, str] = {{'shop': {str(code / 'shop')!r}}}\n")
    first = source_digests(interpreter(site))
    write(code / "shop" / "cart.py", "x = 2\n")
    assert difference(first, source_digests(interpreter(site))) == "shop has different source code"

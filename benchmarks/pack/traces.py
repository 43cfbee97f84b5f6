"""What Python prints of a crash, read back: type, message, and the frames that lie in the package."""

from __future__ import annotations

import re
from dataclasses import dataclass

FRAME = re.compile(r'^\s*File "(?P<path>.+?)", line (?P<line>\d+), in (?P<function>.+?)\s*$')
#: Types whose message names what was wrong with the code, not the data: they agree only word for word.
EXACT = frozenset({"AttributeError", "TypeError", "NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError"})


@dataclass(frozen=True, slots=True)
class Frame:
    """One line that was being run. The file is written as it lies below site-packages."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Crash:
    """An exception as it left the program: frames of the package only, outermost first."""

    kind: str
    message: str
    frames: tuple[Frame, ...]


def below_site_packages(path: str) -> str:
    """The path as every machine would write it, or nothing if the file is not of an installed package."""
    return (
        re.split(r"/(?:site|dist)-packages/", path.replace("\\", "/"), maxsplit=1)[-1]
        if "-packages/" in path.replace("\\", "/")
        else ""
    )


def of_package(frames: list[tuple[str, int, str]], modules: tuple[str, ...]) -> tuple[Frame, ...]:
    """Those frames whose file belongs to one of the top-level modules."""
    found = []
    for path, line, function in frames:
        file = below_site_packages(path)
        if any(file == f"{module}.py" or file.startswith(f"{module}/") for module in modules):
            found.append(Frame(file, line, function.rsplit(".", 1)[-1]))
    return tuple(found)


def read(text: str, modules: tuple[str, ...]) -> Crash:
    """The last traceback of a text: of a chain, the one that ended the program."""
    frames: list[tuple[str, int, str]] = []
    ending: list[str] = []
    for line in text.rsplit("Traceback (most recent call last):", 1)[-1].splitlines():
        found = FRAME.match(line)
        if found:
            frames.append((found["path"], int(found["line"]), found["function"]))
            ending = []
        elif ending or (frames and line and not line[0].isspace()):
            ending.append(line)
    kind, _, message = "\n".join(ending).strip().partition(": ")
    return Crash(kind.strip(), message.strip(), of_package(frames, modules))


def short(kind: str) -> str:
    """The name of a type without its module."""
    return kind.rsplit(".", 1)[-1]


def essence(kind: str, message: str) -> str:
    """What has to agree: for errors of the code all but addresses, for the others the words around the values."""
    message = re.sub(r"\. Did you mean: .*\?$", "", message)
    message = re.sub(r"0x[0-9a-fA-F]+", "0x", message)
    if short(kind) in EXACT:
        return message
    if short(kind) == "KeyError":
        return ""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "''", message)
    return re.sub(r"-?\d+(\.\d+)?", "#", message)

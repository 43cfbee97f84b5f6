"""Whose frames they are: the user's own code, installed packages, the standard library; and which of them decide.

A frame is the user's own where its file is found on this machine outside the standard library and outside the folders that pip
installs to. The way in is then theirs, however deep in a library it crashed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from crashwright.core.target import OwnFile, belongs
from crashwright.crash.matched_frames import MatchedFrame

INSTALLED = frozenset({"site-packages", "dist-packages"})
"""The folders that packages are installed to."""
_MAIN, _GIVEN = "main", re.compile(r"\bobj\s*=")
"""The function of a library that runs a program, and the argument with more than its words."""
_RUN = "__main__"
"""The module of a package that is run for it."""
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py|tests?\.py")


def is_own(one: MatchedFrame) -> bool:
    """Is the frame's file here, and the user's own?"""
    return bool(one.module) and not one.stdlib and is_own_path(one.path)


def is_own_path(path: str) -> bool:
    """Does a file lie outside of what is installed?"""
    return not INSTALLED.intersection(Path(path).parts)


def own_files(matched: Sequence[MatchedFrame]) -> tuple[OwnFile, ...]:
    """The files of the reporter's own, outermost first; also those that have other lines today."""
    found: dict[str, OwnFile] = {}
    for one in matched:
        if is_own(one):
            path = os.path.abspath(one.path)
            found.setdefault(path, OwnFile(path, one.module, one.reported.function == "<module>"))
    return tuple(found.values())


def is_test(one: MatchedFrame) -> bool:
    """Is it of a file of tests? Such frames are callers: a test that calls a test shows nothing new."""
    return is_test_path(one.path)


def is_test_path(path: str) -> bool:
    """Is a file one of tests, by its name?"""
    return _TEST_FILE.fullmatch(path.replace("\\", "/").rpartition("/")[2]) is not None


def innermost_own(matched: Sequence[MatchedFrame]) -> MatchedFrame | None:
    """The user's own frame that is nearest to the crash, tests apart."""
    return next((one for one in reversed(matched) if is_own(one) and not is_test(one)), None)


def deciding(
    matched: Sequence[MatchedFrame], package: str, recursion: bool = False, with_libraries: bool = False
) -> tuple[list[int], list[str]]:
    """Which frames decide, by their places in ``matched``, and what there is to say of it: those of ``package``; and where that is
    the user's own code, or ``with_libraries``, those further in of the libraries that it crashed in, if they are all found here and
    it is no ``recursion``, which ends anywhere."""
    own = [index for index, one in enumerate(matched) if one.frame is not None and belongs(one.module, package)]
    if not own or recursion or not (with_libraries or is_own(matched[own[-1]])):
        return own, []
    inner = [(index, one) for index, one in enumerate(matched) if index > own[-1] and _of_library(one)]
    other = next((one for _, one in inner if one.frame is None), None)
    if other is None:
        return own + [index for index, _ in inner], []
    name = (other.module or other.missing_package).partition(".")[0]
    return own, [f"what happened within {name} is not compared: {other.reason}"]


def _of_library(one: MatchedFrame) -> bool:
    return bool(one.missing_package) or (bool(one.module) and not one.stdlib)


def outermost(matched: Sequence[MatchedFrame], own: Sequence[int], only_as_main: Callable[[MatchedFrame], bool]) -> tuple[int, str]:
    """Where a test enters by default, by its place in ``matched``, and why there. ``own`` are the places of the package's frames,
    ``only_as_main`` tells whether a frame stands in lines that no import runs. What a script does is not called but run: the target
    is the function that it calls, where that can be imported without running the crash."""
    first, why = own[0], "the outermost frame of the package"
    script = matched[first]
    if _is_script(matched, first):
        guarded = only_as_main(script)
        inner = (index for index in own[1:] if guarded or matched[index].module != script.module)
        found = next(inner, None)
        if found is not None:
            first, why = found, "the outermost function of the package, which a script calls"
    command = _command(matched, own, first)
    return (first, why) if command is None else (command, "the command that the program runs: what starts that ends the process")


def _command(matched: Sequence[MatchedFrame], own: Sequence[int], first: int) -> int | None:
    """The function further in that a library calls for the words of a command line, by the place of its frame. A library that is
    asked to run a program ends the process afterwards, so a test that enters by the function that asks for that would fail with the
    bug fixed, too. None where there is no such function, or what asks gives the program more than its words."""
    inner = next((index for index in own if index > first), None)
    outer = matched[first].reported
    if inner is None or outer.function == "<module>" or _GIVEN.search(outer.source or ""):
        return None
    between = matched[first + 1 : inner]
    names = {one.reported.function.strip("_") for one in between}
    return inner if _MAIN in names and not any(is_own(one) or one.stdlib for one in between) else None


def _is_script(matched: Sequence[MatchedFrame], index: int) -> bool:
    """Does the frame run the lines of a script or of ``__main__.py``, and not those of a module that others import? That of an
    installed program may be imported by the script that was installed for it."""
    frame = matched[index].frame
    if frame is None or frame.key.qualname != "<module>":
        return False
    if frame.key.module.rpartition(".")[2] == _RUN:
        return True
    return is_own(matched[index]) and all(one.stdlib for one in matched[:index])

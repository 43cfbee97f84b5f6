"""The engine's own modules, compiled: an engine runs in the user's interpreter, which has mostly never compiled them, and
compiling takes longer than all the rest of the start for a small package.

One file of the user's cache folder holds what one Python makes of one copy of our sources. It is read and written before the engine
confines itself and before anything of the subject is loaded, and forgotten then: nothing that a subject may have written is ever
unmarshalled. It is loaded first of all our modules, so it knows none of them.

A source that nobody has touched since is not read again: finding, reading and hashing 640 files took as long as unmarshalling them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

PREFIX = "engine-"
_DIGEST = 16
_HEAD = b"crashwright bytecode 2\n"
_PACKAGE = "crashwright."
_INIT = "__init__.py"
_Stamp = tuple[int, int, int, int]
_Kept = tuple[str, _Stamp | None, bytes, bytes]
"""The path of a source, what the file system says of it, its hash, and what it is compiled to."""


class Bytecode:
    """``folder`` is the user's cache folder, "" where nothing is to be kept; ``source`` that of our package. What cannot be read or
    written, or is not ours, costs only the time to compile. ``problem`` says what that was; users are told of ``damage`` alone."""

    def __init__(self, folder: str, source: str) -> None:
        self.problem = ""
        self.damage = ""
        self._folder = folder
        self._path = os.path.join(
            folder, f"{PREFIX}{_digest(f'{source} {sys.version}'.encode() + importlib.util.MAGIC_NUMBER).hex()}"
        )
        self._known: dict[str, _Kept] = self._read() if folder else {}
        self._is_changed = False
        self._is_open = bool(folder)

    def install(self) -> None:
        """Load our modules from it from now on."""
        if self._is_open:
            sys.meta_path.insert(0, self)

    def leave(self) -> None:
        """Write what is new, and have no part in what is loaded from now on."""
        if not self._is_open:
            return
        self._is_open = False
        sys.meta_path.remove(self)
        if self._is_changed:
            self._write()
        self._known = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """See ``importlib.abc.MetaPathFinder``."""
        if path is None or not name.startswith(_PACKAGE) or name.count(".") == 1:
            return None  # not ours, or one that the bootstrap finds
        known = self._known.get(name)
        if known is not None and known[1] is not None and known[0] in _places(name, path) and _stamp(known[0]) == known[1]:
            folders = [os.path.dirname(known[0])] if known[0].endswith(_INIT) else None
            loader = _Loader(name, known[0], self, is_known=True)
            return importlib.util.spec_from_file_location(name, known[0], loader=loader, submodule_search_locations=folders)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(name, spec.loader.path, self)
        return spec

    def known_code(self, name: str) -> CodeType | None:
        """What is kept for this module."""
        found = marshal.loads(self._known[name][3]) if name in self._known else None
        return found if isinstance(found, CodeType) else None

    def code(self, name: str, path: str, source: bytes, stamp: _Stamp | None = None) -> CodeType:
        """What ``source`` is compiled to, which was read when the file at ``path`` had this ``stamp``."""
        digest = _digest(source)
        known = self._known.get(name)
        if known is not None and known[2] == digest:
            found = self.known_code(name)
            if found is not None:
                if known[:2] != (path, stamp):
                    self._known[name] = path, stamp, digest, known[3]
                    self._is_changed = True
                return found
        made: CodeType = compile(source, path, "exec", dont_inherit=True)
        self._known[name] = path, stamp, digest, marshal.dumps(made)
        self._is_changed = True
        return made

    def _read(self) -> dict[str, _Kept]:
        try:
            if not _is_private(self._folder):
                self.problem = f"{self._folder} can be written to by others"
                return {}
            with open(self._path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return {}
        except OSError as error:
            self.problem = f"{self._path}: {error.strerror}"
            return {}
        body = data[len(_HEAD) + _DIGEST :]
        if not data.startswith(_HEAD) or data[len(_HEAD) : len(_HEAD) + _DIGEST] != _digest(body):
            self.problem = self.damage = f"{self._path} is damaged: it is written anew"
            return {}
        known: dict[str, _Kept] = marshal.loads(body)
        return known

    def _write(self) -> None:
        body = marshal.dumps(self._known)
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            if not _is_private(self._folder):
                return
            descriptor, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_HEAD + _digest(body) + body)
                os.replace(name, self._path)
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            self.problem = f"{self._folder}: {error.strerror}"


class _Loader(SourceFileLoader):
    """Of one module."""

    def __init__(self, name: str, path: str, kept: Bytecode, is_known: bool = False) -> None:
        super().__init__(name, path)
        self._kept = kept
        self._is_known = is_known

    def get_code(self, fullname: str) -> CodeType:
        """See ``importlib.abc.InspectLoader``."""
        known = self._kept.known_code(fullname) if self._is_known else None
        if known is not None:
            return known
        stamp = _stamp(self.path)  # first: what is written meanwhile is read again next time
        return self._kept.code(fullname, self.path, self.get_data(self.path), stamp)


def _places(name: str, path: Sequence[str]) -> list[str]:
    """The files in which Python would look for this module."""
    own = name.rpartition(".")[2]
    return [os.path.join(folder, *rest) for folder in path for rest in ((own, _INIT), (f"{own}.py",))]


def _stamp(path: str) -> _Stamp | None:
    """What changes whenever a file is written or replaced: times that a program can set are not enough."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def _is_private(folder: str) -> bool:
    """Nobody but this user writes there: what is unmarshalled is run."""
    status = os.stat(folder)
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022

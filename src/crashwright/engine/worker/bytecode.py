"""The engine's own modules, compiled: an engine runs in the user's interpreter, which has mostly never compiled them, and
compiling takes longer than all the rest of the start for a small package.

One file of the user's cache folder holds what one Python makes of one copy of our sources. It is read and written before the engine
confines itself and before anything of the subject is loaded, and forgotten then: nothing that a subject may have written is ever
unmarshalled. It is loaded first of all our modules, so it knows none of them.
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
_HEAD = b"crashwright bytecode 1\n"
_PACKAGE = "crashwright."


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
        self._known: dict[str, tuple[bytes, bytes]] = self._read() if folder else {}
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
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(name, spec.loader.path, self)
        return spec

    def code(self, name: str, path: str, source: bytes) -> CodeType:
        """What ``source`` is compiled to."""
        digest = _digest(source)
        known = self._known.get(name)
        if known is not None and known[0] == digest:
            found = marshal.loads(known[1])
            if isinstance(found, CodeType):
                return found
        made: CodeType = compile(source, path, "exec", dont_inherit=True)
        self._known[name] = digest, marshal.dumps(made)
        self._is_changed = True
        return made

    def _read(self) -> dict[str, tuple[bytes, bytes]]:
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
        known: dict[str, tuple[bytes, bytes]] = marshal.loads(body)
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

    def __init__(self, name: str, path: str, kept: Bytecode) -> None:
        super().__init__(name, path)
        self._kept = kept

    def get_code(self, fullname: str) -> CodeType:
        """See ``importlib.abc.InspectLoader``."""
        return self._kept.code(fullname, self.path, self.get_data(self.path))


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def _is_private(folder: str) -> bool:
    """Nobody but this user writes there: what is unmarshalled is run."""
    status = os.stat(folder)
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022

"""A short name for a crash that survives other line numbers, paths and values: the key of caches and of file names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from crashwright.core.message_rule import normalise_message
from crashwright.core.report import CrashReport, ReportedException
from crashwright.core.target import CrashTarget
from crashwright.crash.resolve import ResolvedCrash

_INSTALLED = re.compile(r"site-packages|dist-packages|python3(?:\.\d+)?|Lib")


def fingerprint(target: CrashTarget) -> str:
    """8 hexadecimal digits of the exception, the message's template and the chain of package functions (causes left out)."""
    parts = [target.package, target.exception, normalise_message(target.exception, target.message)]
    parts += [f"{frame.key.module}:{frame.key.qualname}" for frame in target.package_frames]
    return _digest(parts)


def report_fingerprint(report: CrashReport) -> str:
    """8 hexadecimal digits of what the report says: the same crash at another line or with another message is another report.
    Where the code lay on the reporting machine does not count, nor do local values, which have addresses in them."""
    parts: list[object] = []
    for exception in report.exceptions:
        parts += [exception.type, exception.message, *exception.notes]
        for frame in exception.frames:
            name = frame.path.replace("\\", "/").rpartition("/")[2]
            parts += [name, frame.line, frame.function, frame.source]
    return _digest(map(str, parts))


def cache_key(resolved: ResolvedCrash, report: CrashReport) -> str:
    """The key of what is kept about a crash: it changes with the crash, with the report and with the installed version."""
    version = _digest((resolved.distribution or "", resolved.version or ""))
    return f"{fingerprint(resolved.target)}-{report_fingerprint(report)}-{version[:4]}"


def crash_fingerprint(report: CrashReport) -> str:
    """16 hexadecimal digits of the crash, as far as the report alone tells: what reports of the same crash have in common, whatever
    is installed, and whatever their paths, line numbers and values are."""
    return _digest(_common(report), 16)


def _common(report: CrashReport) -> Iterator[str]:
    for exception in report.exceptions:
        # Behind the first line there may be other output.
        first = exception.message.partition("\n")[0]
        yield from (exception.type, normalise_message(exception.type, first))
        for frame, file in zip(exception.frames, _files(exception), strict=True):
            yield f"{file}:{frame.function}:{frame.line if frame.source is None else frame.source}"
        for member in exception.group:
            yield from ("(", *_common(member), ")")


def _files(exception: ReportedException) -> list[str]:
    """The files of its frames, without what differs between machines: where packages are installed, and what the others lie in
    together (of a single folder its name is kept)."""
    paths = [tuple(frame.path.replace("\\", "/").split("/")) for frame in exception.frames]
    folders = [path[:-1] for path in paths if not _installed(path)]
    common = _common_parts(folders)
    if folders and all(len(folder) == common for folder in folders):
        common -= 1
    return ["/".join(_installed(path) or path[max(0, common) :]) for path in paths]


def _common_parts(folders: list[tuple[str, ...]]) -> int:
    """How many parts they have in common at the beginning."""
    levels = list(zip(*folders, strict=False))
    return next((number for number, parts in enumerate(levels) if len(set(parts)) > 1), len(levels))


def _installed(path: tuple[str, ...]) -> tuple[str, ...]:
    """What of ``path`` is behind the folder of installed packages, or of the standard library; nothing where it is in neither."""
    roots = [place for place, part in enumerate(path[:-1]) if _INSTALLED.fullmatch(part)]
    return path[roots[-1] + 1 :] if roots else ()


def _digest(parts: Iterable[str], digits: int = 8) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:digits]

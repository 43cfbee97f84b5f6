"""A short name for a crash that survives other line numbers, paths and values: the key of caches and of file names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from crashwright.core.message_rule import normalise_message
from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget
from crashwright.crash.resolve import ResolvedCrash


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


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]

"""A short name for a crash that survives other line numbers, paths and values: the key of caches and of file names."""

from __future__ import annotations

import hashlib

from crashwright.core.message_rule import normalise_message
from crashwright.core.target import CrashTarget


def fingerprint(target: CrashTarget) -> str:
    """8 hexadecimal digits of the exception, the message's template and the chain of package functions (causes left out)."""
    parts = [target.package, target.exception, normalise_message(target.exception, target.message)]
    parts += [f"{frame.key.module}:{frame.key.qualname}" for frame in target.package_frames]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]

"""What records nothing, in the place of what probes write to."""

from __future__ import annotations

from typing import Any


class NoTracer:
    def reset(self) -> None: ...
    def drop_wanted(self) -> None: ...
    def trace(self) -> Any: ...

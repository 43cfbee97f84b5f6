"""Flask: its extensions find their application by the context that is entered."""

from __future__ import annotations

import contextlib
from typing import Any

from crashwright.engine.subject.introspection import instance_of, is_class, live_at


def context_of(value: object) -> contextlib.AbstractContextManager[Any] | None:
    """The context of an application; None for anything else."""
    cls = live_at("flask", "Flask")
    application: Any = value
    return application.app_context() if is_class(cls) and instance_of(value, cls) else None

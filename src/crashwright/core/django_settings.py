"""Settings of Django that are enough to import an installed package: what the engine configures, and what a printed test has."""

from __future__ import annotations

from collections.abc import Sequence


def minimal_settings(apps: Sequence[str]) -> dict[str, object]:
    """With these applications, and a database in memory."""
    memory = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    return {"INSTALLED_APPS": list(apps), "DATABASES": memory}

"""How a protocol is held: every check is made on all that is registered, and on one made to break it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings

T = TypeVar("T")
Check = Callable[[T], None]
settings.register_profile("conforming", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("refusing", settings.get_profile("conforming"), phases=[Phase.generate], database=None, derandomize=True)
"""That the check refuses is enough: no simpler example is sought."""


class Bug(Exception):
    """What a broken implementation raises where it should not."""


@contextmanager
def profile(name: str) -> Iterator[None]:
    """Properties within have these settings, those after it the usual ones again."""
    settings.load_profile(name)
    try:
        yield
    finally:
        settings.load_profile("crashwright")


def conformance(registered: Mapping[str, T], checks: Mapping[Check, T]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Two tests. ``checks`` has for each check an implementation that it must refuse: one that refuses nothing shows nothing."""

    @pytest.mark.parametrize("check", checks, ids=lambda check: check.__name__)
    @pytest.mark.parametrize("name", registered)
    def conforms(name: str, check: Check) -> None:
        with profile("conforming"):
            check(registered[name])

    @pytest.mark.parametrize("check", checks, ids=lambda check: check.__name__)
    def refuses(check: Check) -> None:
        with profile("refusing"), pytest.raises((AssertionError, Bug)):
            check(checks[check])

    return conforms, refuses

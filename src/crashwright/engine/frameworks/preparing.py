"""Running what a :class:`Preparation` says, in the engine: once, before the state that tests are put back to is taken."""

from __future__ import annotations

from crashwright.core.preparation import Preparation
from crashwright.engine.frameworks.framework import live_named
from crashwright.engine.frameworks.registry import FRAMEWORKS, row_of


class SubjectSetUp:
    """See ``subject.importing.SetUp``."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self.text = preparation.text
        self.lacks_settings = frozenset(pair for one in FRAMEWORKS for pair in one.lacks_settings)

    def before_import(self) -> None:
        """What the subject's modules need to be imported."""
        set_up = self._preparation.framework
        if set_up is not None:
            row_of(set_up).before_import(set_up)
        if self._preparation.early:
            live_named(self._preparation.function)()

    def after_import(self) -> None:
        """What its functions need to be called."""
        set_up = self._preparation.framework
        if set_up is not None:
            row_of(set_up).after_import(set_up)
        if self._preparation.function and not self._preparation.early:
            live_named(self._preparation.function)()

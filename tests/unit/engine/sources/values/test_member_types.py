"""What members have to be that a class leaves to its subclasses."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from crashwright.engine.sources.values.member_types import MemberTypes
from crashwright.engine.subject.api.types import ClassHint

SOURCE = """\
class Base:
    @property
    def settings(self):
        raise NotImplementedError

    def volume(self):
        return self.settings.get("volume", 3)

class Heir(Base):
    pass
"""


def test_types_come_from_what_methods_do_with_a_member_in_the_class_or_a_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "players_of_music.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("players_of_music")
    try:
        types = MemberTypes()
        for cls in (module.Base, module.Heir):
            hints = [hint for hint, _ in types.hints(cls, "settings")]
            assert ClassHint(dict) in hints
        assert types.hints(module.Heir, "unheard_of") == ()
        assert types.hints(int, "real") == ()
    finally:
        del sys.modules["players_of_music"]

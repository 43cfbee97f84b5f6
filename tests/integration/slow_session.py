"""A toy session whose set-up in the zygote takes longer than an import may."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import ModuleType

from crashwright.core.messages import Failed, Ready

sys.path.insert(0, str(Path(__file__).parent))
from toy_session import ToySession


class SlowSession(ToySession):
    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:
        time.sleep(3.5)
        return super().imported(modules)


def session() -> SlowSession:
    return SlowSession()

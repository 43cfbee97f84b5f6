"""What a fresh run needs beside it: copies of the recorder and of what confines it, for an interpreter that has nothing of ours."""

from __future__ import annotations

import shutil
from pathlib import Path

from crashwright.engine.execution import confinement, guard
from crashwright.finishing import recorder


def lay_out(folder: Path, plugin: str) -> None:
    """Put the copies into ``folder``, which is made; the recorder under the module name ``plugin``."""
    kernel = folder / recorder.CONFINEMENT
    kernel.mkdir(parents=True)
    shutil.copyfile(recorder.__file__, folder / f"{plugin}.py")
    shutil.copyfile(guard.__file__, folder / f"{recorder.GUARD}.py")
    for module in Path(confinement.__file__).parent.glob("*.py"):
        shutil.copyfile(module, kernel / module.name)

"""The few lines with which an engine begins life in the user's interpreter.

They make ``crashwright.core`` and ``crashwright.engine`` importable from our source folder and nothing else of ours: no entry on
``sys.path``, so that no dependency of ours can meet the subject's. Python's collector rests until they are loaded
(``engine.worker.zygote`` calls it back): all of that stays, and going through it time and again took a tenth of the time.
"""

from __future__ import annotations

from pathlib import Path

import crashwright

BOOTSTRAP = """
import gc, sys
gc.disable()
def _crashwright_engine(source, descriptor, session, cache):
    from importlib.machinery import ModuleSpec, PathFinder
    class EngineFinder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "crashwright":
                spec = ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = []
                return spec
            if name in ("crashwright.core", "crashwright.engine"):
                return PathFinder.find_spec(name, [source])
            return None
    sys.meta_path.insert(0, EngineFinder)
    from crashwright.engine.worker.bytecode import Bytecode
    bytecode = Bytecode(cache, source)
    bytecode.install()
    from crashwright.engine.worker.zygote import main
    main(descriptor, session, bytecode)
_crashwright_engine(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
"""
"""Arguments: our package's folder, the descriptor for messages, the session, the user's cache folder ("" without one)."""


def source_folder() -> str:
    """The folder that holds ``core`` and ``engine``."""
    return str(Path(crashwright.__file__).resolve().parent)

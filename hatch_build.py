"""The build hook: adds the compiled probes to the wheel where they can be compiled, and says so where they cannot."""

from __future__ import annotations

import atexit
import importlib.util
import shutil
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOM = "crashwright/engine/instrument"


def _builder(root: str):
    path = Path(root, "scripts", "build_probes.py")
    spec = importlib.util.spec_from_file_location("build_probes", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CompiledProbesHook(BuildHookInterface):
    """One file for every CPython from 3.11 on: the wheel is tagged ``cp311-abi3``, without it ``py3-none-any``."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile: into the checkout for an editable install, else into a temporary folder from which the wheel takes it."""
        builder = _builder(self.root)
        editable = version == "editable"
        folder = Path(builder.SOURCE).parent if editable else Path(tempfile.mkdtemp())
        if not editable:
            atexit.register(shutil.rmtree, folder, True)
        try:
            built = builder.build(folder)
        except builder.NotBuilt as problem:
            self.app.display_warning(f"crashwright is built without compiled probes, and runs slower: {problem}")
            return
        if not editable:
            build_data["force_include"][str(built)] = f"{ROOM}/{built.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"

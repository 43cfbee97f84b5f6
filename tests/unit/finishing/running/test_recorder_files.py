"""What lies beside a test in a fresh run: copies that are loaded from bytecode, by the names under which they know each other."""

from __future__ import annotations

from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

import pytest

from crashwright.finishing.running import recorder, recorder_files, stand_in


def test_the_copies_know_each_other_by_name() -> None:
    assert recorder_files.RECORDER == stand_in.RECORDER
    assert recorder_files.CONFINEMENT == recorder.CONFINEMENT
    assert f"{recorder_files.CONFINEMENT}.guard" == recorder.GUARD


def test_no_copy_is_compiled_by_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    support = tmp_path / "support"
    recorder_files.lay_out(support)

    def compiled(_loader: SourceFileLoader, _data: bytes, path: str, **_options: object) -> None:
        raise AssertionError(f"{path} is compiled")

    monkeypatch.setattr(SourceFileLoader, "source_to_code", compiled)
    places = [support, support / recorder_files.CONFINEMENT]
    copies = [path for place in places for path in place.glob("*.py") if path.stem.endswith("_code") or place != support]
    assert len(copies) > 10
    for path in copies:
        spec = PathFinder.find_spec(path.stem, [str(path.parent)])
        assert spec is not None
        assert isinstance(spec.loader, SourceFileLoader)
        code = spec.loader.get_code(path.stem)
        assert code is not None
        assert code.co_filename == str(path)


def test_a_plugin_is_the_copy_behind_its_name(tmp_path: Path) -> None:
    recorder_files.lay_out(tmp_path / "support")
    for name in (recorder_files.SUITE_WATCH, recorder_files.FRAMES_WATCH):
        text = (tmp_path / "support" / f"{name}.py").read_text()
        assert text.startswith('"""PYTEST_DONT_REWRITE"""')
        assert f"sys.modules[__name__] = {name}_code" in text

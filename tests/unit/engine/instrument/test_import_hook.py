"""The import hook: only chosen modules, ordinary in all that a subject can see; narrowing; modules that were there before."""

from __future__ import annotations

import importlib
import inspect
import sys
import zipfile
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder

SOURCE = '''"""A module."""
from __future__ import annotations

def outer(limit):
    def inner(x):
        if x > limit:
            return "big"
        return "small"
    return inner

class Shelf:
    def take(self, n):
        """Takes."""
        if n < 0 or n == 13:
            raise ValueError(n)
        return super().__repr__() and n

    def other(self):
        return [i for i in range(3) if i > 1]

made_early = outer(10)
'''
OUTER, INNER, TAKE = (
    CodeKey("cwhook_subject", "outer", 4),
    CodeKey("cwhook_subject", "outer.<locals>.inner", 5),
    CodeKey("cwhook_subject", "Shelf.take", 12),
)
LESS, LIMIT = Position(14, 11, 14, 16), Position(6, 11, 6, 20)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the module, on ``sys.path``."""
    (tmp_path / "cwhook_subject.py").write_text(SOURCE)
    (tmp_path / "cwhook_plain.py").write_text("def f(x):\n    return x > 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finders = list(sys.meta_path)
    yield tmp_path
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.startswith("cwhook_")]:
        del sys.modules[name]


def imported(recorder: Recorder, *keys: CodeKey, wanted: frozenset[Position] | None = None) -> tuple[ModuleType, Instrumentation]:
    hook = Instrumentation(recorder, {"cwhook_subject": keys}, wanted)
    hook.install()
    module = importlib.import_module("cwhook_subject")
    recorder.reset()
    return module, hook


def evaluated(recorder: Recorder) -> list[tuple[str, list[str]]]:
    """The functions entered and the kinds of predicates that recorded."""
    trace = recorder.trace()
    return [
        (
            trace.functions[activation.function].key.name,
            [trace.functions[activation.function].predicates[number].kind for number in activation.true_distance],
        )
        for activation in trace.activations
    ]


def test_a_module_looks_ordinary(folder: Path) -> None:
    recorder = Recorder()
    module, hook = imported(recorder, TAKE)
    assert type(module.__loader__) is SourceFileLoader
    assert module.__spec__ is not None
    assert module.__spec__.loader is module.__loader__
    assert module.__file__ == str(folder / "cwhook_subject.py")
    assert set(vars(module.__loader__)) == {"name", "path"}
    assert "def take" in inspect.getsource(module.Shelf.take)
    assert module.Shelf.take.__doc__ == "Takes."
    assert set(vars(module)) - set(vars(importlib.import_module("cwhook_plain"))) == {"annotations", "outer", "Shelf", "made_early"}
    assert not list(folder.rglob("cwhook_subject*.pyc"))
    assert not hook.skipped
    assert importlib.reload(module).Shelf


def test_only_the_chosen_functions(folder: Path) -> None:
    recorder = Recorder()
    module, hook = imported(recorder, TAKE)
    module.outer(3)(4)
    module.Shelf().other()
    assert evaluated(recorder) == []
    module.Shelf().take(5)
    assert evaluated(recorder) == [("take", ["lt", "eq", "truth", "truth"])]
    assert [function.key for function in hook.functions] == [TAKE]
    plain = importlib.import_module("cwhook_plain")
    assert list(folder.rglob("cwhook_plain*.pyc")) or sys.dont_write_bytecode
    written = compile((folder / "cwhook_plain.py").read_text(), "plain", "exec", dont_inherit=True)
    assert plain.f.__code__ in written.co_consts


def test_chosen_predicates(folder: Path) -> None:
    recorder = Recorder()
    module, hook = imported(recorder, TAKE, wanted=frozenset({LESS}))
    module.Shelf().take(5)
    assert evaluated(recorder) == [("take", ["lt"])]
    assert [predicate.kind for predicate in hook.functions[0].predicates] == ["lt", "eq", "truth", "truth"]


def test_narrowing_live_functions(folder: Path) -> None:
    recorder = Recorder()
    module, hook = imported(recorder, OUTER, INNER, TAKE)
    take, inner = module.Shelf.take, module.made_early
    for wanted, expected in (
        (frozenset({LESS}), [("take", ["lt"]), ("inner", [])]),
        (frozenset(), [("take", []), ("inner", [])]),
        (frozenset({LIMIT}), [("take", []), ("inner", ["gt"])]),
        (None, [("take", ["lt", "eq", "truth", "truth"]), ("inner", ["gt"])]),
        (frozenset({LESS}), [("take", ["lt"]), ("inner", [])]),
    ):
        hook.narrow(wanted)
        recorder.reset()
        assert take(module.Shelf(), 5) == 5
        assert inner(11) == "big"
        assert evaluated(recorder) == expected
        recorder.reset()
        assert module.outer(1)(0) == "small"  # a closure made from now on has the same probes
        assert evaluated(recorder)[1] == expected[1]
    assert not hook.skipped


def test_narrowing_keeps_what_runs(folder: Path) -> None:
    (folder / "cwhook_subject.py").write_text("def numbers(n):\n    while n > 0:\n        yield n\n        n -= 1\n")
    recorder = Recorder()
    module, hook = imported(recorder, CodeKey("cwhook_subject", "numbers", 1))
    running = module.numbers(3)
    assert next(running) == 3
    hook.narrow(frozenset())
    assert list(running) == [2, 1]
    assert evaluated(recorder) == [("numbers", ["gt"])]


def test_a_module_that_was_imported_before(folder: Path) -> None:
    module = importlib.import_module("cwhook_subject")
    take, before = module.Shelf.take, module.Shelf.take.__code__
    recorder = Recorder()
    same, hook = imported(recorder, TAKE, INNER)
    assert same is module
    assert take(module.Shelf(), 5) == 5
    assert module.made_early(3) == "small"
    assert evaluated(recorder) == [("take", ["lt", "eq", "truth", "truth"]), ("inner", ["gt"])]
    hook.narrow(frozenset())
    recorder.reset()
    take(module.Shelf(), 5)
    assert evaluated(recorder) == [("take", [])]
    hook.uninstall()
    assert take.__code__ is before


def test_what_cannot_be_instrumented_has_a_reason(folder: Path) -> None:
    missing = CodeKey("cwhook_subject", "Shelf.take", 99)
    filtered = CodeKey("cwhook_subject", "Shelf.other.<locals>.<listcomp>", 19)
    extension = CodeKey("_bisect", "f", 1)
    hook = Instrumentation(Recorder(), {"cwhook_subject": [missing, filtered, TAKE], "_bisect": [extension]})
    sys.modules.pop("_bisect", None)
    hook.install()
    importlib.import_module("cwhook_subject")
    importlib.import_module("_bisect")
    assert "no such function" in hook.skipped[missing]
    assert "records to the function around it" in hook.skipped[filtered]
    assert "_bisect" in hook.skipped[extension]
    assert [function.key for function in hook.functions] == [TAKE]


def test_errors_of_the_subject_are_its_own(folder: Path) -> None:
    (folder / "cwhook_subject.py").write_text("def take(:\n")
    recorder = Recorder()
    hook = Instrumentation(recorder, {"cwhook_subject": [TAKE]})
    hook.install()
    with pytest.raises(SyntaxError, match=r"cwhook_subject\.py"):
        importlib.import_module("cwhook_subject")
    assert "SyntaxError" in hook.skipped[TAKE]
    (folder / "cwhook_subject.py").write_text("raise LookupError(1)\ndef take(): pass\n")
    importlib.invalidate_caches()
    with pytest.raises(LookupError):
        importlib.import_module("cwhook_subject")


def test_modules_in_archives_and_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("cwhook_zipped/__init__.py", "from .part import f\n")
        archive.writestr(
            "cwhook_zipped/part.py", "# coding: latin-1\ndef f(x):\n    return 'é' if x > 1 else 0\n".encode("latin-1")
        )
    monkeypatch.syspath_prepend(str(folder / "archive.zip"))
    recorder = Recorder()
    hook = Instrumentation(recorder, {"cwhook_zipped.part": [CodeKey("cwhook_zipped.part", "f", 2)]})
    hook.install()
    package = importlib.import_module("cwhook_zipped")
    recorder.reset()
    assert package.f(2) == "é"
    assert evaluated(recorder) == [("f", ["gt"])]
    assert not hook.skipped


def test_warnings_of_the_subject_only(folder: Path, recwarn: pytest.WarningsRecorder) -> None:
    imported(Recorder(), TAKE, OUTER, INNER)
    assert not recwarn.list

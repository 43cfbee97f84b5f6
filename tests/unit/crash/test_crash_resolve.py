"""Reports against small made-up environments in a temporary folder."""

from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, ReportError, UsageError
from crashwright.core.location import CodeKey, Position
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.core.target import Callback
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import ResolvedCrash, resolve
from crashwright.environment.interpreter import Interpreter

STOCK = '''\
"""A made-up package."""
import json


def logged(function):
    def wrapper(*args):
        return function(*args)
    return wrapper


class Shelf:
    def __init__(self, slots):
        self.slots = slots

    @logged
    def take(self, name):
        try:
            return self._locate(
                name, json.loads(name)
            ).strip()
        except KeyError as error:
            raise LookupError(name) from error

    def _locate(self, name, index):
        wide = "日本", name; return self.slots[index]

    def all(self):
        return [
            self.take(name)
            for name in self.slots], (lambda: self.one)(), (lambda: self.two)()

    def drop(self, name):
        self.slots[name].remove(name)
'''
SITE = "/home/app/venv/lib/python3.11/site-packages"
HEAD = "Traceback (most recent call last):\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "venv" / "site-packages"
    (root / "inventory").mkdir(parents=True)
    (root / "inventory" / "__init__.py").write_text("")
    (root / "inventory" / "stock.py").write_text(STOCK, encoding="utf-8")
    (root / "inventory_tools-2.4.1.dist-info").mkdir()
    (root / "inventory_tools-2.4.1.dist-info" / "RECORD").write_text("inventory/__init__.py,,\ninventory/stock.py,,\n")
    (root / "runner.py").write_text("def run(callback):\n    return callback()\n")
    stdlib = tmp_path / "lib"
    (stdlib / "json").mkdir(parents=True)
    (stdlib / "json" / "__init__.py").write_text("def loads(s):\n    return decode(s)\n")
    (stdlib / "os.py").write_text("def fsencode(s):\n    raise TypeError(s)\n")
    return root


def interpreter(site: Path, *path: Path, version: tuple[int, int, int] = (3, 11, 7)) -> Interpreter:
    stdlib = str(site.parent.parent / "lib")
    return Interpreter("python", version, (*map(str, path), stdlib, str(site)), (stdlib,), True)


def frame(path: str, line: int, function: str, source: str = "", carets: str = "") -> str:
    lines = [f'  File "{path}", line {line}, in {function}', *(f"    {text}" for text in (source, carets) if text)]
    return "\n".join(lines) + "\n"


def stock(line: int, function: str, source: str = "", carets: str = "", path: str = f"{SITE}/inventory/stock.py") -> str:
    return frame(path, line, function, source, carets)


MAIN = frame("/home/app/main.py", 3, "<module>", 'shelf.take("7")')
WRAPPER = stock(7, "wrapper", "return function(*args)", "       ^^^^^^^^^^^^^^^")
TAKE = stock(18, "take", "return self._locate(", "       ^^^^^^^^^^^^^")
LOCATE = stock(25, "_locate", 'wide = "日本", name; return self.slots[index]', " " * 26 + "~~~~~~~~~~^^^^^^^")
ERROR = "IndexError: list index out of range\n"


def crash(text: str, found: Interpreter, package: str | None = None, number: int | None = None) -> ResolvedCrash:
    return resolve(read_reports(HEAD + text)[-1], found, package, number)


def test_frames_become_code_with_positions(site: Path) -> None:
    done = crash(MAIN + WRAPPER + TAKE + LOCATE + ERROR, interpreter(site))
    target = done.target
    assert (target.package, target.exception, target.message) == ("inventory", "IndexError", "list index out of range")
    assert [one.key for one in target.frames] == [
        CodeKey("inventory.stock", "logged.<locals>.wrapper", 6),
        CodeKey("inventory.stock", "Shelf.take", 15),
        CodeKey("inventory.stock", "Shelf._locate", 24),
    ]
    assert all(one.in_package and one.path == str(site / "inventory" / "stock.py") for one in target.frames)
    assert [one.line for one in target.frames] == [7, 18, 25]
    # A clipped multi-line call is whole again; columns are UTF-8 bytes.
    assert [one.caret for one in target.frames] == [Position(7, 15, 7, 30), Position(18, 19, 20, 13), Position(25, 38, 25, 55)]
    assert [(site_.function, site_.source) for site_ in target.call_sites] == [("<module>", 'shelf.take("7")')]
    assert not target.call_sites[0].in_library
    assert (done.distribution, done.version, done.extra_path) == ("inventory-tools", "2.4.1", ())
    assert [skipped.reason for skipped in done.skipped] == ["no such file here"]
    assert done.notes == ()


@pytest.mark.parametrize("wide", [False, True])
def test_carets_after_wide_characters(site: Path, wide: bool) -> None:
    shift = 2 if wide else 0
    text = stock(25, "_locate", 'wide = "日本", name; return self.slots[index]', " " * (26 + shift) + "~~~~~~~~~~^^^^^^^") + ERROR
    line = STOCK.splitlines()[24]
    start = len(line[: line.index("self.slots")].encode())
    assert crash(text, interpreter(site)).target.crash_frame.caret == Position(25, start, 25, start + len("self.slots[index]"))


def test_no_carets_in_a_report_that_has_some_mean_the_whole_line(site: Path) -> None:
    line, source = 33, "self.slots[name].remove(name)"
    dropped, whole = stock(line, "drop", source), Position(33, 8, 33, 8 + len(source))
    assert crash(WRAPPER + dropped + ERROR, interpreter(site)).target.crash_frame.caret == whole
    assert crash(dropped + ERROR, interpreter(site)).target.crash_frame.caret is None, "a report that has none says nothing"
    marked = stock(line, "drop", source, "~~~~~~~~~~^^^^^^")
    assert crash(WRAPPER + marked + ERROR, interpreter(site)).target.crash_frame.caret == Position(33, 8, 33, 24)


def test_other_lines_are_followed_by_their_text(site: Path) -> None:
    moved = stock(40, "_locate", 'wide = "日本", name; return self.slots[index]')
    done = crash(MAIN + WRAPPER + moved + ERROR, interpreter(site))
    assert done.target.crash_frame.line == 25
    assert done.notes == ("frame inventory/stock.py:40 is at line 25 here",)


def test_a_caller_with_other_source_is_named_and_left_out(site: Path) -> None:
    done = crash(MAIN + stock(18, "take", "return self.find(name)") + LOCATE + ERROR, interpreter(site))
    assert [one.key.name for one in done.target.frames] == ["_locate"]
    assert any("installed source differs: take has no line" in note for note in done.notes)
    assert any("installed source differs" in skipped.reason for skipped in done.skipped)


def test_a_crash_frame_with_other_source_is_another_version(site: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"inventory-tools 2\.4\.1.*_find") as caught:
        crash(MAIN + stock(25, "_find", "return 1") + ERROR, interpreter(site))
    assert "version" in caught.value.advice


def test_frames_of_others_in_between_do_not_decide(site: Path) -> None:
    runner = frame(f"{SITE}/runner.py", 2, "run", "return callback()")
    library = frame("/usr/lib/python3.11/json/__init__.py", 2, "loads", "return decode(s)")
    done = crash(
        runner + TAKE + runner + LOCATE + library + frame("<frozen os>", 2, "fsencode") + "TypeError: x\n", interpreter(site)
    )
    assert [(one.key.module, one.in_package) for one in done.target.frames] == [
        ("inventory.stock", True),
        ("runner", False),
        ("inventory.stock", True),
        ("json", False),
        ("os", False),
    ]
    assert done.target.crash_frame.key.name == "_locate"
    assert [(site_.source, site_.in_library, site_.module) for site_ in done.target.call_sites] == [
        ("return callback()", True, "runner")
    ]
    chosen = crash(runner + TAKE + runner + LOCATE + ERROR, interpreter(site), package="runner").target
    assert [one.key.module for one in chosen.package_frames] == ["runner", "runner"]


def test_functions_of_the_reporters_between_frames_are_callbacks(site: Path) -> None:
    own = frame("/home/app/main.py", 9, "found", "shelf.locate_all(name)") + frame("/home/app/main.py", 12, "again", "locate(name)")
    done = crash(MAIN + TAKE + own + LOCATE + ERROR, interpreter(site))
    assert done.target.callbacks == (Callback("found", "locate(name)", 0),), "the first is called, the last calls what follows"
    assert [one.key.name for one in done.target.frames] == ["take", "_locate"]
    runner = frame(f"{SITE}/elsewhere.py", 2, "run", "return callback()")
    assert crash(MAIN + TAKE + runner + LOCATE + ERROR, interpreter(site)).target.callbacks == (), "an installed library's are not"


def test_frame_counts_from_the_crash(site: Path) -> None:
    text = MAIN + WRAPPER + TAKE + LOCATE + ERROR
    assert [one.key.name for one in crash(text, interpreter(site), number=2).target.frames] == ["take", "_locate"]
    assert crash(text, interpreter(site), number=1).target.call_sites[-1].source == "return self._locate("
    assert [crash(text, interpreter(site), number=number).target.frames_beyond for number in (None, 3, 1)] == [0, 0, 2]
    assert [key.name for key in crash(text, interpreter(site), number=1).target.beyond] == ["wrapper", "take"]
    with pytest.raises(UsageError, match="There is no frame 4"):
        crash(text, interpreter(site), number=4)


def test_run_time_code_is_dropped_and_repetition_kept(site: Path) -> None:
    made = frame("<class 'inventory.Maker'> compilation 6", 2, "take_1")
    done = crash(WRAPPER + "  [Previous line repeated 9 more times]\n" + made + LOCATE + ERROR, interpreter(site))
    assert [(one.key.name, one.repeated) for one in done.target.frames] == [("wrapper", 9), ("_locate", 0)]
    assert [skipped.reason for skipped in done.skipped] == ["created at run time, so it has no source file"]


def test_comprehension_frames_where_python_has_none(site: Path) -> None:
    text = stock(28, "all", "return [") + stock(29, "<listcomp>", "self.take(name)", "^^^^^^^^^^^^^^^") + LOCATE + ERROR
    old = crash(text, interpreter(site)).target
    assert [one.key.qualname for one in old.frames] == ["Shelf.all", "Shelf.all.<locals>.<listcomp>", "Shelf._locate"]
    new = crash(text, interpreter(site, version=(3, 12, 1)))
    assert [(one.key.qualname, one.line) for one in new.target.frames] == [("Shelf.all", 29), ("Shelf._locate", 25)]
    assert "1 comprehension frame is left out: Python 3.12.1 has no such frames" in new.notes
    assert "the report is from Python 3.11, the subject runs on 3.12.1" in new.notes


def test_carets_tell_lambdas_on_one_line_apart(site: Path) -> None:
    source = "for name in self.slots], (lambda: self.one)(), (lambda: self.two)()"
    for attribute in ("one", "two"):
        start = source.index(f"self.{attribute}")
        done = crash(stock(30, "<lambda>", source, " " * start + "^^^^^^^^") + ERROR, interpreter(site))
        assert done.target.crash_frame.key.qualname == "Shelf.all.<locals>.<lambda>"
        assert done.notes == ()
    assert "does not tell which <lambda>" in crash(stock(30, "<lambda>", source) + ERROR, interpreter(site)).notes[0]


def test_causes_in_the_package_are_resolved_too(site: Path) -> None:
    outside = HEAD + frame("/usr/lib/python3.11/os.py", 2, "fsencode") + "TypeError: x\n"
    inside = HEAD + TAKE + LOCATE + "KeyError: 7\n"
    last = HEAD + MAIN + stock(22, "take", "raise LookupError(name) from error") + "LookupError: 7\n"
    joint = "\nThe above exception was the direct cause of the following exception:\n\n"
    found = interpreter(site)
    cause = resolve(read_reports(inside + joint + last)[-1], found).target.cause
    assert cause is not None
    assert (cause.exception, [one.key.name for one in cause.frames]) == ("KeyError", ["take", "_locate"])
    assert resolve(read_reports(outside + joint + last)[-1], found).target.cause is None


@pytest.mark.parametrize(
    "path",
    [
        "C:\\Python311\\Lib\\site-packages\\inventory\\stock.py",
        "c:\\users\\ann\\venv\\lib\\SITE-PACKAGES\\Inventory\\Stock.py",
        "/usr/lib/python3/dist-packages/inventory/stock.py",
        "/x/site-packages/inventory-2.4.1-py3.11.egg/inventory/stock.py",
        "/ci/build/src/inventory/stock.py",
        "inventory/stock.py",
    ],
)
def test_paths_of_other_machines(site: Path, path: str) -> None:
    source = 'wide = "日本", name; return self.slots[index]'
    done = crash(stock(25, "_locate", source, path=path) + ERROR, interpreter(site))
    assert done.target.crash_frame.key.module == "inventory.stock"


def test_a_namesake_elsewhere_is_no_match(site: Path) -> None:
    (site / "main.py").write_text("print(1)\nprint(2)\nprint(3)\n")
    done = crash(MAIN + LOCATE + ERROR, interpreter(site))
    assert [one.key.module for one in done.target.frames] == ["inventory.stock"]
    assert "is a different file" in done.skipped[0].reason


@pytest.mark.parametrize(("function", "line", "found"), [("work", 2, True), ("work", 5, False), ("<lambda>", 4, False)])
def test_without_echoed_lines_the_function_at_that_line_will_do(site: Path, function: str, line: int, found: bool) -> None:
    """Some formats (structlog, JSON logs) have none."""
    (site / "tool.py").write_text("def work():\n    return 1 / 0\n\nzero = lambda: 0\ndef other(): pass\n")
    frame = ReportedFrame("/srv/elsewhere/tool.py", line, function)
    report = CrashReport((ReportedException("ZeroDivisionError", "division by zero", (frame,)),))
    if found:
        assert resolve(report, interpreter(site)).target.crash_frame.key.qualname == "work"
    else:
        with pytest.raises(EnvironmentProblem):
            resolve(report, interpreter(site))


@pytest.mark.parametrize(
    "finder",
    [
        ("__editable___inventory_2_finder.py", "MAPPING: dict[str, str] = {{'inventory': '{}'}}\n"),
        ("_editable_impl_inventory.py", "F.map_module('inventory', '{}/__init__.py')\n"),
    ],
)
def test_editable_installs(site: Path, tmp_path: Path, finder: tuple[str, str]) -> None:
    work = tmp_path / "work" / "inventory"
    work.parent.mkdir()
    (site / "inventory").rename(work)
    (site / finder[0]).write_text(finder[1].format(work))
    done = crash(LOCATE + ERROR, interpreter(site))
    assert done.target.crash_frame.path == str(work / "stock.py")
    assert done.target.crash_frame.key.module == "inventory.stock"


def test_scripts_and_project_files(site: Path, tmp_path: Path) -> None:
    script = tmp_path / "job" / "script.py"
    script.parent.mkdir()
    script.write_text("import json\nprint(1 / 0)\n")
    text = frame(str(script), 2, "<module>", "print(1 / 0)", "      ~~^~~") + "ZeroDivisionError: division by zero\n"
    done = crash(text, interpreter(site))
    assert done.target.crash_frame.key == CodeKey("script", "<module>", 1)
    assert done.target.crash_frame.caret == Position(2, 6, 2, 11)
    assert (done.target.package, done.extra_path) == ("script", (str(script.parent),))
    # The same report from another machine, with --path.
    other = crash(text.replace(str(script), "/elsewhere/script.py"), interpreter(site, script.parent))
    assert (other.target.package, other.extra_path) == ("script", ())
    package = tmp_path / "project" / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "till.py").write_text("def pay():\n    return 1 / 0\n")
    inside = crash(frame(str(package / "till.py"), 2, "pay", "return 1 / 0") + ERROR, interpreter(site, tmp_path / "project"))
    assert (inside.target.crash_frame.key.module, inside.extra_path) == ("shop.till", (str(package.parent),))


@pytest.mark.parametrize(
    ("text", "package", "kind", "words"),
    [
        (ERROR, None, ReportError, "has no frames"),
        (MAIN + ERROR, None, EnvironmentProblem, "No frame of the report was found"),
        (frame(f"{SITE}/other_part/a.py", 2, "f", "x") + ERROR, None, EnvironmentProblem, "other_part is not installed"),
        (MAIN + LOCATE + ERROR, "unheard", EnvironmentProblem, "unheard is not installed"),
        (MAIN + LOCATE + ERROR, "runner", ReportError, "no frame of runner"),
        (frame("/usr/lib/python3.11/os.py", 2, "fsencode") + ERROR, None, ReportError, "standard library"),
    ],
)
def test_what_cannot_be_resolved_is_told_in_words(
    site: Path, text: str, package: str | None, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words) as caught:
        crash(text, interpreter(site), package)
    assert getattr(caught.value, "advice", "")


def test_a_standard_library_module_may_be_asked_for(site: Path) -> None:
    done = crash(frame("/usr/lib/python3.11/os.py", 2, "fsencode", "raise TypeError(s)") + ERROR, interpreter(site), "os")
    assert done.target.crash_frame.key == CodeKey("os", "fsencode", 1)
    assert done.target.crash_frame.source == "raise TypeError(s)"

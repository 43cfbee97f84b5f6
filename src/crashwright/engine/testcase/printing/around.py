"""How what stands around the calls of a test is written: with pytest's ``monkeypatch``, which undoes it."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.subject.project_files import project_file
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.printing.expressions import call
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.printing.literals import quoted, value_doc


def around(statement: st.Ambient, content: Doc, imports: Imports) -> Doc:
    """The line that sets it; ``content`` is how its content is written."""
    return _WRITERS[statement.place](statement, content, imports)


def _variable(statement: st.Ambient, content: Doc, _imports: Imports) -> Doc:
    if statement.content is None:
        return call("monkeypatch.delenv", Doc(quoted(statement.name)), Doc("raising=False"))
    return call("monkeypatch.setenv", Doc(quoted(statement.name)), content)


def _arguments(statement: st.Ambient, _content: Doc, _imports: Imports) -> Doc:
    items = statement.content.items if isinstance(statement.content, st.Display) else ()
    arguments = value_doc(st.Display("list", (statement.name or st.PROGRAM, *items)), lambda _variable: Doc("None"))
    return call("monkeypatch.setattr", Doc('"sys.argv"'), arguments)


def _input(_statement: st.Ambient, content: Doc, imports: Imports) -> Doc:
    return call("monkeypatch.setattr", Doc('"sys.stdin"'), call(imports.text("io", "StringIO"), content))


def _folder(_statement: st.Ambient, _content: Doc, _imports: Imports) -> Doc:
    return call("monkeypatch.chdir", Doc("tmp_path"))


def _project(statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    file = project_file(statement.name)
    above = f"parents[{file.levels - 1}]" if file.levels > 1 else "parent"
    place = f"{imports.text('pathlib', 'Path')}({imports.module(file.module)}.__file__).{above}"
    entry = file.entry.rstrip("/")
    source = Doc(f"{place} / {quoted(entry)}")
    if entry == file.entry:
        return call(imports.text("shutil", "copy"), source, Doc("tmp_path"))
    return call(imports.text("shutil", "copytree"), source, Doc(f"tmp_path / {quoted(entry)}"))


def _home(_statement: st.Ambient, _content: Doc, _imports: Imports) -> Doc:
    return call("monkeypatch.setenv", Doc('"HOME"'), call("str", Doc("tmp_path")))


def _attribute(statement: st.Ambient, content: Doc, _imports: Imports) -> Doc:
    return call("monkeypatch.setattr", Doc(quoted(statement.name.replace(":", "."))), content)


def _absent(statement: st.Ambient, content: Doc, _imports: Imports) -> Doc:
    return call("monkeypatch.setattr", Doc(quoted(statement.name.replace(":", "."))), content, Doc("raising=False"))


def _kept(statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    module, _, qualname = statement.name.partition(":")
    return _attribute(statement, Doc(imports.text(module, qualname)), imports)


def _copied(statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    module, _, qualname = statement.name.partition(":")
    return _attribute(statement, call(f"{imports.text(module, qualname)}.copy"), imports)


def _trace(_statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    undo = call(imports.text("functools", "partial"), Doc(imports.text("sys", "settrace")), call(imports.text("sys", "gettrace")))
    return call("request.addfinalizer", undo)


def _umask(_statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    umask = imports.text("os", "umask")
    undo = call(imports.text("functools", "partial"), Doc(umask), call(umask, Doc(f"{st.USUAL_UMASK:#05o}")))
    return call("request.addfinalizer", undo)


def _loop(_statement: st.Ambient, _content: Doc, imports: Imports) -> Doc:
    return call(imports.text("asyncio", "set_event_loop"), call(imports.text("asyncio", "new_event_loop")))


_WRITERS: dict[str, Callable[[st.Ambient, Doc, Imports], Doc]] = {
    "environ": _variable,
    "argv": _arguments,
    "stdin": _input,
    "folder": _folder,
    "home": _home,
    "project": _project,
    "attribute": _attribute,
    "absent": _absent,
    "copied": _copied,
    "kept": _kept,
    "trace": _trace,
    "umask": _umask,
    "loop": _loop,
}

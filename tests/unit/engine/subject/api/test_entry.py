"""The call graph, and the public way in for target frames of every kind."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.call_graph import CallGraph
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.entry import MOST_ENTRIES, Entry, entries, nearest
from crashwright.engine.subject.source import ModuleSource, Sources


def key(qualname: str, module: str = "shelfware.core") -> CodeKey:
    source = Sources().of_module(module)
    assert isinstance(source, ModuleSource)
    return next(known for known, _ in source.codes() if known.qualname == qualname)


def target(*frames: tuple[str, str], module: str = "shelfware.core") -> CrashTarget:
    resolved: Sequence[TargetFrame] = [
        TargetFrame(key(name, module), "core.py", key(name, module).first_line, text, None, True) for name, text in frames
    ]
    return CrashTarget("shelfware", "ValueError", "", tuple(resolved))


def entry(api: ApiModel, *frames: tuple[str, str], module: str = "shelfware.core") -> Entry:
    found = entries(api, target(*frames, module=module))
    assert isinstance(found, Entry), found
    return found


def names(found: Entry) -> list[str]:
    return [callee.address for callee in found.callees]


def test_addressable_targets_are_called_directly(api: ApiModel) -> None:
    found = entry(api, ("take", "x"))
    assert names(found)[0] == "shelfware:take"
    assert (found.frame, found.private, found.how, found.module) == (0, False, "called directly", None)


def test_a_wrapper_is_narrowed_to_what_it_wraps(api: ApiModel) -> None:
    wrapper = "traced.<locals>.wrapper"
    assert names(entry(api, (wrapper, "x"))) == ["shelfware.core:one", "shelfware.core:two"]
    assert names(entry(api, (wrapper, "x"), ("two", "return c"))) == ["shelfware.core:two"]


def test_a_method_is_narrowed_by_what_it_calls_on_self(api: ApiModel) -> None:
    shared = ("Base.shared", "def shared(self, other: Crate): return self._secret()")
    secret = ("Base._secret", "def _secret(self): return [x for x in self.items()]")
    assert len(entry(api, shared, secret).callees) == 3
    assert names(entry(api, shared, secret, ("DeepShelf.items", ""))) == ["shelfware.core:DeepShelf.shared"]


def test_private_targets_are_reached_through_public_callers(api: ApiModel) -> None:
    found = entry(api, ("_deeper", "x"))
    assert names(found) == ["shelfware.core:calls_internal"]
    assert not found.private
    assert "calls_internal" in found.how
    assert names(entry(api, ("Base._secret", "x")))[0] == "shelfware.core:Base.shared"


@pytest.mark.parametrize("qualname", ["take.<locals>.inner", "take.<locals>.inner.<locals>.<lambda>"])
def test_nested_targets_are_reached_through_the_code_around_them(api: ApiModel, qualname: str) -> None:
    assert names(entry(api, (qualname, "x")))[0] == "shelfware:take"


def test_private_names_are_the_last_resort(api: ApiModel) -> None:
    orphan = entry(api, ("_orphan", "x"))
    assert (names(orphan), orphan.private) == (["shelfware.core:_orphan"], True)
    unexported = entry(api, ("private_only", "x"), module="shelfware._impl")
    assert (names(unexported), unexported.private) == (["shelfware._impl:private_only"], True)


def test_module_and_class_bodies_need_a_fresh_import(api: ApiModel) -> None:
    for qualname in ("<module>", "Shelf", "Shelf.Pin"):
        found = entry(api, (qualname, "x"))
        assert (found.callees, found.module) == ((), "shelfware.core")


def test_code_that_nothing_reaches_is_unknown(api: ApiModel) -> None:
    frame = TargetFrame(CodeKey("shelfware.core", "ghost", 1), "core.py", 1, "", None, True)
    found = entries(api, CrashTarget("shelfware", "ValueError", "", (frame,)))
    assert found == Unknown("no importable function leads to ghost of shelfware.core")


def test_callers(api: ApiModel) -> None:
    graph = CallGraph(Sources(), [name for name in sys.modules if name.startswith("shelfware")])
    assert [caller.qualname for caller in graph.callers_of(key("_internal"))] == ["calls_internal"]
    assert [caller.qualname for caller in graph.callers_of(key("Base._secret"))] == ["Base.shared"]
    assert graph.callers_of(key("<module>")) == ()
    assert [caller.qualname for caller in graph.callers_of(key("Base.items"))] == ["Base._secret"]


def test_of_thousands_that_share_a_code_the_nearest_tens_are_entered_by() -> None:
    class Quantity: ...

    class Length(Quantity): ...

    def property_of(owner: type, number: int, module: str = "measures.other") -> Callee:
        return Callee(module, f"{owner.__name__}.fact{number}", CalleeKind.PROPERTY, owner=owner)

    class Stranger: ...

    Stranger.__module__ = "measures.far.away"
    callees = (*(property_of(Stranger, number) for number in range(5000)), *(property_of(Length, number) for number in range(50)))
    inner = TargetFrame(CodeKey("measures.core", "Quantity._ask", 5), "core.py", 6, "return self.table[fact]", None, True)
    outer = TargetFrame(CodeKey("measures.facts", "fact.<locals>.getter", 1), "facts.py", 2, "return ask(fact, self)", None, True)
    site = CallSite("print(length.fact7, other.fact4321)", "main", {})
    chosen = nearest(callees, CrashTarget("measures", "KeyError", "", (outer, inner), (site,)))
    assert len(chosen) == MOST_ENTRIES
    assert [(callee.owner, callee.name) for callee in chosen[:3]] == [
        (Length, "fact7"),
        (Stranger, "fact7"),
        (Stranger, "fact4321"),
    ]
    assert {callee.owner for callee in chosen[3:]} == {Length}
    few = callees[:MOST_ENTRIES]
    assert nearest(few, CrashTarget("measures", "KeyError", "", (outer, inner), (site,))) is few

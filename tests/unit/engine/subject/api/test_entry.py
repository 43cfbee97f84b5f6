"""The call graph, and the public way in for target frames of every kind."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from toy_package import load, unload

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.call_graph import CallGraph
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.entry import MOST_ENTRIES, Entry, entries, nearest
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool


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


WICKER = {
    "": "from wickerwork.shop import basket, Loom, Frame",
    "_weave": """
        class _Basket:
            def __init__(self, size): self.size = size
            def put(self, item): return self.size[item]
            def _mend(self): return self.size
        class _Lost:
            def put_back(self, item): return item
    """,
    "shop": """
        from wickerwork._weave import _Basket, _Lost
        def basket(size=3):
            made = _Basket(size)
            return made
        def count(size): return _Basket(size).size + len(str(_Lost()))
        class Frame:
            def __init__(self, width): self.width = width
            def bend(self, by): return self.width / by
        class Loom(Frame): ...
    """,
}


@pytest.fixture(scope="module")
def wicker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiModel]:
    yield load(tmp_path_factory.mktemp("wicker"), "wickerwork", WICKER)
    unload("wickerwork")


def crash_in(qualname: str, module: str, *lines: str) -> CrashTarget:
    frame = TargetFrame(key(qualname, module), "x.py", key(qualname, module).first_line, "x", None, True)
    return CrashTarget("wickerwork", "KeyError", "", (frame,), tuple(CallSite(line, "main", {}) for line in lines))


def test_a_method_of_a_private_class_is_called_on_what_a_public_function_returns(wicker: ApiModel) -> None:
    target = crash_in("_Basket.put", "wickerwork._weave")
    found = entries(wicker, target)
    assert isinstance(found, Entry)
    assert names(found) == ["wickerwork._weave:_Basket.put"]
    [(cls, [maker])] = found.makers
    assert (maker.qualname, found.private, found.how) == ("basket", False, "called on what basket returns")
    factory = Factory(wicker, SeedPool(), found.callees)
    factory.learn_makers(cls, (maker,))
    texts = ["\n".join(print_test(factory.random_test(random.Random(seed), 2)).body) for seed in range(20)]
    assert [text for text in texts if "basket(" not in text or "_Basket" in text] == []
    assert entries(wicker, target, words=False) != found


def test_what_nobody_returns_is_no_way_in(wicker: ApiModel) -> None:
    found = entries(wicker, crash_in("_Lost.put_back", "wickerwork._weave"))
    assert isinstance(found, Entry)
    assert not found.makers


def test_the_callers_line_says_which_of_several_is_meant(wicker: ApiModel) -> None:
    for lines, wanted in (
        ((), ["Frame.bend", "Loom.bend"]),
        (("Loom(data).bend(value)",), ["Loom.bend"]),
        (("loom.bend(value)",), ["Frame.bend", "Loom.bend"]),
        (("Loom(data).bend(value)", "run(main)"), ["Loom.bend"]),
    ):
        found = entries(wicker, crash_in("Frame.bend", "wickerwork.shop", *lines))
        assert isinstance(found, Entry)
        assert sorted(callee.qualname for callee in found.callees) == wanted


KILN = {
    "": """
        class Lazy:
            def __init__(self, function): self.function = function
            def __get__(self, owner, kind=None):
                return self if owner is None else self.function(owner)
        class Pot:
            def __init__(self, clay): self.clay = clay
            @Lazy
            def glaze(self): return self.clay[0]
            @property
            def rim(self): return self.glaze
        class Vase(Pot):
            @Lazy
            def neck(self): return self.clay[1]
    """
}


def test_the_frame_of_a_descriptor_is_entered_by_reading_the_attribute(tmp_path: Path) -> None:
    api = load(tmp_path, "kilnworks", KILN)
    try:
        frames = [
            TargetFrame(key(name, "kilnworks"), "kilnworks.py", key(name, "kilnworks").first_line, "x", None, True)
            for name in ("Lazy.__get__", "Pot.glaze")
        ]
        target = CrashTarget("kilnworks", "IndexError", "", tuple(frames), (CallSite("print(pot.glaze)", "main", {}),))
        found = entries(api, target)
        assert isinstance(found, Entry)
        assert [(callee.qualname, callee.kind) for callee in found.callees] == [
            ("Pot.glaze", CalleeKind.PROPERTY),
            ("Vase.glaze", CalleeKind.PROPERTY),
        ]
        assert found.how == "called directly"
        without = entries(api, target, words=False)
        assert isinstance(without, Entry)
        assert [callee.qualname for callee in without.callees] == ["Lazy.__get__"]
    finally:
        unload("kilnworks")


@pytest.mark.parametrize(
    ("message", "source", "owners"),
    [
        ("'Loom' object has no attribute 'width'", "return self.width / by", ["Loom"]),
        ("'Loom' object has no attribute 'wide'", "return self.width / by.wide", ["Frame", "Loom"]),
        ("'Other' object has no attribute 'width'", "return self.width / by", ["Frame", "Loom"]),
    ],
)
def test_a_class_that_lacks_what_is_read_of_self_is_that_of_the_receiver(
    wicker: ApiModel, message: str, source: str, owners: list[str]
) -> None:
    target = crash_in("Frame.bend", "wickerwork.shop")
    found = entries(wicker, replace(target, message=message, frames=(replace(target.frames[0], source=source),)))
    assert isinstance(found, Entry)
    assert [callee.qualname.partition(".")[0] for callee in found.callees] == owners


def test_a_class_of_a_private_module_is_not_entered_by_the_frame_further_out(wicker: ApiModel) -> None:
    target = crash_in("_Basket.__init__", "wickerwork._weave")
    outer = entries(wicker, target)
    assert isinstance(outer, Entry)
    assert "wickerwork.shop:count" in names(outer)
    beyond = (key("basket", "wickerwork.shop"), key("count", "wickerwork.shop"))
    inner = entries(wicker, replace(target, frames_beyond=2, beyond=beyond))
    assert isinstance(inner, Entry)
    assert (names(inner), inner.private) == (["wickerwork._weave:_Basket"], True)


def test_private_code_is_entered_by_what_the_report_has_around_the_crash(wicker: ApiModel) -> None:
    target = replace(crash_in("_Basket.__init__", "wickerwork._weave"), led_here=(key("count", "wickerwork.shop"),))
    found = entries(wicker, target)
    assert isinstance(found, Entry)
    assert (names(found), found.how) == (["wickerwork.shop:count"], "through count, which the report has around the crash")
    inner = replace(target, frames=(*target.frames, target.frames[0])).from_frame(1)
    assert inner.led_here == ()

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from crashwright.core.chains import GroupMember
from crashwright.core.level import FramePlace
from crashwright.core.location import CodeKey
from crashwright.core.report import OuterException
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.header import Header
from crashwright.finishing.running.agreement import (
    CHAIN_AGREES,
    Agreement,
    PackageFiles,
    RaisedException,
    agreement,
    nothing_raised,
)

Frames = list[tuple[str, int, str]]


def target(tmp_path: Path, frames: Frames, exception: str = "IndexError", message: str = "list index out of range") -> CrashTarget:
    made = []
    for file, line, function in frames:
        module = file[:-3].replace("/", ".").removesuffix(".__init__")
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        made.append(TargetFrame(CodeKey(module, function, 1), str(path), line, "", None, module.startswith("shop")))
    return CrashTarget("shop", exception, message, tuple(made))


def raised(
    tmp_path: Path,
    frames: Frames,
    kind: str = "IndexError",
    message: str = "list index out of range",
    python: tuple[int, int] = (3, 11),
) -> RaisedException:
    places = [FramePlace(str(tmp_path / file), line, function) for file, line, function in frames]
    return RaisedException("builtins", kind, message, (FramePlace("/t/test_x.py", 7, "test_x"), *places), python)


FRAMES: Frames = [("shop/__init__.py", 3, "reserve"), ("shop/stock.py", 8, "Shelf.take"), ("shop/stock.py", 20, "Shelf.locate")]
NAMES: Frames = [(file, line, function.rpartition(".")[2]) for file, line, function in FRAMES]


def judge(tmp_path: Path, frames: Frames, **changed: str) -> Agreement:
    return agreement(target(tmp_path, FRAMES), raised(tmp_path, frames, **changed), "test_x.py")  # type: ignore[arg-type]


def test_all_frames_and_message_is_level_four(tmp_path: Path) -> None:
    found = judge(tmp_path, NAMES)
    assert (found.level, found.frames, found.total, found.test_line, found.missing) == (4, 3, 3, 7, "")


def test_lines_of_templates_in_the_folder_of_the_package_do_not_count(tmp_path: Path) -> None:
    shown = [NAMES[0], ("shop/templates/page.html", 4, "block 'body'"), *NAMES[1:]]
    assert judge(tmp_path, shown).level == 4


def test_further_package_frames_outside_the_target_do_not_matter(tmp_path: Path) -> None:
    assert judge(tmp_path, [("shop/__init__.py", 99, "facade"), *NAMES]).level == 4


def test_frames_of_other_packages_do_not_decide(tmp_path: Path) -> None:
    assert judge(tmp_path, [NAMES[0], ("other/x.py", 1, "apply"), *NAMES[1:], ("other/x.py", 5, "boom")]).level == 4


def test_another_way_in_is_level_two(tmp_path: Path) -> None:
    found = judge(tmp_path, [("shop/__init__.py", 4, "reserve"), *NAMES[1:]])
    assert (found.level, found.frames) == (2, 2)
    assert found.missing == "only 2 of 3 frames match"


def test_another_message_is_one_level_less(tmp_path: Path) -> None:
    assert judge(tmp_path, NAMES, message="pop from empty list").level == 3
    assert judge(tmp_path, NAMES[2:], message="pop from empty list").level == 1


def test_another_type_or_line_is_nothing(tmp_path: Path) -> None:
    assert judge(tmp_path, NAMES, kind="KeyError").level == 0
    deeper = judge(tmp_path, [*NAMES, ("shop/stock.py", 30, "check")])
    assert deeper.level == 0
    assert "not at the crash line" in deeper.missing


def test_nothing_raised(tmp_path: Path) -> None:
    assert nothing_raised(target(tmp_path, FRAMES)).missing == "nothing is raised"


def test_recursion_compares_sets_of_frames(tmp_path: Path) -> None:
    loop: Frames = [("shop/stock.py", 8, "walk"), ("shop/stock.py", 8, "walk")]
    wanted = target(tmp_path, [NAMES[0], *loop], "RecursionError", "maximum recursion depth exceeded")
    got = raised(tmp_path, [NAMES[0], *loop * 50], "RecursionError", "maximum recursion depth exceeded")
    assert agreement(wanted, got, "test_x.py").level == 4
    elsewhere = raised(tmp_path, loop * 50, "RecursionError", "maximum recursion depth exceeded")
    assert agreement(wanted, elsewhere, "test_x.py").level == 2


def test_comprehension_frames_are_dropped_where_the_interpreter_has_none(tmp_path: Path) -> None:
    wanted = target(tmp_path, [NAMES[0], ("shop/stock.py", 8, "f.<locals>.<listcomp>"), NAMES[2]])
    got = [NAMES[0], NAMES[2]]
    old = agreement(wanted, raised(tmp_path, got, python=(3, 11)), "test_x.py")
    new = agreement(wanted, raised(tmp_path, got, python=(3, 12)), "test_x.py")
    assert (old.level, old.comprehensions_dropped) == (2, False)
    assert (new.level, new.comprehensions_dropped) == (4, True)


def test_package_files_are_those_below_its_folder(tmp_path: Path) -> None:
    files = PackageFiles(target(tmp_path, FRAMES))
    assert str(tmp_path / "shop" / "deep" / "x.py") in files
    assert str(tmp_path / "shopping" / "x.py") not in files
    assert "<string>" not in files


def test_package_of_one_file_is_that_file(tmp_path: Path) -> None:
    files = PackageFiles(target(tmp_path, [("shop.py", 3, "f")]))
    assert str(tmp_path / "shop.py") in files
    assert str(tmp_path / "other.py") not in files


def with_causes(tmp_path: Path) -> CrashTarget:
    first = target(tmp_path, FRAMES[1:], "KeyError", "'a'")
    return replace(target(tmp_path, FRAMES), cause=first)


def test_chain_is_compared_and_makes_no_level(tmp_path: Path) -> None:
    wanted, crash = with_causes(tmp_path), raised(tmp_path, NAMES)
    before = raised(tmp_path, NAMES[1:], "KeyError", "'b'")
    agreeing = agreement(wanted, replace(crash, before=before), "test_x.py")
    assert (agreeing.level, agreeing.chain) == (4, CHAIN_AGREES)
    for other, words in (
        (None, "nothing came before"),
        (replace(before, type="TypeError"), "here it was TypeError"),
        (replace(before, frames=crash.frames[:1]), "elsewhere"),
    ):
        found = agreement(wanted, replace(crash, before=other), "test_x.py")
        assert found.level == 4
        assert words in found.chain
    assert agreement(target(tmp_path, FRAMES), crash, "test_x.py").chain == ""


def test_comprehension_frames_that_only_this_python_makes_are_dropped(tmp_path: Path) -> None:
    frames: Frames = [("shop/__init__.py", 5, "reserve"), ("shop/stock.py", 20, "locate")]
    extra: Frames = [("shop/__init__.py", 3, "reserve"), ("shop/__init__.py", 5, "<listcomp>"), frames[1]]
    wanted = target(tmp_path, frames)
    assert agreement(wanted, raised(tmp_path, extra), "test_x.py").level == 2
    found = agreement(replace(wanted, inlined=True), raised(tmp_path, extra), "test_x.py")
    assert (found.level, found.comprehensions_dropped) == (4, True)
    assert agreement(replace(wanted, inlined=True), raised(tmp_path, frames), "test_x.py").level == 4


def test_a_library_that_the_package_crashed_in_decides_from_there_on(tmp_path: Path) -> None:
    wanted = target(tmp_path, [*FRAMES[:2], ("shelves/table.py", 5, "get"), ("shelves/index.py", 9, "find")])
    wanted = replace(wanted, frames=tuple(replace(frame, in_package=True) for frame in wanted.frames))
    inside: Frames = [("shelves/table.py", 5, "get"), ("shelves/index.py", 9, "find")]
    other: Frames = [("shelves/table.py", 6, "pop"), ("shelves/index.py", 9, "find")]

    def level(*frames: tuple[str, int, str]) -> int:
        return agreement(wanted, raised(tmp_path, list(frames)), "test_x.py").level

    assert level(*NAMES[:2], *inside) == 4
    assert level(NAMES[0], ("shelves/call.py", 1, "call"), NAMES[1], *inside) == 4, "what it does in between does not decide"
    assert level(*NAMES[:2], *other) == 2, "another way through the library is another crash"
    assert level(*inside) == 2, "the way in must be the package's own"


def test_another_value_in_the_message_is_a_near_miss(tmp_path: Path) -> None:
    wanted = target(tmp_path, FRAMES, "KeyError", "<VatRate.ZERO>")
    other = agreement(wanted, raised(tmp_path, NAMES, kind="KeyError", message="0"), "test_x.py")
    assert (other.level, other.same_values, other.near_miss) == (4, False, "other value (KeyError: 0)")
    same = agreement(wanted, raised(tmp_path, NAMES, kind="KeyError", message="<VatRate.ZERO>"), "test_x.py")
    assert (same.level, same.same_values, same.near_miss) == (4, True, "")


def within(inner: RaisedException, kind: str = "ExceptionGroup", frames: tuple[FramePlace, ...] = ()) -> RaisedException:
    return RaisedException("builtins", kind, "two (1 sub-exception)", frames, (3, 11), members=(inner,))


def test_crash_is_recognised_within_the_group_that_the_test_raises(tmp_path: Path) -> None:
    wanted = target(tmp_path, FRAMES)
    crash = raised(tmp_path, NAMES)
    group = within(crash, frames=(FramePlace("/t/test_x.py", 9, "test_x"),))
    assert agreement(wanted, group, "test_x.py").level == 0
    member = replace(wanted, outer=(OuterException("ExceptionGroup", "member"),))
    found = agreement(member, group, "test_x.py")
    assert (found.level, found.thrown, found.raised, found.test_line) == (4, group, crash, 9)
    assert found.chain == "within ExceptionGroup, as in the report"
    assert agreement(member, crash, "test_x.py").level == 4
    assert agreement(member, within(group), "test_x.py").level == 4


def test_crash_is_recognised_as_the_cause_of_the_class_that_it_was_wrapped_in(tmp_path: Path) -> None:
    wanted = target(tmp_path, FRAMES)
    # The cause begins where it was caught; what led there is in the traceback of the exception around it.
    cause = replace(raised(tmp_path, NAMES), frames=raised(tmp_path, NAMES[1:]).frames[1:])
    outer = replace(raised(tmp_path, NAMES[:2], kind="LookupError"), before=cause)
    assert agreement(wanted, outer, "test_x.py").level == 0
    found = agreement(replace(wanted, outer=(OuterException("shop.LookupError", "cause"),)), outer, "test_x.py")
    assert (found.level, found.test_line) == (4, 7)
    other = replace(wanted, outer=(OuterException("shop.StockError", "cause"),))
    assert agreement(other, outer, "test_x.py").level == 0


def test_group_with_other_members_is_level_two(tmp_path: Path) -> None:
    place = FramePlace(str(tmp_path / "shop/stock.py"), 20, "locate")
    members = (GroupMember("IndexError", "list index out of range", place), GroupMember("KeyError", "'a'"))
    wanted = replace(target(tmp_path, FRAMES[:1], "ExceptionGroup", "two (2 sub-exceptions)"), members=members)
    crash, key = raised(tmp_path, FRAMES), raised(tmp_path, [], "KeyError", "'b'")
    crash = replace(crash, frames=(*crash.frames, place))

    def group(*inner: RaisedException) -> RaisedException:
        return replace(raised(tmp_path, NAMES[:1], "ExceptionGroup", f"two ({len(inner)} sub-exceptions)"), members=inner)

    assert agreement(wanted, group(crash, key), "test_x.py").level == 4
    assert agreement(wanted, group(key, within(crash), crash), "test_x.py").level == 4
    missing = agreement(wanted, group(crash, crash), "test_x.py")
    assert (missing.level, missing.missing) == (2, "the group has no KeyError like that of the report")
    elsewhere = agreement(wanted, group(replace(crash, frames=crash.frames[:1]), key), "test_x.py")
    assert (elsewhere.level, elsewhere.missing) == (2, "the group has no IndexError like that of the report")
    more = agreement(wanted, group(crash, key, raised(tmp_path, [], "OSError", "")), "test_x.py")
    assert (more.level, more.missing) == (2, "the group has a further OSError")


def test_a_message_in_the_words_of_another_python_agrees_and_that_is_said(tmp_path: Path) -> None:
    old, new = "tuple index out of range", "Replacement index 0 out of range for positional args tuple"
    wanted = target(tmp_path, FRAMES, message=old)
    found = agreement(wanted, raised(tmp_path, NAMES, message=new), "test_x.py")
    assert (found.level, found.message_agrees, found.near_miss) == (4, True, "")
    assert found.wording == f"Python 3.11 words it {new!r}"
    header = " ".join(Header(wanted, found, "fail", "crashwright reproduce x").lines())
    assert "the message of the report (Python 3.11 words it" in header
    assert agreement(wanted, raised(tmp_path, NAMES, message=old), "test_x.py").wording == ""

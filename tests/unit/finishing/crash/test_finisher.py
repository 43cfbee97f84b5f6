"""What is found and confirmed is delivered; what is odd about it is said."""

from __future__ import annotations

from dataclasses import replace

from crashwright.core.location import CodeKey
from crashwright.core.messages import Found
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Arguments, Call
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.crash.finisher import FinishedTest, Finisher
from crashwright.finishing.crash.verify import Verification, Verifier
from crashwright.finishing.running.agreement import Agreement

TARGET = CrashTarget("shop", "KeyError", "1", (TargetFrame(CodeKey("shop.stock", "reserve", 1), "/shop.py", 1, "", None, True),))


class Agreeing(Verifier):
    """Every file crashes as the report does."""

    def verify(self, *_arguments: object, **_named: object) -> Verification:
        return Verification((4, 4, 4), Agreement(4, 1, 1), "pytest")


def finished(callee: Callee) -> FinishedTest:
    test = encode(TestCase((Call(0, callee, Arguments(())),)))
    verifier = Agreeing(TARGET, None)  # type: ignore[arg-type]
    return Finisher(TARGET, verifier, "fail", "crashwright reproduce", "3f2a").finish(Found(test, 4, 1, 0.0, 1, 1.0), lambda: 60.0)


def test_a_test_that_uses_a_private_name_is_kept_as_a_partial_one() -> None:
    test = finished(Callee("shop.stock", "_take", CalleeKind.FUNCTION))
    assert (test.reproduces, test.is_confirmed, test.level) == (False, True, 3)
    assert "PARTIAL: the frame and the message of the report" in test.text
    assert "private name _take" in " ".join(test.text.partition("import")[0].split())
    assert test.file_name != finished(Callee("shop.stock", "take", CalleeKind.FUNCTION)).file_name


def test_a_private_module_of_another_package_is_a_doubt() -> None:
    test = finished(Callee("frame._click", "Context", CalleeKind.CLASS))
    assert (test.reproduces, test.level, test.legality.text) == (True, 4, "frame._click.Context is private")
    assert not replace(test, verification=Verification((2,), Agreement(2, 1, 1), "pytest")).is_confirmed

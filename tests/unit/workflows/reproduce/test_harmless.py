"""Secrets in tests: what is run keeps them, what is written has harmless values where it crashes with those as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crashwright.core.messages import BestTests, Found
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.statements import Arguments, Call, Definition, Display, FileFixture, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.crash.finisher import FinishedTest
from crashwright.finishing.crash.legality import Legality
from crashwright.finishing.crash.verify import Verification
from crashwright.finishing.running.agreement import Agreement
from crashwright.workflows.reproduce.harmless import Harmless
from crashwright.workflows.reproduce.sifted_engine import sifted_message

PASSWORD = "hunter2-Zq"
HIDDEN = "xxxxxx0-Xx"
CALLEE = Callee("vault.hunter2_Zq", "open_with_token", CalleeKind.FUNCTION)


def known() -> SecretFilter:
    secrets = SecretFilter()
    secrets.learn(f"vault.set_password({PASSWORD!r})")
    return secrets


def calling(password: str) -> TestCase:
    statements = (
        Literal(0, password),
        Literal(1, Display("dict", (("headers", Display("list", (password, 3))),))),
        FileFixture(2, "key.txt", password.encode()),
        Definition(3, f"def read():\n    return {password!r}"),
        Call(4, CALLEE, Arguments((0, 1, 2, 3))),
    )
    return TestCase(statements)


def found(password: str = PASSWORD) -> Found:
    return Found(encode(calling(password)), 4, 1, 0.0, 10, 1.0, origin=f"with {password}")


def judge(level_of: Callable[[str], int]) -> Callable[[Found, Callable[[], float]], FinishedTest]:
    """Fresh runs in which a test comes to the level that its password makes."""

    def finish(one: Found, _seconds: Callable[[], float]) -> FinishedTest:
        literal = decode(one.test).statements[0]
        assert isinstance(literal, Literal)
        level = level_of(str(literal.value))
        return FinishedTest(
            str(literal.value), "test.py", Verification((level,), Agreement(level, 1, 1), "pytest"), Legality(), 1, one
        )

    return finish


def test_tests_pass_between_host_and_engine_as_they_were_run() -> None:
    told = sifted_message(found(), known())
    assert isinstance(told, Found)
    assert told.test == found().test
    assert told.origin == f"with {HIDDEN}"


def test_what_is_stored_has_no_secrets_and_all_names() -> None:
    stored = Harmless(known()).best(BestTests(3, 1.0, (found().test,)))
    assert stored.tests == (encode(calling(HIDDEN)),)
    harmless = found("plain").test
    assert Harmless(known()).test(harmless) is harmless
    assert Harmless(SecretFilter(allowed=True)).test(found().test) == found().test


@pytest.mark.parametrize(("needed", "written"), [(False, HIDDEN), (True, PASSWORD)])
def test_a_written_test_has_a_secret_where_it_does_not_crash_without(needed: bool, written: str) -> None:
    harmless = Harmless(known())
    finish = harmless.finish(judge(lambda password: 4 if password == PASSWORD or not needed else 0))
    best = finish(found(), lambda: 5.0)
    assert (best.text, best.level) == (written, 4)
    assert bool(harmless.kept(best.found.test)) is needed


def test_a_candidate_that_is_written_as_it_is_is_told_of_too() -> None:
    harmless = Harmless(known())
    assert harmless.kept_in(f"def test():\n    set_password({PASSWORD!r})\n")
    assert not harmless.kept_in(f"def test():\n    set_password({HIDDEN!r})\n")

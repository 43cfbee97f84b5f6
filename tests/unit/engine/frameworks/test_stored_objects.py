"""What is stored before a view is asked: models in the order in which they need each other."""

from __future__ import annotations

from crashwright.engine.frameworks.saved_models import SavedModel, stores


class Member: ...


class Loan: ...


class Shelf: ...


CREATE = "objects.create"
MODELS = (
    SavedModel(Shelf, (("number", "1"),), (), frozenset(), CREATE),
    SavedModel(
        Member, (("name", "'x'"),), (("born", "datetime.date(2026, 1, 1)"), ("friend", "Member")), frozenset(), "objects.create"
    ),
    SavedModel(Loan, (("member", "Member"), ("late", "False")), (), frozenset({"Member"}), CREATE),
)


def test_what_refers_to_a_model_that_is_named_follows_it() -> None:
    assert stores(MODELS, {"Member", "request"}) == [
        ["member = Member.objects.create(name='x')"],
        ["member = Member.objects.create(name='x', born=datetime.date(2026, 1, 1), friend=member)"],
        ["member = Member.objects.create(name='x')", "loan = Loan.objects.create(member=member, late=False)"],
    ]


def test_what_a_named_model_refers_to_comes_first() -> None:
    assert stores(MODELS, {"Loan"})[-1] == [
        "member = Member.objects.create(name='x')",
        "loan = Loan.objects.create(member=member, late=False)",
    ]


def test_nothing_is_stored_where_no_model_is_named() -> None:
    assert stores(MODELS, {"request"}) == []

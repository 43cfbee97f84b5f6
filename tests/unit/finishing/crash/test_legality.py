from __future__ import annotations

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.legality import legality


def target(module: str = "shop.stock", qualname: str = "reserve") -> CrashTarget:
    return CrashTarget("shop", "KeyError", "1", (TargetFrame(CodeKey(module, qualname, 1), "/shop.py", 1, "", None, True),))


def test_plain_calls_are_legal() -> None:
    text = "from shop import Shelf\n\n\ndef test_x():\n    shelf = Shelf(1)\n    shelf.size = 3\n    shelf.__len__()\n"
    assert legality(text, target()).text == "legal"


def test_private_names_are_forbidden_unless_the_report_enters_there() -> None:
    text = "from shop._impl import take\n\n\ndef test_x():\n    take(1)._count\n"
    assert legality(text, target()).forbidden == ("private name _count", "private name _impl")
    assert legality(text, target("shop._impl", "_count")).forbidden == ()


def test_what_a_framework_keeps_in_a_private_place_is_a_doubt() -> None:
    text = "from frame._click import Context\n\n\ndef test_x():\n    Context()\n"
    found = legality(text, target(), types_legal=False)
    assert (found.forbidden, found.doubts) == ((), ("frame._click.Context is private",))
    assert legality("import shop._impl\n", target()).forbidden == ("private name _impl",)


def test_patching_is_forbidden() -> None:
    text = "import shop\n\n\ndef test_x():\n    shop.LIMIT = 3\n    setattr(shop, 'x', 1)\n    exec('1')\n"
    assert legality(text, target()).forbidden == ("assigns to shop.LIMIT", "calls exec", "calls setattr")


def test_settings_of_a_class_are_public() -> None:
    assert legality("from shop import Shelf\n\n\ndef test_x():\n    Shelf.limit = 3\n", target()).forbidden == ()


def test_wrong_types_are_a_doubt() -> None:
    found = legality("def test_x():\n    pass\n", target(), types_legal=False)
    assert found.forbidden == ()
    assert "type" in found.text


def test_legal_is_only_said_where_it_was_checked() -> None:
    text = "from shop import reserve\n\n\ndef test_x():\n    reserve(1, 2)\n"
    assert legality(text, target()).text == "legal"
    assert legality(text, target(), unchecked=(1, 2)).text == "legal; 1 of 2 have no annotation to check"
    assert legality(text, target(), unchecked=(2, 2)).text == "not checked, because no parameter has an annotation"
    assert legality(text, target(), types_legal=False, unchecked=(1, 2)).text == "an argument's type is not what the signature says"


def test_what_a_class_of_the_test_calls_its_own_is_not_private() -> None:
    text = (
        "class Own:\n    def __init__(self):\n        self._kept = self._make()\n\n    def _make(self):\n        return self._%s\n"
    )
    assert legality(text % "kept", target()).forbidden == ()
    assert legality(text % "inherited", target()).forbidden == ("private name _inherited",)


def test_an_application_may_be_told_to_let_exceptions_through() -> None:
    text = "from shop import app\n\n\ndef test_x():\n    app.testing = True\n    app.test_client().get('/')\n"
    assert legality(text, target()).forbidden == ()
    assert legality(text.replace("= True", "= 1"), target()).forbidden == ("assigns to app.testing",)
    assert legality(text.replace("testing =", "debug ="), target()).forbidden == ("assigns to app.debug",)

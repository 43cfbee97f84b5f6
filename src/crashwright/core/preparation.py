"""What has to run before the subject's functions can be called: a framework's set-up, or a function of the user's."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Application(NamedTuple):
    """What stands at ``module:name``, or what the factory there makes with these arguments: ``call`` is "" for the first."""

    module: str
    name: str
    call: str = ""

    @classmethod
    def at(cls, address: str) -> Application:
        """Read from its address."""
        module, _, rest = address.partition(":")
        name, bracket, arguments = rest.partition("(")
        return cls(module, name, bracket + arguments)

    def made_by(self, found: Any) -> Any:
        """The application, of what was ``found`` there."""
        if not self.call:
            return found
        call = ast.parse(f"made{self.call}", mode="eval").body
        assert isinstance(call, ast.Call)
        given = [ast.literal_eval(one) for one in call.args]
        named = {one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg}
        return found(*given, **named)


class SetUpPart(Enum):
    """What a framework may need set up beside its application or its settings."""

    DATABASE = "database"
    """Tests are given an empty one in memory."""
    MARK = "mark"
    """A mark on the test gives it the database: the project has the framework's plugin for pytest."""
    FOLDER = "folder"
    """The application keeps files in a folder of its own: tests have another in its place."""


@dataclass(frozen=True, slots=True)
class FrameworkSetUp:
    """What is set up for one framework, which both wings know by its name (``crash.frameworks.table``,
    ``engine.frameworks.registry``). ``address`` is what the framework is set up with: an application (:class:`Application`), or
    a module of settings. ``apps``, for an installed package that reads settings when it is imported, are the applications of
    minimal ones. ``text`` says it in words."""

    framework: str
    address: str = ""
    parts: tuple[SetUpPart, ...] = ()
    apps: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Preparation:
    """``framework``: of the one that the subject is written for, if any. ``function`` (``module:function``) is called before each
    test. ``early``: once, before the subject is imported."""

    framework: FrameworkSetUp | None = None
    function: str = ""
    early: bool = False

    def __bool__(self) -> bool:
        return bool(self.function or self.framework)

    @property
    def text(self) -> str:
        """In words for the user."""
        parts = [self.framework.text] if self.framework else []
        parts += [f"{self.function} is called first"] if self.function else []
        return ", ".join(parts)

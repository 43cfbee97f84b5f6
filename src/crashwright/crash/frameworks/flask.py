"""Flask: the application in whose request context tests run, and the folder in which it keeps files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from crashwright.core.preparation import FrameworkSetUp, SetUpPart
from crashwright.crash.frameworks.applications import application_in
from crashwright.crash.frameworks.factory_calls import Configured
from crashwright.crash.frameworks.lines import SetUpLines
from crashwright.crash.frameworks.searched import SearchedProject, file_of, nearest_first, root_of

IN_MEMORY = Configured("flask_sqlalchemy", "({'TESTING': True, 'SQLALCHEMY_DATABASE_URI': 'sqlite://'})")
_DATABASE = re.compile(r"sqlite:///\w")
"""The address of a database in a file of no folder."""


class FlaskSetUp(SetUpLines):
    """See ``table.SetUpFramework``."""

    name = "flask"

    def found(self, project: SearchedProject) -> FrameworkSetUp | None:
        """If the frames use it, and the project makes an application."""
        address = application_in(project, {"flask": "Flask"}, IN_MEMORY)
        return self.at(address, _keeps_files(address, project)) if address else None

    def at(self, address: str, keeps_files: bool = False) -> FrameworkSetUp:
        """A request context of the application there."""
        folder = ", an instance folder of its own" if keeps_files else ""
        text = f"a request context of the Flask application {address}{folder}"
        return FrameworkSetUp(self.name, address, (SetUpPart.FOLDER,) if keeps_files else (), text=text)

    def needed(self, set_up: FrameworkSetUp, body: str) -> FrameworkSetUp:
        """A test that enters a request context of its own needs no other, nor does one with a client."""
        if not any(one in body for one in (".test_request_context(", ".test_client(")):
            return set_up
        makes_one = f"{set_up.address.partition(':')[2].partition('(')[0]}(" in body
        return replace(set_up, address="", parts=set_up.parts if makes_one else ())

    def imports(self, set_up: FrameworkSetUp) -> list[str]:
        """The module of the application."""
        return [f"import {set_up.address.partition(':')[0]}"] if set_up.address else []

    def fixtures(self, set_up: FrameworkSetUp, scope: str) -> list[str]:  # noqa: ARG002
        """In the order of their names, in which pytest takes them."""
        lines = []
        if SetUpPart.FOLDER in set_up.parts:
            lines += ["@pytest.fixture(autouse=True)", "def instance_folder(tmp_path, monkeypatch):"]
            lines += ['    monkeypatch.setattr("flask.Flask.auto_find_instance_path", lambda app: str(tmp_path))', "", ""]
        if set_up.address:
            application = set_up.address.replace(":", ".", 1)
            lines += ["@pytest.fixture(autouse=True)", "def request_context():"]
            lines += [f"    with {application}.test_request_context():", "        yield", "", ""]
        return lines


def _keeps_files(application: str, project: SearchedProject) -> bool:
    """Whether the factory at that address speaks of its instance folder, which Flask looks for beside the package, or the project
    of a database in a file, which is kept there: tests would write into the project."""
    module, _, name = application.partition(":")
    if not name.endswith(")"):
        return False
    places = project.places
    roots = [root for frame in project.frames if (root := root_of(frame)) is not None]
    found = (
        file for root in (*roots, *(start.resolve() for start in places.starts)) if (file := file_of(module, root)) is not None
    )
    file = next(found, None)
    try:
        text = "" if file is None else file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False  # told where the file itself is matched
    return "instance_path" in text or "instance_relative_config" in text or any(map(_names_database, places.projects))


def _names_database(project: Path) -> bool:
    """Whether a source file has the address of a database in a file of no folder."""
    for file in nearest_first(project):
        try:
            if _DATABASE.search(file.read_text(encoding="utf-8", errors="replace")):
                return True
        except OSError:
            continue  # told where the file itself is matched
    return False

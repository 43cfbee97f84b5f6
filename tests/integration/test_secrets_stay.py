"""A report full of secrets, from end to end: none of them is on the screen, in a file, or in ``.crashwright/``.

The subject is real, and so is the report: it is what the traceback module prints, with locals, of a call with secrets in it.
Secrets are put together when the test runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import PROGRAM
from patience import HANG
from published_schemas import faults

SUBJECT = '''
"""Connections to a vault."""

import os


class VaultError(Exception):
    """No connection."""


def connect(url, api_key=None, headers=None, card=""):
    scheme, _, rest = url.partition("://")
    login, _, host = rest.rpartition("@")
    user, _, password = login.partition(":")
    try:
        return {}[password]
    except KeyError as error:
        words = f"no vault at {url} for {user} with {password}, key {api_key}, {headers}, {card}"
        failure = VaultError(words + f", DB_PASSWORD={os.environ.get('DB_PASSWORD')}")
        failure.add_note(f"tried with Authorization: {(headers or {}).get('Authorization')}")
        raise failure from error
'''
PARTS = {
    "url": ("hun", "ter2", "Zq"),
    "key": ("51Hxq0", "TbW2mK9", "sLpR4vY7"),
    "bearer": ("mF9zQ2", "aB4xK8", "tR6wP1"),
    "card": ("4242 4242", " 4242 ", "4242"),
    "environment": ("corr3ct-", "h0rse-", "battery"),
    "local": ("st4ple", "-in-", "a-local"),
}


class Vault:
    """A project with the subject and the report, and all that the commands said."""

    def __init__(self, root: Path) -> None:
        self.secrets = {name: "".join(parts) for name, parts in PARTS.items()}
        self.root = root
        (root / "pyproject.toml").write_text("[project]\nname = 'vault'\nversion = '1'\n")
        (root / "vault.py").write_text(SUBJECT.lstrip())
        of = self.secrets
        script = root / "app.py"
        headers = f'{{"Authorization": "Bearer {of["bearer"]}"}}'
        call = f'connect("postgres://u:{of["url"]}@h/db", api_key="sk-{of["key"]}", headers={headers}'
        script.write_text(
            "import traceback, sys\nfrom vault import connect\n\n\ndef main():\n"
            f"    vault_password = {of['local']!r}\n    {call}, card={of['card']!r})\n\n\n"
            "try:\n    main()\nexcept Exception as error:\n"
            "    print(''.join(traceback.TracebackException.from_exception(error, capture_locals=True).format()))\n"
        )
        self.environment = {**os.environ, "DB_PASSWORD": of["environment"]}
        done = subprocess.run(
            [sys.executable, str(script)], env=self.environment, cwd=root, capture_output=True, text=True, check=True
        )
        for secret in of.values():
            assert secret in done.stdout  # else this would show nothing
        self.report = done.stdout
        script.unlink()
        self.said: list[str] = []

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            env=self.environment,
            cwd=self.root,
            input=self.report,
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )
        assert done.returncode in (0, 1, 4), done.stderr
        self.said.append(done.stdout + done.stderr)
        return done.stdout

    def files(self) -> Iterator[str]:
        """What lies in the project now."""
        for path in self.root.rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                yield f"{path.relative_to(self.root)}\n{path.read_text(errors='replace')}"

    def leaks(self) -> list[str]:
        """Each secret that was said or written, and where."""
        texts = [*self.said, *self.files()]
        runs = [(name, run) for name, secret in self.secrets.items() for run in secret.split() if len(run) > 4 or name != "card"]
        runs.append(("card", self.secrets["card"]))
        return [f"{name} in: {text[:300]}" for name, run in runs for text in texts if run in text]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path)


def test_no_secret_of_a_report_is_said_or_written(vault: Vault) -> None:
    plain = vault.run("reproduce", "-", "--path", ".", "--evaluations", "300", "--output", "test_plain.py")
    assert "looks like" in plain or "left out, since they look like secrets" in plain
    for name in ("api_key", "Authorization", "vault_password"):
        assert name in plain
    document = json.loads(vault.run("reproduce", "-", "--path", ".", "--evaluations", "300", "--output", "test_json.py", "--json"))
    assert document["verdict"] == "reproduced", document
    assert list((vault.root / ".crashwright").rglob("*.json"))
    vault.run("explain", "-", "--path", ".")
    assert faults("reproduce", document) == []
    assert faults("explain", json.loads(vault.run("explain", "-", "--path", ".", "--json"))) == []
    vault.run("verify", "test_plain.py", "-", "--path", ".")
    verified = json.loads(vault.run("verify", "test_plain.py", "-", "--path", ".", "--json"))
    assert (verified["verdict"], faults("verify", verified)) == ("reproduces", [])
    assert vault.leaks() == []


@pytest.mark.nightly
def test_secrets_are_used_where_they_are_allowed(vault: Vault) -> None:
    assert "left out" not in vault.run("explain", "-", "--path", ".", "--allow", "secrets")
    assert {leak.partition(" ")[0] for leak in vault.leaks()} >= {"url", "key", "bearer"}

"""``crashwright completion``: a shell that reads it completes commands and options."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from crashwright.cli.main import run

ASK = """source "$1"; shift; asked=$(complete -p crashwright | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=(crashwright "$@"); COMP_CWORD=$#; $asked; echo "${COMPREPLY[*]}" """


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "crashwright.bash"
    with pytest.MonkeyPatch.context() as patch, file.open("w") as out:
        patch.setattr("sys.stdout", out)
        assert run(["completion", "bash"]) == 0
    return file


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["repro"], {"reproduce"}),
        (["reproduce", "--fixed-"], {"--fixed-python", "--fixed-path", "--fixed-ref"}),
        (["ta"], set()),  # what is for ourselves is not offered
    ],
)
def test_bash_completes(script: Path, words: list[str], offered: set[str]) -> None:
    done = subprocess.run(["bash", "-c", ASK, "bash", str(script), *words], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_of_every_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "fixed-ref" in capsys.readouterr().out


def test_a_shell_that_nobody_knows_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert "tcsh" in capsys.readouterr().err

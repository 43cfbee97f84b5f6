"""What a release is made of: version and changelog agree, and the workflow runs the script that tries it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from patience import HANG

ROOT = Path(__file__).parents[2]
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the script, the version and the changelog, and nothing else."""
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/release", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def released(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(project / "scripts/release"), *arguments], capture_output=True, text=True, timeout=HANG, check=False)


def test_version_and_changelog_agree(project: Path) -> None:
    assert VERSION is not None
    done = released(project, "--check")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"crashwright {VERSION[1]}: ")


@pytest.mark.parametrize("head", ["## 9.9.9 (unreleased)", "## 0.1.0 (soon)", "## 0.1.0"])
def test_a_changelog_of_another_version_stops_a_release(project: Path, head: str) -> None:
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    (project / "CHANGELOG.md").write_text(re.sub(r"^## \d.*$", head, text, count=1, flags=re.MULTILINE), encoding="utf-8")
    done = released(project, "--check")
    assert (done.returncode, head[3:] in done.stderr) == (1, True)


def test_what_has_no_date_is_no_release(project: Path) -> None:
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    (project / "CHANGELOG.md").write_text(re.sub(r"^(## \d\S+) .*$", r"\1 (unreleased)", text, count=1, flags=re.MULTILINE))
    done = released(project)
    assert (done.returncode, "has no date" in done.stderr) == (1, True)
    assert not (project / "dist").exists()


def test_the_workflow_publishes_what_the_script_has_tried_and_needs_no_token() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    lines = [step.get("run", "") for step in jobs["distributions"]["steps"]]
    assert any(line.startswith("scripts/release") for line in lines)
    assert set(jobs["publish"]["needs"]) == {"distributions", "wheels"}
    assert jobs["publish"]["if"] == "github.ref_type == 'tag'"
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert "secrets." not in text

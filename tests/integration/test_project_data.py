"""A program that is run on files which come with it: as its README says, with one of these files a little different."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place

pytest.importorskip("click", reason="click is in the test extra, with typer")


PROGRAM = """
    import csv
    import tomllib
    from pathlib import Path

    import click


    @click.command()
    @click.argument("config")
    @click.argument("month")
    def bill(config: str, month: str) -> None:
        settings = tomllib.loads(Path(config).read_text())
        with open(Path(config).parent / settings["meters"], newline="") as file:
            rows = list(csv.DictReader(file))
        for place in settings["places"]:
            owner_of([row for row in rows if row["place"] == place])


    def owner_of(rows: list[dict[str, str]]) -> str:
        names = {row["owner"] for row in rows}
        if rows and len(rows) != len({row["meter"] for row in rows}):
            raise ValueError("too many")
        return "".join(names)
"""


@pytest.mark.nightly
def test_one_row_of_a_file_that_the_readme_leads_to(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(PROGRAM)
    place.tell("ValueError: too many", ("owner_of([row", "bill"), ("raise ValueError", "owner_of"))
    (place.code / "README.md").write_text("# Bills\n\n    python -m victim conf/estate.toml 2026-09\n")
    (place.code / "conf").mkdir()
    (place.code / "conf" / "estate.toml").write_text('meters = "../data/meters.csv"\nplaces = ["Ash", "Elm"]\n')
    (place.code / "data").mkdir()
    (place.code / "data" / "meters.csv").write_text("meter,place,owner\nE1,Ash,Ann\nE2,Elm,Bo\n")
    done = place.reproduce("--evaluations", "2000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert "conf/estate.toml" in text
    assert "data/meters.csv" in text
    assert "monkeypatch.chdir(tmp_path)" in text
    assert (place.code / "data" / "meters.csv").read_text() == "meter,place,owner\nE1,Ash,Ann\nE2,Elm,Bo\n"
    assert done.left_nothing


BACKUPS = """
    import tomllib
    from pathlib import Path

    import click


    class Profile:
        def __init__(self) -> None:
            raise TypeError("profiles are read from files")

        @classmethod
        def read(cls, name: str) -> "Profile":
            profile = cls.__new__(cls)
            profile.__dict__.update(tomllib.loads((Path("profiles") / f"{name}.toml").read_text()))
            return profile


    @click.group()
    @click.option("--profile", "-p", default="laptop")
    @click.pass_context
    def main(context: click.Context, profile: str) -> None:
        try:
            context.obj = Profile.read(profile)
        except FileNotFoundError:
            raise click.UsageError(f"no profile {profile}") from None


    @main.command()
    @click.pass_obj
    def show(profile: Profile) -> None:
        click.echo(profile.runs)


    @main.command("next")
    @click.pass_obj
    def next_run(profile: Profile) -> None:
        if type(profile) is not Profile:
            raise click.UsageError("no profile")
        day, _, clock = profile.runs.partition(" ")
        click.echo(f"{day} {minutes(clock)}")


    def minutes(clock: str) -> int:
        return 60 * int(clock[:2]) + int(clock[3:])


    if __name__ == "__main__":
        main()
"""


def test_a_file_that_only_the_user_has_is_made_like_one_of_the_project(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(BACKUPS)
    place.tell(
        "ValueError: invalid literal for int() with base 10: ''",
        ("click.echo(f", "next_run"),
        ("return 60", "minutes"),
        before="$ python -m victim -p nas next",
    )
    (place.code / "profiles").mkdir()
    (place.code / "profiles" / "laptop.toml").write_text('source = "/home"\nruns = "daily 02:30"\n')
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert "profiles/nas.toml" in text
    assert '["-p", "nas", "next"]' in text
    assert not (place.code / "profiles" / "nas.toml").exists()
    assert done.left_nothing

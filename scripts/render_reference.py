"""Renders ``docs/reference.md`` from the program: every command with its arguments and options, as ``--help`` tells them.

python scripts/render_reference.py            writes the page
python scripts/render_reference.py --check    exits with 1 where it differs
"""

from __future__ import annotations

import enum
import sys
from pathlib import Path

from cyclopts import App, Argument

from crashwright.cli.main import EPILOGUE, build_app
from crashwright.core.mechanisms import Mechanism
from crashwright.engine.passes.table import PASSES
from crashwright.engine.sources.table import SOURCES, SourceRow
from crashwright.engine.teaching.table import TEACHINGS, TeachingRow

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
HEAD = """# Commands and options

This page is what the program says of itself (`crashwright COMMAND --help`), written by `scripts/render_reference.py`. Options of
`reproduce` and `generate` can also be set in `pyproject.toml`, in `[tool.crashwright]` and `[tool.crashwright.generate]`; the
command line wins.
"""


def page() -> str:
    app = build_app()
    names = sorted(name for name in app if not name.startswith("-") and app[name].show)
    return "\n".join(
        [
            HEAD,
            *(_command(name, app[name]) for name in names),
            *_switches(),
            "## Exit codes",
            "",
            EPILOGUE.removeprefix("Exit codes: "),
            "",
        ]
    )


def _switches() -> list[str]:
    """What --without switches off."""
    mechanisms = ", ".join(f"`{one.value}`" for one in Mechanism)
    rows = [
        f"| `{row.name}` | {row.about} | {_kinds(row)} | {'' if row.mechanism is None else f'`{row.mechanism.value}`'} |"
        for row in SOURCES
    ]
    taught = [
        f"| `{row.name}` | {row.about} | {_kinds(row)} | {'' if row.mechanism is None else f'`{row.mechanism.value}`'} |"
        for row in TEACHINGS
    ]
    head = ["| source | proposes | for | part of |", "|---|---|---|---|"]
    told = f"Mechanisms: {mechanisms}. Sources of tests, in the order in which they are asked:"
    return [
        "## Parts of the search",
        "",
        f"`--without NAME` switches one off. {told}",
        "",
        *head,
        *rows,
        "",
        "What tests are made with before the search begins, in the order in which it is read:",
        "",
        "| reading | finds | for | part of |",
        "|---|---|---|---|",
        *taught,
        "",
        "What a test that shows the crash goes through before it is written, in this order:",
        "",
        "| pass | what it does |",
        "|---|---|",
        *(f"| `{row.name}` | {row.about} |" for row in PASSES),
        "",
    ]


def _kinds(row: SourceRow | TeachingRow) -> str:
    return ", ".join(kind for kind, source in (("crashes", row.crash), ("suites", row.suite)) if source is not None)


def _command(name: str, command: App) -> str:
    arguments = [one for one in command.assemble_argument_collection(parse_docstring=True) if one.show and one.parameter.help]
    usage = " ".join([f"crashwright {name}", *("[OPTIONS]" for _ in arguments[:1]), *map(_place, filter(_is_placed, arguments))])
    lines = [f"## {name}", "", str(command.help), "", "```", usage, "```", ""]
    if arguments:
        lines += ["| | meaning | default |", "|---|---|---|", *map(_row, arguments), ""]
    return "\n".join(lines)


def _is_placed(argument: Argument) -> bool:
    return not argument.names[0].startswith("-")


def _place(argument: Argument) -> str:
    return argument.names[0] if argument.required else f"[{argument.names[0]}...]"


def _row(argument: Argument) -> str:
    meaning, _, told = " ".join(str(argument.parameter.help).split()).partition(" [default: ")
    meaning = meaning.removesuffix(".") + "."
    choices = argument.get_choices()
    if choices:
        meaning += " Choices: " + ", ".join(f"`{choice}`" for choice in choices) + "."
    name = f"`{argument.names[0]}`" if _is_placed(argument) else ", ".join(f"`{name}`" for name in argument.names)
    default = told.rstrip("].") or _default(argument)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (name, meaning, default)) + " |"


def _default(argument: Argument) -> str:
    """What stands where nothing is said, if that says anything."""
    value = argument.field_info.default
    if isinstance(value, enum.Enum):
        return f"`{value.value}`"
    return f"`{value}`" if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "" else ""


def main() -> int:
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what the program says: python scripts/render_reference.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

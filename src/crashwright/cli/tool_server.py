"""The Model Context Protocol server: a tool for each command, and the code of a report's frames as resources.

Each call is one run of the command line with the arguments of the call, so that it can touch what that could, and no more: what is
allowed, and which interpreters there are to choose from, stands on the server's own command line. Tests come back as text; nothing
is written but to scratch folders and ``.crashwright/``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resources import TextResource

from crashwright.core.errors import ExitCode, UsageError
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.reporting.json_result import error_document
from crashwright.reporting.schemas import schemas
from crashwright.supervision.command_process import run_command
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.reproduce.question import source_at

INSTRUCTIONS = """\
crashwright turns a Python traceback into a small pytest test, verified in fresh interpreters. Explain a report first; reproduce
it, with candidates if you have an idea (a script or a test, also one that only nearly crashes like this); verify tests that you
wrote. Code of the package and of candidates runs confined. Every result has an exit_code, and says in words what came of it.
"""
MOST_EXPLAINED = 40
"""Reports whose frames are kept as resources."""
LONGEST_MODULE = 200_000
"""Characters of a module that an assistant is shown."""
_MODULE = re.compile(r"[\w.][\w./-]*")
_FOR_PAGES = frozenset({"course", "excerpts", "report", "source", "branches", "mutants", "printed"})
"""Fields of documents, and of the modules in them."""


class Tools:
    """The tools of one server. ``python`` are the interpreters to choose from, the first one is the default; ``allow`` holds for
    all calls."""

    def __init__(self, python: Sequence[str], allow: Sequence[str]) -> None:
        self._python = tuple(python)
        self._allow = tuple(allow)
        self._watchdog = Watchdog()
        self._explained = 0
        self.server = MCPServer("crashwright", instructions=INSTRUCTIONS, version=version("crashwright"))
        for command, schema in schemas().items():
            uri, text = f"crashwright://schema/{command}", json.dumps(schema, indent=2)
            name = f"JSON Schema of what {command} returns"
            self.server.add_resource(TextResource(uri=uri, name=name, text=text, mime_type="application/schema+json"))
        for tool in (self.explain, self.reproduce, self.verify, self.generate, self.doctor):
            self.server.add_tool(tool, structured_output=True)

    async def explain(
        self,
        report: str,
        ctx: Context,
        report_number: str | None = None,
        package: str | None = None,
        target_frame: int | None = None,
        python: str | None = None,
        path: list[str] | None = None,
        preconditions: bool = False,
    ) -> dict[str, Any]:
        """Say what a traceback (report: its text) tells: the code of each frame here, the package to blame, what would be searched.
        Nothing of the package is run. The code can then be read as resources, named in the result: resources are the functions of
        the frames, sources the modules that they are in, which also show how their arguments are made."""
        options = {"report-number": report_number, "package": package, "target-frame": target_frame, "python": python, "path": path}
        words = ["explain", "-", *(["--preconditions"] if preconditions else [])]
        document = await self._run(words, report, ctx, options)
        self._explained = self._explained % MOST_EXPLAINED + 1
        return {**document, "resources": self._share(document), "sources": self._share_modules(document)}

    async def reproduce(
        self,
        report: str,
        ctx: Context,
        candidates: list[str] | None = None,
        budget: float = 60.0,
        evaluations: int | None = None,
        seed: int | None = None,
        report_number: str | None = None,
        package: str | None = None,
        target_frame: int | None = None,
        python: str | None = None,
        path: list[str] | None = None,
        expect: str | None = None,
        fixed_python: str | None = None,
        fixed_path: str | None = None,
        fixed_ref: str | None = None,
    ) -> dict[str, Any]:
        """Search for a small pytest test that raises the crash of a traceback (report: its text) again, in the same frames, and
        verify it in fresh interpreters. candidates are texts of scripts or tests that may reproduce it, or nearly: they are tried
        first, and the search goes on from them. budget is in seconds. The test's text is in test.text."""
        options = {
            "report-number": report_number,
            "package": package,
            "target-frame": target_frame,
            "python": python,
            "path": path,
            "budget": budget,
            "evaluations": evaluations,
            "seed": seed,
            "expect": expect,
            "fixed-python": fixed_python,
            "fixed-path": fixed_path,
            "fixed-ref": fixed_ref,
        }
        with Scratch(self._watchdog) as scratch:
            files = [_written(scratch / f"candidate {n}", text) for n, text in enumerate(candidates or (), 1)]
            given = [f"--candidate={file}" for file in files]
            document = await self._run(["reproduce", "-", f"--output={scratch / 'test_crash.py'}", *given], report, ctx, options)
        return _without_folder(_brief(document), str(scratch))

    async def verify(
        self,
        test: str,
        report: str,
        ctx: Context,
        report_number: str | None = None,
        package: str | None = None,
        target_frame: int | None = None,
        python: str | None = None,
        path: list[str] | None = None,
        fixed_python: str | None = None,
        fixed_path: str | None = None,
        fixed_ref: str | None = None,
    ) -> dict[str, Any]:
        """Say whether a pytest test (test: its text) raises the crash of a traceback (report: its text), in three fresh
        interpreters; and with a fixed side, whether it passes there."""
        options = {
            "report-number": report_number,
            "package": package,
            "target-frame": target_frame,
            "python": python,
            "path": path,
            "fixed-python": fixed_python,
            "fixed-path": fixed_path,
            "fixed-ref": fixed_ref,
        }
        with Scratch(self._watchdog) as scratch:
            file = _written(scratch / "test_given.py", test)
            return _without_folder(await self._run(["verify", str(file), "-"], report, ctx, options), str(scratch))

    async def generate(
        self,
        module: str,
        ctx: Context,
        candidates: list[str] | None = None,
        budget: float = 60.0,
        evaluations: int | None = None,
        seed: int | None = None,
        target: list[str] | None = None,
        python: str | None = None,
        path: list[str] | None = None,
    ) -> dict[str, Any]:
        """Write a pytest suite for a module or a package (module: its import name). The search begins with candidates, texts of
        scripts or tests. The suites' texts are in files."""
        if not _MODULE.fullmatch(module) or module.startswith("-"):
            return _refused(f"{module!r} is no name of a module.", "Give it as in an import.")
        options = {"budget": budget, "evaluations": evaluations, "seed": seed, "target": target, "python": python, "path": path}
        with Scratch(self._watchdog) as scratch:
            suites = scratch / "suites"
            suites.mkdir()
            files = [_written(scratch / f"candidate {n}", text) for n, text in enumerate(candidates or (), 1)]
            given = [f"--output={suites}", *(f"--candidate={file}" for file in files)]
            document = await self._run(["generate", module, *given], "", ctx, options)
            return {**_without_folder(_brief(document), str(scratch)), "files": _files_in(suites)}

    async def doctor(self, ctx: Context, python: str | None = None) -> dict[str, Any]:
        """Say whether this machine and an interpreter are fit for a search."""
        return await self._run(["doctor"], "", ctx, {"python": python})

    async def _run(self, words: Sequence[str], text: str, ctx: Context, options: dict[str, Any]) -> dict[str, Any]:
        try:
            given = [*words, *self._options(options), "--json", *self._allowed(words[0])]
        except UsageError as error:
            return _refused(error.message, error.advice)
        steps = 0

        async def told(line: str) -> None:
            nonlocal steps
            steps += 1
            await ctx.report_progress(steps, message=line)

        return await run_command(given, text, told, self._watchdog)

    def _options(self, options: dict[str, Any]) -> list[str]:
        """Each with its value in one word, so that no value is taken for an option."""
        for name in ("python", "fixed-python"):
            chosen = options.get(name)
            if chosen is not None and chosen not in self._python:
                known = ", ".join(self._python)
                advice = f"Known: {known} (serve --python adds others)."
                raise UsageError(f"{chosen} is not among the interpreters of this server.", advice)
        options = {**options, "python": options.get("python") or self._python[0]}
        values = [(name, one) for name, value in options.items() for one in (value if isinstance(value, list) else [value])]
        if any("\0" in str(value) for _, value in values):
            raise UsageError("A value has a null character in it.", "Leave it out.")
        return [f"--{name}={value}" for name, value in values if value is not None]

    def _allowed(self, command: str) -> list[str]:
        if command == "doctor":
            return []
        allow = [one for one in self._allow if command != "generate" or one != "secrets"]
        return [f"--allow={one}" for one in allow]

    def _share(self, document: dict[str, Any]) -> list[str]:
        """The frames that were found here become resources; their addresses."""
        secrets = SecretFilter("secrets" in self._allow)
        found = []
        for number, frame in enumerate(document.get("frames") or (), 1):
            place, _, line = str(frame.get("place", "")).rpartition(":")
            if not frame.get("code") or not place.endswith(".py") or not line.isdigit():
                continue
            code, _ = source_at(place, int(line))
            uri = f"crashwright://report/{self._explained}/frame/{number}"
            title = f"{frame.get('function')} ({place}:{line})"
            self.server.add_resource(TextResource(uri=uri, name=title, text=secrets.code(code or str(frame.get("source", "")))))
            found.append(uri)
        return found

    def _share_modules(self, document: dict[str, Any]) -> list[str]:
        """So do the modules that they are in, but for those of the standard library."""
        secrets = SecretFilter("secrets" in self._allow)
        frames = [one for one in document.get("frames") or () if one.get("module") and not one.get("stdlib")]
        found = []
        for module, place in {str(one["module"]): str(one.get("place", "")).rpartition(":")[0] for one in frames}.items():
            text = _text_of(Path(place))
            if text:
                uri = f"crashwright://report/{self._explained}/module/{module}"
                self.server.add_resource(TextResource(uri=uri, name=f"{module} ({place})", text=secrets.code(text)))
                found.append(uri)
        return found


def server(python: Sequence[str], allow: Sequence[str]) -> MCPServer:
    """A server that is ready to run."""
    return Tools(python, allow).server


def _written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8", errors="replace")
    return file


def _text_of(file: Path) -> str:
    """The start of a source file; "" if it cannot be read."""
    if file.suffix != ".py":
        return ""
    try:
        return file.read_text(encoding="utf-8", errors="replace")[:LONGEST_MODULE]
    except OSError:
        return ""


def _files_in(folder: Path) -> dict[str, str]:
    """The texts that a command has written to ``folder``, by name."""
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py"))}


def _refused(message: str, advice: str) -> dict[str, Any]:
    return error_document(ExitCode.USAGE, message, advice)


def _brief(document: dict[str, Any]) -> dict[str, Any]:
    """Without what is there for pages to show: an assistant reads sources by other ways, and every word of it costs."""
    kept = {name: value for name, value in document.items() if name not in _FOR_PAGES}
    if isinstance(kept.get("modules"), list):
        kept["modules"] = [{name: value for name, value in one.items() if name not in _FOR_PAGES} for one in kept["modules"]]
    return kept


def _without_folder(document: dict[str, Any], folder: str) -> dict[str, Any]:
    """A scratch folder that is gone is of no use to anybody."""
    return {name: _bare(value, folder) for name, value in document.items()}


def _bare(value: Any, folder: str) -> Any:
    if isinstance(value, str):
        return value.replace(f"{folder}/", "")
    if isinstance(value, list):
        return [_bare(one, folder) for one in value]
    return {name: _bare(one, folder) for name, one in value.items()} if isinstance(value, dict) else value

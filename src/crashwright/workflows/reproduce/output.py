"""Where the test of a crash is written, and that nothing of somebody else is lost by it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.errors import CrashwrightError, ExitCode
from crashwright.finishing.write import check_replaceable, check_writable, earlier_test, file_or_folder, free_name, write
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import PrintedResult, Result


@dataclass(frozen=True, slots=True)
class Output:
    """``file`` is the one that the user named, "" where the test gets a name of its own in ``folder``. ``force``: whatever is in
    the file may be overwritten."""

    folder: Path
    file: str = ""
    force: bool = False

    @classmethod
    def of(cls, request: Request) -> Output:
        """What a request asks for, checked before anything is searched. Raises CrashwrightError."""
        named = (Path(request.folder), "") if request.output is None else file_or_folder(Path(request.output))
        output = cls(*named, request.force)
        path = output.folder / (output.file or "test.py")
        check_writable(path)
        if output.file:
            check_replaceable(path, request.force)
        return output

    def written(self, result: Result, test: PrintedResult) -> Result:
        """``result`` with ``test`` written. If that fails its text is in the result, and so is the reason."""
        path = self.folder / self.file if self.file else free_name(self.folder / test.name)
        there, earlier = path.is_file() and path.stat().st_size > 0, earlier_test(path)
        try:
            check_replaceable(path, self.force)
            write(test.text, path)
        except (CrashwrightError, OSError) as problem:
            return replace(result, exit_code=ExitCode.ENVIRONMENT, notes=(*result.notes, str(problem)))
        replaced = (f"an earlier test by crashwright: {earlier}" if earlier else "a file not by crashwright") if there else ""
        return replace(result, test=replace(test, file=str(path), replaced=replaced))

    def again(self, file: str) -> Output:
        """For the ``file`` that this run has written already."""
        return Output(Path(file).parent, Path(file).name, force=True)

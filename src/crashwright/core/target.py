"""The crash to reproduce, resolved against the installed subject: what the host tells the engine to search for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from crashwright.core.chains import GroupMember
from crashwright.core.invocation import Invocations
from crashwright.core.location import CodeKey, Position
from crashwright.core.report import OuterException


@dataclass(frozen=True, slots=True)
class TargetFrame:
    """A frame matched to installed code. ``path`` is the source file here; ``line`` the line to reach (relocated where the
    version differs); ``caret`` the failing sub-expression where the report shows it. ``in_package`` is true for the frames that
    decide: those of the package, and where that is the user's own code also those of libraries that it crashed in. It is false for
    frames of other packages in between, which are matched and reported but do not decide."""

    key: CodeKey
    path: str
    line: int
    source: str
    caret: Position | None
    in_package: bool
    repeated: int = 0
    local_values: dict[str, str] = field(default_factory=dict)
    """Reprs of the frame's locals where the report has them (with stand-ins for what looks like a secret)."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """What the report shows of the code that called the target: one echoed line of a frame outside the package, outermost first.
    ``local_values`` are reprs."""

    source: str
    function: str
    local_values: dict[str, str]
    in_library: bool = False
    """It is a line of an installed package or of the standard library, not of whoever reports the crash."""
    module: str = ""
    """Where that line is, if it is an installed package's: what the lines further out call may be defined there."""


@dataclass(frozen=True, slots=True)
class Callback:
    """Code of the reporter's own between two frames of the target: a function that one of them called, and that called the next.
    ``name`` is the function's, ``source`` the line in which it calls the next frame; ``caller`` the place among the target's frames
    of the one that called it."""

    name: str
    source: str
    caller: int


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of the reporter's own that frames of the report are in, by its ``path`` here. ``is_run``: its lines are run, as
    those of a script are; the frame is no function's."""

    path: str
    module: str
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class CrashTarget:
    """``frames`` run from the target frame (outermost, first) to the crash frame (last). Levels count from the crash: the
    last frame is level 1. ``package`` is the import name that decides; ``exception`` the name as printed. ``frames_beyond`` is how
    many frames of the package the report has further out than the target frame."""

    package: str
    exception: str
    message: str
    frames: tuple[TargetFrame, ...]
    call_sites: tuple[CallSite, ...] = ()
    cause: CrashTarget | None = None
    frames_beyond: int = 0
    inlined: bool = False
    """The report is known to be of a Python that gives comprehensions no frames of their own (3.12 and later)."""
    outer: tuple[OuterException, ...] = ()
    """The exceptions around this one in the report, from the nearest outwards."""
    members: tuple[GroupMember, ...] = ()
    """Of an exception group: what it holds."""
    beyond: tuple[CodeKey, ...] = ()
    """The functions of those frames if the user, or an inner search, asked for this one: they are no way in to it."""
    led_here: tuple[CodeKey, ...] = ()
    """The functions of the package that frames of the exceptions around this one are in, outermost first: the tasks of a group,
    say, were started by them."""
    invocations: Invocations = field(default_factory=Invocations)
    """What the report says of how the program was run."""
    callbacks: tuple[Callback, ...] = ()
    """Functions of the reporter's own in the middle, outermost first."""
    own_files: tuple[OwnFile, ...] = ()
    """The files of the reporter's own that all frames are in, outermost first."""

    @property
    def callers(self) -> tuple[CallSite, ...]:
        """Who called the target: the user's own lines, then those of libraries in between; each with the nearest first."""
        nearest_first = self.call_sites[::-1]
        return tuple(sorted(nearest_first, key=lambda site: site.in_library))

    @property
    def between(self) -> tuple[str, ...]:
        """The modules of other packages that the call sites are in, outermost first."""
        return tuple(dict.fromkeys(site.module for site in self.call_sites if site.module))

    @property
    def package_frames(self) -> tuple[TargetFrame, ...]:
        """The frames that decide, outermost first."""
        return tuple(frame for frame in self.frames if frame.in_package)

    @property
    def own_frames(self) -> tuple[TargetFrame, ...]:
        """Those of the package itself, outermost first."""
        return tuple(frame for frame in self.package_frames if belongs(frame.key.module, self.package))

    @property
    def library_frames(self) -> tuple[TargetFrame, ...]:
        """Those of libraries that the package crashed in: further in than all of its own."""
        return tuple(frame for frame in self.package_frames if not belongs(frame.key.module, self.package))

    def from_frame(self, number: int) -> CrashTarget:
        """The same crash entered by a frame further in: the one of ``number`` among those that decide, counted from the crash. What
        lies further out has called it."""
        first = self.package_frames[-number]
        place = next(at for at, frame in enumerate(self.frames) if frame is first)
        outside = self.frames[:place]
        callers = tuple(CallSite(frame.source, frame.key.name, frame.local_values) for frame in outside if frame.source)
        deciding = tuple(frame.key for frame in outside if frame.in_package)
        return replace(
            self,
            frames=self.frames[place:],
            call_sites=(*self.call_sites, *callers),
            frames_beyond=self.frames_beyond + len(deciding),
            beyond=(*self.beyond, *deciding),
            led_here=(),
            callbacks=tuple(replace(one, caller=one.caller - place) for one in self.callbacks if one.caller >= place),
        )

    @property
    def crash_frame(self) -> TargetFrame:
        """The innermost frame that decides: where it crashed, as the package's users see it."""
        return self.package_frames[-1]


def belongs(module: str, package: str) -> bool:
    """Is ``module`` the package or inside it?"""
    return module == package or module.startswith(package + ".")

"""Finds the set-up that a crash of a web project needs: a framework's settings or its application. Nothing is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from crashwright.core.preparation import Preparation
from crashwright.core.target import CrashTarget
from crashwright.crash.frameworks.searched import Places, SearchedProject, root_of, root_of_module
from crashwright.crash.frameworks.table import FRAMEWORKS, row_of
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import project_root

_OF_APPLICATIONS = ("apps.py", "models.py", "models", "migrations", "templates", "templatetags")


def preparation_for(
    target: CrashTarget,
    interpreter: Interpreter,
    own: bool,
    function: str = "",
    environment: Mapping[str, str] = os.environ,
    path: Sequence[str] = (),
) -> Preparation:
    """What is to be set up. ``own``: the target is code of the user's. ``function``: what the user names. ``path``: the folders of
    ``--path``."""
    if not own:
        return Preparation(function=function, early=bool(function))
    frames = target.own_frames
    project = SearchedProject(Places(interpreter, path, [frame.path for frame in frames]), interpreter, environment, frames)
    return Preparation(next(filter(None, (one.found(project) for one in FRAMEWORKS)), None), function)


def preparation_for_suites(
    interpreter: Interpreter, environment: Mapping[str, str] = os.environ, path: Sequence[str] = (), files: Sequence[str] = ()
) -> Preparation:
    """What ``files``, modules of a project, need to be imported."""
    project = SearchedProject(Places(interpreter, path, files), interpreter, environment)
    return Preparation(next(filter(None, (one.for_suites(project) for one in FRAMEWORKS)), None))


def minimal_settings_for(target: CrashTarget, preparation: Preparation) -> Preparation:
    """With settings for an installed package that reads some when it is imported: those around its frames that are applications."""
    return _with_applications(preparation, [(root_of(frame), frame.key.module) for frame in target.own_frames])


def settings_for_module(module: str, file: str, preparation: Preparation) -> Preparation:
    """As :func:`minimal_settings_for`, for a module that tests are made for."""
    return _with_applications(preparation, [(root_of_module(module, Path(file)), module)])


def _with_applications(preparation: Preparation, modules: Sequence[tuple[Path | None, str]]) -> Preparation:
    apps: dict[str, None] = {}
    for root, module in modules:
        parts = module.split(".")
        for depth in range(1, len(parts) + 1):
            folder = root.joinpath(*parts[:depth]) if root is not None else None
            if folder is not None and any((folder / mark).exists() for mark in _OF_APPLICATIONS):
                apps[".".join(parts[:depth])] = None
    return replace(preparation, framework=next(filter(None, (one.for_package(tuple(apps)) for one in FRAMEWORKS)), None))


def has_settings(preparation: Preparation) -> bool:
    """Whether it has a framework's own settings: nothing of the subject works without them."""
    set_up = preparation.framework
    return set_up is not None and bool(set_up.address) and row_of(set_up).is_settings


def folders_of(
    preparation: Preparation, interpreter: Interpreter, path: Sequence[str] = (), files: Sequence[str] = ()
) -> tuple[str, ...]:
    """The folders that what is set up is imported from; where the module is not found there, that of the project."""
    places = Places(interpreter, path, files)
    settings = preparation.framework.address if preparation.framework is not None and has_settings(preparation) else ""
    named = [one.partition(":")[0] for one in (settings, preparation.function) if one]
    return tuple(dict.fromkeys(str(places.home_of(one) or project_root(Path(interpreter.project))) for one in named))

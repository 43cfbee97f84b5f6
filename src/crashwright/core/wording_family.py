"""A message of CPython in the words of several of its versions."""

from __future__ import annotations

from typing import NamedTuple

Version = tuple[int, int]


class Wording(NamedTuple):
    """``template`` has fields in braces, None: the message is gone. It holds since a version, and until another (exclusive)."""

    template: str | None
    since: Version
    until: Version


class Family(NamedTuple):
    """Messages of ``exception`` (without its module) that mean the same."""

    exception: str
    wordings: tuple[Wording, ...]


def family(exception: str, *rows: tuple[str, str | None]) -> Family:
    """``rows`` have the version that brought a wording, "" for the first known one."""
    versions = [_version(since) for since, _ in rows]
    wordings = []
    for since, (_, template) in zip(versions, rows, strict=True):
        wordings.append(Wording(template, since, min((one for one in versions if one > since), default=(99, 0))))
    return Family(exception, tuple(wordings))


def _version(text: str) -> Version:
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if text else (0, 0)

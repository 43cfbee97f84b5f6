"""Entries of a feed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Entry:
    title: str
    link: str
    tags: list[str]


def parse_entry(raw: dict[str, str]) -> Entry:
    tags = [tag.strip() for tag in raw["tags"].split(",")]
    return Entry(raw["title"].strip(), raw.get("link", ""), tags)

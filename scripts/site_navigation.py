"""A hook of mkdocs: pages that ``mkdocs.yml`` does not name yet get a place in the navigation. Decisions are reached by links."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    folder = Path(config.docs_dir)
    named = set(_files(config.nav))
    rest = [page.name for page in sorted(folder.glob("*.md")) if page.name not in named]
    config.nav = [*(config.nav or []), *([{"More": rest}] if rest else [])]
    return config


def _files(part: object) -> list[str]:
    if isinstance(part, dict):
        return [file for one in part.values() for file in _files(one)]
    if isinstance(part, list):
        return [file for one in part for file in _files(one)]
    return [part] if isinstance(part, str) else []

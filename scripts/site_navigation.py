"""Hooks of mkdocs: pages that ``mkdocs.yml`` does not name yet get a place in the navigation, decisions are reached by links; and a
built page that shows the mark of an include ends a strict build."""

from __future__ import annotations

import logging
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

INCLUDE = "--8&lt;--"
_LOG = logging.getLogger("mkdocs.hooks.site_navigation")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    folder = Path(config.docs_dir)
    named = set(_files(config.nav))
    rest = [page.name for page in sorted(folder.glob("*.md")) if page.name not in named]
    config.nav = [*(config.nav or []), *([{"More": rest}] if rest else [])]
    return config


def on_page_content(html: str, page: Page, **_: object) -> str:
    if INCLUDE in html:
        _LOG.warning("%s shows an include instead of the file", page.file.src_uri)
    return html


def _files(part: object) -> list[str]:
    if isinstance(part, dict):
        return [file for one in part.values() for file in _files(one)]
    if isinstance(part, list):
        return [file for one in part for file in _files(one)]
    return [part] if isinstance(part, str) else []

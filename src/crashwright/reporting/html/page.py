"""One page from its template: everything in one file, nothing from elsewhere, every value escaped.

Reports are hostile input. The templates escape what they are given, characters that do not print are made visible first, and a
content security policy lets the page run its own script and style alone, named by their hashes, and load nothing at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

_ROOM = "crashwright.reporting.html"
_IN_SCRIPTS = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""What could end a script element, or a line of a script."""


def page(template: str, scripts: Iterable[str] = ("page.js",), **values: object) -> str:
    """The page of ``template`` with ``values``, and the files ``scripts`` in it."""
    environment = Environment(
        loader=PackageLoader(_ROOM),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _asset("page.css"), "\n".join(map(_asset, scripts))
    own = {"style": Markup(style), "script": Markup(script), "policy": _policy(style, script), "version": version("crashwright")}
    return environment.get_template(template).render(**own, **values)


def printable(value: object) -> object:
    """``value`` as it may stand in a page: of a text what neither prints nor begins a line is escaped as in Python, also what would
    turn the direction of the text around it."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if value.isprintable():
        return value
    return "".join(one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode() for one in value)


def embedded(data: object) -> Markup:
    """``data`` as JSON for a script element of the page that holds data: nothing in it can end the element."""
    return Markup(json.dumps(data, separators=(",", ":")).translate(_IN_SCRIPTS))


def _asset(name: str) -> str:
    return (files(_ROOM) / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    """As a browser sees the element: its text, as it stands."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

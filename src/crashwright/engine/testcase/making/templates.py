"""Shapes that text takes in many formats: markup, lists, key-value lines, calls, nested data. Holes are filled with the subject's
tokens, numbers, or further shapes."""

from __future__ import annotations

from random import Random

from crashwright.engine.testcase.seeds import SeedPool

_HOLE = "\x00"
_DEEPEST = 2
_SHAPES = tuple(
    shape.replace("_", _HOLE)
    for shape in (
        "<_>_</_>",
        '<_ _="_">_</_>',
        '<_ _="_" _="_">_</_>',
        "<_ _>_</_>",
        "<_/>",
        "<_ _=_>",
        "<_>",
        "</_>",
        "&_;",
        "&#_;",
        "<!-- _ -->",
        "[_](_)",
        "![_](_)",
        "# _\n",
        "_\n---\n",
        "* _\n* _\n",
        "1. _\n\n   _\n",
        "> _\n",
        "```\n_\n```\n",
        "`_`",
        "**_**",
        "_: _\n",
        "_ = _\n",
        "_=_&_=_",
        "[_]\n_ = _\n",
        '{"_": _}',
        '{"_": "_", "_": [_, _]}',
        "[_, _]",
        "(_)",
        "(_ _)",
        "(_ (_ _))",
        "_(_)",
        "_(_, _=_)",
        "_._",
        "_[_]",
        "_[?_]",
        "$._[_]",
        "_ _ _",
        "_, _",
        '"_"',
        "'_'",
        "/_/_",
        "_/_",
        "_://_._/_?_=_#_",
        "_@_._",
        "_-_-_",
        "_:_:_",
        "_ _\n_ _\n",
        "_|_|_\n",
        "_;_;",
        "${_}",
        "{{ _ }}",
        "{% _ _ %}",
        "%(_)s",
        "@_",
        "// _\n",
        "/* _ */",
        "_ + _",
        "_ < _",
        "_ and _",
        "def _(_):\n    _\n",
        "if _:\n    _\nelse:\n    _\n",
        "lambda _: _",
        "import _\n",
        "SELECT _ FROM _ WHERE _ = _",
    )
)


def shaped_text(rng: Random, pool: SeedPool, depth: int = 0) -> str:
    """A shape with its holes filled."""
    parts = _SHAPES[int(rng.random() * len(_SHAPES))].split(_HOLE)
    return "".join([part + _filling(rng, pool, depth) for part in parts[:-1]]) + parts[-1]


def _filling(rng: Random, pool: SeedPool, depth: int) -> str:
    roll = rng.random()
    if roll < 0.5 and pool.tokens:
        return pool.token(rng)
    if roll < 0.65:
        return "abxyz_"[int(rng.random() * 6)]
    if roll < 0.75:
        return str(int(rng.random() * 12))
    if roll < 0.9 and depth < _DEEPEST:
        return shaped_text(rng, pool, depth + 1)
    return ("", "", '""', "''")[int(rng.random() * 4)]

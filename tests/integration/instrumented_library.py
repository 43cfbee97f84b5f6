"""A script: all functions of some standard library modules instrumented, their results compared with those of the plain modules.

Run it with any supported interpreter; it prints ``agree`` or what differs.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType

OBSERVE = Path(__file__).parents[1] / "unit" / "engine" / "instrument" / "observe.py"
Work = Callable[[ModuleType, random.Random], object]


def _observe() -> ModuleType:
    spec = importlib.util.spec_from_file_location("instrument_observe", OBSERVE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text(source: random.Random, alphabet: str, length: int = 30) -> str:
    return "".join(source.choice(alphabet) for _ in range(source.randrange(length)))


def shlex(module: ModuleType, source: random.Random) -> object:
    line = text(source, "ab '\"\\#\n\t;|&", 20)
    lexer = module.shlex(line, posix=source.random() < 0.5, punctuation_chars=source.random() < 0.5)
    return module.quote(line), list(lexer), module.split(line)


def textwrap(module: ModuleType, source: random.Random) -> object:
    words = text(source, "abc -\n\t.é", 80)
    width = source.randrange(-1, 20)
    options = {
        "drop_whitespace": source.random() < 0.5,
        "max_lines": source.choice([None, 1, 2]),
        "placeholder": source.choice(["", ".."]),
    }
    return module.dedent(words), module.indent(words, ">"), module.shorten(words, 12), module.wrap(words, width, **options)


def difflib(module: ModuleType, source: random.Random) -> object:
    one, two = text(source, "abcd\n"), text(source, "abcd\n")
    matcher = module.SequenceMatcher(None, one, two)
    return (
        matcher.get_opcodes(),
        matcher.ratio(),
        list(module.unified_diff(one.split("\n"), two.split("\n"))),
        list(module.ndiff(one.split("\n"), two.split("\n"))),
        module.get_close_matches(one, [two, one[:3], "abcd"]),
    )


def json_decoder(module: ModuleType, source: random.Random) -> object:
    document = source.choice(
        ['{"a": [1, 2.5e3, null], "b": "\\u00e9"}', "[1, {}]", '"x', "{'a': 1}", "[1,,2]", "NaN", "", '{"a" 1}']
    )
    decoder = module.JSONDecoder(strict=source.random() < 0.5)
    decoder.parse_string = module.py_scanstring
    return decoder.decode(document[: source.randrange(len(document) + 1)] if source.random() < 0.5 else document)


def fractions(module: ModuleType, source: random.Random) -> object:
    one = module.Fraction(source.randrange(-9, 9), source.randrange(1, 9))
    two = module.Fraction(source.choice(["1/3", "-2.5", "1e-2", " 7 ", "3/0", "x"]))
    three = source.choice([one, two, 3, 2.5, 1j, True])
    return one + two, one < two, one == three, two * three, one**2, round(two, 1), hash(one), str(two), divmod(one, two)


def argparse(module: ModuleType, source: random.Random) -> object:
    parser = module.ArgumentParser(prog="p", exit_on_error=False, add_help=False)
    parser.add_argument("-n", "--number", type=int, default=3)
    parser.add_argument("--flag", action="store_true")
    parser.add_argument("names", nargs=source.choice(["*", "?", "+", 2]))
    choices = ["-n", "4", "--flag", "a", "b", "--num=7", "-nx", "--", "--wrong"]
    given = [source.choice(choices) for _ in range(source.randrange(4))]
    with contextlib.redirect_stderr(io.StringIO()) as complaint:
        try:
            return parser.format_help(), parser.parse_args(given)
        except SystemExit as error:
            return error.code, complaint.getvalue()


def dataclasses(module: ModuleType, source: random.Random) -> object:
    def default() -> list[int]:
        return [1]

    fields = [("a", int), ("b", list, module.field(default_factory=default, repr=False)), ("c", str, "x"), ("d", int)]
    made = module.make_dataclass(
        "Made", fields[: source.randrange(1, 5)], order=source.random() < 0.5, frozen=source.random() < 0.5
    )
    value = made(source.randrange(3))
    changed = module.replace(value, a=5)
    return value, module.asdict(value), module.astuple(changed), value == changed, changed > value


WORKS: dict[str, Work] = {
    "shlex": shlex,
    "textwrap": textwrap,
    "difflib": difflib,
    "json.decoder": json_decoder,
    "fractions": fractions,
    "argparse": argparse,
    "dataclasses": dataclasses,
}


def main(runs: int) -> int:
    """The number of differences."""
    observe = _observe()
    wrong = 0
    for name, work in WORKS.items():
        path = Path(str(importlib.import_module(name).__file__))
        original = sys.modules[name]
        plain, probed = observe.load(path, name), observe.load(path, name, 1.0)
        plain.LOG = probed.LOG = []
        for seed in range(runs):
            seen = []
            for module in (plain, probed):
                sys.modules[name] = module
                module.__dict__["work"] = partial(work, module, random.Random(seed))
                seen.append(observe.observe(module, "work"))
            if seen[0] != seen[1]:
                wrong += 1
                print(f"{name}, seed {seed}:\n  plain  {seen[0]}\n  probed {seen[1]}")
        sys.modules[name] = original
    print(f"{wrong} differences" if wrong else "agree")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]))))

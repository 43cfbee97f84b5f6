"""Regular expressions that are put together of constants and globals are read where they stand."""

from __future__ import annotations

import ast
import random
import re

import pytest

from crashwright.core.target import CrashTarget
from crashwright.engine.sources.values.seeding import fill_pool
from crashwright.engine.subject.usage.built_texts import built_patterns
from crashwright.engine.testcase.seeds import SeedPool

LIVE = {"MARK": "[*#]", "NAME": "(?:[a-z]+)", "LIMIT": 3}


def _function(*lines: str) -> ast.AST:
    return ast.parse("def read(text, part):\n" + "".join(f"    {line}\n" for line in lines)).body[0]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("re.match(MARK + ' ' + NAME, text)", "[*#] (?:[a-z]+)"),
        ("re.compile(r'^{0}=({1})$'.format(MARK, NAME)).sub('', text)", "^[*#]=((?:[a-z]+))$"),
        ("re.compile('{}{name}{{2}}'.format(MARK, name=NAME))", "[*#](?:[a-z]+){2}"),
        ("re.search('%s:%s' % (MARK, NAME), text)", "[*#]:(?:[a-z]+)"),
        ("re.split(f'{MARK}!{NAME}', text)", "[*#]!(?:[a-z]+)"),
        ("re.findall('|'.join([MARK, 'x']), text)", "[*#]|x"),
        ("re.match(MARK + part, text)", "[*#]\\w*"),
    ],
)
def test_a_regular_expression_is_what_its_parts_make(line: str, wanted: str) -> None:
    assert built_patterns(_function(line), [LIVE]) == (wanted,)
    assert re.compile(wanted)


def test_a_variable_that_holds_one_thing_stands_for_it() -> None:
    assert built_patterns(_function("form = MARK + '+'", "re.match(form, text)"), [{}, LIVE]) == ("[*#]+",)
    assert built_patterns(_function("form = MARK", "form += '+'", "re.match(form, text)"), [LIVE]) == ()


def test_what_is_written_out_or_known_when_it_runs_alone_is_left_to_others() -> None:
    assert built_patterns(_function("re.match('a', text)", "re.match(part, text)", "text.match(MARK)"), [LIVE]) == ()
    assert built_patterns(_function("re.match('{'.format(part), text)", "re.match('%d' % LIMIT, text)"), [LIVE]) == ()
    assert built_patterns(_function("form = form + 'a'", "re.match(form, text)"), [LIVE])


def test_the_pool_has_texts_that_it_matches() -> None:
    module = ast.parse("MARK = '[*#]'\ndef read(text):\n    return re.sub(r'^{0} \\d+ of \\d+$'.format(MARK), '', text)\n")
    for structured in (True, False):
        pool = SeedPool(structured=structured)
        target = CrashTarget("m", "ValueError", "", ())
        fill_pool(pool, target, [module.body[1]], [module], [LIVE], random.Random(1))
        matching = [text for text in pool.strings if re.fullmatch(r"[*#] \d+ of \d+", str(text))]
        assert bool(matching) is structured

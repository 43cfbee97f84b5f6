from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from page_checks import HOSTILE

from crashwright.reporting.html.page import embedded, page, printable


def test_data_cannot_end_its_script_element_and_stays_the_same() -> None:
    data = {"a": [HOSTILE, "<!--", "\u2028", 1.5, None]}
    text = str(embedded(data))
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == data


def test_what_does_not_print_is_made_visible_but_for_the_ends_of_lines() -> None:
    assert printable("a\n\tb\x1b[31m\u202ec") == "a\n\tb\\x1b[31m\\u202ec"
    assert printable(3) == 3


def test_policy_names_the_script_and_the_style_of_the_page() -> None:
    text = page("page.html.j2")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text).group(1).replace("&#39;", "'")
    for kind in ("script", "style"):
        inside = re.search(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL).group(1)
        wanted = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{wanted}'" in policy


def test_a_value_that_a_template_misses_is_an_error() -> None:
    with pytest.raises(Exception, match="undefined"):
        page("crash.html.j2")

"""Keys and tokens that are known by their form: each issuer's prefix, URLs with a password, headers, cards, private keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class SecretForm(NamedTuple):
    """``label`` is what the user is told; the group ``s`` of ``pattern`` is the part that is secret; ``holds`` tells
    accidents apart."""

    label: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = lambda _secret: True


class Secret(NamedTuple):
    """A stretch of a text, and what it looks like."""

    start: int
    end: int
    label: str


def _form(label: str, pattern: str, holds: Callable[[str], bool] = lambda _secret: True, flags: int = 0) -> SecretForm:
    return SecretForm(label, re.compile(pattern, flags), holds)


def _has_a_digit(text: str) -> bool:
    return any(one.isdigit() for one in text)


def _is_written_out(password: str) -> bool:
    """No placeholder of a template or a redaction."""
    return not re.fullmatch(r"\{[^{}]*\}|%s|%\(\w+\)s|\$\{?\w+\}?|<[^<>]*>|\*+|\.{3}|\[.*\]", password) and not re.match(
        r"\d{1,5}/", password
    )


def _is_card(text: str) -> bool:
    """By the issuers' ranges and Luhn's check digit."""
    digits = re.sub(r"\D", "", text)
    if len(set(digits)) == 1 or not re.fullmatch(
        r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d\d)\d{12}",
        digits,
    ):
        return False
    doubled = (sum(divmod(2 * int(one), 10)) if place % 2 else int(one) for place, one in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    """By its check digits (ISO 7064)."""
    plain = text.replace(" ", "")
    return 15 <= len(plain) <= 34 and int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1


FORMS = (
    _form("a private key", r"-----BEGIN [A-Z ]{0,40}(?:KEY|CERTIFICATE|MESSAGE)[A-Z ]{0,20}-----(?P<s>[^-]+)"),
    _form("a JSON web token", r"\beyJ[\w-]{5,}\.(?P<s>[\w-]{8,}(?:\.[\w-]*)?)"),
    _form("an AWS key", r"\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)(?P<s>[A-Z0-9]{16})\b"),
    _form("a GitHub token", r"\b(?:gh[pousr]_|github_pat_)(?P<s>\w{16,})"),
    _form("a GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|soat)-(?P<s>[\w-]{16,})"),
    _form("a Slack token", r"\bx(?:ox[abeoprs]|app)-(?P<s>[\w-]{8,})"),
    _form("a Slack webhook", r"\bhooks\.slack\.com/(?:services|workflows)/(?P<s>[\w/-]{8,})"),
    _form(
        "a secret key",
        r"\b(?:sk|rk|pk)[-_](?:(?:live|test|proj|ant|svcacct|admin|or|[a-z]+\d{2})[-_])*(?P<s>[\w-]{16,})",
        _has_a_digit,
    ),
    _form("a webhook secret", r"\bwhsec_(?P<s>[\w+/=]{16,})"),
    _form("a Google key", r"\b(?:AIza|GOCSPX-|ya29\.|1//0)(?P<s>[\w-]{20,})"),
    _form("a SendGrid key", r"\bSG\.(?P<s>[\w-]{16,}\.[\w-]{16,})"),
    _form("a Telegram token", r"\b\d{8,10}:(?P<s>[\w-]{35})(?![\w-])", _has_a_digit),
    _form(
        "an access token",
        r"\b(?:npm_|pypi-|hf_|dop_v1_|doo_v1_|dckr_pat_|shp(?:at|ca|pa|ss)_|sq0(?:atp|csp)-|hv[sb]\.|dapi|ATATT3x|lin_api_|ntn_|sbp_|"
        r"PMAK-|NRAK-|AGE-SECRET-KEY-1|rubygems_|key-|EAAA|dp\.(?:pt|st|ct)\.|glsa_|pat[A-Za-z0-9]{14}\.)(?P<s>[\w.-]{16,})",
        _has_a_digit,
    ),
    _form("a bearer token", r"\b[Bb]earer\s{1,4}(?P<s>(?=[^\s'\"]{0,200}[\d.+/=_~-]|\S{16})[A-Za-z0-9+/=._~-]{8,})"),
    _form("credentials", r"\b(?:Basic|Token|Digest|ApiKey)\s{1,4}(?P<s>(?=\S{0,200}[A-Z0-9=])[A-Za-z0-9+/=._~-]{8,})"),
    _form(
        "the password of a URL",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@'\"<>]{0,200}:(?P<s>[^\s'\"<>\\]{1,200})@(?=[\w\[{$%<.-])",
        _is_written_out,
    ),
    _form("a card number", r"(?<![\d.,-])(?P<s>\d(?:[ -]?\d){12,18})(?![\d.])", _is_card),
    _form("an account number", r"\b(?P<s>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)\b", _is_iban),
)


def known_forms(text: str) -> Iterator[Secret]:
    """The secrets of ``text`` that have one of the forms."""
    for form in FORMS:
        for match in form.pattern.finditer(text):
            if form.holds(match["s"]):
                yield Secret(match.start("s"), match.end("s"), form.label)

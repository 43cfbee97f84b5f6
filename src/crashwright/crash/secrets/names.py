"""Names that give a value away: those of variables, keywords, keys, headers."""

from __future__ import annotations

import re
from enum import IntEnum

_STRONG = re.compile(r"(?:passwo?r?d|passphrase|passcode|secret|api_?key|credential|privatekey|accesskey|secretkey)s?\d?(?:_|$)")
"""Words that give any value away, also at the end of one (``dbpassword``)."""
_STRONG_WORDS = frozenset("pwd pw creds cred cvv cvc ssn jwt passcode mnemonic".split())
_WEAK_WORDS = frozenset(
    "token tokens authorization auth cookie cookies session sessionid sessid bearer csrf xsrf otp pin signature salt pass dsn hmac "
    "card iban".split()
)
"""Words that also mean harmless things: a tokenizer's ``token`` is mostly a few characters."""
_PAIRS = re.compile(
    "(?:api|access|account|private|secret|shared|encryption|signing|ssh|master|auth|license)_?keys?|(?:card|account)_?number|"
    "credit_?card|(?:seed|recovery)_?phrase"
)
_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_ABOUT = frozenset(
    "length len count size type kind field fields name names label hint policy min max required enabled expires expiry ttl age "
    "index valid version url uri path file filename dir help prompt error errors class id ids".split()
)
"""A name that ends so is of something about a secret ..."""
_ABOUT_FIRST = frozenset("has is num min max len show hide forgot allow use requires needs".split())
"""... or begins so."""
_SECRET_IDS = frozenset({"session", "sess"})
_DIGEST_WORDS = frozenset(
    "hash hashes digest digests sha sha1 sha256 sha512 md5 commit revision rev checksum etag uuid guid fingerprint oid "
    "blob tree crc".split()
)


class Weight(IntEnum):
    """How surely a name gives its value away: WEAK only where the value has some length and is no common word."""

    NONE = 0
    WEAK = 1
    STRONG = 2


def weight(name: str) -> Weight:
    """How surely ``name`` is that of a secret."""
    words = [word.lower() for word in _SPLIT.split(name) if word]
    if not words:
        return Weight.NONE
    about = words[-1] in _ABOUT and not (words[-1] == "id" and _SECRET_IDS.intersection(words))
    if about or words[0] in _ABOUT_FIRST:
        return Weight.NONE
    joined = "_".join(words)
    if _STRONG_WORDS.intersection(words) or _STRONG.search(joined) or _PAIRS.search(joined):
        return Weight.STRONG
    if _WEAK_WORDS.intersection(words) or words[-1].endswith("token"):
        return Weight.WEAK
    return Weight.NONE


def is_of_digest(name: str) -> bool:
    """Whether a long hexadecimal value under this name is a checksum or an identity, and no key."""
    return bool(_DIGEST_WORDS.intersection(word.lower() for word in _SPLIT.split(name) if word))

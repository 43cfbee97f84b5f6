"""Long runs that look drawn at random: keys without a known form. Names, paths, identities and encoded texts are told apart."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import pairwise

from crashwright.crash.secrets.forms import Secret
from crashwright.crash.secrets.names import is_of_digest

_RUN = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"[0-9a-fA-F]{32,}")
_UUID = re.compile(r"(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-)[0-9a-fA-F]{12}")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_BEFORE = re.compile(r"(?P<name>[A-Za-z][\w-]{0,40})['\"]?\s{0,3}[\s:=@/#-]\s{0,3}b?['\"]?$")
_LEAST_NOISE = 0.3
"""Share of letters and digits outside of words: names and paths have less, random base64 has about 0.7."""
_MUCH_NOISE = 0.55
"""... and what names with one number in them have not."""
_LEAST_CHANGES = 0.25
"""Changes between letters and digits in a random run of small letters or capitals alone, for each of its characters."""
_KNOWN_FILES = ("iVBORw0KGgo", "R0lGOD", "/9j/", "JVBERi0", "UEsDB", "H4sI", "PHN2Zy", "data:")
LABEL = "a random-looking text"


def random_runs(text: str) -> Iterator[Secret]:
    """The runs of ``text`` that look random."""
    for match in _RUN.finditer(text):
        if _is_random(match.group()) and not _is_named_digest(text, match.start()):
            yield Secret(match.start(), match.end(), LABEL)


def _is_random(run: str) -> bool:
    """A long run of hexadecimal digits, or of letters and digits of which little belongs to words."""
    if _HEX.fullmatch(run):
        return len(set(run.lower())) > 5 and not run.isdigit()
    if _UUID.search(run) or _is_path(run) or _is_encoded_text(run):
        return False
    changes = sum(one.isdigit() != other.isdigit() for one, other in pairwise(run))
    if not all(any(map(kind, run)) for kind in (str.islower, str.isupper, str.isdigit)):
        return run.isalnum() and changes >= len(run) * _LEAST_CHANGES
    noise = sum(map(str.isalnum, _WORD.sub("", run))) / sum(map(str.isalnum, run))
    return noise >= _MUCH_NOISE or (noise >= _LEAST_NOISE and changes > 2)


def _is_path(run: str) -> bool:
    """Folders are words; a slash in random base64 stands between anything."""
    parts = run.strip("/").split("/")
    return len(parts) > 1 and any(re.fullmatch(r"[a-z]{3,}(?:[_-][a-z0-9]+)*|[A-Z]?[a-z]{4,}", part) for part in parts)


def _is_encoded_text(run: str) -> bool:
    """Base64 of something that can be read, or of a file."""
    if run.startswith(_KNOWN_FILES):
        return True
    try:
        data = base64.b64decode(run + "=" * (-len(run) % 4), altchars=b"-_" if re.search("[-_]", run) else None, validate=True)
    except (binascii.Error, ValueError):
        return False
    # A key of letters and digits is as readable as a sentence, but has no spaces.
    return data.isascii() and data.decode().isprintable() and (b" " in data or not any(48 <= byte < 58 for byte in data))


def _is_named_digest(text: str, start: int) -> bool:
    """Whether the word before a run says that it is a checksum: ``sha256:...``, ``commit ...``, ``'digest': '...'``."""
    before = text[max(0, start - 60) : start]
    match = _BEFORE.search(before)
    return match is not None and is_of_digest(match["name"])

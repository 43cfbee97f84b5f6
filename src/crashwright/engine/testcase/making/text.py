"""Random strings and bytes and their mutation, after AFL's havoc stage: a few stacked edits of slices, tokens, lines and
numbers."""

# ruff: noqa: ARG001 (all edits have one signature)
from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from crashwright.engine.subject.usage.vocabulary import Vocabulary
from crashwright.engine.testcase.making.answering import answered_text
from crashwright.engine.testcase.making.templates import shaped_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.fields import edited_data, is_binary, made_data
from crashwright.engine.testcase.structure.line_edits import edited_lines
from crashwright.engine.testcase.structure.program_edits import edited_program
from crashwright.engine.testcase.structure.record_edits import edited_record
from crashwright.engine.testcase.structure.restructuring import LONGEST, restructured
from crashwright.engine.testcase.structure.spelling import spelled_text
from crashwright.engine.testcase.structure.units import structured_share

_SAMPLES = 0.2  # share of fresh texts that are samples of a format, where there are any
_ANSWERS = 0.2  # share of edits that put what was wanted in place of what was compared, where that is in the text
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SPACES = (" ", "\n", "\t", "\r\n", "\n\n", "    ", "\x0b", "\x0c", "\xa0", " ", "\r", "\x00")
_FOREIGN = "\xe9\xdf\xf1\xb5\xb2\xbd\u0130\u0131\u0660\u05d0\u4e2d\u65e5\u200b\u200d\u202e\u2028"
_FOREIGN += "\u0301\ufeff\uffff\ud800\U0001f600\U0001f1e6\U00010400"
_BRACKETS = ("()", "[]", "{}", "<>", '""', "''", "``", "**", "__", "\\\\", "<a></a>", "[(])", "{{}}", "${}", "/**/", "<!---->")
_SETTINGS = (" _", "_ ", " _ ", "_=", ' _="x"', " _=1", "_:", "_(", "<_>", "\n_", "_\n", ",_", "._", "/_", '"_"')
"""How a token may be set off from what is around it."""
_REPEATS = (2, 3, 5, 10, 20, 50, 100, 500)
_NUMBERS = (
    "0",
    "1",
    "-1",
    "00",
    "1.5",
    "1e309",
    "nan",
    "-0",
    "0x10",
    "1_000",
    "999999999999999999999",
    "2147483648",
    ".",
    "1.",
    "+1",
    "\u0661",
)
_LAID_OUT = 0.4  # share of new bytes that are records, where the subject reads some
_SPELLED = 0.2  # share of new texts that are spelled with the vocabulary of the path, where it has one
_FEW_PIECES = 3
_SPELLED_IN = 0.12  # share of insertions that are
_FIELDS = 0.45  # share of edits of binary data that edit its fields
_NUMBER = re.compile(r"\d+")
_PROGRAMS = 0.4  # share of edits of programs, where the subject reads such, that are of their expressions
_RECORDS = 0.4  # share of edits of documents, where the subject reads records, that are of their values
_LINES = 0.35  # share of edits of texts of lines, where the subject tells kinds of lines apart, that are of whole lines
_WORD = re.compile(r"[A-Za-z_]\w*")

Edit = Callable[[Random, str, SeedPool], str]


def random_text(rng: Random, pool: SeedPool) -> str:
    """Seeds and tokens most often; else letters, punctuation, white space, numbers, foreign characters, nesting, long repeats."""
    random = rng.random
    samples = pool.samples
    if samples and random() < _SAMPLES:
        return samples[int(random() * len(samples))]
    vocabulary = _vocabulary(rng, pool)
    if vocabulary is not None and random() < _SPELLED:
        return spelled_text(rng, vocabulary)
    roll = random()
    if roll < 0.4 and pool.strings:
        value = pool.draw(rng, str)
        return value if isinstance(value, str) else ""
    if roll < 0.65 and pool.tokens:
        return "".join([pool.token(rng) for _ in range(1 + int(random() * random() * 6))])
    if roll < 0.8:
        return shaped_text(rng, pool)
    return _fresh_text(rng)


def _vocabulary(rng: Random, pool: SeedPool) -> Vocabulary | None:
    """What texts are spelled with: of the path, or the marks of the formats in sight."""
    said, marks = pool.vocabulary, pool.marks
    return said if marks is None or (said is not None and rng.random() < 0.5) else marks


def _fresh_text(rng: Random) -> str:
    random = rng.random
    roll = random()
    if roll < 0.1:
        return ""
    if roll < 0.45:
        return _from(rng, _LETTERS, 1 + int(random() * random() * 12))
    if roll < 0.6:
        return _from(rng, _MARKS + _LETTERS[:6] + " \n", 1 + int(random() * 20))
    if roll < 0.7:
        return "".join([_SPACES[int(random() * len(_SPACES))] for _ in range(1 + int(random() * 3))])
    if roll < 0.8:
        return _NUMBERS[int(random() * len(_NUMBERS))]
    if roll < 0.87:
        return _from(rng, _FOREIGN, 1 + int(random() * 4))
    if roll < 0.94:
        return " ".join([_from(rng, _LETTERS, 1 + int(random() * 7)) for _ in range(1 + int(random() * 5))])
    return _nested(rng, "x") if roll < 0.97 else _piece(rng) * _REPEATS[int(random() * len(_REPEATS))]


def random_bytes(rng: Random, pool: SeedPool) -> bytes:
    """Seeds; encoded strings; any bytes; records of the layouts that the subject reads."""
    random = rng.random
    samples = pool.data_samples
    if samples and random() < _SAMPLES:
        return samples[int(random() * len(samples))]
    if pool.layouts and random() < _LAID_OUT:
        return made_data(rng, pool.layouts, lambda: _known_number(rng, pool))
    roll = random()
    if roll < 0.4 and pool.bytes:
        value = pool.draw(rng, bytes)
        return value if isinstance(value, bytes) else b""
    if roll < 0.7:
        return random_text(rng, pool).encode("utf-8", "surrogatepass")
    return bytes([int(random() * 256) for _ in range(int(random() * 20))])


def _edited_record(rng: Random, text: str, pool: SeedPool) -> str | None:
    return edited_record(rng, text, pool.fields, lambda: pool.token(rng))


def mutate_text(rng: Random, text: str, pool: SeedPool) -> str:
    """One edit, half the time more (geometrically many): of slices and tokens, or of the structure that the text has."""
    random = rng.random
    while True:
        if pool.answers and random() < _ANSWERS and (answered := answered_text(rng, text, pool)) is not None:
            text = answered
        elif pool.fields and random() < _RECORDS and (record := _edited_record(rng, text, pool)) is not None:
            text = record
        elif pool.lines and "\n" in text and random() < _LINES:
            text = edited_lines(rng, text, pool.lines)
        elif pool.programs and random() < _PROGRAMS and (edited := edited_program(rng, text)) is not None:
            text = edited
        elif pool.structured and (share := structured_share(text)) and random() < share:
            text = restructured(rng, text, lambda: _other_text(rng, pool))
        else:
            text = _EDITS[int(random() * len(_EDITS))](rng, text, pool)
        if random() < 0.6:
            return text if len(text) <= LONGEST else text[:LONGEST]


def _other_text(rng: Random, pool: SeedPool) -> str:
    """One to take parts from: a sample, a seed, or a shape."""
    samples = pool.samples
    if samples and rng.random() < 0.5:
        return samples[int(rng.random() * len(samples))]
    value = pool.draw(rng, str) if rng.random() < 0.7 else None
    return value if isinstance(value, str) else shaped_text(rng, pool)


def mutate_bytes(rng: Random, data: bytes, pool: SeedPool) -> bytes:
    """Bit flips and small steps of single bytes, or the edits of text with a character for a byte; edits of fields where the data
    is more than text."""
    random = rng.random
    if pool.structured and random() < (_FIELDS if pool.layouts or is_binary(data) else _FIELDS / 4):
        return edited_data(rng, data, pool.layouts, lambda: _known_number(rng, pool))
    if data and random() < 0.4:
        place = int(random() * len(data))
        return data[:place] + bytes([_byte(rng, data[place])]) + data[place + 1 :]
    if random() < 0.1:
        return random_bytes(rng, pool)
    text = mutate_text(rng, data.decode("latin-1"), pool)
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")[:LONGEST]


def _known_number(rng: Random, pool: SeedPool) -> int:
    value = pool.draw(rng, int)
    return value if type(value) is int else int(rng.random() * 256)


def _byte(rng: Random, value: int) -> int:
    roll = rng.random()
    if roll < 0.4:
        return value ^ (1 << int(rng.random() * 8))
    if roll < 0.6:
        return (value + int(rng.random() * 33) - 16) & 255
    return (0, 1, 127, 128, 255)[int(rng.random() * 5)] if roll < 0.8 else int(rng.random() * 256)


def _from(rng: Random, alphabet: str, count: int) -> str:
    random, size = rng.random, len(alphabet)
    return "".join([alphabet[int(random() * size)] for _ in range(count)])


def _piece(rng: Random) -> str:
    """One character, of any sort."""
    random = rng.random
    roll = random()
    if roll < 0.4:
        return _MARKS[int(random() * len(_MARKS))]
    if roll < 0.65:
        return _LETTERS[int(random() * 26)]
    if roll < 0.8:
        return _SPACES[int(random() * len(_SPACES))]
    return str(int(random() * 10)) if roll < 0.92 else _FOREIGN[int(random() * len(_FOREIGN))]


def _insertion(rng: Random, pool: SeedPool) -> str:
    random = rng.random
    vocabulary = _vocabulary(rng, pool)
    if vocabulary is not None and random() < _SPELLED_IN:
        return spelled_text(rng, vocabulary, _FEW_PIECES)
    roll = random()
    if roll < 0.5 and pool.tokens:
        token = pool.token(rng)
        return token if roll < 0.3 else _SETTINGS[int(random() * len(_SETTINGS))].replace("_", token)
    if roll < 0.8:
        return _piece(rng)
    return shaped_text(rng, pool) if roll < 0.95 else _fresh_text(rng)


def _nested(rng: Random, middle: str) -> str:
    pair = _BRACKETS[int(rng.random() * len(_BRACKETS))]
    half = len(pair) // 2
    times = _REPEATS[int(rng.random() * len(_REPEATS))]
    roll = rng.random()
    if roll < 0.3:
        return pair[:half] * times + middle
    return pair[:half] * times + middle + pair[half:] * times if roll < 0.9 else middle + pair[half:] * times


def _slice(rng: Random, text: str) -> tuple[int, int]:
    """A slice, short ones preferred, never empty in a text that is not."""
    random = rng.random
    start = int(random() * len(text))
    end = start + 1 + int(random() * random() * random() * (len(text) - start))
    return start, end


def _delete(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text)
    return text[:start] + text[end:]


def _insert(rng: Random, text: str, pool: SeedPool) -> str:
    """Anywhere, or half the time behind a word: few places inside words mean something to a parser."""
    place = int(rng.random() * (len(text) + 1))
    if rng.random() < 0.5:
        while place < len(text) and text[place].isalnum():
            place += 1
    return text[:place] + _insertion(rng, pool) + text[place:]


def _replace(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text)
    return text[:start] + _insertion(rng, pool) + text[end:]


def _end(rng: Random, text: str, pool: SeedPool) -> str:
    """Prefix or suffix: where parsers look first and fail last."""
    return _insertion(rng, pool) + text if rng.random() < 0.4 else text + _insertion(rng, pool)


def _duplicate(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text)
    times = _REPEATS[int(rng.random() * rng.random() * len(_REPEATS))]
    return text[:end] + text[start:end] * times + text[end:]


def _swap(rng: Random, text: str, pool: SeedPool) -> str:
    a, b = _slice(rng, text)
    c, d = _slice(rng, text)
    if a > c:
        a, b, c, d = c, d, a, b
    return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _move(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text)
    rest = text[:start] + text[end:]
    place = int(rng.random() * (len(rest) + 1))
    return rest[:place] + text[start:end] + rest[place:]


def _splice(rng: Random, text: str, pool: SeedPool) -> str:
    """The head of one and the tail of another string of the pool."""
    samples = pool.samples
    other = samples[int(rng.random() * len(samples))] if samples and rng.random() < 0.5 else pool.draw(rng, str)
    if not isinstance(other, str):
        return _insert(rng, text, pool)
    cut = rng.random()
    if rng.random() < 0.5:
        return text[: int(cut * (len(text) + 1))] + other[int(cut * len(other)) :]
    return other[: int(cut * (len(other) + 1))] + text[int(cut * len(text)) :]


def _case(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text) if rng.random() < 0.5 else (0, len(text))
    return text[:start] + text[start:end].swapcase() + text[end:]


def _number(rng: Random, text: str, pool: SeedPool) -> str:
    """A number inside the string becomes another."""
    found = list(_NUMBER.finditer(text, 0, 512))
    if not found:
        place = int(rng.random() * (len(text) + 1))
        return text[:place] + _NUMBERS[int(rng.random() * len(_NUMBERS))] + text[place:]
    match = found[int(rng.random() * len(found))]
    return text[: match.start()] + _other_number(rng, match.group()) + text[match.end() :]


def _other_number(rng: Random, digits: str) -> str:
    roll = rng.random()
    if roll < 0.35 and len(digits) < 40:
        return str(max(0, int(digits) + int(rng.random() * 5) - 2))
    if roll < 0.5:
        return digits + str(int(rng.random() * 10))
    if roll < 0.58:
        return "-" + digits
    if roll < 0.76:  # of any size: limits lie anywhere between one digit and twenty
        return str((1 << int(rng.random() * 66)) + int(rng.random() * 3) - 1)
    return _NUMBERS[int(rng.random() * len(_NUMBERS))] if roll < 0.92 else digits[1:]


def _rename(rng: Random, text: str, pool: SeedPool) -> str:
    """A word becomes another wherever it stands: opening and closing tags, definitions and uses."""
    words = _WORD.findall(text, 0, 512)
    if not words or not pool.tokens:
        return _insert(rng, text, pool)
    word = words[int(rng.random() * len(words))]
    return re.sub(rf"(?<![A-Za-z_]){word}(?!\w)", lambda _: token, text) if (token := pool.token(rng)) else text


def _truncate(rng: Random, text: str, pool: SeedPool) -> str:
    place = int(rng.random() * len(text))
    return text[:place] if rng.random() < 0.7 else text[place:]


def _wrap(rng: Random, text: str, pool: SeedPool) -> str:
    start, end = _slice(rng, text) if rng.random() < 0.5 else (0, len(text))
    roll = rng.random()
    if roll < 0.3:
        return text[:start] + _nested(rng, text[start:end]) + text[end:]
    pair = _BRACKETS[int(rng.random() * len(_BRACKETS))]
    half = len(pair) // 2
    return text[:start] + pair[:half] + text[start:end] + pair[half:] + text[end:]


def _lines(rng: Random, text: str, pool: SeedPool) -> str:
    """Deletes, doubles, swaps, indents, joins or breaks lines."""
    random = rng.random
    lines = text.split("\n")
    place = int(random() * len(lines))
    roll = random()
    if roll < 0.2:
        del lines[place]
    elif roll < 0.4:
        lines.insert(place, lines[int(random() * len(lines))])
    elif roll < 0.55:
        other = int(random() * len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    elif roll < 0.7:
        lines[place] = (" ", "    ", "\t", "> ", "- ", "# ", "1. ")[int(random() * 7)] + lines[place]
    elif roll < 0.8:
        lines[place] = lines[place].lstrip() if random() < 0.5 else ""
    elif roll < 0.9:
        return text + "\n"
    else:
        cut = int(random() * (len(text) + 1))
        return text[:cut] + "\n" + text[cut:]
    return "\n".join(lines)


def _anew(rng: Random, text: str, pool: SeedPool) -> str:
    return random_text(rng, pool) if rng.random() < 0.8 else ""


def _needs_text(edit: Edit) -> Edit:
    """An edit of slices, made total: of an empty string it is an insertion."""
    return lambda rng, text, pool: edit(rng, text, pool) if text else _insert(rng, text, pool)


_EDITS: tuple[Edit, ...] = (
    *(_needs_text(edit) for edit in (_delete, _delete, _replace, _replace, _duplicate, _swap, _move, _case, _truncate, _wrap)),
    *(_insert, _insert, _insert, _end, _splice, _number, _lines, _anew, _rename, _rename),
)

"""Atheris on the entry of a parser: ``python -m benchmarks.texts.fuzzing NAME TESTS SECONDS FILE`` writes the texts that it
tried as JSON, from the text "a", for as many tests or seconds of the processor as come first; if there are too many to be run
again, those that it kept, since it keeps what reached anything new."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import atheris  # type: ignore[import-untyped]

from benchmarks.texts.subject import ParserEntry, subjects

MOST_TEXTS = 20_000
"""That are written as they were tried."""


def main(name: str, tests: int, seconds: float, file: str) -> None:
    """Does not return: the fuzzer ends the process."""
    subject = next(one for one in subjects() if one.name == name)
    with atheris.instrument_imports(include=[subject.package]):
        call = ParserEntry(subject)
    tried: list[str] = []
    count = 0
    begun = time.process_time()

    def one(data: bytes) -> None:
        nonlocal count
        text = data.decode("utf-8", "replace")
        count += 1
        if count <= MOST_TEXTS:
            tried.append(text)
        call(text)
        spent = time.process_time() - begun
        if count >= tests or spent >= seconds:
            kept = [one.read_bytes().decode("utf-8", "replace") for one in sorted(Path(corpus).iterdir())]
            texts = tried if count <= MOST_TEXTS else [*kept, text]
            Path(file).write_text(json.dumps({"seconds": spent, "tests": count, "texts": texts}))
            os._exit(0)

    with tempfile.TemporaryDirectory() as corpus:
        Path(corpus, "a").write_text("a")
        atheris.Setup([sys.argv[0], corpus, "-seed=1", "-max_len=4000", "-timeout=60", "-verbosity=0"], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])

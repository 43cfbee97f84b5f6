"""Nothing readable: the error says what was seen, and what would help."""

import pytest

from crashwright.core.errors import ReportError
from crashwright.crash.readers.registry import read_reports

SEEN = {
    "Error: x\n    at Object.<anonymous> (/app/index.js:3:7)\n    at node:internal/main:1:1": ("JavaScript", "Python traceback"),
    'Exception in thread "main" java.lang.Odd: x\n\tat a.b.C.run(C.java:12)\n': ("Java ", "Python traceback"),
    "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/main.go:3": ("Go ", "Python traceback"),
    "thread 'main' panicked at src/main.rs:2:5:\nx": ("Rust", "Python traceback"),
    "   at Shop.Take() in C:\\a\\Shop.cs:line 3\n": (".NET", "Python traceback"),
    "a.rb:3:in `take': x (RuntimeError)": ("Ruby", "Python traceback"),
    "PHP Fatal error:  Uncaught Odd": ("PHP", "Python traceback"),
    "#0  0x00007f in raise () from /lib/libc.so\n": ("native code", "Python traceback"),
    'Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f (most recent call first):\n  File "a.py", line 3 in f\n': (
        "faulthandler",
        "cannot be reproduced",
    ),
    "FAILED tests/test_a.py::test_b - ValueError: bad\n1 failed in 0.1s": ("pytest", "--tb=short"),
    "ValueError: bad": ("only the line that names the exception", "where it happened"),
    '{"level": "error", "event": "failed"}': ("JSON document without a traceback", "structlog"),
    "\\x89PNG\r\n\\x1a\n\0\0\0\rIHDR": ("image", "copy its text"),
    "%PDF-1.7\n": ("PDF", "copy its text"),
    "\x7fELF\x02\x01\x01" + "\0" * 9: ("binary", "text"),
    "\x01\x02\ufffd\x03\ufffd\ufffd\x1c": ("binary", "text"),
    "https://example.org/issues/3\n": ("link", "link leads to"),
    "<!DOCTYPE html><html><body>x</body></html>": ("web page", "as text"),
    "import os\n\ndef take(shelf):\n    return shelf\n": ("Python source", "Run it"),
    "all is well": ("no Python traceback", "Traceback (most recent call last):"),
}


@pytest.mark.parametrize("text", SEEN, ids=lambda text: text[:20])
def test_says_what_it_saw_and_what_helps(text: str) -> None:
    seen, helps = SEEN[text]
    with pytest.raises(ReportError) as caught:
        read_reports(text)
    assert seen in caught.value.message
    assert helps in f"{caught.value.message} {caught.value.advice}"


def test_a_frame_of_faulthandler_is_no_report() -> None:
    with pytest.raises(ReportError, match="empty"):
        read_reports("\n\n")

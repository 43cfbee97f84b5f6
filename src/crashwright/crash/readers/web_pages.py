"""Tracebacks out of web pages: entities and tags of copied HTML, typographic quotes, and the page that Django shows of a crash."""

from __future__ import annotations

import html
import re

_ENTITIES = re.compile(r"File(?: |&nbsp;)(?:&quot;|&#34;|&#x22;)|Traceback&nbsp;|, in &lt;\w+&gt;", re.I)
_LINE_TAG = re.compile(r"<br */?>\n?|</?(?:pre|div|p|tr|li|ul|ol|table|h\d)\b[^<>\n]{0,500}>", re.I)
_TAG = re.compile(r"</?(?:span|code|b|i|em|strong|a|samp|tt|td|font)\b[^<>\n]{0,500}>", re.I)
_CURLY = re.compile('^([^"“”„]{0,300}File )["“”„]([^"“”„\n]{1,4096})["“”„](, line \\d+)', re.M)
_DJANGO_END = re.compile(r"^Exception Type: (\S+)(?: at \S*)?\n(?:Exception Value:(?: (.*)|\n+(.*)))?$", re.M)
_DJANGO_CAUSE = re.compile(r"^(?:The above|During handling of the above) exception \(.*\)(?: was the|, another) .*:$", re.M)
_DJANGO_REST = re.compile(r"^Request information:[ ]*$", re.M)
_HEADER = "Traceback (most recent call last):"


def from_page(text: str) -> str:
    """``text`` as it would have been on a terminal."""
    if _ENTITIES.search(text):
        text = html.unescape(_TAG.sub("", _LINE_TAG.sub("\n", text))).replace("\xa0", " ")
    if "File “" in text or "File „" in text or "File ”" in text:
        text = _CURLY.sub(r'\1"\2"\3', text)
    if "\nException Type: " in text:
        # Its causes come without their types. So only the last exception is read: a new header cuts the others off.
        text = _DJANGO_REST.sub("```", _DJANGO_CAUSE.sub(_HEADER, text))
        text = _DJANGO_END.sub(_ending, text)
    return text


def _ending(match: re.Match[str]) -> str:
    message = match[2] or match[3]
    return f"{match[1]}: {message}" if message else match[1]

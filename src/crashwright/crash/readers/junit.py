"""Reads JUnit XML: the ``failure`` and ``error`` elements hold what pytest, or Python itself, printed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from crashwright.core.report import CrashReport, Unknown
from crashwright.crash.readers.pytest_text import PytestReader

_FIRST = re.compile(r"<(?:testsuites?|testcase|failure|error)\b")
_DECLARATION = re.compile(r"<\?xml\b[^>]*\?>")
_DOCUMENT_TYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)\b", re.IGNORECASE)
_SOURCE = re.compile(r"(?:@|(?:async\s+)?def\b|class\b)")


class JUnitReader:
    """The TraceReader for JUnit XML files and fragments of them."""

    name = "junit"

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """The reports of every failed test case in the order of the file. Of a file that is cut off, those before the cut."""
        first = _FIRST.search(text)
        if first is None or not ("</testcase" in text or "</failure" in text or "</error" in text or "<testsuite" in text):
            return Unknown("")
        if _DOCUMENT_TYPE.search(text):
            return Unknown("JUnit XML has no document type and no entities of its own: this file is not read")
        failures, damage = _failures(_DECLARATION.sub("", text[first.start() :]))
        reports = tuple(report for failure in failures for report in _reports(failure))
        if reports:
            return reports
        if damage:
            return Unknown(f"the JUnit XML is damaged or breaks off ({damage})")
        if failures:
            return Unknown("no failure in the JUnit XML has a traceback; run pytest with --junitxml and --tb=short")
        return Unknown("the JUnit XML has no failed test in it")


class _Failures:
    """A target for the XML parser: collects the texts of failed tests as they come, so that damage behind them does not matter."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._parts: list[str] | None = None

    def start(self, tag: str, _attributes: dict[str, str]) -> None:
        """An element begins."""
        if _is_failure(tag):
            self._parts = []

    def data(self, text: str) -> None:
        """A piece of text."""
        if self._parts is not None:
            self._parts.append(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        if self._parts is not None and _is_failure(tag):
            self.texts.append("".join(self._parts))
            self._parts = None


def _is_failure(tag: str) -> bool:
    return tag.rpartition("}")[2] in ("failure", "error")


def _failures(xml: str) -> tuple[list[str], str]:
    """The texts of the failed tests, and what is wrong with the XML behind them."""
    target = _Failures()
    parser = ElementTree.XMLParser(target=target)
    damage = ""
    try:
        # Fragments have several roots, and whatever was pasted with them stands behind: one root around all.
        for part in ("<all>", xml.encode("utf-8", "replace").decode("utf-8"), "</all>"):
            parser.feed(part)
    except ElementTree.ParseError as error:
        damage = str(error)
    return target.texts, damage


def _reports(failure: str) -> tuple[CrashReport, ...]:
    """What the text of one failure shows. pytest strips it, so the first line of its source may have lost its indentation."""
    found = PytestReader(from_pytest=True).read(f"    {failure}" if _SOURCE.match(failure) else failure)
    return () if isinstance(found, Unknown) else found

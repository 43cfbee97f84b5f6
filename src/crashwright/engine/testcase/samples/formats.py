"""The formats that there are samples of, and how code tells that it reads one: by the parser of the standard library that it uses,
or by a word in its own names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashwright.engine.subject.usage.parsers import CALLED, NEAR, Sight
from crashwright.engine.testcase.samples import data, mail, markup, scalars
from crashwright.engine.testcase.samples.python_code import python_samples

Content = str | bytes


class Parser(NamedTuple):
    """A function of the standard library that makes a document of a text, and the classes that a document may be asked for by."""

    module: str
    function: str
    classes: tuple[str, ...]


class Sample(NamedTuple):
    """``parser`` is what the subject has at hand to read it with: what takes no text may take what that makes."""

    content: Content
    parser: Parser | None = None


class Format(NamedTuple):
    """``modules`` of the standard library parse or print it (a package stands for what is in it). ``words`` is a pattern of the
    words that name it. ``suffixes`` are of its files. ``samples`` cover it, the plainest first."""

    name: str
    modules: frozenset[str]
    words: re.Pattern[str]
    suffixes: tuple[str, ...]
    samples: Callable[[], Sequence[Content]]

    def parser_in(self, sight: Sight) -> Parser | None:
        """The function that makes documents of this format, where the code has its module."""
        parser = PARSERS.get(self.name)
        return (
            parser if parser is not None and any(_is_within(name, frozenset({parser.module})) for name in sight.modules) else None
        )


def formats_in(sight: Sight) -> list[tuple[Format, int]]:
    """The formats that the code seems to read, with how much says so, the likeliest first."""
    found: list[tuple[Format, int]] = []
    for one in FORMATS:
        by_module = [weight for name, weight in sight.modules.items() if _is_within(name, one.modules)]
        by_word = [weight for word, weight in sight.words.items() if one.words.fullmatch(word)]
        weight = max([*by_module, *(min(weight, NEAR) for weight in by_word)], default=0)
        if weight:
            found.append((one, min(CALLED, weight + bool(by_module and by_word))))
    return sorted(found, key=lambda pair: -pair[1])


def _is_within(module: str, parsers: frozenset[str]) -> bool:
    """Whether ``module`` is one of ``parsers``, or within one of them."""
    parts = module.split(".")
    return any(".".join(parts[:count]) in parsers for count in range(1, len(parts) + 1))


def _format(
    name: str, modules: str, words: str, suffixes: str, samples: Sequence[Content] | Callable[[], Sequence[Content]]
) -> Format:
    made = samples if callable(samples) else lambda: samples
    return Format(name, frozenset(modules.split()), re.compile(words), tuple(suffixes.split()), made)


def _of_archives() -> Sequence[Content]:
    # Imported here alone: they import what few subjects have.
    from crashwright.engine.testcase.samples import binary

    return [*binary.zip_samples(), *binary.tar_samples(), *binary.compressed_samples()]


def _of_fields() -> Sequence[Content]:
    from crashwright.engine.testcase.samples import binary

    return binary.generic_samples()


def _of_tags() -> Sequence[Content]:
    from crashwright.engine.testcase.samples import binary

    return binary.tagged_samples()


PARSERS = {
    "Python": Parser("ast", "parse", ("ast.AST", "ast.mod", "ast.Module")),
    "XML": Parser("xml.etree.ElementTree", "fromstring", ("xml.etree.ElementTree.Element",)),
    "mail": Parser("email", "message_from_string", ("email.message.Message",)),
    "JSON": Parser("json", "loads", ("builtins.dict", "builtins.list")),
    "TOML": Parser("tomllib", "loads", ("builtins.dict",)),
}
"""By the name of the format."""
FORMATS: tuple[Format, ...] = (
    _format("Python", "ast tokenize token symtable lib2to3 code codeop", "ast|python|pycode|tokenize", ".py .pyi", python_samples),
    _format("XML", "xml", ".*xml|xml.*|xslt|svg|rss|dom|sax", ".xml .svg .rss", markup.XML),
    _format("HTML", "html", ".*html|html.*", ".html .htm", markup.HTML),
    _format("Markdown", "", "markdown.*|.*markdown|md|commonmark", ".md", markup.MARKDOWN),
    _format("reStructuredText", "", "rst|restructuredtext|docutils", ".rst", markup.REST),
    _format("style sheet", "", "css.*|.*css|stylesheet", ".css", markup.STYLE_SHEETS),
    _format("JSON", "json", "json.*|.*json", ".json", data.JSON),
    _format("TOML", "tomllib", "toml.*|.*toml", ".toml", data.TOML),
    _format("YAML", "", "yaml.*|.*yaml|yml", ".yaml .yml", data.YAML),
    _format("INI", "configparser", "ini|cfg|configparser", ".ini .cfg", data.INI),
    _format("CSV", "csv", "csv.*|.*csv|tsv", ".csv .tsv", data.CSV),
    _format("SQL", "sqlite3", "sql.*|.*sql", ".sql", data.SQL),
    _format("mail", "email mailbox smtplib imaplib", "email.*|.*mail|mime.*|rfc\\d*", ".eml METADATA", mail.MAIL),
    _format("HTTP", "http cgi wsgiref", "http|headers?|cookies?|multipart|.*cookie", "", mail.HTTP),
    _format("URL", "urllib", "url.*|.*urls?|.*uris?|iri|href", "", mail.URLS),
    _format("address", "ipaddress socket", "ip|ips|ipv[46]|cidr|netmask|ipaddr.*", "", mail.ADDRESSES),
    _format("date", "datetime time calendar zoneinfo", "date.*|.*date|timestamp|iso8601|tz|duration|cron.*", "", scalars.DATES),
    _format("number", "decimal fractions numbers", "decimal|number|numeric|amount|float|int|digits?|currency", "", scalars.NUMBERS),
    _format("version", "", "version.*|semver|requirements?|specifiers?|markers?|license", "", scalars.VERSIONS),
    _format("pattern", "re fnmatch glob", "regex.*|regexp|pattern|glob", "", scalars.PATTERNS),
    _format("shell", "shlex", "shell|shlex|argv|cmd|cmdline|command|dotenv|env", ".env .sh", scalars.SHELL),
    _format("path", "pathlib posixpath ntpath", "path.*|.*path|filename", "", scalars.PATHS),
    _format("template", "string", "template.*|fmt|format|placeholder", "", scalars.TEMPLATES),
    _format("code", "codecs locale gettext", "encoding|charset|locale|lang|language", "", scalars.CODES),
    _format("archive", "zipfile tarfile gzip bz2 zlib lzma", "zip|tar|archive|.*zip|compress.*", "", _of_archives),
    _format("tags", "", "asn|ber|der|tlv|asn1", "", _of_tags),
    _format("fields", "struct binascii array", "unpack|bytes|byte|buf|binary|packet", "", _of_fields),
)

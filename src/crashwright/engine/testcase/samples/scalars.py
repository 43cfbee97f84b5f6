"""Samples of short formats: dates and times (ISO 8601, RFC 2822, strftime), numbers, versions, patterns, shell words, paths,
formats of strings, codes of languages and encodings."""

from __future__ import annotations

# fmt: off
DATES = (
    "2020-01-02", "2020-01-02T03:04:05", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678901+02:00", "2020-01-02 03:04",
    "20200102", "20200102T030405Z", "2020-W01-4", "2020-002", "2020-01", "2020", "03:04:05", "03:04", "3 pm", "12:00 AM",
    "24:00", "2020-02-30", "2020-13-01", "0000-00-00", "", "9999-12-31T23:59:59.999999", "0001-01-01", "2020-02-29",
    "2020-12-31T23:59:60Z", "Thu, 2 Jan 2020 03:04:05 +0000", "Thu, 02-Jan-20 03:04:05 GMT", "Thu Jan  2 03:04:05 2020",
    "2 January 2020", "Jan 2, 2020", "01/02/2020", "2.1.2020", "1/2/20", "today", "tomorrow", "now", "1577934245", "-1", "1e10",
    "P1DT2H", "P1Y2M3W", "PT0.5S", "1 day, 2:03:04", "+02:00", "UTC", "Europe/Berlin", "%Y-%m-%d", "%d.%m.%y %H:%M:%S.%f %z %Z",
    "%a %b %c %x %X %p %j %U %w %%", "YYYY-MM-DD", "yyyy/MM/dd HH:mm", "%", "%Q", "2020-01-02/2020-01-03", "R5/2020-01-02/P1D",
    "* * * * *", "0 0 1 1 *", "*/5 1-3,7 * * MON", "@daily",
)
NUMBERS = (
    "0", "1", "-1", "+1", "10", "1.0", "1.50", ".5", "5.", "-0", "0.1", "1e10", "1E-10", "1e400", "-1e-400", "nan", "NaN",
    "sNaN", "inf", "-Infinity", "1_000", "1,000.5", "1.000,5", "1 000", "0x1f", "0o17", "0b1", "1/2", "-3/4", "1/0", "1+2j",
    "j", "50%", "$1", "1st", "1e", "", " 1 ", "one", "١", "½", "12345678901234567890", "0.30000000000000004", "99999", "1k",
    "1KB", "1.5 MiB", "10s", "1:2", "IV", "007", "1..2", "--1",
)
VERSIONS = (
    "1", "1.0", "1.2.3", "v1.0", "1!2.0", "1.0a1", "1.0rc1.post2.dev3+local.1", "1.0-1", "1.0.dev", "1.0.*", "2020.1",
    "1.0.0-alpha.1+build", "", "x", "==1.0", ">=1.0,<2", "~=1.4.2", "!=1.*", "===x", "^1.2", "1.x", "*", "alpha", "alpha>=1",
    "alpha[beta,gamma]>=1.0,!=2; python_version < '3' and extra == 'x'", "alpha @ http://example.org/a.zip", "alpha (>=1)",
    "alpha; os_name == 'nt' or (sys_platform != 'linux' and python_full_version in '3.1 3.2')", "-r x.txt", "-e .",
    "alpha==1 --hash=sha256:0", "cp311-cp311-manylinux_2_17_x86_64", "py2.py3-none-any", "alpha-1.0-py3-none-any.whl",
    "alpha-1.0.tar.gz", "python_version >= '3'", "MIT OR (GPL-2.0+ AND BSD-3-Clause)",
)
PATTERNS = (
    "alpha", ".", "^a$", "a*", "a+?", "a{2,3}", "[a-z]", "[^a-z\\d]", "\\w+", "\\b", "(a)(b)", "(?:a|b)",
    "(?P<alpha>a)(?P=alpha)", "(a)\\1", "(?=a)(?!b)", "(?<=a)(?<!b)", "(?i)a", "(?x) a # b", "a|", "()", "", "\\", "(", "[",
    "*", "a**", "\\d{3}-\\d{4}", "\\u00e9", "(?(1)a|b)", "[[a]", "[]a]", "\\N{DIGIT ONE}", "*.txt", "a/**/b", "[!a]?", "{a,b}",
)
SHELL = (
    "alpha", "alpha beta", 'alpha \'b c\' "d e"', "alpha \\ b", "alpha --beta=1 -c", "a | b && c || d; e &", "a > b 2>&1 < c",
    "$alpha ${beta:-x} $(c) `d`", "A=1 b", "# comment", "'a", '"', "a\\", "", "a\nb", 'a\'b\'"c"', '"a\\"b"', "~/*.txt",
    'export A="b c"', "A='b'\nB=${A}", "A", "A=", "-- x", "-abc 1", "--no-alpha",
)
PATHS = (
    "", ".", "..", "/", "alpha", "alpha.txt", "alpha/beta.txt", "/alpha/beta", "./alpha", "../alpha", "alpha/", "alpha//beta",
    "alpha/../beta", "~", "~/alpha", "C:\\alpha", "\\\\a\\b", "a b", ".alpha", "alpha.tar.gz", "alpha.", "*.py", "**/alpha",
    "-", "é", "a\x00b",
    (
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    ),
)
TEMPLATES = (
    "%s", "%d %s", "%(alpha)s", "%5.2f", "%%", "%", "%(alpha", "%*d", "%y", "{}", "{0} {1}", "{alpha}", "{alpha.beta[0]!r:>10}",
    "{:{}}", "{{}}", "{", "}", "{alpha:%Y}", "$alpha", "${alpha}", "$$", "$", "${", "{{ alpha }}",
    "{{ alpha.beta|gamma('x') }}", "{% if alpha %}x{% elif y %}z{% else %}b{% endif %}",
    "{% for a in alpha %}{{ a }}{% endfor %}", "{# comment #}", "{{#alpha}}x{{/alpha}}", "<% alpha %>",
    "{% block alpha %}{% endblock %}", "{% set alpha = 1 %}", "{{ 'x' ~ 1 + [2][0] }}",
    "{%- macro a(b=1) -%}{{ b }}{%- endmacro -%}", "{% include 'x' %}", "{% raw %}{{ x }}{% endraw %}", "@alpha", "#{alpha}",
    "{alpha!x}", "{0.alpha}{}",
)
CODES = (
    "utf-8", "UTF8", "latin-1", "iso-8859-1", "cp1252", "ascii", "utf-16", "utf_8_sig", "idna", "unknown-8bit", "", "en",
    "en-US", "en_US.UTF-8", "de_DE@euro", "zh-Hans-CN", "C", "x-alpha", "sr_Latn_RS", "USD", "EUR", "DE", "text/html", "sha256",
    "rot13",
)
# fmt: on

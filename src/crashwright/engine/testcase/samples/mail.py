"""Samples of messages and what travels in them: mail (RFC 5322, MIME), HTTP headers and forms, cookies, URLs, addresses."""

from __future__ import annotations

# fmt: off
MAIL = (
    "", "\n", "Alpha: text\n\n", "Subject: text\n\nbody\n",
    (
        'Subject: text\nFrom: Alpha <a@example.org>\nTo: b@example.org, "C, D" <c@example.org>\nDate: Thu, 2 Jan 2020 03:04:05 '
        "+0000\n\nbody\n"
    ),
    "Alpha: one\n two\n\tthree\n\n", "Alpha:\n\n", "Alpha: 1\nAlpha: 2\n\n",
    "Content-Type: text/plain; charset=utf-8\n\nbody\n",
    'Content-Type: text/plain; charset="latin-1"\nContent-Transfer-Encoding: quoted-printable\n\n=E9=\n\n',
    "Content-Transfer-Encoding: base64\n\nYQ==\n", "Content-Type: text/html\n\n<p>text</p>\n",
    "Content-Type: text/plain; charset=unknown\n\né\n",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: text/html\n\n<p>two</p>\n--b--\n",
    "Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\n--b--\nepilogue\n",
    "Content-Type: multipart/mixed\n\nbody\n", 'Content-Type: multipart/alternative; boundary="b c"\n\n--b c\n\nx\n',
    "Content-Type: message/rfc822\n\nSubject: text\n\nbody\n", "Subject: =?utf-8?q?=C3=A9?= =?iso-8859-1?b?6Q==?=\n\n",
    'Content-Disposition: attachment; filename="a.txt"\n\nx\n',
    "Content-Disposition: attachment; filename*=utf-8''%C3%A9.txt\n\nx\n",
    "From a@example.org Thu Jan  2 03:04:05 2020\nSubject: x\n\n", "no header\n\nbody\n", ": x\n\n", " x\n\n", "Alpha : 1\n\n",
    "Content-Type: \n\n", "Content-Type: text\n\n",
    (
        "Received: from a by b; Thu, 2 Jan 2020 03:04:05 -0700 (PDT)\nMessage-ID: <1@example.org>\nReferences: <2@example.org>"
        "\n\n"
    ),
    "Alpha: 1\r\nBeta: 2\r\n\r\nbody\r\n", "MIME-Version: 1.0\n\n", "Metadata-Version: 2.1\nName: alpha\nVersion: 1.0\n",
    (
        "Metadata-Version: 2.3\nName: alpha\nVersion: 1.0\nRequires-Dist: beta (>=1); extra == 'x'\nProvides-Extra: x\nClassifi"
        "er: A :: B\nDescription-Content-Type: text/markdown\n\ntext\n"
    ),
    "Metadata-Version: 1.0\nName: alpha\nVersion: 1\nDescription: one\n        |two\nKeywords: a,b\n",
)
HTTP = (
    "text/html; charset=utf-8", "multipart/form-data; boundary=b", "multipart/form-data", "application/x-www-form-urlencoded",
    "application/json", "application/vnd.alpha+json; version=1", "text/*;q=0.5, */*", "text/plain; charset",
    'a/b; c="d\\"e"; f=g', "/", 'form-data; name="alpha"; filename="a.txt"', "attachment", "alpha=1; beta=2",
    "alpha=1; Path=/; Expires=Thu, 02 Jan 2020 03:04:05 GMT; Max-Age=1; Secure; HttpOnly; SameSite=Lax", "alpha", "=1",
    'alpha="b c"', "alpha=1;;beta", "Basic YTpi", "Bearer alpha", 'Digest username="a", realm="b", nonce="c"',
    "bytes=0-499, -5", "bytes 0-1/2", "bytes=", "no-cache, max-age=1", '"etag", W/"x"', "*", "gzip, deflate;q=0",
    "en-US,en;q=0.9,*;q=0", "Thu, 02 Jan 2020 03:04:05 GMT",
    '<http://example.org/>; rel="next"; title*=UTF-8\'\'x, </y>; rel=prev', 'for=1.2.3.4;proto=https, for="[::1]:80"',
    "alpha=1&beta=2", "a=1&a=2&b=&c&=d&&e=%20+%C3", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
)
URLS = (
    "http://example.org", "http://example.org/", "https://user:pass@example.org:8080/a/b;c?d=e&f#g", "http://[::1]:80/",
    "//example.org/x", "/a/b", "a/../b", "?a=1", "#a", "", "mailto:a@example.org", "file:///a/b.txt", "file:///C:/a",
    "data:text/plain;base64,YQ==", "ftp://a:b@c/d", "urn:a:b", "http:///x", "http://example.org:x/", "http://example.org:99999",
    "http://[::1", "http://éxample.org/é", "http://xn--a.org/%C3%A9%", "http://a b/", "HTTP://EXAMPLE.ORG", "http://1.2.3.4",
    "alpha://beta", "javascript:x", "http://example.org/a?b=c?d#e#f", "http://example.org//a//", "http://@example.org",
    "http://a@b@c/", "localhost:80", "example.org", "git+ssh://a@b/c.git@d#egg=e", "sqlite:///x.db", "C:\\a\\b",
)
ADDRESSES = (
    "1.2.3.4", "0.0.0.0", "255.255.255.255", "1.2.3.0/24", "1.2.3.4/255.255.255.0", "::", "::1", "2001:db8::1", "fe80::1%eth0",
    "::ffff:1.2.3.4", "2001:db8::/32", "1.2.3", "1.2.3.256", "01.2.3.4", "1::2::3", "1.2.3.4/33", "", "1.2.3.4-1.2.3.9",
    "10.0.0.0/8", "00:11:22:33:44:55", "a@example.org", '"a b"@example.org', "A <a@b>", "a@", "@b",
)
# fmt: on

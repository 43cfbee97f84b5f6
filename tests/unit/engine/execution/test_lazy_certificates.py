"""A real context of ``ssl``, with the certificates of whatever authorities this machine has a file of."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.engine.execution.lazy_certificates import LOADERS, USERS, LazyCertificates

PEM = """-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgIUYtV1l0mZ1r0e2eP0o1mZ0c1m1WQwCgYIKoZIzj0EAwIw
-----END CERTIFICATE-----
"""


@pytest.fixture
def lazy() -> Iterator[LazyCertificates]:
    before = {name: vars(ssl.SSLContext).get(name) for name in (*LOADERS, *USERS)}
    certificates = LazyCertificates()
    certificates.install()
    yield certificates
    for name, method in before.items():
        if method is None:
            delattr(ssl.SSLContext, name)
        else:
            setattr(ssl.SSLContext, name, method)


def authorities() -> str:
    for path in (ssl.get_default_verify_paths().cafile, "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"):
        if path and Path(path).exists():
            return path
    pytest.skip("this machine has no file of certificates")


def context() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def test_what_is_asked_for_is_there_the_second_time_too(lazy: LazyCertificates) -> None:
    path = authorities()
    counts = []
    for _ in range(3):
        made = context()
        made.load_verify_locations(path)
        counts.append(made.cert_store_stats()["x509"])
    assert counts[0] > 0
    assert counts == counts[:1] * 3


def test_the_second_time_nothing_is_loaded_before_it_is_asked_for(lazy: LazyCertificates) -> None:
    path = authorities()
    context().load_verify_locations(cafile=path)
    made = context()
    made.load_verify_locations(cafile=path)
    assert len(lazy._pending[made]) == 1
    assert made.get_ca_certs()
    assert made not in lazy._pending


def test_a_file_that_is_bad_or_missing_raises_each_time(lazy: LazyCertificates, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text(PEM)
    for _ in range(2):
        with pytest.raises(ssl.SSLError):
            context().load_verify_locations(str(bad))
        with pytest.raises(FileNotFoundError):
            context().load_verify_locations(str(tmp_path / "none.pem"))


def test_a_file_that_has_changed_is_loaded_again(lazy: LazyCertificates, tmp_path: Path) -> None:
    file = tmp_path / "authorities.pem"
    file.write_bytes(Path(authorities()).read_bytes())
    context().load_verify_locations(str(file))
    file.write_text(PEM)
    with pytest.raises(ssl.SSLError):
        context().load_verify_locations(str(file))


def test_the_default_context_connects_with_the_usual_certificates(lazy: LazyCertificates) -> None:
    before = len(ssl.create_default_context().get_ca_certs())
    assert len(ssl.create_default_context().get_ca_certs()) == before

"""What is taken for a secret, and what must not be."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.crash.secrets import is_secret, sift

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("password", "'ab'"),
        ("db_passwd", "b'xyz'"),
        ("userPassword", "'correct horse'"),
        ("api_key", "5"),
        ("API_KEY", "'k'"),
        ("apikey", "'k'"),
        ("private_key", "'k'"),
        ("client_secret", "'k'"),
        ("credentials", "('me', 'you')"),
        ("dsn", "'https://h/1'"),
        ("token", "'abcd1234'"),
        ("session_id", "'f00ba4'"),
        ("cookies", "{'a': 'b', 'c': 'long enough'}"),
        ("Authorization", "'Basic x:y'"),
        ("config", "{'a': 1, 'password': 'x'}"),
        ("headers", "{'Authorization': 'Basic dXNlcjpwYXNz'}"),
        ("user", "User(name='x', password='hunter2')"),
        ("request", "<Request token='abcd' at 0x7f>"),
        ("x", repr(JWT)),
        ("x", "'AKIAIOSFODNN7EXAMPLE'"),
        ("x", "'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'"),
        ("x", "'Bearer abcdefghij'"),
        ("x", "'-----BEGIN RSA PRIVATE KEY-----\\nMII'"),
        ("x", "'ghp_0123456789abcdefghijABCDEFGHIJ012345'"),
        ("x", "'sk-proj-abcDEF1234567890abcd'"),
        ("x", "'xoxb-123456789012-abcdef'"),
        ("x", "'postgres://me:pw@db/x'"),
        ("x", "'4111 1111 1111 1111'"),
        ("x", "4111111111111111"),
        ("x", "'d41d8cd98f00b204e9800998ecf8427e'"),
        ("x", "['fine', 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFi']"),
        ("x", "'password=hunter2 and more'"),
    ],
)
def test_secrets(name: str, text: str) -> None:
    assert is_secret(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("password", "None"),
        ("password", "''"),
        ("token", "'='"),
        ("tokens", "['a', 'if', 12]"),
        ("session", "<requests.sessions.Session object at 0x7f12>"),
        ("author", "'somebody'"),
        ("key", "'name'"),
        ("keys", "['a-long-name', 'another']"),
        ("monkey", "'george'"),
        ("compass", "'north'"),
        ("node", "Node(token=3)"),
        ("settings", "{'password': None, 'token': ''}"),
        ("x", "'The quick brown fox jumped over 3 lazy dogs'"),
        ("x", "'/usr/lib/python3/dist-packages/Foo/bar_baz.py'"),
        ("x", "'AbstractFactoryProxyBean2HandlerImpl'"),
        ("x", "'https://example.org/a:b@c'"),
        ("x", "1690000000000123"),
        ("x", "UUID('12345678-1234-5678-1234-567812345678')"),
        ("x", "'basic authentication is not enough'"),
        ("x", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"),
        ("x", str(3**60)),
    ],
)
def test_no_secrets(name: str, text: str) -> None:
    assert not is_secret(name, text)


def test_sifting_keeps_the_order_and_names_what_is_left_out() -> None:
    kept, left_out = sift({"b": "1", "password": "'x'", "a": "2", "jwt": "'y'"})
    assert list(kept.items()) == [("b", "1"), ("a", "2")]
    assert left_out == ("password", "jwt")


@given(st.text(), st.text())
def test_any_text_can_be_judged(name: str, text: str) -> None:
    assert is_secret(name, text) in (True, False)


@pytest.mark.parametrize("piece", ["a", "a.", "1 ", "[1  ", "x=", "'a':", "pass=", "<", "4 ", "eyJ", "a://"])
def test_long_texts_take_no_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begin = time.process_time()
    is_secret("token", text)
    assert time.process_time() - begin < 2.0

"""What is taken for a secret, what must not be, and what stands in its place.

No key stands in this file as a whole: they are put together when the tests run.
"""

import base64
import json
import random
import string
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.core.placeholder import is_placeholder, placeholder
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.secrets.written import written_out

_RANDOM = random.Random(5)
_BASE62 = string.ascii_letters + string.digits


def drawn(length: int, alphabet: str = _BASE62) -> str:
    """Something random, with a digit in it."""
    return "".join(_RANDOM.choices(alphabet, k=length - 1)) + "7"


def encoded(data: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def with_check_digit(digits: str) -> str:
    """A card number."""
    doubled = [sum(divmod(2 * int(one), 10)) if place % 2 == 0 else int(one) for place, one in enumerate(reversed(digits))]
    return digits + str(-sum(doubled) % 10)


def with_check_digits(country: str, account: str) -> str:
    """An IBAN."""
    number = int("".join(str(int(one, 36)) for one in f"{account}{country}00"))
    return f"{country}{98 - number % 97:02}{account}"


UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
# What is secret in each, what stands before it, and what may stand after it.
KEYS = {
    "aws access": ("AKIA", drawn(16, UPPER), ""),
    "aws session": ("ASIA", drawn(16, UPPER), ""),
    "aws secret": ("", drawn(40, _BASE62 + "+/"), ""),
    "github": ("ghp_", drawn(36), ""),
    "github server": ("ghs_", drawn(36), ""),
    "github fine-grained": ("github_pat_", drawn(22) + "_" + drawn(59), ""),
    "gitlab": ("glpat-", drawn(20), ""),
    "slack bot": ("xoxb-", f"{drawn(12, string.digits)}-{drawn(24)}", ""),
    "slack webhook": ("https://hooks.slack.com/services/", f"T{drawn(8, UPPER)}/B{drawn(8, UPPER)}/{drawn(24)}", ""),
    "stripe": ("sk_live_", drawn(24), ""),
    "stripe restricted": ("rk_live_", drawn(24), ""),
    "stripe webhook": ("whsec_", drawn(32), ""),
    "openai": ("sk-", drawn(48), ""),
    "openai project": ("sk-proj-", drawn(48), ""),
    "anthropic": ("sk-ant-api03-", drawn(60), ""),
    "google": ("AIza", drawn(35), ""),
    "google oauth": ("GOCSPX-", drawn(28), ""),
    "sendgrid": ("SG.", f"{drawn(22)}.{drawn(43)}", ""),
    "npm": ("npm_", drawn(36), ""),
    "pypi": ("pypi-", drawn(80), ""),
    "hugging face": ("hf_", drawn(34), ""),
    "digital ocean": ("dop_v1_", drawn(64, HEX), ""),
    "telegram": (f"{drawn(10, string.digits)}:", "A" + drawn(34), ""),
    "jwt": (f"{encoded({'alg': 'HS256'})}.", f"{encoded({'sub': '12345'})}.{drawn(43)}", ""),
    "private key": (
        "-----BEGIN RSA PRIVATE KEY-----",
        "\\n" + drawn(64) + "\\n" + drawn(64) + "\\n",
        "-----END RSA PRIVATE KEY-----",
    ),
    "openssh key": ("-----BEGIN OPENSSH PRIVATE KEY-----", "\\n" + drawn(70), ""),
    "url": ("postgres://u:", "hun" + "ter2", "@h/db"),
    "url, odd password": ("mysql+pymysql://me:", "p@ss:" + "w0rd!", "@db.example.org:3306/x"),
    "redis": ("redis://:", "hun" + "ter2", "@cache:6379/0"),
    "connection string": ("Server=h;Uid=me;Pwd=", "hun" + "ter2", ";Database=x"),
    "azure": ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", drawn(86, _BASE62 + "+/") + "==", ";EndpointSuffix=x"),
    "query": ("https://h/x?user=me&api_key=", drawn(20), "&page=2"),
    "bearer": ("Bearer ", drawn(20), ""),
    "bearer header": ("Authorization: Bearer ", drawn(20), ""),
    "basic header": ("Authorization: Basic ", base64.b64encode(b"me:" + b"hunter2").decode(), ""),
    "cookie": ("Cookie: session=", drawn(12), "; theme="),
    "password in words": ("wrong password=", "hun" + "ter2", " for user bob"),
    "password as json": ('{\\"user\\": \\"bob\\", \\"password\\": \\"', "hun" + "ter2", '\\"}'),
    "hexadecimal": ("", drawn(32, HEX), ""),
    "long hexadecimal": ("", drawn(64, HEX), ""),
    "random": ("", drawn(32), ""),
    "random, small": ("", "4k" + drawn(30, string.ascii_lowercase + string.digits) + "0z9y8x7w", ""),
    "card": ("", with_check_digit("4" + drawn(14, string.digits)), ""),
    "card, in groups": ("paid with ", "5500 0000 0000 000", with_check_digit("550000000000000")[-1]),
    "amex": ("", with_check_digit("37" + drawn(12, string.digits)), ""),
    "iban": ("to ", with_check_digits("DE", drawn(18, string.digits)), ""),
}
CARDS = {"card", "card, in groups", "amex", "iban"}


def secret_parts(name: str) -> Iterator[str]:
    """What must not be seen any more: the runs of the key that are long enough to tell."""
    part, run = KEYS[name][1], ""
    for one in part.replace("\\n", " ") + " ":
        if one.isalnum():
            run += one
        else:
            if len(run) > 3 and not is_placeholder(run):
                yield run
            run = ""


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_known_by_their_form(name: str) -> None:
    """In a message, in a local, in an echoed line: the secret is gone, what stands around it is not, the length is the same."""
    before, secret, after = KEYS[name]
    whole = before + secret + after
    secrets = SecretFilter()
    shown = {
        secrets.text(f"it failed: {whole}"): f"it failed: {whole}",
        secrets.local("x", f"'{whole}'"): f"'{whole}'",
        secrets.code(
            f'call(1, "{whole}", other)' if '"' not in whole else f"call(1, '{whole}', other)"
        ): f'call(1, "{whole}", other)',
    }
    for text, original in shown.items():
        assert len(text) == len(original)
        for part in secret_parts(name):
            assert part not in text
        if name != "card, in groups":
            assert before in text
            assert after in text
    assert secrets.left_out


@pytest.mark.parametrize("name", sorted(set(KEYS) - CARDS))
def test_a_stand_in_is_no_secret(name: str) -> None:
    once = SecretFilter().text("".join(KEYS[name]))
    again = SecretFilter()
    assert again.text(once) == once
    assert again.left_out == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("password", "'ab'"),
        ("db_passwd", "b'ijk'"),
        ("userPassword", "'correct horse'"),
        ("password", "correct horse 1"),
        ("dbpassword", "'ijk'"),
        ("api_key", "5"),
        ("API_KEY", "'k'"),
        ("apikey", "'k'"),
        ("private_key", "'k'"),
        ("client_secret", "'k'"),
        ("credentials", "('me', 'you')"),
        ("pw", "SecretStr('hunter2')"),
        ("key", "{'password': 'hunter2'}"),
        ("dsn", "'https://h1/1'"),
        ("token", "'abcd1234'"),
        ("accesstoken", "'abcd1234'"),
        ("session_id", "'f00ba4'"),
        ("cookies", "{'a': 'b', 'c': 'long enough 1'}"),
        ("Authorization", "'Basic a:y'"),
        ("config", "{'a': 1, 'password': 'y'}"),
        ("headers", "{'Authorization': 'Basic dXNlcjpwYXNz'}"),
        ("headers", "[(b'host', b'x'), (b'authorization', b'Bearer abcdefgh1')]"),
        ("environ", "environ({'HOME': '/root', 'DB_PASSWORD': 'hunter2'})"),
        ("user", "User(name='x', password='hunter2')"),
        ("user", "User(name=x, password=hunter2)"),
        ("request", "<Request token='abcd9' at 0x7f>"),
    ],
)
def test_the_name_counts(name: str, text: str) -> None:
    secrets = SecretFilter()
    assert secrets.local(name, text) != text
    assert len(secrets.left_out) == 1


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('connect("h", password="hunter2")', 'connect("h", password="xxxxxx0")'),
        ("connect('h', password = b'\\x8f\\x01ab')", "connect('h', password = b'\\x78\\x78xx')"),
        ('config["api_key"] = "k1"', 'config["api_key"] = "x0"'),
        ("self.password = 'hunter2'  # for now", "self.password = 'xxxxxx0'  # for now"),
        ("if token == 'abcd1234':", "if token == 'xxxx0000':"),
        ("client.set_password('bob', 'hunter2')", "client.set_password('xxx', 'xxxxxx0')"),
        ("os.environ.setdefault('SECRET_KEY', 'hunter2')", "os.environ.setdefault('SECRET_KEY', 'xxxxxx0')"),
        ("connect(password=f'{user}:hunter2')", "connect(password=f'{user}:xxxxxx0')"),
        ("headers = {'Authorization': 'Bearer abcdefgh1'}", "headers = {'Authorization': 'Bearer xxxxxxxx0'}"),
        ("login(auth=('me', 'hunter2'))", "login(auth=('me', 'xxxxxx0'))"),
        ("connect('postgres://u:hunter2@h/db", "connect('postgres://u:xxxxxx0@h/db"),
    ],
)
def test_echoed_lines(line: str, shown: str) -> None:
    assert SecretFilter().code(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        "login(user, password=password)",
        "password = getpass('Password: ')",
        "def login(user: str, password: str = None, token: int = 3):",
        "fields = ('username', 'password', 'email')",
        "value = get_secret('database')",
        "token = tokens[position]",
        "return self.tokenize(text, token='identifier')",
        "connect(f'postgres://{user}:{password}@{host}/db')",
        "assert api_key is not None, 'no API key'",
        "if len(password) < 8: raise ValueError('password too short')",
        "min_password_length=8, password_field='pw', token_type='JWT', key_id='0123456789'",
        "url = 'http://localhost:8000/a@b'",
    ],
)
def test_code_without_secrets_stays_as_it_is(line: str) -> None:
    secrets = SecretFilter()
    assert secrets.code(line) == line
    assert secrets.left_out == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("password", "None"),
        ("password", "''"),
        ("password", "SecretStr('**********')"),
        ("password", "<Password object at 0x7f12>"),
        ("password_length", "12"),
        ("has_password", "True"),
        ("token", "'='"),
        ("token", "'identifier'"),
        ("tokens", "['a', 'if', 12]"),
        ("session", "<requests.sessions.Session object at 0x7f12>"),
        ("author", "'somebody'"),
        ("secretary", "'somebody'"),
        ("key", "'name'"),
        ("keys", "['a-long-name', 'another']"),
        ("monkey", "'george'"),
        ("compass", "'north'"),
        ("node", "Node(token=3)"),
        ("settings", "{'password': None, 'token': ''}"),
        ("x", "'The quick brown fox jumped over 3 lazy dogs'"),
        ("x", "'/usr/lib/python3/dist-packages/Foo/bar_baz.py'"),
        ("x", "'/nix/store/0c5kyfqcvszxr0k3qq8qd8bn7wvgw9bs-python3-3.11.6/lib'"),
        ("x", "'AbstractFactoryProxyBean2HandlerImpl'"),
        ("x", "'test_that_v2_of_the_parser_reads_utf8_and_latin1_files'"),
        ("x", "'manylinux_2_17_x86_64.manylinux2014_x86_64'"),
        ("x", "'https://example.org/a:b@c'"),
        ("x", "'2024-01-02T03:04:05.678901+00:00/2024-02-02T03:04:05'"),
        ("x", "1690000000000123"),
        ("x", "3.14159265358979323846"),
        ("x", "UUID('12345678-1234-5678-1234-567812345678')"),
        ("x", "'basic authentication is not enough'"),
        ("x", "'Token expected'"),
        ("x", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"),
        ("x", "'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'"),
        ("x", str(3**60)),
        ("digest", "'d41d8cd98f00b204e9800998ecf8427e'"),
        ("x", "'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'"),
        ("x", "'commit d41d8cd98f00b204e9800998ecf8427e00112233'"),
        ("x", "'objects/d4/1d8cd98f00b204e9800998ecf8427e00112233'"),
        ("x", repr(base64.b64encode(b"a sentence that anybody may read").decode())),
        ("x", "'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'"),
    ],
)
def test_no_secrets(name: str, text: str) -> None:
    secrets = SecretFilter()
    assert secrets.local(name, text) == text
    assert secrets.left_out == ()


@pytest.mark.parametrize(
    "message",
    [
        "login() missing 1 required positional argument: 'password'",
        "login() got an unexpected keyword argument 'api_key'",
        "password: field required",
        "Unexpected token: identifier at line 3",
        "no such session: default",
        "'NoneType' object has no attribute 'token'",
        "Basic authentication required",
        "could not read secrets.py:137 in load_secrets",
    ],
)
def test_messages_without_secrets_stay_as_they_are(message: str) -> None:
    assert SecretFilter().text(message) == message


def test_random_keys_are_found_nearly_always() -> None:
    rng = random.Random(2)
    keys = ["".join(rng.choices(_BASE62, k=32)) for _ in range(500)]
    assert sum(SecretFilter().text(key) != key for key in keys) >= 475


def test_a_secret_is_one_wherever_it_stands() -> None:
    """The name tells in one place what nothing tells in the others."""
    frame = ReportedFrame("shop.py", 3, "login", 'login("bob", "hunter2!")', local_values={"password": "'hunter2!'", "n": "1"})
    report = CrashReport((ReportedException("ValueError", "bob may not say hunter2!", (frame,), ("tried hunter2! twice",)),))
    secrets = SecretFilter()
    shown = secrets.report(report)
    assert "hunter2" not in repr(shown)
    assert shown.crash.frames[0].source == 'login("bob", "xxxxxx0!")'
    assert shown.crash.message == "bob may not say xxxxxx0!"
    assert secrets.left_out == ("password",)
    assert secrets.value("hunter2!") == "xxxxxx0!"


def test_a_word_that_is_a_password_stays_a_word() -> None:
    frame = ReportedFrame("shop.py", 3, "login", "admin.login('admin')", local_values={"password": "'admin'", "user": "'admin'"})
    shown = SecretFilter().report(CrashReport((ReportedException("ValueError", "no admin here", (frame,)),)))
    assert shown.crash.message == "no admin here"
    assert shown.crash.frames[0].source == "admin.login('xxxxx')"
    assert shown.crash.frames[0].local_values["user"] == "'xxxxx'"


def test_members_of_groups_and_earlier_exceptions_pass_too() -> None:
    member = CrashReport((ReportedException("ValueError", "password=hunter2", ()),))
    report = CrashReport(
        (
            ReportedException("KeyError", "'Pwd=hunter2;'", ()),
            ReportedException("ExceptionGroup", "two (2 sub-exceptions)", (), group=(member,)),
        )
    )
    assert "hunter2" not in repr(SecretFilter().report(report))


def test_what_is_allowed_passes() -> None:
    frame = ReportedFrame("shop.py", 3, "login", "login(password='hunter2')", local_values={"password": "'hunter2'"})
    report = CrashReport((ReportedException("ValueError", "password=hunter2", (frame,)),))
    secrets = SecretFilter(allowed=True)
    assert secrets.report(report) == report
    assert secrets.text("password=hunter2") == "password=hunter2"
    secrets.learn("login(password='hunter2')")
    assert secrets.literal("hunter2") == secrets.value("hunter2") == "hunter2"
    assert secrets.note == ""


def test_values_of_tests_are_replaced_by_their_form_alone() -> None:
    key = "".join(KEYS["github"])
    assert SecretFilter().literal(key) == "ghp_" + placeholder(key[4:])
    assert SecretFilter().literal("0123456789abcdef0123456789abcdef") == "0123456789abcdef0123456789abcdef"


def test_names_of_code_are_no_secrets_though_a_token_reads_like_one() -> None:
    """A tokenizer's ``token_string`` was the name of the function in which it crashed."""
    name = "transform_decorated_function2"
    frame = ReportedFrame(f"{name}_rules.py", 3, name, f"return {name}(node)", local_values={"token_string": repr(name)})
    report = CrashReport((ReportedException("TypeError", f"{name}() missing 1 required argument", (frame,)),))
    secrets = SecretFilter()
    assert secrets.report(report) == report
    assert secrets.text(f"stopped in {name}, module {name}_rules") == f"stopped in {name}, module {name}_rules"
    assert secrets.left_out == ()


def test_a_password_that_is_also_a_name_of_the_code_is_left_out_where_it_is_quoted() -> None:
    frame = ReportedFrame(
        "shop.py", 3, "open_sesame_2", "x = open_sesame_2('open_sesame_2')", local_values={"password": "'open_sesame_2'"}
    )
    shown = SecretFilter().report(CrashReport((ReportedException("ValueError", "no", (frame,)),))).crash.frames[0]
    assert (shown.function, shown.source) == ("open_sesame_2", "x = open_sesame_2('xxxx_xxxxxx_0')")
    assert shown.local_values["password"] == "'xxxx_xxxxxx_0'"


def test_code_that_is_run_teaches_what_is_left_out_of_what_is_shown() -> None:
    secrets = SecretFilter()
    secrets.learn('account.set_password("hunter2!")\nlogin(token="account")\n')
    assert secrets.left_out == ()  # nothing was left out yet
    assert secrets.literal("hunter2!") == "xxxxxx0!"
    assert secrets.text("hunter2! of the account 'account'") == "xxxxxx0! of the account 'account'"
    assert secrets.left_out == ("set_password",)


@given(st.text(), st.text())
def test_any_text_can_be_judged(name: str, text: str) -> None:
    secrets = SecretFilter()
    assert len(secrets.local(name, text)) == len(text)
    assert len(secrets.code(text)) == len(text)
    once = secrets.text(text)
    assert secrets.text(once) == once


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a.",
        "1 ",
        "[1  ",
        "x=",
        "'a':",
        "pass=",
        "<",
        "4 ",
        "eyJ",
        "a://",
        "a://b:c",
        "password('",
        "token=[",
        "A1b2/",
        "-----BEGIN KEY-----",
    ],
)
def test_long_texts_take_no_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    begin = time.process_time()
    SecretFilter().local("token", text)
    SecretFilter().code(text)
    assert time.process_time() - begin < 5.0  # what is quadratic would take much longer


def test_what_is_written_out_in_the_project_is_no_secret(tmp_path: Path) -> None:
    (tmp_path / "shop" / "inner").mkdir(parents=True)
    (tmp_path / "shop" / "inner" / "web.py").write_text("")
    (tmp_path / "shop" / "settings.py").write_text("KEYS = {'k-globex-7': 'x'}\nNOTE = 'of k-acme-77 too'\n")
    (tmp_path / "beside.py").write_text('"k-other-7"')
    values = ("k-globex-7", "k-acme-77", "k-other-7")
    assert written_out(values, [("shop.inner.web", str(tmp_path / "shop/inner/web.py"))]) == {"k-globex-7"}
    assert written_out(values, [("beside", str(tmp_path / "beside.py"))]) == {"k-other-7"}
    assert written_out((), [("beside", str(tmp_path / "beside.py"))]) == frozenset()


def test_what_is_spared_is_shown_and_the_rest_is_not() -> None:
    secrets = SecretFilter()
    line = 'get(api_key="k-globex-7", password="hunter2!")'
    assert secrets.code(line) == 'get(api_key="x-xxxxxx-0", password="xxxxxx0!")'
    secrets.spare(frozenset({"k-globex-7"}))
    assert secrets.code(line) == 'get(api_key="k-globex-7", password="xxxxxx0!")'
    assert secrets.literal("k-globex-7") == "k-globex-7"
    assert secrets.left_out == ("password",)

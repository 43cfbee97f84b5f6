"""What a runner or a server catches leaves the test: with as little changed as that takes."""

from __future__ import annotations

from crashwright.finishing.crash.let_through import HANDLED, LOGGED, PASSING, let_through

COMMAND = """
def test_it(tmp_path):
    result = CliRunner().invoke(app, ["x"])
    other = CliRunner().invoke(
        app,
        ["ü"],
    )
    assert result.exit_code == 0, "ü"
"""
REQUEST = """
class TestViews:
    def test_it(self, client):
        with client:
            answer = client.get("/")
            assert answer.status_code == 200

    def test_other(self):
        assert True
"""


def test_a_runner_is_told_to_catch_nothing() -> None:
    told, raised = let_through(COMMAND, "test_it[1]", "result.exception", 8)
    assert 'result = CliRunner().invoke(app, ["x"], catch_exceptions=False)\n' in told
    assert '        ["ü"],\n        catch_exceptions=False,\n    )\n' in told
    assert "    if result.exception is not None:\n        raise result.exception\n    assert result.exit_code" in raised


def test_one_that_catches_on_purpose_is_left_alone() -> None:
    kept = COMMAND.replace('["x"]', '["x"], catch_exceptions=True')
    assert len(let_through(kept, "test_it", "result.exception", 8)) == 1


def test_what_is_logged_is_raised_before_the_assertion_that_fails() -> None:
    [made] = let_through(REQUEST, "TestViews::test_it", LOGGED, 6)
    assert "    def test_it(self, client, caplog):\n" in made
    lines = made.splitlines()
    place = lines.index("            for record in caplog.records:")
    assert lines[place + 1 : place + 4] == [
        "                if record.exc_info:",
        "                    raise record.exc_info[1]",
        "            assert answer.status_code == 200",
    ]


def test_a_test_that_passed_raises_it_at_its_end() -> None:
    [made] = let_through(REQUEST, "TestViews::test_other", LOGGED, 0)
    assert made.splitlines()[-4:-2] == ["        assert True", "        for record in caplog.records:"]
    assert "def test_other(self, caplog):" in made


def test_a_class_of_unittest_takes_no_fixtures() -> None:
    assert let_through(REQUEST.replace("TestViews:", "TestViews(TestCase):"), "TestViews::test_it", LOGGED, 6) == ()


def test_a_test_that_is_not_there_is_not_changed() -> None:
    assert let_through(REQUEST, "test_it", LOGGED, 6) == ()


def test_an_option_that_speaks_of_exceptions_is_turned_round() -> None:
    source = "client = Client(app, raise_server_exceptions=False, timeout=False)\n\n\ndef test_it():\n    client.get('/')\n"
    assert let_through(source, "test_it", PASSING, 5) == (source.replace("exceptions=False", "exceptions=True"),)


def test_what_the_test_itself_handles_is_its_own_affair() -> None:
    assert let_through(COMMAND, "test_it", HANDLED, 8) == ()

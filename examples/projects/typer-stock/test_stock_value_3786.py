"""KeyError in stock/service.py:43 (value_of.<genexpr>), reached from value.

All 3 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --evaluations 20000 --seed 1
"""

from stock.cli import app
from typer.testing import CliRunner


def test_value_raises_key_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli_runner = CliRunner()
    cli_runner.invoke(app, ["add", "A1", "name", "1.5"])
    cli_runner.invoke(app, ["receive", "A1", "1"])
    cli_runner.invoke(app, ["order", "A1"])
    cli_runner.invoke(app, ["drop", "A1"])
    app(["value", "1"], standalone_mode=False)  # KeyError: 'A1'

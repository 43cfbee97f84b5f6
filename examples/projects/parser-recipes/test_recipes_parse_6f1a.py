"""IndexError in recipes/parser.py:38 (Parser.add_step), reached from parse.

All 3 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from recipes import parse


def test_parse_raises_index_error():
    parse("#\n>...")  # IndexError: list index out of range

"""KeyError in pandas/core/indexes/base.py:3816 (Index.get_loc), reached from shares.

All 4 frames and the message of the report. A near miss: other value (KeyError:
'North'), which may be another bug. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from pandas import DataFrame
from sales.regions import shares


def test_shares_raises_key_error():
    shares(DataFrame({"amount": [None, None]}))  # KeyError: 'North'

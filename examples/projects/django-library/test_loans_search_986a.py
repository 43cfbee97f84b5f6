"""IndexError in loans/search.py:15 (matching), reached from search.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "library.settings")
django.setup()

from django.test import RequestFactory  # noqa: E402
from loans.views import search  # noqa: E402


def test_search_raises_index_error():
    search(RequestFactory().get(""))  # IndexError: list index out of range

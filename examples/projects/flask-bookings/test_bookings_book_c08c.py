"""ValueError in bookings/slots.py:26 (price), reached from book.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from bookings import create_app
from bookings.views import book


def test_book_raises_value_error():
    app = create_app()
    with app.test_request_context(json={"slots": ""}):
        book()  # ValueError: max() arg is an empty sequence

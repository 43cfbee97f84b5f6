"""ValueError in bookings/slots.py:26 (price), reached from book.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from bookings import create_app


def test_book_raises_value_error():
    app = create_app()
    app.testing = True
    client = app.test_client()
    # ValueError: max() arg is an empty sequence
    client.post("/bookings", json={"slots": ""})

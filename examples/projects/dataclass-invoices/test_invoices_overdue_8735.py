"""AttributeError in invoices/model.py:45 (Invoice.due), reached from overdue.

All 3 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

import datetime
from decimal import Decimal

from invoices import Customer, Invoice, Line
from invoices.reminders import overdue


def test_overdue_raises_attribute_error():
    customer = Customer("")
    date = datetime.date(1, 1, 1)
    line = Line("", 1, Decimal("1"))
    invoice = Invoice(customer, date, sent=True, lines=[line])
    # AttributeError: 'NoneType' object has no attribute 'value'
    overdue([invoice], date)

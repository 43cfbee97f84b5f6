"""AttributeError in visits/billing.py:12 (due), reached from bill.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clinic.settings")
django.setup()

import datetime  # noqa: E402
from decimal import Decimal  # noqa: E402

import pytest  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402
from visits.models import Patient, Visit  # noqa: E402


@pytest.fixture(autouse=True)
def database():
    before = setup_databases(verbosity=0, interactive=False)
    yield
    teardown_databases(before, verbosity=0)


def test_bill_raises_attribute_error():
    patient = Patient.objects.create()
    objects = Visit.objects
    date = datetime.date(2026, 1, 1)
    objects.create(patient=patient, day=date, fee=Decimal())
    # AttributeError: 'NoneType' object has no attribute 'share'
    Client().get("/patients/1/bill")

"""KeyError in shipping/tariff.py:13 (parcel_price), reached from create_quote.

All 4 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

import asyncio

from shipping.api import create_quote
from shipping.models import Parcel, Shipment


def test_create_quote_raises_key_error():
    async def scenario():
        parcel = Parcel(weight=True, zone="swiss")
        # KeyError: 'swiss'
        await create_quote(Shipment(reference="", parcels=[parcel]))

    asyncio.run(scenario())

"""TypeError in parcels/basket.py:21 (Basket.kilograms), reached from summary.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from parcels import create_app


def test_summary_raises_type_error():
    app = create_app()
    app.testing = True
    client = app.test_client()
    client.post("/basket/lines", json={"tariff": "pallet"})
    # TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'
    client.get("/basket/summary")

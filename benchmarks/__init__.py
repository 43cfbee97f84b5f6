"""Measurements of the product: each prints its figures and leaves them in ``results``."""

"""Who is reminded of what."""

from __future__ import annotations

from datetime import date

from invoices.model import Invoice


def overdue(invoices: list[Invoice], today: date) -> list[Invoice]:
    """Invoices that were sent and should have been paid before ``today``."""
    return [invoice for invoice in invoices if invoice.sent and invoice.total() > 0 and invoice.due() < today]

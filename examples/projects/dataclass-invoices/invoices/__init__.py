"""Invoices, and what is due on them."""

from invoices.model import Customer, Invoice, Line

__all__ = ["Customer", "Invoice", "Line"]

"""The words by which confinement refuses something. They are ours: a test that holds them says nothing of the subject."""

from __future__ import annotations

REFUSING = "crashwright refused to "
"""How each refusal begins (``execution.confinement.guard``, which is copied beside printed tests and has them once more)."""


def quotes_refusal(value: object) -> bool:
    """Whether a text or bytes has a refusal in it, or anything in a value that is written down."""
    if type(value) is bytes:
        return REFUSING.encode() in value
    return REFUSING in (value if type(value) is str else repr(value))

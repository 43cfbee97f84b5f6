"""Those who work on many things at a time: what each of them does, in words."""

from __future__ import annotations

from crashwright.workflows.batch.events import Begun, Working


def worker_status(event: Begun | Working) -> str:
    """One line."""
    match event:
        case Begun(worker, title, seconds):
            return f"{worker}  {title}" + ("" if seconds is None else f"  ({seconds:.0f} s at most)")
        case Working(worker, text):
            return f"{worker}  {text}"


def duration(seconds: float) -> str:
    """Seconds, as one would say them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s" if minutes else f"{rest} s"

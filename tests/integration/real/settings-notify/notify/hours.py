from datetime import time

from .config import get_settings


def quiet_span() -> tuple[time, time] | None:
    text = get_settings().quiet_hours
    if not text:
        return None
    begin, end = text.split("-")
    return time.fromisoformat(begin), time.fromisoformat(end)


def is_quiet(now: time) -> bool:
    span = quiet_span()
    if span is None:
        return False
    begin, end = span
    if begin <= end:
        return begin <= now < end
    return now >= begin or now < end

"""Functions that say what their parameters look like."""

from datetime import date


def due(day, times: int, note):
    return date.fromisoformat(day), int(times), note.strip()


def held(note):
    return note

"""Keywords that any function takes, and only the code far behind it understands."""


class Shift:
    def __init__(self, person, **details):
        self.person = person
        self.details = details


class Plan:
    def __init__(self):
        self._shifts = []

    def enter(self, person, **details):
        if not person:
            raise ValueError("who?")
        self._shifts.append(Shift(person, **details))

    def mean_hours(self):
        if not self._shifts:
            raise ValueError("nobody works")
        hours = [shift.details.get("hours", 8) for shift in self._shifts if not shift.details.get("on_leave")]
        return sum(hours) / len(hours)

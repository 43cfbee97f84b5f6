"""The life of an order."""

from enum import Enum, auto


class State(Enum):
    NEW = auto()
    PAID = auto()
    SHIPPED = auto()
    DELIVERED = auto()
    CANCELLED = auto()

    @property
    def is_final(self):
        return self in (State.DELIVERED, State.CANCELLED)


class Event(Enum):
    PAY = "pay"
    SHIP = "ship"
    DELIVER = "deliver"
    CANCEL = "cancel"


class TransitionError(Exception):
    def __init__(self, state, event):
        super().__init__(f"cannot {event.value} an order that is {state.name.lower()}")
        self.state = state
        self.event = event


TRANSITIONS = {
    (State.NEW, Event.PAY): State.PAID,
    (State.NEW, Event.CANCEL): State.CANCELLED,
    (State.PAID, Event.SHIP): State.SHIPPED,
    (State.PAID, Event.CANCEL): State.CANCELLED,
    (State.SHIPPED, Event.DELIVER): State.DELIVERED,
}


class Order:
    def __init__(self, number, amount=0):
        if amount < 0:
            raise ValueError("amount must not be negative")
        self.number = number
        self.amount = amount
        self.state = State.NEW
        self.history = []
        self.refunded = 0

    def apply(self, event):
        """Change the state."""
        key = (self.state, event)
        if key not in TRANSITIONS:
            raise TransitionError(self.state, event)
        if event is Event.CANCEL and self.state is State.PAID:
            self.refunded = self.amount
        self.history.append(self.state)
        self.state = TRANSITIONS[key]
        return self.state

    def undo(self):
        if not self.history:
            raise LookupError("nothing to undo")
        if self.state.is_final:
            return False
        self.state = self.history.pop()
        return True

    def allowed(self):
        return [event for state, event in TRANSITIONS if state is self.state]


def replay(number, names, strict=True):
    """An order after events, given by their names."""
    order = Order(number)
    for name in names:
        try:
            event = Event(name)
        except ValueError:
            if strict:
                raise
            continue
        try:
            order.apply(event)
        except TransitionError:
            if strict:
                raise
    return order


def report(orders):
    counts = {}
    for order in orders:
        counts[order.state.name] = counts.get(order.state.name, 0) + 1
    return counts

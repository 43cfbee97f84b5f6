"""Handlers that are told of what happens, and one that makes it happen again."""


class Bell:
    def __init__(self, limit=3):
        self._handlers = {}
        self._ringing = []
        self._limit = limit

    def on(self, topic, handler):
        self._handlers.setdefault(topic, []).append(handler)
        return handler

    def ring(self, topic, *details):
        if topic in self._ringing:
            raise RuntimeError("it rings already")
        self._ringing.append(topic)
        for handler in self._handlers.get(topic, ()):
            handler(topic, *details)
        self._ringing.remove(topic)

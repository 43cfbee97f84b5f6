"""An object that only breaks after the right calls in the right order."""


class Turnstile:
    def __init__(self):
        self._coins = 0
        self._locked = False
        self._log = []

    def insert(self, coins):
        if coins < 1:
            raise ValueError("no coin")
        self._coins += coins

    def lock(self, code):
        if self._coins >= 3:
            self._locked = True
            self._code = code

    def empty(self):
        self._coins = 0

    def push(self):
        if self._locked:
            return self._alarm()
        return self._coins > 0

    def _alarm(self):
        return self._code, self._log[-1]

"""Settings that a class gives a default and leaves to its users: no method sets them, and nothing passes them."""


class Oven:
    """Bakes."""

    def __init__(self, shelves=2):
        self.shelves = shelves
        self.fan = False
        self.label = "top"
        self._light = False
        self.baked = 0
        self.trays = {}

    @property
    def heat(self):
        """Decides itself what is set."""
        return 200

    def bake(self, dough):
        """Fails where the fan runs and the label was taken away."""
        self.baked = len(dough)
        if self._light or not self.heat or not self.shelves or self.trays:
            return dough
        if self.fan:
            return self.label[0]
        return dough


class Timer:
    """Its minutes are set, and read."""

    def __init__(self):
        self._minutes = 0

    @property
    def minutes(self):
        """Fails on nothing."""
        return self._minutes

    @minutes.setter
    def minutes(self, text):
        self._minutes = int(text.split(":")[0])

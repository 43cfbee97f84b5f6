"""Functions that Python calls when a class is declared, each of which refuses some declarations."""

import inspect


class Meta(type):
    def __new__(mcls, name, bases, namespace):
        made = super().__new__(mcls, name, bases, namespace)
        for field, kind in namespace.get("__annotations__", {}).items():
            if kind is float and namespace.get(field, 1) is None:
                raise ValueError("a number is needed")
        return made


class Record(metaclass=Meta):
    pass


class Plugin:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for field, kind in inspect.get_annotations(cls).items():
            if kind is int and field not in cls.__dict__:
                raise TypeError("a whole number needs a value")


class Column:
    def __init__(self, size: int):
        self.size = size

    def __set_name__(self, owner, name):
        raise LookupError(f"{name} is too wide")

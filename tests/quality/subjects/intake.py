"""A chain of eight frames about a message: each asks one thing of what it is given, and hands a part or a reading of it on."""

import json


class Item:
    def __init__(self, name, size, unit="kg"):
        self.name = name
        self.size = size
        self.unit = unit


def area(width, depth):
    if width != 12:
        return 0
    return width / (depth - 5)


def floor(size):
    width, depth = size.split("x")
    return area(int(width), int(depth))


def weigh(item):
    if item.unit != "t":
        return 0
    return floor(item.size)


def items(rows):
    total = 0
    for row in rows:
        total += weigh(Item(**row))
    return total


def route(message):
    if message["to"] != "depot":
        return 0
    return items(message["items"])


def load(text):
    return route(json.loads(text))


def accept(text):
    if not text.startswith("v2 "):
        return 0
    return load(text[3:])


def receive(payload):
    return accept(payload.decode("utf-8"))

"""Nested data with a key that may be missing."""


def badge(person):
    name = person["name"]
    return initials(name) + " " + team(person.get("team"))


def initials(name):
    return "".join(word[0] for word in name.split())


def team(entry):
    return "[" + entry.upper() + "]"

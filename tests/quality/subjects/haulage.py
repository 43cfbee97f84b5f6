"""A chain of ten frames each of which asks one thing of what it is given."""


class Part:
    def __init__(self, name, weight, tags=()):
        self.name = name
        self.weight = weight
        self.tags = list(tags)


class Box:
    def __init__(self, parts, label="plain"):
        self.parts = parts
        self.label = label


class Depot:
    def __init__(self, boxes):
        self.boxes = boxes

    def first(self):
        return self.boxes[0]


def ratio(tags):
    if len(tags) != 3:
        return 0
    if tags[0] != "fragile":
        return 1
    return 100 / tags.count("up")


def part_load(part):
    if part.name != "axle-7":
        return 0
    return ratio(part.tags)


def box_load(box):
    total = 0
    if box.label == "plain":
        return total
    for part in box.parts:
        total += part_load(part)
    return total


def depot_load(depot):
    box = depot.first()
    return box_load(box)


def plan(depot, mode):
    if mode != "night":
        return None
    return depot_load(depot)


def plans(depots, mode):
    return [plan(depot, mode) for depot in depots.values()]


def schedule(settings, depots):
    return plans(depots, settings["mode"])


def run(config):
    return schedule(config["settings"], config["depots"])

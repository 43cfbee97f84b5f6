"""Paper 002, Figure 14: ANT-49755. A prefix that nobody sets, three frames below the task."""


def make_name(prefix: str, number: int):
    if number > 99:
        return "x" + str(number)
    return prefix + "-tmp"


def create_temporary(prefix: str, create: bool, number: int):
    if create:
        name = make_name(prefix, number)
    else:
        name = "none"
    return name


class TempFile:
    def __init__(self):
        self.property = None
        self.prefix = None
        self.create = False
        self.retries = 0

    def set_property(self, name: str):
        self.property = name

    def set_prefix(self, prefix: str):
        self.prefix = prefix

    def set_create(self, create: bool):
        self.create = create

    def retry(self):
        self.retries += 1

    def execute(self):
        if self.property is None:
            raise ValueError("no property")
        if self.property == "":
            raise ValueError("no property")
        if self.property.startswith("ant."):
            if self.retries > 2:
                return create_temporary(self.prefix, self.create, self.retries)
        return None

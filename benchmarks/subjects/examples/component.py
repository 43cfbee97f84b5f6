"""Paper 002, Figure 2: three crashes of one class."""


class Color:
    def __init__(self, color_id: int):
        self.color_id = color_id
        self.ready = False

    def initialize(self):
        self.ready = True


class Part:
    def __init__(self, ident: int):
        self.ident = ident

    def is_valid(self) -> bool:
        return self.ident > 0

    def get_id(self) -> int:
        return self.ident


class Component:
    def __init__(self, length: int, width: int):
        self.length = length
        self.width = width
        self.logging = False
        self.default_color = None
        self.parts = []

    def set_logging(self, flag: bool):
        self.logging = flag

    def set_default(self, color: Color):
        self.default_color = color

    def add_part(self, part: Part):
        self.parts.append(part)

    def check_validity(self):
        for part in self.parts:
            if not part.is_valid():
                print("Warning")
        if self.length != self.width:
            raise RuntimeError

    def create_color(self, color_id: int):
        color = Color(color_id)
        if self.logging:
            print(color)
        if color_id > 0:
            created = color
        else:
            created = self.default_color
        created.initialize()
        return created

    def add(self, first: Part, second: Part):
        if self.logging:
            print(first)
        if first is not second:
            if self.logging:
                print(second)
        one = first.get_id()
        other = second.get_id()
        return one + other

"""What the members have to be that a class leaves to its subclasses: by what its methods do with them (``engine.wants``)."""

from __future__ import annotations

from crashwright.engine.sources.values.wanted_types import wanted_in
from crashwright.engine.subject.introspection import class_module, class_mro, class_qualname
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.wants.wanted import Wanted


class MemberTypes:
    """Reads the module of a class when it is first asked, and no other."""

    def __init__(self) -> None:
        self._wanted: dict[str, Wanted] = {}

    def hints(self, cls: type, name: str) -> Weighted:
        """The types of an attribute of ``cls`` with their weights; none where its module, and those of its bases, do not tell."""
        for part in class_mro(cls)[:-1]:
            home = class_module(part)
            if home not in self._wanted:
                self._wanted[home] = wanted_in((home,))
            found = self._wanted[home].field(home, class_qualname(part), name)
            if found:
                return found
        return ()

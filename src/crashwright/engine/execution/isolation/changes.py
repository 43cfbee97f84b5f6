"""What changed in the subject's state since a snapshot, piece by piece: which item of which container, attribute, cell or slot.

A piece has a name that is the same for two runs that start from the same snapshot, so that what both of them did can be told from
what only one did.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from types import CellType
from typing import Any, NamedTuple

from crashwright.engine.execution.isolation.snapshot import EMPTY, HeldState, Snapshot, cell_contents, member_value
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.subject.introspection import class_dict, derives, identities

Name = tuple[object, ...]
# What the subject holds can be anything: Any is the honest type for its objects.
GONE: Any = object()
"""In place of the value of an item that was taken out."""
_PLAIN = identities(str, int, bytes, bool, type(None))
_BY_KEY = frozenset({"dict", "module", "class"})


class StateChange(NamedTuple):
    """``key`` of ``target`` is ``value`` now. ``name`` tells the piece from all others."""

    name: Name
    kind: str
    target: Any
    key: Any
    value: Any

    def holds(self) -> bool:
        """Whether it is still so; not where a key of the subject cannot be looked up."""
        try:
            return self._holds()
        except TestTimeout:
            raise
        except BaseException:  # noqa: BLE001 - keys of the subject are hashed and compared, which may raise anything
            return False

    def _holds(self) -> bool:
        match self.kind:
            case "cell":
                return cell_contents(self.target) is self.value
            case "slot":
                return member_value(self.target, self.key) is self.value
            case "dict" | "module":
                return dict.get(self.target, self.key, GONE) is self.value
            case "class":
                return class_dict(self.target).get(self.key, GONE) is self.value
        whole: HeldState = self.value
        return not whole.changed()

    def put(self) -> None:
        """Make it so again. Keys of the subject are hashed and compared, which may raise anything."""
        match self.kind:
            case "cell":
                cell: CellType = self.target
                cell.cell_contents = self.value
            case "slot":
                self.key.__set__(self.target, self.value)
            case "dict" | "module" | "class":
                self._put_item()
            case _:
                whole: HeldState = self.value
                whole.restore()

    def _put_item(self) -> None:
        # Through the base classes: the subject may have overridden all of these.
        if self.kind == "class":
            if self.value is GONE:
                type.__delattr__(self.target, self.key)
            else:
                type.__setattr__(self.target, self.key, self.value)
            return
        base = OrderedDict if derives(type(self.target), OrderedDict) else dict
        if self.value is not GONE:
            base.__setitem__(self.target, self.key, self.value)
        elif dict.__contains__(self.target, self.key):
            base.__delitem__(self.target, self.key)


def changes_since(snapshot: Snapshot) -> dict[Name, StateChange]:
    """All that is otherwise than ``snapshot`` says; what was taken out comes before what was put in. Emptied cells and slots
    are passed over."""
    found = [change for held in (*snapshot.hot, *snapshot.cold) if held.changed() for change in _of_held(held)]
    for cell, contents in snapshot.cells:
        value = cell_contents(cell)
        if value is not contents and value is not EMPTY:
            found.append(StateChange(("cell", id(cell)), "cell", cell, None, value))
    for instance, member, content in snapshot.slots:
        value = member_value(instance, member)
        if value is not content and value is not EMPTY:
            found.append(StateChange(("slot", id(instance), id(member)), "slot", instance, member, value))
    return {change.name: change for change in found}


def _of_held(held: HeldState) -> Iterator[StateChange]:
    kind, target = held.kind, held.target
    if kind not in _BY_KEY:
        # A list has no names for its items: it is taken as a whole.
        yield StateChange((kind, id(target)), kind, target, None, HeldState(kind, target, held.view))
        return
    saved = dict(zip(map(id, held.keys), held.items, strict=True))
    now = list(zip(held.key_view, held.view, strict=True))
    present = {id(key) for key, _ in now}
    for key in held.keys:
        if id(key) not in present:
            yield StateChange((kind, id(target), "gone", _name_of(key)), kind, target, key, GONE)
    for key, value in now:
        if saved.get(id(key), GONE) is not value:
            yield StateChange((kind, id(target), "is", _name_of(key)), kind, target, key, value)


def _name_of(key: Any) -> object:
    """Another run makes its keys anew: equal ones where they are plain. All others are told apart by identity, since comparing them
    would run code of the subject."""
    if id(type(key)) in _PLAIN:
        return (type(key), key)
    if type(key) is tuple:
        return tuple([_name_of(part) for part in key])
    return id(key)

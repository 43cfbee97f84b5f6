"""One toy package for the tests of the API model, the call graph and the way in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from toy_package import load, unload

from crashwright.engine.subject.api.api import ApiModel

PACKAGE = "shelfware"
FILES = {
    "": """
        from shelfware.core import Shelf, take, _internal as _hidden
        from shelfware._impl import stock_up
    """,
    "core": """
        from __future__ import annotations
        import abc, contextlib, enum, functools
        from typing import TYPE_CHECKING, Optional
        if TYPE_CHECKING:
            from shelfware.elsewhere import Crate

        class Colour(enum.Enum):
            RED = 1
            BLUE = "b"

        class Base(abc.ABC):
            def __init__(self, size: int = 3, *, label: Optional[str] = None):
                self.size = size
            @abc.abstractmethod
            def load(self): ...
            def shared(self, other: Crate): return self._secret()
            def _secret(self): return [x for x in self.items()]
            def items(self): return ()

        class Shelf(Base):
            def __init__(self, slots, **options):
                super().__init__(**options)
                self.slots = slots
            @classmethod
            def from_text(cls, text: str): return cls(text)
            @staticmethod
            def measure(width: float) -> float: return width
            @property
            def height(self) -> int: return self.slots
            @functools.cached_property
            def depth(self): return 2
            def load(self): yield from ()
            async def fetch(self): return 1
            def __contains__(self, item): return False
            class Pin:
                def push(self, force): return force

        class DeepShelf(Shelf):
            def items(self): return (1,)

        class Broken(ValueError):
            def explain(self): return self.args

        def take(shelf: Shelf, n=1, *rest, colour=Colour.RED, **more) -> Shelf | None:
            def inner():
                return (lambda: n)()
            return inner() or shelf

        def _internal(x): return _deeper(x)
        def _deeper(x): return x
        def calls_internal(x): return _internal(x)
        def _orphan(x): return x

        def traced(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        def plain(function):
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @traced
        def one(a, b=2): return a
        @traced
        def two(c): return c
        @plain
        def three(d, e): return d

        @contextlib.contextmanager
        def opened(path): yield path

        default_shelf = DeepShelf(4)
        partial_take = functools.partial(take, default_shelf)
        bound_load = default_shelf.load
    """,
    "_impl": """
        def stock_up(n): return n
        def private_only(n): return n
    """,
    "elsewhere": """
        class Crate:
            "A crate.\\n\\n:param weight: kg\\n:type weight: float"
            def __init__(self, weight):
                '''
                :param weight: kg
                :type weight: float
                '''
    """,
    "hostile": """
        import sys, types
        class Trap(types.ModuleType):
            def __getattr__(self, name): raise RuntimeError(name)
            def __getattribute__(self, name):
                if name == "__class__": raise RuntimeError(name)
                return super().__getattribute__(name)
        class Meta(type):
            def __getattr__(cls, name): raise RuntimeError(name)
        class Odd(metaclass=Meta):
            def fine(self): return 1
        class Proxy:
            @property
            def __class__(self): raise RuntimeError("class")
            def __getattr__(self, name): raise RuntimeError(name)
        proxy = Proxy()
        sys.modules[__name__].__class__ = Trap
    """,
}


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiModel]:
    """The model of the toy package."""
    yield load(tmp_path_factory.mktemp("toy"), PACKAGE, FILES)
    unload(PACKAGE)

"""A package whose module holds objects that raise, lie or hang when they are looked at, a kind of them in each part; beside them an
easy crash in ``divide``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

NAME = "hostilepkg"
DIVIDE = '''\
"""Holds what nobody may look at."""


def divide(x, other):
    if other:
        return 1 / x
    return x
'''
PARTS = {
    "lazy object": """
        class Lazy:
            def __getattr__(self, name): raise LookupError(name)
        lazy = Lazy()
        def use(a=lazy): return 1
    """,
    "no attributes at all": """
        class Closed:
            def __getattribute__(self, name): raise LookupError(name)
        closed = Closed()
        def made() -> Closed: return Closed()
    """,
    "raising base exceptions": """
        class Fatal(BaseException): pass
        class Abrupt:
            def __getattribute__(self, name): raise Fatal(name)
            def __eq__(self, other): raise Fatal
            def __hash__(self): raise Fatal
            def __bool__(self): raise Fatal
            def __repr__(self): raise Fatal
        abrupt = Abrupt()
        def abruptly(a: abrupt, b=abrupt) -> Abrupt(): return Abrupt()
    """,
    "class that raises": """
        class Proxy:
            @property
            def __class__(self): raise RuntimeError("not configured")
        proxy = Proxy()
        def proxied(a=proxy): return Proxy()
    """,
    "class that lies": """
        import re, types
        def _lying(cls):
            class Lying:
                __class__ = cls
                def __getattr__(self, name): raise RuntimeError(name)
            return Lying()
        as_type, as_module, as_function = _lying(type), _lying(types.ModuleType), _lying(types.FunctionType)
        as_pattern, as_dict, as_text, as_property = _lying(re.Pattern), _lying(dict), _lying(str), _lying(property)
        def told(a: as_type, b: as_text = as_dict) -> as_type: return as_function
        class Attributes:
            pattern, member, call = as_pattern, as_property, as_function
            def __init__(self, a: as_module = None): self.kept = as_type
            def look(self): return self.pattern
    """,
    "class attribute that is a proxy": """
        class Shadow:
            def __init__(self, a=1): self.a = a
            def __getattribute__(self, name):
                if name in ("__class__", "__dict__", "__doc__", "__module__"): raise KeyError(name)
                return object.__getattribute__(self, name)
            def double(self): return 2 * self.a
        shadow = Shadow()
    """,
    "metaclass getattr": """
        class Meta(type):
            def __getattr__(cls, name): raise LookupError(name)
        class WithMeta(metaclass=Meta):
            def __init__(self, a=None): self.a = a
            def method(self): return 1
        def give(a: WithMeta) -> WithMeta: return a
    """,
    "metaclass getattribute": """
        class MetaClosed(type):
            def __getattribute__(cls, name): raise LookupError(name)
        class ClosedClass(metaclass=MetaClosed):
            def method(self): return 1
        def closed_class(a: ClosedClass = None) -> ClosedClass: return a
    """,
    "metaclass hash and equality": """
        class MetaHash(type):
            def __hash__(cls): raise LookupError("hash")
            def __eq__(cls, other): raise LookupError("eq")
            def __bool__(cls): raise LookupError("bool")
            def __len__(cls): raise LookupError("len")
            def __iter__(cls): raise LookupError("iter")
            def __call__(cls, *args): raise LookupError("call")
        class Hashless(metaclass=MetaHash):
            def method(self): return 1
        def hashless(a: Hashless = None, b: "list[Hashless] | None" = None) -> Hashless: return a
        hashless_instance = object.__new__(Hashless)
        hashless_error = type.__call__(MetaHash, "Odd", (Exception,), {})
        def fails_oddly(a=1): raise Exception.__new__(hashless_error)
        def gives_oddly(a=hashless_instance): return a
    """,
    "instance and subclass checks": """
        import abc
        class MetaCheck(type):
            def __instancecheck__(cls, x): raise LookupError("instancecheck")
            def __subclasscheck__(cls, x): raise LookupError("subclasscheck")
        class Checked(metaclass=MetaCheck):
            def method(self): return 1
        class Hooked(abc.ABC):
            @classmethod
            def __subclasshook__(cls, other): raise LookupError("subclasshook")
            def method(self): return 1
        class Abstract(abc.ABC):
            @classmethod
            def __subclasshook__(cls, other): raise SystemExit
            @abc.abstractmethod
            def method(self): ...
        def checked(a: Checked, b: Hooked, c: Abstract) -> Checked: return a
    """,
    "annotations": """
        class Ann:
            def __getattr__(self, name): raise LookupError(name)
            def __eq__(self, other): raise LookupError("eq")
            def __hash__(self): raise LookupError("hash")
            def __repr__(self): raise LookupError("repr")
            def __call__(self, *args): raise LookupError("call")
        def annotated(a: Ann(), b: "Ann()" = 1, c: "Ann[int]" = 2, *d: Ann(), **e: Ann()) -> Ann(): return a
        class Fields:
            first: Ann()
            second: "Ann().x"
            def __init__(self, a: Ann() = None): self.first = a
    """,
    "annotations that are no dictionary": """
        class BadAnnotations:
            __annotations__ = 5
            def __init__(self): self.a = 1
            def look(self): return self.a
        def bad() -> BadAnnotations: return BadAnnotations()
    """,
    "defaults": """
        class Default:
            def __eq__(self, other): raise ValueError("ambiguous")
            def __bool__(self): raise ValueError("ambiguous")
            def __len__(self): raise ValueError("unsized")
            def __iter__(self): raise ValueError("no items")
            def __repr__(self): raise ValueError("no text")
            __hash__ = None
        unequal = Default()
        def with_defaults(a=Default(), b=unequal, *, c=unequal, d=[unequal], e={"k": unequal}): return a
    """,
    "choices": """
        import enum, typing
        class Shape(enum.Enum):
            ROUND, FLAT = 1, 2
            def __eq__(self, other): raise ValueError("eq")
            def __hash__(self): raise ValueError("hash")
        class Held(enum.Enum):
            ODD = type("Odd", (), {"__eq__": lambda *a: 1 / 0, "__hash__": None})()
        def shaped(a: Shape = Shape.ROUND, b: "typing.Literal['x', Shape.FLAT]" = "x", c: Held = Held.ODD) -> Shape: return a
    """,
    "modules that are none": """
        import sys, types
        class Module:
            def __getattr__(self, name): raise LookupError(name)
            @property
            def __class__(self): raise RuntimeError("lazy module")
        class Lazy_Module(types.ModuleType):
            def __getattribute__(self, name): raise RuntimeError("not loaded")
        class Dictless(types.ModuleType):
            @property
            def __dict__(self): raise RuntimeError("no dictionary")
        sys.modules["hostilepkg.lazy"] = Module()
        sys.modules["hostilepkg.lazier"] = Lazy_Module("hostilepkg.lazier")
        sys.modules["hostilepkg.dictless"] = dictless = Dictless("hostilepkg.dictless")
        sys.modules["hostilepkg.nothing"] = None
        sys.modules["hostile_other"] = Module()
    """,
    "modules replaced in a test": """
        def register(x=1):
            import sys
            class Module:
                def __getattr__(self, name): raise LookupError(name)
            sys.modules["made_in_test"] = sys.modules["json"] = Module()
            return x
        def replace(x=1):
            import os, sys
            class Nothing:
                def __getattribute__(self, name): raise LookupError(name)
            sys.modules, sys.path, os.environ = Nothing(), Nothing(), Nothing()
            return x
    """,
    "descriptors that raise": """
        class Raising:
            def __get__(self, instance, owner): raise LookupError("get")
            def __set__(self, instance, value): raise LookupError("set")
            def __set_name__(self, owner, name): self.name = name
            def __getattr__(self, name): raise LookupError(name)
        class Described:
            one, two = Raising(), Raising()
            __doc__ = Raising()
            def __init__(self, a=1): self.__dict__["one"] = a
            @property
            def three(self): raise KeyError("three")
            def look(self): return self.__dict__["one"]
        described = Described()
    """,
    "dictionaries that are properties": """
        class NoDict:
            @property
            def __dict__(self): raise RuntimeError("no dictionary")
            def __init__(self, a=1): self.a = a
            def look(self): return self.a
        nodict = NoDict()
        class WrongDict:
            __slots__ = ("a",)
            __dict__ = {"x": 1}
            def look(self): return 1
        wrongdict = WrongDict()
    """,
    "names that are none": """
        class Odd:
            def __getattr__(self, name): raise LookupError(name)
            def __eq__(self, other): raise LookupError("eq")
            def __hash__(self): raise LookupError("hash")
        class Unnamed:
            __module__ = Odd()
            __doc__ = Odd()
            def __init__(self, a=1): self.a = a
            def look(self): return self.a
        def unnamed(a=1): return Unnamed(a)
        unnamed.__doc__ = Odd()
        unnamed.__module__ = Odd()
        unnamed.__name__ = unnamed.__qualname__ = "renamed"
        unnamed.__dict__["__wrapped__"] = Odd()
        __all__ = Odd()
        __all__ = ["divide"]
        __file__, __path__, __version__ = __file__, Odd(), Odd()
    """,
    "wrappers around proxies": """
        import functools
        made = True  # staticmethod and its like copy the name of what they wrap, and raise nothing but AttributeError
        class Wrapped:
            def __getattr__(self, name): raise (AttributeError if made else LookupError)(name)
            def __call__(self, *args): return 1
        @functools.lru_cache
        def cached(a=1): return a
        cached.__wrapped__ = cached.cache_clear = Wrapped()
        def wrapper(*args, **kwargs): return args
        wrapper.__wrapped__ = Wrapped()
        partly = functools.partial(Wrapped(), 1)
        class Methods:
            once = functools.cached_property(lambda self: 1 / 0)
            part = functools.partialmethod(Wrapped(), 1)
            static, of_class, read = staticmethod(Wrapped()), classmethod(Wrapped()), property(Wrapped())
            def look(self): return 1
        made = False
    """,
    "signatures that raise": """
        class Signed:
            def __init__(self, a=1): self.a = a
            def __call__(self, b=2): return b
            @property
            def __signature__(self): raise LookupError("signature")
        signed = Signed()
        class SignedClass:
            __signature__ = "none"
            def __init__(self, a=1): self.a = a
        def signed_function(a=1): return a
        signed_function.__signature__ = signed
    """,
    "special methods that raise": """
        class Special:
            def __hash__(self): raise LookupError("hash")
            def __repr__(self): raise LookupError("repr")
            def __str__(self): raise LookupError("str")
            def __len__(self): raise LookupError("len")
            def __iter__(self): raise LookupError("iter")
            def __bool__(self): raise LookupError("bool")
            def __contains__(self, item): raise LookupError("contains")
            def __dir__(self): raise LookupError("dir")
            def __format__(self, spec): raise LookupError("format")
            def __reduce_ex__(self, protocol): raise LookupError("reduce")
            def __sizeof__(self): raise LookupError("size")
        special = Special()
        specials, table = [special], {"special": special}
        def gives_special(a=special): specials.append(Special()); return Special()
        class SpecialError(Exception):
            def __str__(self): raise LookupError("str")
            @property
            def __traceback__(self): raise LookupError("traceback")
            @property
            def __cause__(self): raise LookupError("cause")
            @property
            def args(self): raise LookupError("args")
            __notes__ = special
        def raises_special(a=1): raise SpecialError(a)
    """,
    "special methods that hang": """
        def _hang(*_):
            while True: pass
        class Endless:
            __hash__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __eq__ = __dir__ = _hang
            def __getattr__(self, name): _hang()
        endless = Endless()
        def gives_endless(a=endless): return endless
    """,
    "containers that answer for themselves": """
        class Pile(list):
            def __iter__(self): raise LookupError("iter")
            def __len__(self): raise LookupError("len")
            def __eq__(self, other): raise LookupError("eq")
            def __getitem__(self, index): raise LookupError("item")
        class Table(dict):
            def __iter__(self): raise LookupError("iter")
            def __len__(self): raise LookupError("len")
            def keys(self): raise LookupError("keys")
            def items(self): raise LookupError("items")
            def values(self): raise LookupError("values")
        class Bag(set):
            def __iter__(self): raise LookupError("iter")
            def __len__(self): raise LookupError("len")
        class Text(str):
            def __eq__(self, other): raise LookupError("eq")
            def __hash__(self): raise LookupError("hash")
            def __len__(self): raise LookupError("len")
        pile, tabled, bag, texts = Pile(), Table(a=1), Bag([1]), [Text("a")]
        def fill(a=1):
            list.append(pile, a)
            dict.__setitem__(tabled, "b", a)
            set.add(bag, "c")
            return pile
        def text(a=texts[0]): return Text("b")
    """,
    "destructors and creation": """
        class Named_Late:
            def __set_name__(self, owner, name): self.owner = owner
        class Remains:
            late = Named_Late()
            def __new__(cls, *args): return object.__new__(cls)
            def __del__(self): raise LookupError("del")
            def __init_subclass__(cls, **options): raise LookupError("subclass")
            def look(self): return 1
        remains = Remains()
    """,
    "module that answers for itself": """
        def __getattr__(name): raise (AttributeError if name == "__path__" else LookupError)(name)
        def __dir__(): raise LookupError("dir")
    """,
    "loggers and filters": """
        import logging, warnings
        class OddHandler(logging.Handler):
            def __eq__(self, other): raise LookupError("eq")
            def __hash__(self): return 1
        class OddLogger(logging.Logger):
            @property
            def handlers(self): raise LookupError("handlers")
            @handlers.setter
            def handlers(self, value): pass
        logging.getLogger("hostile").addHandler(OddHandler())
        logging.root.manager.loggerDict["hostile.odd"] = OddLogger("hostile.odd")
        def logs(a=1):
            logging.getLogger("hostile").addHandler(OddHandler())
            warnings.simplefilter("ignore")
            return a
    """,
}
"""What kind of object each part adds to the module."""


def write_package(folder: Path, parts: Iterable[str]) -> None:
    """The package with these parts, in ``folder``, and ``crash.txt`` beside it."""
    import textwrap

    package = folder / NAME
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .core import divide\n")
    (package / "core.py").write_text(DIVIDE + "\n\n" + "\n".join(textwrap.dedent(PARTS[part]) for part in parts))
    (folder / "crash.txt").write_text(
        "Traceback (most recent call last):\n"
        '  File "/home/app/main.py", line 3, in <module>\n'
        "    divide(x, other)\n"
        f'  File "/srv/site-packages/{NAME}/core.py", line 6, in divide\n'
        "    return 1 / x\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n"
    )

"""A zoo of functions, each of which behaves the same with and without probes. ``case_*`` are run by ``observe``; ``LOG`` is compared too."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
import weakref

LOG: list[str] = []


class Loud:
    """Logs every question it is asked."""

    def __init__(self, name: str, truth: bool = True, size: int = 1) -> None:
        self.name = name
        self.truth = truth
        self.size = size

    def __eq__(self, other: object) -> bool:
        LOG.append(f"{self.name} eq")
        return self.truth

    def __lt__(self, other: object) -> "Loud":
        LOG.append(f"{self.name} lt")
        return self

    def __bool__(self) -> bool:
        LOG.append(f"{self.name} bool")
        return self.truth

    def __len__(self) -> int:
        LOG.append(f"{self.name} len")
        return self.size

    def __contains__(self, item: object) -> bool:
        LOG.append(f"{self.name} contains")
        return self.truth

    def __repr__(self) -> str:
        return f"<{self.name}>"

    __hash__ = object.__hash__


class Sized:
    def __len__(self) -> int:
        LOG.append("sized len")
        return 0


class Plain:
    pass


class NoTruth:
    """Like an array: compares to something whose truth is an error."""

    def __bool__(self) -> bool:
        raise KeyError("no truth")

    def __lt__(self, other: object) -> "NoTruth":
        return self

    def __eq__(self, other: object) -> "NoTruth":  # type: ignore[override]
        return self

    def __contains__(self, item: object) -> bool:
        raise LookupError("contains")

    __hash__ = object.__hash__


class Incomparable:
    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("eq")

    __hash__ = object.__hash__


yes, no = True, False
none = NoTruth()


def case_and_or_values():
    a, b = Loud("a"), Loud("b", False)
    return [a and b, b and a, a or b, b or a, not a, not b, not (a and b), not (b and a), not not b, a and b and a, b or b or a]


def case_values_of_comparisons():
    a, b = Loud("a"), Loud("b", False)
    return [
        a < b,
        a < b < a,
        b < a < b,
        a == b,
        a != b,
        3 in a,
        3 not in b,
        a is b,
        a is not b,
        1 < 2 < 3,
        1 < 3 < 2,
        (a == b) and 7,
    ]


def case_tests():
    a, b, out = Loud("a"), Loud("b", False), []
    if a and not b:
        out.append(1)
    if b or (a and not a):
        out.append(2)
    elif a < b or a == 1:
        out.append(3)
    while a and len(out) < 5:
        out.append(4)
    else:
        out.append(5)
    out.append(1 if b else 2 if a < b < a else 3)
    assert a, "never"
    return out


def case_odd_truths():
    out = [x for x in (Sized(), Plain(), 0, "", "x", None, 0.0, float("nan"), [], {}, 10**400) if x]
    return len(out), Sized() or 5, Plain() and 6, (Sized() and 1) is not None


def case_comprehensions():
    a = Loud("a")
    return (
        [x for x in range(10) if x > 3 if x % 2 == 0],
        {x for x in "abc" if x in "bcd" and a},
        {x: y for x in range(3) for y in range(3) if x < y < 3},
        list(x for x in range(5) if not x == 2 or x.bit_length() > 7),
        [(lambda q: q > 1)(x) for x in [y for y in range(3) if y != 1]],
        [m for x in range(4) if (m := x * 2) > 2],
    )


def case_lambdas():
    key = lambda x, y=(1 if yes else 2): x if x > y else -x  # noqa: E731
    return sorted(range(-3, 3), key=key), (lambda: [1][3 if no else 0])(), list(filter(lambda x: x and x < 3, [0, 1, 2, 3]))


def case_walrus():
    out = []
    while (n := len(out)) < 3 and (m := n + 1) != 9:
        out.append((n, m))
    if (k := Loud("k", False)) or (j := 5) > 4:
        out.append((k, j))
    return out


def case_chains():
    calls = []

    def f(x):
        calls.append(x)
        return x

    return [f(1) < f(2) < f(3), f(3) < f(2) < f(1), f(1) <= f(1) != f(2) in (2, 3) == (2, 3), not f(1) < f(0) < f(5)], calls


def case_strings():
    s = "hello"
    out = [s.startswith("he"), s.endswith(("x", "lo")), s.isdigit()]
    if s.startswith("hx") or s.endswith("lo", 2) or s.isalpha() and isinstance(s, (int, str)) and "ell" in s:
        out.append(s)
    if not isinstance(s, int) and s[1:].startswith(s[1]) and not s.isupper():
        out.append(2)
    return out


def case_match():
    out = []
    for value in [1, "a", [1, 2], {"k": 3}, None, 5]:
        match value:
            case int(n) if n > 3:
                out.append(("big", n))
            case 1 | 2:
                out.append("one")
            case [x, *rest] if rest and x < rest[0]:
                out.append(rest)
            case {"k": v}:
                out.append(v)
            case str():
                out.append("str")
            case _:
                out.append("other")
    return out


def case_loops():
    out = []
    for i in []:
        out.append(i)
    else:
        out.append("empty")
    for i in range(5):
        if i == 3:
            break
        if i % 2:
            continue
        out.append(i)
    else:
        out.append("never")
    for i in range(2):
        for j in range(i):
            out.append((i, j))
    return out


def case_try():
    out = []
    for error in (KeyError("k"), ValueError("v"), OSError(2, "x"), None, StopIteration(3)):
        try:
            try:
                if error is not None:
                    raise error
            except (KeyError, IndexError) as e:
                out.append(repr(e))
            except ValueError:
                out.append("value")
                raise
            else:
                out.append("else")
            finally:
                out.append("finally")
        except Exception as e:
            out.append((type(e).__name__, e.__context__ is None))
        try:
            [][1]
        except:  # noqa: E722
            out.append("bare")
    return out


def case_groups():
    out = []
    try:
        raise ExceptionGroup("g", [KeyError(1), ValueError(2)])
    except* KeyError as e:
        out.append(repr(e.exceptions))
    except* (ValueError, OSError) as e:
        out.append(repr(e.exceptions))
    return out


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def _kind(value, limit):
    for turn in range(2):
        match value if turn else (Loud("once"), value)[1]:
            case 3 | 4 | -1:
                return "number"
            case "a" as text if limit > 2 and not LOG:
                return text
            case [first, *rest] if len(rest) > limit or first == "x":
                return first, rest
            case {"key": inner, **others}:
                return inner, others
            case Point(x=0) | Point(y=0):
                return "axis"
            case None | True:
                continue
            case Point(x, y) if y:
                return x, y
    return turn


def case_matching():
    values = [3, 4, -1, 0, "a", "b", ["x"], [1, 2, 3], [1], {"key": 1, "k": 2}, {}, Point(0, 1), Point(1, 2), None, True, 2.5]
    return [(_kind(value, limit), len(LOG)) for value in values for limit in (0, 3)]


def crash_in_a_guard():
    for value in (3, Point(9, 1)):
        match value:
            case Point() if NoTruth():
                return "never"
            case 3:
                LOG.append("three")


def _leaves(how, manager):
    for turn in range(3):
        with manager:
            if how == "raise":
                raise KeyError(how)
            if how == turn:
                return turn * 2
            continue
        LOG.append("suppressed")
    with open(__file__) as file:
        return file.readable()


def case_left_by_jumps():
    return [_leaves(how, contextlib.suppress(KeyError)) for how in ("raise", 1, 2, 5)]


def crash_not_suppressed():
    return _leaves("raise", contextlib.nullcontext())


def _grouped(error):
    taken = []
    try:
        raise error
    except* KeyError as group:
        taken.append(len(group.exceptions))
    except* (ValueError, OSError) as group:
        taken.append(repr(group))
    return taken


def case_groups():
    inner = ExceptionGroup("inner", [ValueError(1), KeyError(2)])
    return [_grouped(error) for error in (KeyError(), ValueError(1), ExceptionGroup("outer", [inner, OSError(3)]))]


def crash_in_a_group():
    return _grouped(ExceptionGroup("outer", [KeyError(), ZeroDivisionError()]))


def case_items():
    numbers = [number * 2 - 1 for number in range(6) if number % 2 == 0 if number]
    squares = {number: -(number**2) for number in numbers if not number > 5 or number == 7}
    pairs = {(one, other) for one in numbers for other in [] + numbers[1:] if one is not other}
    return numbers, squares, sorted(pairs), [None for _ in ()], sum(one - 1 for one in numbers)


class Counting:
    total = 0
    __slots__ = ("__dict__", "slot")

    def __init__(self):
        self.slot = 1

    @property
    def loud(self):
        LOG.append("loud")
        return 5

    @loud.setter
    def loud(self, value):
        LOG.append(f"loud {value}")

    def __getattr__(self, name):
        LOG.append(name)
        return 40

    def __iadd__(self, other):
        LOG.append(f"iadd {other}")
        return self

    def __radd__(self, other):
        LOG.append("radd")
        return other


def case_augmented():
    counting = whole = Counting()
    items, names, text, number = [1, 2], {"a": 1}, "x", 7
    counting.total += 2
    counting.slot *= 3
    counting.loud -= 1
    counting.missing //= 3
    items[0] += 4
    items[number - 8] <<= 2
    names["a"] |= 6
    names.setdefault("b", 1)
    names["b"] -= Counting().slot
    text += "y" * (number % 4)
    number **= 2
    items += [number, *items]
    counting += number
    number += counting
    return vars(counting), counting.slot, items, names, text, number, counting is whole, -number, ~number, not text, -0.0


def crash_augmented():
    text = "a"
    for number in (1, 2):
        text += number and None
    return text


def crash_arithmetic():
    numbers = {"a": 1}
    return [numbers["a"] + number * (numbers["a"] - 1) // (2 - number) for number in range(4)]


def crash_unbound_augmented():
    if LOG:
        number = 1
    number += len(LOG) or 1
    return number


def case_truths():
    one, two = Loud("one"), Loud("two", truth=False)
    first = one and two or one
    second = not (one or two) if not two and one else not one
    while not (one and two and one):
        break
    third = 1 < len(LOG) <= 400 != 3 and (one and not two)
    return first, second, third, one == two, [one == two for _ in "ab" if not (one or two) or two or one is two]


def case_with():
    with contextlib.suppress(KeyError) as s, contextlib.nullcontext(3) as n:
        if n > 2:
            raise KeyError(s)
    return n


class Base:
    limit = 3 if yes else 4
    table = [x for x in range(5) if x > 2]

    def __init__(self, n=None):
        self.n = n if n is not None else self.limit

    def value(self):
        return self.n

    @property
    def small(self):
        return self.n < 5 and self.value() > 0

    @staticmethod
    def __mangled(x):
        return x or "mangled"

    @classmethod
    def make(cls, *args, **kwargs):
        return cls(*args, **kwargs) if args or kwargs else cls(Base.__mangled(0) and 1)


class Derived(Base):
    __slots__ = ("extra",)

    def __init__(self, n=7):
        super().__init__(n)
        self.extra = __class__.__name__

    def value(self):
        if super().value() > 3:
            return super().value() + 1
        return 0


def case_classes():
    d = Derived()
    return d.small, d.value(), d.extra, Derived.make(3).value(), Derived.make().n, Base.table, type(d).__mro__[1].__name__


def case_nonlocal():
    total = 0

    def add(n):
        nonlocal total
        global COUNT
        COUNT = n if n > 1 else 0
        if n > 0:
            total += n
            add(n - 1)

    add(3)
    return total, COUNT


COUNT = 0


def decorated(f):
    return f


@decorated
@(lambda f: f)
def case_decorated(x: int = 3 if yes else 4, *, y: "str" = "q", **more: int) -> list[int]:
    """Its docstring."""
    z: int = x if x > 2 else 0
    w: list[nowhere]  # noqa: F821
    code = case_decorated.__code__
    return [z, case_decorated.__doc__, code.co_firstlineno, code.co_name, str(inspect.signature(case_decorated))]


def case_locals():
    a = 3
    if a > 2:
        b = [x for x in range(3) if x != a]
    return sorted(locals()), sorted(vars()), dir(), eval("a + 1")


def case_locals_in_branch(n=2):
    for i in range(n):
        if i.real == 1 and not 1 < i + 1 < 2:
            return sorted(locals().items())


def case_exec():
    out = []
    exec("out.append(sorted(locals()))")
    return out


def generator(n):
    got = None
    while n > 0 and got != "stop":
        if (got := (yield n)) and len(got) > 2:
            n -= 1
        n -= 1
    return "done" if n else "empty"


def case_generators():
    out = []
    g = generator(9)
    out.append(next(g))
    out += [g.send("abc"), g.send("a"), g.send(None)]
    try:
        g.send("stop")
    except StopIteration as e:
        out.append(e.value)
    h = generator(3)
    next(h)
    with contextlib.suppress(KeyError):
        h.throw(KeyError("in"))
    h.close()

    def outer():
        result = yield from generator(2)
        if result == "empty":
            yield result

    return out, list(outer()), list(x for x in generator(4) if x < 4)


def case_yield_in_condition():
    def g():
        x = (yield 1) < (yield 2) < (yield 3)
        if (yield x) == (yield 4) and not (yield 5):
            yield "end"

    it = g()
    next(it)
    return [it.send(v) for v in (1, 2, 3, 9, 9, 0)]


def case_async():
    class Manager:
        async def __aenter__(self):
            return self

        async def __aexit__(self, kind, value, trace):
            return kind is not None and issubclass(kind, KeyError)

    async def numbers(n):
        for i in range(n):
            if i % 2 == 0:
                await asyncio.sleep(0)
                yield i

    async def main():
        out = []
        async for i in numbers(5):
            if await asyncio.sleep(0, i) > 1:
                out.append(i)
        else:
            out.append("else")
        async with Manager() as m:
            if m is not None:
                raise KeyError
        return out, [i async for i in numbers(7) if i > 2]

    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()


class Node:
    pass


def case_lifetimes():
    node = Node()
    ref = weakref.ref(node)
    out = []
    if ref() is not None and ref().__class__ == Node and not isinstance(ref(), int) and ref() and ref() != 3:
        out.append(ref() is not None)
    if ref() in [ref()] and ref() != 1 != ref():
        out.append(2)
    del node
    out.append(ref() is None)
    return out


def caller_lines():
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno


def case_caller_lines():
    if caller_lines()[1] == caller_lines()[1] - 1:
        return caller_lines()
    return caller_lines(), [caller_lines()[0] for _ in range(1) if caller_lines()[1] > 0]


class Tree:
    def __init__(self, depth):
        self.below = Tree(depth - 1) if depth > 0 else None

    def __eq__(self, other):
        return isinstance(other, Tree) and self.below == other.below

    def match(self, other):
        if self.below is None:
            return True
        if self.below.match(other):
            return True
        return False

    __hash__ = None


def descend(n):
    if n < 0 or descend(n - 1):
        return True
    return False


def depth_of(call):
    low, high = 5, 3000
    while high - low > 1:
        middle = (low + high) // 2
        try:
            call(middle)
            low = middle
        except RecursionError:
            high = middle
    return low


def depths():
    """How deep recursion may go: through a call, an ``__eq__``, a method of a name that probes know."""
    trees = {}

    def build(n):
        if n not in trees:
            tree = Tree(0)
            for _ in range(n):
                above = Tree(0)
                above.below = tree
                tree = above
            trees[n] = tree
        return trees[n]

    equal = depth_of(lambda n: build(n) == build(n)) if sys.version_info < (3, 12) else 0
    return depth_of(descend), equal, depth_of(lambda n: build(n).match(3))


# -- crashes: the same frames, lines and columns


def crash_if():
    if none:
        pass


def crash_if_call():
    if none < 3:
        pass


def crash_and_or():
    return 1 and (none or 2)


def crash_not():
    return not (none)


def crash_while():
    while 1 and none:
        pass


def crash_ternary():
    return 1 if none else 3


def crash_assert():
    assert none, "m"


def crash_assert_message():
    assert 1 > 2, [1][2]


def crash_filter():
    return [x for x in [1] if none]


def crash_filter_attribute():
    return [x for x in [1] if x.nothing == 3]


def crash_if_not():
    if not (none):
        pass


def crash_chain_value():
    return none < 1 < 2


def crash_chain():
    if none < 1 < 2:
        pass


def crash_guard():
    match 3:
        case 3 if none:
            pass


def crash_nested():
    if 1 and not (0 or none):
        pass


def crash_ternary_in_test():
    if yes if none else no:
        pass


def crash_in():
    if 1 and (3 in none):
        pass


def crash_types():
    x, y = 3, "a"
    if x > 2 and x < y:
        return 1


def crash_receiver():
    s = None
    if s.startswith("a"):
        return 1


def crash_argument():
    s = "x"
    return 3 if not s.startswith(3) else 4


def crash_isinstance():
    if isinstance(3, 4):
        pass


def crash_attribute():
    class Empty:
        pass

    e = Empty()
    if yes and e.missing > 3:
        return 1


def crash_name():
    if no or (
        undefined  # noqa: F821
        == 3
    ):
        return 1


def crash_unbound():
    if no:
        x = 3
    if x > 2:
        return x


def crash_eq():
    return [Incomparable() == 1 for _ in range(3) if yes]


def crash_eq_test():
    if yes and Incomparable() != 2:
        return 1


def crash_deep():
    def level(n):
        if n == 0:
            return {}["key"]
        return level(n - 1) if n % 2 else (lambda: level(n - 1))()

    return level(5)


def crash_in_generator():
    def g():
        for i in range(3):
            if i == 2:
                raise ValueError(i)
            yield i

    return list(x for x in g() if x >= 0)


def crash_chained_exceptions():
    try:
        {}["a"]
    except KeyError as e:
        if e.args == ("a",):
            raise RuntimeError("second") from e


def crash_except_type():
    try:
        {}["a"]
    except "not a class":
        pass


def crash_reraised():
    try:
        if yes and 1 / 0 > 2:
            pass
    except ZeroDivisionError:
        raise


def crash_loop_target():
    for x, y in [(1, 2), (3,)]:
        if x > 5:
            return y


def crash_lambda():
    return (lambda x: x.foo if x > 1 else x.bar)(1)


def crash_default(f=lambda x: x < 1 < "a"):
    return f(0)


def crash_multiline():
    return max(
        1 if yes else 2,
        [0][1 if yes else 0],
    )


def case_accesses():
    a, box = Loud("a"), Plain()
    box.items, table = [1, 2, 3], {"k": 1, a: 2, (1, "x"): 3}
    box.items[len(LOG) - 1] = table["k"]
    box.items[1] += table[1, "x"]
    box.items[-1] /= 2
    del table["k"]
    (lambda: box)().items[[0, 1, 2][box.items[0] and 1]] = "abc"[True]
    for box.items[0] in range(2):
        table[a], *rest = box.items[:2]
    return [box.items[i] for i in (0, -1)], [[1, 2][i] for i in (0, 1) if [0, 1][i]], table[a], rest, box.items[0:2][0], "%s" % 3


def case_divisions():
    half = lambda x: x / (2 if x else 1.5)
    return [7 // x for x in (1, 2.5, True)], 7 % (3 - (half(8) // 4)), -7 % 5, "%d" % half(4), 1j / (2 - 1)


def case_generator_access():
    def steps():
        yield [1, 2, 3][(yield 5)]

    running = steps()
    return next(running), running.send(2)


def case_lifetime_of_container():
    def items():
        thing = Plain()
        seen.append(weakref.ref(thing))
        return [thing]

    seen = []
    try:
        items()[len(seen) - 1].nothing
    except AttributeError:
        pass
    try:
        items()[missing_index + 1]
    except NameError:
        pass
    return [reference() is None for reference in seen]


def crash_index():
    box = Plain()
    box.items = [1, 2]
    return box.items[0] + box.items[len(box.items)] + box.items[1]


def crash_store():
    items = [1, 2]
    items[len(items)] = items[0]


def crash_delete():
    table = {"a": 1}
    del table["a"], table["b"]


def crash_key():
    return [{"a": 1}[key] for key in "ab"]


def crash_index_name():
    box = Plain()
    box.items = [1]
    if LOG:
        index = 1
    return box.items[index]


def crash_division():
    return 1 + len("abc") / len(LOG)


def crash_modulo():
    return max(3, 7 % (2 - 2))


def crash_odd_index():
    return "ab"[Plain()]


def crash_raise():
    if 1 < 2 < 3:
        raise LookupError("a", 3)

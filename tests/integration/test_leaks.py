"""Isolation: whatever a test changes is as after import for the next one."""

from __future__ import annotations

import os
import sys
import textwrap

import pytest
from patience import HANG

from crashwright.engine.execution.isolation.isolation import SETTINGS_EVERY, THOROUGH_EVERY

SOURCE = """
import builtins, collections, dataclasses, decimal, enum, functools, json, locale, logging, os, random, signal, sys, warnings
COUNT = 0
ITEMS = [1]
DEEP = {"a": {"b": [1]}}
DEQUE = collections.deque([1])
DEFAULT = collections.defaultdict(list)
ORDERED = collections.OrderedDict(a=1)
SET = {1, 2}
BYTES = bytearray(b"x")
TABLE = {number: number for number in range(5000)}
class Class:
    attribute = 1
    registry = []
    @functools.lru_cache
    def cached(x): return len(ITEMS)
class Instance:
    def __init__(self): self.value = 0; self.list = []
class Slotted:
    __slots__ = ("value",)
    def __init__(self): self.value = 0
class Own(dict):
    def __setitem__(self, key, value): raise TypeError
    def clear(self): raise TypeError
class Colour(enum.Enum):
    RED = 1
SINGLE, SLOTTED, OWN = Instance(), Slotted(), Own()
def default(x, acc=[], *, more={}):
    acc.append(x); more[x] = x
def bump():
    global COUNT
    COUNT += 1
def make():
    number = 0
    seen = []
    def count():
        nonlocal number
        number += 1; seen.append(number)
        return number
    return count
counter = make()
def decorated(function):
    @functools.wraps(function)
    def wrapper(*args): return function(*args)
    return wrapper
@decorated
def hidden(x, acc=[]): acc.append(x)
def noop(): pass
"""

LEAKS = {
    "rebinding a global": ("COUNT += 1", "COUNT"),
    "rebinding in a function": ("bump()", "COUNT"),
    "list": ("ITEMS.append(2)", "list(ITEMS)"),
    "item of a list": ("ITEMS[0] = 2", "list(ITEMS)"),
    "nested container": ("DEEP['a']['b'].append(2)", "repr(DEEP)"),
    "key exchanged": ("DEEP['z'] = DEEP.pop('a')", "repr(DEEP)"),
    "deque": ("DEQUE.append(1)", "list(DEQUE)"),
    "defaultdict": ("DEFAULT['q'].append(1)", "dict(DEFAULT)"),
    "OrderedDict": ("ORDERED['b'] = 1", "list(ORDERED.items())"),
    "set": ("SET.add(3)", "sorted(SET)"),
    "set exchanged": ("SET.discard(1); SET.add(1000)", "sorted(SET)"),
    "bytearray": ("BYTES[0] = 65", "bytes(BYTES)"),
    "large table": ("TABLE[-1] = 1", "len(TABLE)"),
    "class attribute": ("Class.attribute = 2", "Class.attribute"),
    "class list": ("Class.registry.append(1)", "list(Class.registry)"),
    "new class attribute": ("Class.new = 1", "hasattr(Class, 'new')"),
    "deleted class attribute": ("del Class.attribute", "hasattr(Class, 'attribute')"),
    "deleted global": ("del COUNT", "'COUNT' in globals()"),
    "patched method": ("Instance.__init__ = noop", "Instance.__init__.__name__"),
    "patched enum": ("type.__setattr__(Colour, 'GREEN', 1)", "hasattr(Colour, 'GREEN')"),
    "attribute of a singleton": ("SINGLE.value = 9", "SINGLE.value"),
    "list of a singleton": ("SINGLE.list.append(9)", "list(SINGLE.list)"),
    "slot of a singleton": ("SLOTTED.value = 9", "SLOTTED.value"),
    "obstinate dict": ("dict.__setitem__(OWN, 1, 1)", "len(OWN)"),
    "mutable default": ("default(1)", "repr((default.__defaults__, default.__kwdefaults__))"),
    "default of a decorated function": ("hidden(1)", "repr(hidden.__wrapped__.__defaults__)"),
    "closure": ("counter()", "[repr(cell.cell_contents) for cell in counter.__closure__]"),
    "lru_cache": ("Class.cached(1)", "Class.cached.cache_info().currsize"),
    "os.environ": ("os.environ['CWX'] = '1'", "os.environ.get('CWX')"),
    "os.environ emptied": ("os.environ.clear()", "len(os.environ)"),
    "current folder": ("os.chdir('/')", "os.getcwd()"),
    "sys.path": ("sys.path.append('zz')", "'zz' in sys.path"),
    "sys.path replaced": ("sys.path = []", "len(sys.path)"),
    "random state": ("random.seed(7)", "hash(random.getstate())"),
    "random numbers": ("random.gauss(0, 1)", "hash(random.getstate())"),
    "decimal context": ("decimal.getcontext().prec = 5", "decimal.getcontext().prec"),
    "warning filters": ("warnings.simplefilter('error')", "list(warnings.filters)"),
    "logging level": ("logging.getLogger('a').setLevel(5)", "logging.getLogger('a').level"),
    "logging handler": ("logging.getLogger().addHandler(logging.NullHandler())", "len(logging.getLogger().handlers)"),
    "patched builtins": ("builtins.cw = 1", "hasattr(builtins, 'cw')"),
    "replaced builtin": ("builtins.len = builtins.sum", "builtins.len is builtins.sum"),
    "other module": ("json.cw = 1", "hasattr(json, 'cw')"),
    "function of another module": ("json.dumps = noop", "json.dumps.__name__"),
    "sys.modules": ("sys.modules['cwm'] = json", "'cwm' in sys.modules"),
    "deleted module": ("del sys.modules['json']", "'json' in sys.modules"),
    "recursion limit": ("sys.setrecursionlimit(1500)", "sys.getrecursionlimit()"),
    "standard output": ("sys.stdout = sys.stderr", "sys.stdout is sys.stderr"),
    "signal handler": ("signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "signal.getsignal(signal.SIGUSR1)"),
    "umask": ("os.umask(0o777)", "(lambda mask: (os.umask(mask), mask)[1])(os.umask(0o22))"),
    "exception hook": ("sys.excepthook = noop", "sys.excepthook.__name__"),
    "trace function": ("sys.settrace(lambda *a: None)", "sys.gettrace()"),
}
AT_ONCE = 12
"""Tests after which even the slower watches have come round, for what the engine promises to see soon."""
SLOW = {"decimal context", "warning filters", "logging level", "logging handler", "signal handler", "umask", "trace function"}
RARE = {
    "patched builtins",
    "replaced builtin",
    "other module",
    "function of another module",
    "exception hook",
    "key exchanged",
    "set exchanged",
}

RUNNER = """
import sys, os
sys.path[:0] = [{source!r}, {folder!r}]
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.streams import Streams
import leaky
out = os.dup(1)
streams = Streams()
streams.install()
isolation = Isolation(["leaky"], streams, 3)
guard = Guard({folder!r})
guard.install()
isolation.begin(guard)
space = vars(leaky)
for line in {leaks!r}:
    name, act, look, rounds = line
    before = eval(look, space)
    code = compile(act, "act", "exec")
    exec(code, space)
    reasons = [isolation.after_test() for _ in range(rounds)] if rounds else [isolation.restore()]
    after = eval(look, space)
    verdict = "ok" if before == after and not any(reasons) else f"LEAK {{before!r:.60}} -> {{after!r:.60}} {{reasons[0]}}"
    os.write(out, f"{{name}}: {{verdict}}\\n".encode())
"""


def run(tmp_path, leaks):
    import subprocess

    (tmp_path / "leaky.py").write_text(SOURCE)
    code = RUNNER.format(source=os.path.abspath("src"), folder=str(tmp_path), leaks=leaks)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stderr
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def restored(tmp_path_factory):
    return run(tmp_path_factory.mktemp("all"), [(name, *leak, 0) for name, leak in LEAKS.items()])


@pytest.fixture(scope="module")
def noticed(tmp_path_factory):
    """Each leak with as many further tests as it may take to notice it."""
    thoroughly = SETTINGS_EVERY * (THOROUGH_EVERY + 1)
    rounds = {name: SETTINGS_EVERY if name in SLOW else thoroughly if name in RARE else AT_ONCE for name in LEAKS}
    return run(tmp_path_factory.mktemp("each"), [(name, *leak, rounds[name]) for name, leak in LEAKS.items()])


@pytest.mark.parametrize("name", LEAKS)
def test_a_thorough_restore_puts_it_back(restored, name):
    assert restored[name] == "ok"


@pytest.mark.parametrize("name", LEAKS)
def test_it_is_noticed_and_put_back_in_time(noticed, name):
    assert noticed[name] == "ok"


def test_what_cannot_be_put_back_is_a_reason_for_a_new_fork(tmp_path):
    source = "def numbers():\n    yield 1\n    yield 2\nSTREAM = numbers()\ndef take(): return next(STREAM)\n"
    (tmp_path / "stream.py").write_text(source)
    from crashwright.engine.execution.isolation.snapshot import Snapshot

    sys.path.insert(0, str(tmp_path))
    try:
        import stream
    finally:
        sys.path.remove(str(tmp_path))
    snapshot = Snapshot([stream])
    assert snapshot.restore() is None
    stream.take()
    assert snapshot.small_parts_changed()
    assert snapshot.restore() == "the module-level generator numbers has gone on"

"""What the builtins and the standard library take and give, as far as it tells types: signatures as one line each.

Types are named as in annotations. What is left open is ``_``; ``*`` behind a type: so are all that follow.
"""

from __future__ import annotations

from functools import cache

from crashwright.engine.subject.api.hints import HintScope, hint_of
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.subject.introspection import MODULES, is_class, is_sound, loaded_dict

_LOADED = HintScope(MODULES)
_SIGNATURES = """
len(_) -> int
int(_, int) -> int
float(_) -> float
str(_) -> str
repr(_) -> str
bool(_) -> bool
bytes(_) -> bytes
bytearray(_) -> bytearray
list(_) -> list
tuple(_) -> tuple
set(_) -> set
frozenset(_) -> frozenset
dict(_) -> dict
sorted(_) -> list
range(int*) -> range
abs(float) -> float
round(float, int) -> float
chr(int) -> str
ord(str) -> int
hex(int) -> str
bin(int) -> str
open(str, str) -> io.TextIOWrapper
input(str) -> str
hash(_) -> int
id(_) -> int
sum(_) -> int
isinstance(_, type) -> bool
issubclass(type, type) -> bool
hasattr(_, str) -> bool
getattr(_, str, _) -> _
setattr(_, str, _) -> None
callable(_) -> bool
any(_) -> bool
all(_) -> bool
divmod(int, int) -> tuple
format(_, str) -> str
memoryview(bytes) -> memoryview
os.path.join(str*) -> str
os.path.exists(str) -> bool
os.path.isfile(str) -> bool
os.path.isdir(str) -> bool
os.path.isabs(str) -> bool
os.path.basename(str) -> str
os.path.dirname(str) -> str
os.path.abspath(str) -> str
os.path.realpath(str) -> str
os.path.normpath(str) -> str
os.path.relpath(str, str) -> str
os.path.expanduser(str) -> str
os.path.splitext(str) -> tuple[str, str]
os.path.split(str) -> tuple[str, str]
os.path.getsize(str) -> int
os.path.getmtime(str) -> float
os.listdir(str) -> list[str]
os.getcwd() -> str
os.getenv(str, str) -> str
os.environ.get(str, str) -> str
os.makedirs(str) -> None
os.mkdir(str) -> None
os.remove(str) -> None
os.unlink(str) -> None
os.stat(str) -> os.stat_result
os.walk(str) -> list
os.fspath(_) -> str
os.fsencode(str) -> bytes
os.fsdecode(_) -> str
os.getpid() -> int
os.open(str, int) -> int
os.read(int, int) -> bytes
os.write(int, bytes) -> int
os.close(int) -> None
os.kill(int, int) -> None
shutil.which(str) -> str
shutil.copy(str, str) -> str
shutil.copyfile(str, str) -> str
shutil.rmtree(str) -> None
tempfile.mkdtemp() -> str
re.compile(str, int) -> re.Pattern
re.match(str, str) -> re.Match
re.search(str, str) -> re.Match
re.fullmatch(str, str) -> re.Match
re.sub(str, _, str) -> str
re.split(str, str) -> list[str]
re.findall(str, str) -> list[str]
re.finditer(str, str) -> list[re.Match]
re.escape(str) -> str
json.loads(str) -> dict
json.load(io.TextIOWrapper) -> dict
json.dumps(_) -> str
time.time() -> float
time.monotonic() -> float
time.perf_counter() -> float
time.sleep(float) -> None
datetime.datetime.now() -> datetime.datetime
datetime.datetime.utcnow() -> datetime.datetime
datetime.datetime.fromtimestamp(float) -> datetime.datetime
datetime.datetime.strptime(str, str) -> datetime.datetime
datetime.datetime.fromisoformat(str) -> datetime.datetime
datetime.date.today() -> datetime.date
datetime.timedelta(int*) -> datetime.timedelta
pathlib.Path(str*) -> pathlib.Path
pathlib.Path.cwd() -> pathlib.Path
pathlib.Path.home() -> pathlib.Path
logging.getLogger(str) -> logging.Logger
logging.log(int, str) -> None
textwrap.dedent(str) -> str
textwrap.indent(str, str) -> str
textwrap.wrap(str, int) -> list[str]
shlex.split(str) -> list[str]
shlex.quote(str) -> str
base64.b64encode(bytes) -> bytes
base64.b64decode(str) -> bytes
hashlib.sha256(bytes) -> _
hashlib.sha1(bytes) -> _
hashlib.md5(bytes) -> _
hashlib.new(str, bytes) -> _
hmac.new(bytes, bytes) -> _
struct.pack(str) -> bytes
struct.unpack(str, bytes) -> tuple
urllib.parse.urlparse(str) -> urllib.parse.ParseResult
urllib.parse.urlsplit(str) -> urllib.parse.SplitResult
urllib.parse.urljoin(str, str) -> str
urllib.parse.quote(str) -> str
urllib.parse.unquote(str) -> str
urllib.parse.urlunsplit(_) -> str
importlib.import_module(str) -> types.ModuleType
warnings.warn(str) -> None
asyncio.sleep(float) -> None
asyncio.get_running_loop() -> asyncio.AbstractEventLoop
asyncio.get_event_loop() -> asyncio.AbstractEventLoop
threading.Lock() -> threading.Lock
threading.Thread() -> threading.Thread
threading.Event() -> threading.Event
socket.socket(int*) -> socket.socket
subprocess.run(list[str]) -> subprocess.CompletedProcess
subprocess.check_output(list[str]) -> bytes
subprocess.Popen(list[str]) -> subprocess.Popen
itertools.islice(_, int*) -> _
functools.wraps(Callable) -> Callable
functools.update_wrapper(Callable, Callable) -> Callable
inspect.signature(Callable) -> inspect.Signature
inspect.iscoroutinefunction(Callable) -> bool
ast.parse(str) -> ast.Module
math.ceil(float) -> int
math.floor(float) -> int
math.sqrt(float) -> float
math.log(float, float) -> float
uuid.uuid4() -> uuid.UUID
stat.S_ISDIR(int) -> bool
stat.S_ISREG(int) -> bool
stat.S_ISLNK(int) -> bool
str.split(str, int) -> list[str]
str.rsplit(str, int) -> list[str]
str.splitlines(bool) -> list[str]
str.partition(str) -> tuple[str, str, str]
str.rpartition(str) -> tuple[str, str, str]
str.join(list[str]) -> str
str.strip(str) -> str
str.lstrip(str) -> str
str.rstrip(str) -> str
str.replace(str, str, int) -> str
str.startswith(str) -> bool
str.endswith(str) -> bool
str.lower() -> str
str.upper() -> str
str.title() -> str
str.capitalize() -> str
str.casefold() -> str
str.format(_) -> str
str.encode(str, str) -> bytes
str.find(str) -> int
str.rfind(str) -> int
str.index(str) -> int
str.count(str) -> int
str.isdigit() -> bool
str.ljust(int, str) -> str
str.rjust(int, str) -> str
str.center(int, str) -> str
str.zfill(int) -> str
str.removeprefix(str) -> str
str.removesuffix(str) -> str
bytes.decode(str, str) -> str
bytes.split(bytes, int) -> list[bytes]
bytes.join(list[bytes]) -> bytes
bytes.strip(bytes) -> bytes
bytes.rstrip(bytes) -> bytes
bytes.startswith(bytes) -> bool
bytes.endswith(bytes) -> bool
bytes.replace(bytes, bytes) -> bytes
bytes.find(bytes) -> int
bytes.hex() -> str
int.to_bytes(int, str) -> bytes
int.from_bytes(bytes, str) -> int
list.copy() -> list
list.index(_) -> int
list.count(_) -> int
dict.copy() -> dict
dict.get(_, _) -> _
dict.items() -> list
dict.keys() -> list
dict.values() -> list
set.union(set) -> set
set.copy() -> set
pathlib.Path.read_text(str) -> str
pathlib.Path.read_bytes() -> bytes
pathlib.Path.write_text(str) -> int
pathlib.Path.write_bytes(bytes) -> int
pathlib.Path.joinpath(str*) -> pathlib.Path
pathlib.Path.resolve() -> pathlib.Path
pathlib.Path.absolute() -> pathlib.Path
pathlib.Path.expanduser() -> pathlib.Path
pathlib.Path.with_suffix(str) -> pathlib.Path
pathlib.Path.with_name(str) -> pathlib.Path
pathlib.Path.relative_to(str) -> pathlib.Path
pathlib.Path.exists() -> bool
pathlib.Path.is_file() -> bool
pathlib.Path.is_dir() -> bool
pathlib.Path.iterdir() -> list[pathlib.Path]
pathlib.Path.glob(str) -> list[pathlib.Path]
pathlib.Path.open(str) -> io.TextIOWrapper
re.Pattern.match(str) -> re.Match
re.Pattern.search(str) -> re.Match
re.Pattern.fullmatch(str) -> re.Match
re.Pattern.sub(_, str) -> str
re.Pattern.split(str) -> list[str]
re.Pattern.findall(str) -> list[str]
re.Match.group(_) -> str
re.Match.start(_) -> int
re.Match.end(_) -> int
re.Match.groups() -> tuple[str, ...]
re.Match.groupdict() -> dict[str, str]
datetime.datetime.strftime(str) -> str
datetime.datetime.isoformat() -> str
datetime.datetime.timestamp() -> float
datetime.datetime.date() -> datetime.date
datetime.timedelta.total_seconds() -> float
io.TextIOWrapper.read(int) -> str
io.TextIOWrapper.readline() -> str
io.TextIOWrapper.readlines() -> list[str]
io.TextIOWrapper.write(str) -> int
io.BytesIO(bytes) -> io.BytesIO
io.StringIO(str) -> io.StringIO
"""


class LibraryCallable:
    """``takes`` are the types of its parameters, of all that follow if ``is_open``; ``gives`` is that of its result."""

    __slots__ = ("_gives", "_takes", "is_open")

    def __init__(self, takes: tuple[str, ...], gives: str) -> None:
        self.is_open = bool(takes) and takes[-1].endswith("*")
        self._takes = tuple(one.rstrip("*") for one in takes)
        self._gives = gives

    def takes(self, place: int | str) -> Hint:
        """The type of what is passed there."""
        if type(place) is not int or not self._takes or (place >= len(self._takes) and not self.is_open):
            return ANY
        return _hint(self._takes[min(place, len(self._takes) - 1)])

    @property
    def gives(self) -> Hint:
        """The type of the result."""
        return _hint(self._gives)


@cache
def signatures() -> dict[str, LibraryCallable]:
    """By dotted name."""
    found = {}
    for line in _SIGNATURES.strip().splitlines():
        name, _, rest = line.partition("(")
        takes, _, gives = rest.partition(") -> ")
        found[name] = LibraryCallable(
            tuple(one.strip() for one in takes.split(",") if one.strip()) if "[" not in takes else (takes,), gives
        )
    return found


@cache
def _hint(text: str) -> Hint:
    return ANY if text == "_" else hint_of(text, _LOADED)


def class_called(name: str) -> Hint:
    """The class of a dotted name in the standard library, if it is loaded; ANY if there is none."""
    module, _, last = name.rpartition(".")
    found = loaded_dict(module or "builtins").get(last)
    return ClassHint(found) if is_class(found) and is_sound(found) else ANY

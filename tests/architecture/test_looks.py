"""Objects of the subject are looked at through ``engine/subject/introspection.py`` alone: a lazy proxy, or a class with a
metaclass of its own, may raise, lie or hang where anything else asks it.

The looks that ask are found by their form: ``isinstance``, ``getattr`` and their like, the attributes that every class or module
has, and a class that is looked up in a set or tuple (which its metaclass may hash or compare). Whose object it is cannot be seen
from the form. So modules that only ever see our own objects are named here, and in the others the looks that are safe are counted:
one more has to be thought about, and written down.
"""

from __future__ import annotations

import ast
import importlib
import types
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
ENGINE = "crashwright.engine."
ASKING = frozenset({"isinstance", "issubclass", "hasattr", "getattr", "callable", "vars", "dir"})
ASKING_MODULES = frozenset({"inspect", "typing"})
HARMLESS = frozenset({"cleandoc", "cast"})
TELLING = frozenset(
    "__class__ __mro__ __bases__ __module__ __qualname__ __name__ __dict__ __doc__ __wrapped__ __annotations__".split()
)


def looks(source: str, names: Mapping[str, object]) -> Iterator[str]:
    """The looks of a module that ask what they look at; ``names`` are what its own names mean."""
    for node in ast.walk(ast.parse(source)):
        if _asks(node, names):
            yield f"{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]


def _asks(node: ast.AST, names: Mapping[str, object]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" as name), args=[_, classes]):
            found = _meant(classes, names)
            found = list(found.__args__) if isinstance(found, types.UnionType) else found
            members = found if isinstance(found, tuple | list) else [found]
            return not all(_is_ours(cls) or (name == "issubclass" and type(cls) is type) for cls in members)
        case ast.Call(func=ast.Name(id=name), args=[looked_at, *_]) if name in ASKING:
            return _meant(looked_at, names) is None
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in ASKING_MODULES:
            return name not in HARMLESS
        case ast.Attribute(value=looked_at, attr=name, ctx=ast.Load()) if name in TELLING:
            return _meant(looked_at, names) is None
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), ops=[ast.In() | ast.NotIn()]):
            return True
    return False


def _meant(expression: ast.expr, names: Mapping[str, object]) -> object:
    """What an expression means that is the same at each run: names of the module and their attributes; None for all others."""
    try:
        return eval(compile(ast.Expression(expression), "a look", "eval"), dict(names))
    except Exception:  # noqa: BLE001 - with local names it means nothing here, and fails in its own way
        return None


def _is_ours(cls: object) -> bool:
    """A class that no object of a subject can be taken for: of ours, or of syntax trees."""
    return isinstance(cls, type) and cls.__module__.partition(".")[0] in ("crashwright", "ast", "_ast")


TREES = "syntax trees, the constants in them, and code objects"
STATEMENTS = "statements of tests, and values that tests write down"
MACHINERY = "our own files, pipes and system calls"
OURS = {
    **dict.fromkeys(
        """
        assertions.mutants instrument.assembly instrument.comparison_log.rewriting instrument.infection instrument.marking
        instrument.probed_code instrument.rewrite
        instrument.text_distances subject.flags.branches subject.flags.returns subject.flow.cfg_builder
        subject.flow.control_dependence subject.mutants.enumeration subject.mutants.operators subject.mutants.sites
        subject.source subject.usage.constants subject.usage.fixtures subject.usage.match_patterns subject.usage.uses_of_values
        subject.walking
        """.split(),
        TREES,
    ),
    **dict.fromkeys(
        """
        assertions.codec assertions.selection passes.past_the_crash passes.plain_values passes.repairs passes.standard_values
        search.suite.operators
        sources.values.example_seeds sources.values.origin testcase.codec testcase.echoing.echo testcase.echoing.repr_source
        testcase.echoing.reshaping testcase.echoing.shape testcase.editing.crossover testcase.editing.deletion
        testcase.editing.edits testcase.editing.minimise testcase.editing.neighbourhood testcase.editing.record_steps
        testcase.editing.simpler
        testcase.editing.simpler_documents testcase.editing.substitution testcase.making.numeric testcase.making.text
        testcase.making.variety testcase.printing.literals testcase.printing.printing testcase.samples.formats
        testcase.samples.keyed testcase.seeds testcase.slices testcase.structure.documents
        testcase.structure.record_edits testcase.uses testcase.variables
        """.split(),
        STATEMENTS,
    ),
    **dict.fromkeys(
        ("execution.confinement.shared_locks", "execution.confinement.syscalls", "worker.bytecode", "worker.zygote"), MACHINERY
    ),
}
"""Modules that never see an object of the subject, and what they see."""
SAFE: dict[str, tuple[int, str]] = {
    "frameworks.django": (8, "Django's own objects, under a guard where they are of a query"),
    "frameworks.sqlalchemy": (24, "SQLAlchemy's own objects, under a guard where they are of a statement"),
    "frameworks.sqlite": (1, "annotations of what is a function by its real class"),
    "frameworks.wanted_rows": (9, "values that fields hold: texts, numbers, dates, members of enumerations"),
    "frameworks.ways_in": (10, "functions of the package that are called next; variables of tests"),
    "sources.applications.operations": (2, "constants of source, and values of enumerations"),
    "sources.applications.replies": (5, "responses of test clients, and what JSON has"),
    "sources.answered_rows": (2, "statements of tests, and values of fields"),
    "execution.confinement.guard": (1, "a part of an exact function"),
    "execution.handlers": (2, "what the test itself asks, as its printed line does"),
    "execution.executor": (3, "statements of the test"),
    "execution.lazy_certificates": (4, "methods of a class of ssl"),
    "execution.isolation.isolation": (1, "a method written in C"),
    "assertions.observation": (1, "values that the test writes down"),
    "assertions.checking": (5, "the assertion's own look, which may raise; and exact numbers"),
    "assertions.queries": (1, "an exact function, under a guard"),
    "assertions.clock": (1, "an exact builtin function"),
    "assertions.values": (2, "an exact function; builtin classes"),
    "execution.isolation.snapshot": (5, "exact functions, generators and descriptors; builtin classes as bases"),
    "goals.coverage.output": (6, "exact numbers; builtin classes"),
    "instrument.distances": (3, "classes whose class is exactly type; an exact module"),
    "instrument.hook": (5, "loaders and finders of the import system, under the guard of what imports raise"),
    "instrument.peek": (1, "plain keys, whose class is builtin"),
    "frameworks.click": (1, "objects of typing"),
    "frameworks.guarded_routes": (4, "FastAPI's own objects, and functions"),
    "frameworks.asgi": (8, "the framework's own objects, of which some are descriptors"),
    "frameworks.framework": (1, "the set-up that the user named, run as it stands and under the guard of what imports raise"),
    "sources.values.named_texts": (3, "what is builtin"),
    "sources.values.seeding": (8, "literals of reports and sources"),
    "subject.api.addresses": (3, "exact functions"),
    "subject.api.api": (1, "modules of the standard library"),
    "subject.api.declared_fields": (3, "objects of typing, after their class was seen to be"),
    "subject.api.docstrings": (1, "an exact function"),
    "subject.api.overridden": (5, "exact functions, under the guard of the reader of signatures"),
    "subject.usage.element_trees": (5, "what was read off the syntax; exact texts and mappings of them"),
    "subject.usage.documentation": (2, "exact functions"),
    "subject.api.hints": (9, "objects of typing, after their class was seen to be, under a guard"),
    "subject.introspection": (3, "the room itself: an exact function, and two looks under a guard"),
    "subject.api.signatures": (6, "under the guard of the reader; an exact function; a signature of ours"),
    "subject.api.types": (1, "subclass hooks, under a guard"),
    "testcase.editing.changes": (2, STATEMENTS),
    "testcase.editing.circles": (3, "names"),
    "testcase.making.factory": (2, "the factory itself"),
    "testcase.making.named_values": (1, "choices, which were seen to compare"),
    "testcase.making.nested_values": (1, "choices, which were seen to compare"),
    "testcase.making.recipes": (1, "builtin classes"),
    "testcase.echoing.reported_values": (1, TREES),
    "testcase.samples.syntax": (2, "the classes of the module ast; " + TREES),
    "testcase.making.stubs": (2, "builtin functions; an exact function"),
    "testcase.making.values": (1, "choices, which were seen to compare"),
}
"""How many looks that ask a module may have, and at what."""


def _modules() -> list[str]:
    files = sorted((SOURCE / "crashwright" / "engine").rglob("*.py"))
    return [".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__") for path in files]


def _found(module: str) -> list[str]:
    live = importlib.import_module(module)
    return list(looks(Path(str(live.__file__)).read_text(encoding="utf-8"), vars(live)))


def test_nothing_asks_the_objects_of_the_subject() -> None:
    problems = []
    for module in [module for module in _modules() if module.removeprefix(ENGINE) not in OURS]:
        allowed, reason = SAFE.get(module.removeprefix(ENGINE), (0, "nothing"))
        if len(found := _found(module)) != allowed:
            problems.append("\n".join([f"{module}: {allowed} looks that ask are known ({reason}), these are there:", *found]))
    assert problems == []


def test_what_is_named_is_needed() -> None:
    assert not OURS.keys() & SAFE.keys()
    assert {ENGINE + name for name in (*OURS, *SAFE)} <= set(_modules())
    assert [name for name in OURS if not _found(ENGINE + name)] == []


PLANTED = """
def looked_at(value, cls, names):
    isinstance(value, dict)
    issubclass(cls, names)
    hasattr(value, "x")
    getattr(value, "x", None)
    callable(value)
    vars(value)
    value.__class__
    value.__dict__
    cls.__mro__
    inspect.signature(value)
    type(value) in (str, int)
    isinstance(value, (TestCase, dict))
"""
FAIR = """
def looked_at(value, cls):
    isinstance(value, TestCase)
    isinstance(value, ast.Name | ast.Call)
    issubclass(type(value), dict)
    type(value) is str
    id(type(value)) in KNOWN
    vars(builtins)
    type.__dict__["__mro__"].__get__(cls)
"""


def test_a_planted_look_is_found() -> None:
    import builtins

    from crashwright.engine.testcase.testcase import TestCase

    names = {"ast": ast, "builtins": builtins, "TestCase": TestCase, "KNOWN": frozenset()}
    assert [look.partition(":")[0] for look in looks(PLANTED, names)] == [str(line) for line in range(3, 15)]
    assert list(looks(FAIR, names)) == []


TABLE = {
    "execution.confinement.shared_locks": "a module of the standard library, before there is a subject; copied beside fresh runs",
    "execution.handlers": "a test that imports a module anew, as its printed lines do",
    "execution.isolation.ambient": "puts the table itself back",
    "instrument.hook": "part of the import system",
    "subject.introspection": "the room itself",
}
"""Modules that touch the table of loaded modules themselves, and why; the others look modules up by ``loaded_module``,
``loaded_names``, ``loaded_dict`` and ``MODULES``."""


def test_loaded_modules_are_looked_up_in_one_place() -> None:
    found = {module.removeprefix(ENGINE) for module in _modules() if _touches_the_table(module)}
    assert found == TABLE.keys()


def _touches_the_table(module: str) -> bool:
    source = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    if "modules" not in source:
        return False
    return any(isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.modules" for node in ast.walk(ast.parse(source)))

"""What the source files of a program declare, all together: classes with what they inherit, functions, and what names stand for."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Container, Iterator, Mapping
from typing import Final

from crashwright.core.location import CodeKey
from crashwright.symbolic.ir.data_classes import constructor_of
from crashwright.symbolic.ir.declared import Class, Globals, Method, fields_of_record
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.nodes import Function, Imported, Node, Operand
from crashwright.symbolic.ir.type_names import UNKNOWN
from crashwright.symbolic.ir.types import TypesOfFile
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.matching import with_flags
from crashwright.symbolic.semantics.program import Types

_KNOWN: Final = frozenset({*SCALARS, *CONTAINERS})
_DISPLAYS: Final = (
    ((ast.Dict, ast.DictComp), "dict"),
    ((ast.List, ast.ListComp), "list"),
    ((ast.Set, ast.SetComp), "set"),
    ((ast.Tuple,), "tuple"),
    ((ast.JoinedStr,), "str"),
)
_MAPPINGS: Final = {"defaultdict": "dict", "OrderedDict": "dict", "Counter": "dict"}
_NOTHING: Types = frozenset()
_MOST_IMPORTS: Final = 4
"""From one file to the next, until the class itself."""
_BASES: Final = frozenset({"object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "NamedTuple", "typing.NamedTuple"})
"""Bases from which nothing comes that a field could be."""


class Declarations:
    """Files by module. What stands in no file of these is not known."""

    def __init__(self, sources: Mapping[str, str], version: tuple[int, int]) -> None:
        """Raises SyntaxError and ValueError for a text that is no Python source here."""
        self._files = {
            name: TypesOfFile(Functions(name, ast.parse(text), version), self.declaring) for name, text in sources.items()
        }
        self._version = version
        self._constructors: dict[str, Function | None] = {}
        self._having: dict[str, tuple[str, ...]] = {}

    def holder(self, key: CodeKey) -> Function | None:
        """The function whose instructions a frame ran: of a comprehension that about it."""
        file = self._files.get(key.module)
        return None if file is None else file.functions.holder(key.qualname, key.first_line)

    def functions(self, module: str) -> Iterator[Function]:
        """All of one file, but for comprehensions, which are written out in others."""
        file = self._files.get(module)
        for key in file.functions.keys if file is not None else ():
            function = file.functions.function(key.qualname, key.first_line) if file is not None else None
            if function is not None:
                yield function

    def every_function(self) -> Iterator[Function]:
        """Of all files."""
        for module in self._files:
            yield from self.functions(module)

    def classes_named(self, last: str) -> tuple[str, ...]:
        """Classes by the last part of their name."""
        return tuple([one for one in self.classes() if one.rpartition(":")[2].rpartition(".")[2] == last])

    def functions_named(self, last: str) -> tuple[str, ...]:
        """Functions of modules, by their name."""
        return tuple([f"{name}:{last}" for name, file in self._files.items() if last in file.functions.globals.functions])

    def imported(self, name: str) -> tuple[str, str] | None:
        """The module, and the name there, that one of the files imports under this name."""
        for file in self._files.values():
            known = file.functions.globals.imports.get(name)
            if known is not None and known.name and not known.level:
                return known.module, known.name
        return None

    def types(self, function: Function, node: Node, operand: Operand) -> Types:
        """Types without their parts; nothing where one of them is not modelled."""
        file = self._files.get(function.module)
        return _NOTHING if file is None else self._plain(file.of_function(function).of(node.number, operand))

    def likely(self, function: Function, node: Node, operand: Operand) -> Types:
        """The same, by what the function does with it too."""
        file = self._files.get(function.module)
        return _NOTHING if file is None else self._plain(file.likely_of_function(function).of(node.number, operand))

    def _plain(self, types: Types) -> Types:
        names = {one.partition("[")[0] for one in types}
        if UNKNOWN in names or not all(one in _KNOWN or self.is_class(one) for one in names):
            return _NOTHING
        return frozenset(names)

    def constant(self, module: str, name: str) -> tuple[object] | None:
        """A global that is assigned once, to a constant."""
        file = self._files.get(module)
        known = None if file is None else file.functions.globals.constants.get(name)
        return None if known is None else (known.value,)

    def named(self, module: str, text: str) -> str | None:
        """A class or function of the file, or what an import says that it is."""
        file = self._files.get(module)
        if file is None:
            return None
        if text in file.functions.globals.functions:
            return f"{module}:{text}"
        return file.classes.resolve(text) or self._imported_name(file, text)

    def _imported_name(self, file: TypesOfFile, text: str) -> str | None:
        """What ``from module import name`` brings, and what an imported module of the files has by a name."""
        first, _, rest = text.partition(".")
        imported = file.functions.globals.imports.get(first)
        if imported is None:
            return None
        if imported.name and not imported.level and not rest:
            return f"{imported.module}:{imported.name}"
        if imported.name and imported.level and not rest:
            found = next((one for one in self._relative(file, imported) if imported.name in self._functions_of(one)), None)
            return f"{found}:{imported.name}" if found is not None else None
        path, _, name = text.rpartition(".")
        if imported.name or imported.level or not rest:
            return None
        module = path if imported.top else f"{imported.module}{path[len(first) :]}"
        return f"{module}:{name}" if name in self._functions_of(module) else None

    def _relative(self, file: TypesOfFile, imported: Imported) -> Iterator[str]:
        """The modules that a relative import may mean: it is not known whether the file is that of a package."""
        parts = file.functions.module.split(".")
        for package in (parts[: -imported.level], parts[: len(parts) - imported.level + 1]):
            yield ".".join([*package, *([imported.module] if imported.module else [])])

    def _functions_of(self, module: str) -> Container[str]:
        return self._files[module].functions.globals.functions if module in self._files else ()

    def pattern(self, function: Function, text: str) -> str | None:
        """What ``re.compile`` was given, where a module or a class body assigns that once; also as ``self.name``."""
        file = self._files.get(function.module)
        before, _, name = text.rpartition(".")
        if file is None:
            return None
        if not before:
            values = set(file.functions.globals.variables.get(name, ()))
            if file.functions.is_assigned_elsewhere(name) or len(file.functions.globals.variables.get(name, ())) != 1:
                return None
        else:
            values = self._class_texts(self._own_class(function, before) or self.named(function.module, before) or "", name)
        return compiled_pattern(values.pop(), file.functions.globals) if len(values) == 1 else None

    def _own_class(self, function: Function, name: str) -> str | None:
        """Where the name is that of the first parameter of a method."""
        own = f"{function.module}:{function.class_name}"
        is_first = bool(function.parameters) and function.parameters[0].name == name
        forms = ("method", "class", "property")
        is_method = is_first and function.class_name is not None
        return own if is_method and self.form(own, function.qualname.rpartition(".")[2]) in forms else None

    def _class_texts(self, address: str, name: str) -> set[str]:
        """What the class and those below it write for an attribute; nothing that says it where methods assign it."""
        found: set[str] = set()
        for cls in self.subclasses(address):
            texts = [one.attributes[name].value for one in self.above(cls) if name in one.attributes]
            found.add(texts[0] if texts and name not in self.fields(cls) else "")
        return found

    def is_import(self, name: str) -> bool:
        """Whether ``module:name``, or a dotted name that begins with it, is what the module imports."""
        module, _, text = name.partition(":")
        file = self._files.get(module)
        return file is not None and text.partition(".")[0] in file.functions.globals.imports

    def made(self, name: str) -> list[str]:
        """Builtin types that the module assigns to ``module:name``, by what the values look like."""
        module, _, text = name.partition(":")
        file = self._files.get(module)
        values = file.functions.globals.variables.get(text, ()) if file is not None else ()
        return list(dict.fromkeys(kind for one in values if (kind := _made_by(one))))

    def object_named(self, module: str, name: str) -> str | None:
        """The class, function or module that a global certainly is."""
        file = self._files.get(module)
        if file is None:
            return None
        known = file.functions.globals
        imported = known.imports.get(name)
        if imported is not None and not imported.name and name not in known.variables:
            return f"{imported.module}:"
        address = self.named(module, name)
        if address is not None:
            last = address.rpartition(":")[2]
            is_known = self.is_class(address) or self.function(address) is not None
            return address if is_known or (last[:1].isupper() and not last.isupper()) else None
        bound = {*known.constants, *known.imports, *known.functions, *known.classes, *known.variables}
        return f"builtins:{name}" if name not in bound and callable(getattr(builtins, name, None)) else None

    def is_class(self, address: str) -> bool:
        """Whether a file has such a class."""
        return self._class(address) is not None

    def having(self, attribute: str) -> tuple[str, ...]:
        """Classes of the files that have a method, property or class attribute of that name, or inherit it."""
        if attribute not in self._having:
            self._having[attribute] = tuple(
                [
                    f"{name}:{qualname}"
                    for name, file in self._files.items()
                    for qualname in file.functions.classes
                    if any(attribute in one.methods or attribute in one.attributes for one in self.above(f"{name}:{qualname}"))
                ]
            )
        return self._having[attribute]

    def declaring(self, attribute: str) -> tuple[str, ...]:
        """Classes that have an attribute of that name, or whose methods assign it."""
        assigning = [one for one in self.classes() if any(attribute in cls.fields for cls in self.above(one))]
        return tuple(dict.fromkeys((*self.having(attribute), *assigning)))

    def fields(self, address: str) -> frozenset[str]:
        """The attributes that methods of the class, or of one above it, assign, and those that a record takes."""
        return frozenset(name for cls in self.above(address) for name in (*cls.fields, *fields_of_record(cls)))

    def can_be_set(self, address: str, name: str) -> bool:
        """Whether objects of exactly this class have an attribute of that name that others may assign, as far as one sees: a
        variable, or a property with a setter."""
        classes = list(self.above(address))
        if any("frozen=True" in text for cls in classes for text in cls.decorators):
            return False
        for cls in classes:
            if name in cls.methods:
                return any(one.form == "setter" and one.key.name == name for one in cls.accessors)
            if name in cls.attributes or name in cls.fields:
                return True
        return False

    def is_absent(self, address: str, name: str) -> bool:
        """Whether a new object of exactly this class has no such attribute until one of its methods assigns it, as far as one
        sees."""
        classes = list(self.above(address))
        own = {name, *[name.removeprefix(f"_{cls.key.name}") for cls in classes]}
        if name.startswith("__") or any(not own.isdisjoint({*cls.attributes, *cls.methods}) for cls in classes):
            return False
        if any("__new__" in cls.methods for cls in classes) or any(name in cls.fields for cls in classes[1:]):
            return False
        return (bool(classes) and name in classes[0].fields) or self._is_whole(address)

    def method(self, address: str, name: str) -> Function | None:
        """The method that instances of exactly this class have by the name."""
        found = self.declared(address, name)
        if found is not None:
            return self._files[found.key.module].functions.function(found.key.qualname, found.key.first_line)
        return self._written_constructor(address) if name == "__init__" else None

    def is_abstract(self, address: str) -> bool:
        """Whether a class has a method that is only declared."""
        names = {name for cls in self.above(address) for name in cls.methods}
        declared = (self.declared(address, name) for name in sorted(names))
        return any(one is not None and any("abstract" in text for text in one.decorators) for one in declared)

    def form(self, address: str, name: str) -> str:
        """How a class has a method: "method", "static", "class" or "property"; "" where it has none."""
        found = self.declared(address, name)
        return "" if found is None else found.form

    def defined(self, module: str, qualname: str, first_line: int | None = None, *, collecting: bool = False) -> Function | None:
        """By the names of its code; ``collecting``: a generator as what returns the list of all that it yields."""
        file = self._files.get(module)
        return None if file is None else file.functions.function(qualname, first_line, collecting)

    def function(self, address: str) -> Function | None:
        """By ``module:qualname``."""
        module, _, name = address.partition(":")
        return self._files[module].functions.function(name) if module in self._files else None

    def class_value(self, address: str, name: str) -> tuple[object] | None:
        """What a class attribute is, where it is a constant."""
        for cls in self.above(address):
            if name in fields_of_record(cls):
                return None  # what is written there is the default of a parameter
            if name in cls.attributes:
                known = cls.attributes[name].constant
                return None if known is None else (known.value,)
        return None

    def subclasses(self, address: str) -> tuple[str, ...]:
        """The class and those below it that are known."""
        wanted = self._class(address)
        below = [one for one in self.classes() if wanted is not None and any(cls is wanted for cls in self.above(one))]
        return tuple(below) or (address,)

    def _written_constructor(self, address: str) -> Function | None:
        """That of a data class."""
        if address not in self._constructors:
            lineage = list(self.above(address)) if self._is_whole(address) else []
            self._constructors[address] = constructor_of(lineage, self._version) if lineage else None
        return self._constructors[address]

    def has_no_constructor(self, address: str) -> bool:
        """Whether neither a class above it nor something that decorates or makes it can have written one."""
        return self._is_whole(address) and not any(one.decorators or one.keywords for one in self.above(address))

    def _class(self, address: str) -> Class | None:
        module, _, qualname = address.partition(":")
        return self._files[module].functions.classes.get(qualname) if module in self._files else None

    def _home(self, address: str) -> str:
        """Where a class stands that the files import from one another."""
        for _ in range(_MOST_IMPORTS):
            module, _, qualname = address.partition(":")
            if module not in self._files or self._class(address) is not None:
                break
            address = self._files[module].classes.resolve(qualname) or ""
        return address

    def above(self, address: str) -> Iterator[Class]:
        """A class and those that it inherits from in the files, nearest first."""
        yield from (one for one in self.lineage(address) if one is not None)

    def lineage(self, address: str) -> Iterator[Class | None]:
        """The same, with None for what stands in none of them."""
        waiting, seen = [address], set[str]()
        while waiting:
            home = self._home(waiting.pop(0))
            cls = self._class(home)
            if cls is None:
                yield None
            elif home not in seen:
                seen.add(home)
                yield cls
                file = self._files[cls.key.module]
                waiting += [file.classes.resolve(base.partition("[")[0]) or "" for base in cls.bases if base not in _BASES]

    def _is_whole(self, address: str) -> bool:
        """Whether all that the class inherits from stands in the files."""
        return None not in list(self.lineage(address))

    def declared(self, address: str, name: str) -> Method | None:
        return next((one.methods[name] for one in self.above(address) if name in one.methods), None)

    def classes(self) -> Iterator[str]:
        """Those of all files."""
        for name, file in self._files.items():
            for qualname in file.functions.classes:
                yield f"{name}:{qualname}"


def _made_by(value: str) -> str:
    try:
        expression = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name | ast.Attribute):
        name = ast.unparse(expression.func).rpartition(".")[2]
        return name if name in _KNOWN else _MAPPINGS.get(name, "")
    return next((kind for forms, kind in _DISPLAYS if isinstance(expression, forms)), "")


def compiled_pattern(text: str, known: Globals) -> str | None:
    """The pattern of ``re.compile('...', re.I)``, with its flags in it."""
    try:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call) or call.keywords or not 1 <= len(call.args) <= 2:
            return None
        module, _, name = ast.unparse(call.func).rpartition(".")
        imported = known.imports.get(module)
        pattern = ast.literal_eval(call.args[0])
    except (SyntaxError, ValueError):
        return None
    if name != "compile" or imported is None or (imported.module, imported.name) != ("re", "") or not isinstance(pattern, str):
        return None
    flags = (
        [getattr(re, part.rpartition(".")[2].strip(), None) for part in ast.unparse(call.args[1]).split("|")]
        if call.args[1:]
        else []
    )
    if any(not isinstance(one, re.RegexFlag) for one in flags):
        return None
    return with_flags(pattern, sum(int(one) for one in flags if one is not None))

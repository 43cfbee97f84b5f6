"""From names in the source to hints: classes of the package as live objects where they are loaded, else stand-ins of that name."""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable, Iterator, Mapping

from crashwright.engine.subject.api.docstrings import parse_docstring
from crashwright.engine.subject.api.hints import HintScope, evaluate, hint_of
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, TypeHint, UnionHint, is_any, union_of
from crashwright.engine.subject.introspection import MODULES, class_dict, is_class, is_module, is_sound, loaded_dict
from crashwright.engine.wants.reading.library import class_called
from crashwright.engine.wants.reading.package import Meaning, Package
from crashwright.engine.wants.reading.values import ClassSymbol, DottedName, External, FunctionSymbol, Module, Value


class Classes:
    """Of one package. ``is_live``: classes that are loaded stand for themselves."""

    def __init__(self, package: Package, is_live: bool) -> None:
        self._package = package
        self._is_live = is_live
        self._known: dict[ClassSymbol, type] = {}
        self._symbols: dict[int, ClassSymbol] = {}
        self._foreign: dict[str, type] = {}
        self._stand_ins: dict[int, type] = {}
        self._scopes: dict[Module, HintScope] = {}
        self._documented: dict[FunctionSymbol, dict[str, Hint]] = {}

    def cls(self, symbol: ClassSymbol) -> type:
        """The class."""
        known = self._known.get(symbol)
        if known is None:
            live = self._live(symbol) if self._is_live else None
            known = self._known[symbol] = self._stand_in(symbol.module.name, symbol.qualname) if live is None else live
            self._symbols[id(known)] = symbol
        return known

    def symbol(self, hint: Hint) -> ClassSymbol | None:
        """The class of the package that the hint means."""
        return self._symbols.get(id(hint.cls)) if isinstance(hint, ClassHint) else None

    def _live(self, symbol: ClassSymbol) -> type | None:
        first, *inner = symbol.qualname.split(".")
        found = loaded_dict(symbol.module.name).get(first)
        for name in inner:
            found = class_dict(found).get(name) if is_class(found) else None
        return found if is_class(found) and is_sound(found) else None

    def hint(self, meaning: Meaning | None) -> Hint:
        """Of an instance of the class that is meant; ANY where it is none."""
        if isinstance(meaning, ClassSymbol):
            return ClassHint(self.cls(meaning))
        if not isinstance(meaning, External):
            return ANY
        known = class_called(meaning.name)
        if not is_any(known):
            return known
        return ClassHint(self._outside(meaning.name)) if meaning.name.rpartition(".")[2][:1].isupper() else ANY

    def _outside(self, name: str) -> type:
        """A class of another package: live where it is loaded (and that counts), else a stand-in."""
        known = self._foreign.get(name)
        if known is None:
            module, _, last = name.rpartition(".")
            live = loaded_dict(module).get(last) if self._is_live else None
            known = self._foreign[name] = live if is_class(live) and is_sound(live) else self._stand_in(module, last)
        return known

    def _stand_in(self, module: str, qualname: str) -> type:
        """Nothing but a name."""
        made = type(qualname.rpartition(".")[2] or "_", (), {"__module__": module, "__qualname__": qualname})
        self._stand_ins[id(made)] = made
        return made

    def real(self, hint: Hint) -> Hint:
        """Without classes that are only names; ANY where nothing is left."""
        if isinstance(hint, UnionHint):
            return union_of(one for member in hint.members if not is_any(one := self.real(member)))
        if isinstance(hint, ClassHint | TypeHint) and id(hint.cls) in self._stand_ins:
            return ANY
        if isinstance(hint, ClassHint) and hint.arguments:
            return hint._replace(arguments=tuple(self.real(one) for one in hint.arguments))
        return hint

    # Annotations and documentation

    def annotated(self, module: Module, annotation: ast.expr) -> Hint:
        """What an annotation says."""
        return hint_of(ast.unparse(annotation), self._scope(module))

    def of_parameter(self, function: FunctionSymbol, name: str) -> Hint:
        """Its annotation."""
        arguments = function.node.args
        stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars):
            if one.arg == name:
                return ANY if one.annotation is None else self.annotated(function.module, one.annotation)
        return ANY

    def of_result(self, function: FunctionSymbol) -> Hint:
        """What it is annotated to return."""
        returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
        return ANY if returns is None else self.annotated(function.module, returns)

    def documented(self, function: FunctionSymbol) -> Mapping[str, Hint]:
        """What docstrings tell of its parameters, for a constructor that of the class too; ``return`` is its result's."""
        known = self._documented.get(function)
        if known is None:
            nodes: list[ast.AST] = [function.node]
            if function.name == "__init__" and function.owner is not None:
                nodes.append(function.owner.node)
            known = self._documented[function] = {}
            for node in nodes:
                text = ast.get_docstring(node) if isinstance(node, _DOCUMENTED) else None
                if text:
                    known |= parse_docstring(text, self._scope(function.module))
        return known

    def _scope(self, module: Module) -> HintScope:
        if module not in self._scopes:
            self._scopes[module] = HintScope(_Meant(lambda name: self._meant(module, name)), None, self._anywhere)
        return self._scopes[module]

    def _meant(self, module: Module, name: str) -> object:
        meaning = self._package.meaning(DottedName(module, (name,)))
        if isinstance(meaning, ClassSymbol):
            return self.cls(meaning)
        if isinstance(meaning, External) and "." in meaning.name:
            where, _, last = meaning.name.rpartition(".")
            if where in ("typing", "typing_extensions"):
                return vars(typing).get(last)
            found = self.hint(meaning)
            return found.cls if isinstance(found, ClassHint) else MODULES.get(meaning.name)
        written = module.written.get(name)
        if isinstance(meaning, Value) and isinstance(written, ast.Subscript | ast.BinOp):
            return evaluate(ast.unparse(written), self._scope(module))
        if isinstance(meaning, External) and name in module.names:
            loaded = MODULES.get(meaning.name)
            return loaded if is_module(loaded) else None
        return None

    def _anywhere(self, name: str) -> object | None:
        """The only class of that name."""
        found = self._package.by_class_name.get(name, [])
        return self.cls(found[0]) if len(found) == 1 else None


class _Meant(Mapping[str, object]):
    """The names of a module as what they mean, each when it is asked for."""

    def __init__(self, find: Callable[[str], object]) -> None:
        self._find = find
        self._known: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._known:
            self._known[name] = self._find(name)
        if self._known[name] is None:
            raise KeyError(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

"""The import hook: chosen functions are instrumented as their modules are imported; everything else is none of its business.

The ordinary finders find the module and the ordinary loader loads it; only ``get_code`` is answered by us, once, from the source.
So the module, its spec and its loader are what they always are, nothing is read from or written to ``__pycache__`` for it, and
modules without chosen functions never meet us.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import decode_source
from types import CodeType, FunctionType, ModuleType
from typing import cast

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.live import LiveFunctions
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.instrument.variants import ProbedModule, Wanted, WantedMutants
from crashwright.engine.subject.introspection import attribute_of, class_name, instance_dict, is_class, module_dict
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.source import ModuleSource


class Instrumentation:
    """A finder for ``sys.meta_path``, and the handle on what it instrumented.

    ``chosen``: code keys by module name (None: all functions and lambdas of the module). ``predicates``: the positions that carry
    probes (None: all); markers and activations are always there. ``sites``: where chosen functions are to fail
    (``probed_code.site_in``). ``skipped`` says in words what could not be instrumented, and why.
    """

    def __init__(
        self,
        recorder: Recorder,
        chosen: Mapping[str, Collection[CodeKey] | None],
        predicates: Wanted = None,
        sites: Mapping[CodeKey, Position] | None = None,
        mutated: Collection[str] = (),
        resumptions: bool = False,
    ) -> None:
        """``mutated``: the modules whose chosen functions measure infection distances too (one module: mutants are told apart by
        their numbers alone). ``resumptions``: each place from which a generator or coroutine is resumed gives it an activation of
        its own."""
        self.recorder = recorder
        self.skipped: dict[CodeKey, str] = {}
        self._chosen = {
            module: None if keys is None else frozenset(keys) for module, keys in chosen.items() if keys is None or keys
        }
        self._predicates = predicates
        self._sites = sites
        self._mutated = frozenset(mutated)
        self._resumptions = resumptions
        self._wanted_mutants: WantedMutants = None
        self._modules: dict[str, ProbedModule] = {}
        self._originals: dict[int, CodeType] = {}
        self._live: LiveFunctions | None = None
        self._finding: set[str] = set()

    # -- installing

    def install(self) -> None:
        """From now on instrument chosen modules as they are imported; functions of those that are there get new code now."""
        self.attach()
        sys.meta_path.insert(0, self)

    def attach(self) -> None:
        """The functions of chosen modules that are there get new code now; imports are left alone."""
        for name in self._chosen:
            if name in sys.modules and name not in self._modules:
                self._attach(name, sys.modules[name])

    def uninstall(self) -> None:
        """No longer instrument imports, and give the functions of modules that were there before their own code back."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        if self._originals:
            self._functions_alive().exchange(self._originals)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Part of the import protocol: the spec that the other finders give, its loader about to ask us for the code."""
        if name not in self._chosen or name in self._finding:
            return None
        self._finding.add(name)
        try:
            spec = _found(self, name, path, target)
        finally:
            self._finding.discard(name)
        if spec is not None and spec.loader is not None:
            self._answer_for(name, spec.loader)
        return spec

    def _answer_for(self, name: str, loader: object) -> None:
        try:
            if is_class(loader) or type(instance_dict(loader)) is not dict:
                raise ImportError("it has no attributes of its own", name=name)
            source_of(name, loader)
        except (OSError, ImportError, AttributeError, UnicodeError) as error:
            self._skip(name, f"{name} has no Python source for us: {_name_of(loader)}: {error}")
            return

        def get_code(fullname: str) -> CodeType | None:
            del own["get_code"]
            code = self._code(fullname, loader) if fullname in self._chosen else None
            return code if code is not None else _ordinary_code(loader)(fullname)

        own = cast(dict[str, object], instance_dict(loader))
        own["get_code"] = get_code

    def _code(self, name: str, loader: object) -> CodeType | None:
        """The instrumented code of a module; None, with the reason in ``skipped``, leaves it to the loader."""
        try:
            source, path = source_of(name, loader)
            chosen = self._chosen[name]
            keys = all_functions(name, source, path) if chosen is None else chosen
            mutated = name in self._mutated
            module = ProbedModule(
                name=name,
                source=source,
                path=path,
                chosen=keys,
                recorder=self.recorder,
                sites=self._sites,
                mutated=mutated,
                resumptions=self._resumptions,
            )
            code = module.compile(self._predicates)
        except (OSError, ImportError, AttributeError, SyntaxError, ValueError, RecursionError) as error:
            # The loader will meet the same trouble, or do without source; it raises what the subject's user would see.
            self._skip(name, f"no instrumented code for {name}: {type(error).__name__}: {error}")
            return None
        self._modules[name] = module
        self.skipped.update(module.unprobed)
        self._live = None
        return code

    def _skip(self, name: str, reason: str) -> None:
        chosen = self._chosen[name]
        self.skipped.update(dict.fromkeys((CodeKey(name, "<module>", 1),) if chosen is None else chosen, reason))

    def _attach(self, name: str, module: ModuleType) -> None:
        loader = attribute_of(attribute_of(module, "__spec__"), "loader")
        if self._code(name, loader) is None:
            return
        by_place = {
            (key.qualname, key.first_line): number
            for number in self._modules[name].numbers
            for key in [self.recorder.functions[number].key]
        }
        names = module_dict(module)

        def select(function: FunctionType) -> int | None:
            if function.__globals__ is not names:
                return None
            code = function.__code__
            number = by_place.get((code.co_qualname, code.co_firstlineno))
            if number is not None:
                self._originals.setdefault(number, code)
            return number

        live = LiveFunctions(select)
        live.exchange(self._modules[name].variants(self._predicates, self._wanted_mutants))
        self._note_skipped(live)
        for number in self._modules[name].numbers:
            if number not in live:
                self.skipped[self.recorder.functions[number].key] = (
                    f"{name} was imported before, and no such function is alive in it"
                )

    # -- after import

    @property
    def functions(self) -> tuple[ProbedFunction, ...]:
        """What is instrumented so far; index them by ``Activation.function`` through ``Recorder.functions`` only."""
        return tuple(self.recorder.functions[number] for module in self._modules.values() for number in module.numbers)

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants that carry probes, by number; their distances are in ``Trace.infections``."""
        return self.recorder.infections.probed()

    def narrow(self, predicates: Wanted, mutants: WantedMutants = None) -> None:
        """From now on only these predicates and mutants (by number) carry probes (None: all, an empty set: none). The first call
        looks for the live functions; compiling a new choice takes milliseconds, going back to an earlier one 0.2 us a function.

        To leave mutants out without compiling anything, ask ``recorder.infections.want``: their probes stay, and are skipped."""
        self._predicates, self._wanted_mutants = predicates, mutants
        self.recorder.infections.want(mutants)
        live = self._functions_alive()
        for module in self._modules.values():
            live.exchange(module.variants(predicates, mutants))
        self._note_skipped(live)

    def _functions_alive(self) -> LiveFunctions:
        if self._live is None:
            codes = {id(code): number for module in self._modules.values() for number, code in module.compiled()}
            self._live = LiveFunctions(lambda function: codes.get(id(function.__code__)))
        return self._live

    def _note_skipped(self, live: LiveFunctions) -> None:
        self.skipped.update({self.recorder.functions[number].key: reason for number, reason in live.skipped.items()})


def all_functions(name: str, source: bytes | str, path: str) -> frozenset[CodeKey]:
    """The keys of all functions and lambdas of a source. Raises what parsing raises."""
    text = decode_source(source) if isinstance(source, bytes) else source
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return frozenset(key for key, node in ModuleSource(name, path, text).codes() if isinstance(node, functions))


def _found(hook: object, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        find: Callable[..., ModuleSpec | None] | None = None if finder is hook else getattr(finder, "find_spec", None)
        spec = None if find is None else find(name, path, target)
        if spec is not None:
            return spec
    return None


def source_of(name: str, loader: object) -> tuple[bytes | str, str]:
    """Source and path of a module. Raises AttributeError for loaders that have no source, OSError and ImportError as they do."""
    path: str = loader.get_filename(name)  # type: ignore[attr-defined]
    if hasattr(loader, "get_data") and path.endswith(".py"):  # bytes, because the compiler knows the encodings best
        data: bytes = loader.get_data(path)
        return data, path
    source: str | None = loader.get_source(name)  # type: ignore[attr-defined]
    if source is None:
        raise ImportError("the loader has no source", name=name)
    return source, path


def _ordinary_code(loader: object) -> Callable[[str], CodeType | None]:
    ordinary: Callable[[str], CodeType | None] = loader.get_code  # type: ignore[attr-defined]
    return ordinary


def _name_of(loader: object) -> str:
    return class_name(loader if is_class(loader) else type(loader))

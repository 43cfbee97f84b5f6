"""The API model on a toy package and on packages of the standard library."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import sys
import types
from types import CodeType

import pytest

from crashwright.engine.subject.api.addresses import foreign_address
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, TypeHint, UnionHint


def addresses(callees: tuple[Callee, ...]) -> list[str]:
    return [callee.address for callee in callees]


def by_address(api: ApiModel, address: str) -> Callee:
    return next(callee for callee in api.callables if callee.address == address)


def live(name: str) -> object:
    module, _, qualname = name.partition(":")
    value: object = sys.modules[module]
    for part in qualname.split("."):
        value = inspect.getattr_static(value, part)
    return value


def callees_of_code(api: ApiModel, module: str, code: CodeType) -> list[str]:
    return addresses(api.callee_for(module, code.co_qualname, code.co_firstlineno))


def test_public_callables_have_their_shortest_public_address(api: ApiModel) -> None:
    found = addresses(api.callables)
    assert len(found) == len(set(found))
    assert {"shelfware:take", "shelfware:Shelf", "shelfware:stock_up", "shelfware.core:DeepShelf", "shelfware:Shelf.Pin"} <= set(
        found
    )
    assert "shelfware.core:Base" not in found, "abstract"
    assert "shelfware.core:Broken" not in found, "an exception"
    assert not any(":_" in address or "._" in address for address in found if "__" not in address)
    assert by_address(api, "shelfware:take") is api.callee_of(live("shelfware.core:take"))


def test_kinds_and_flags(api: ApiModel) -> None:
    kinds = {callee.name: callee for callee in api.methods_of(live("shelfware:Shelf"))}  # type: ignore[arg-type]
    assert kinds["from_text"].kind is CalleeKind.CLASSMETHOD
    assert kinds["measure"].kind is CalleeKind.STATIC
    assert kinds["height"].kind is CalleeKind.PROPERTY
    assert kinds["depth"].kind is CalleeKind.PROPERTY
    assert kinds["load"].is_generator
    assert kinds["fetch"].is_async
    assert kinds["__contains__"].kind is CalleeKind.METHOD
    assert kinds["shared"].qualname == "Shelf.shared", "inherited methods are called on the class asked for"
    assert "__init__" not in kinds
    assert "_secret" not in kinds
    assert kinds["height"].returns == ClassHint(int)


def test_parameters_of_functions(api: ApiModel) -> None:
    take = by_address(api, "shelfware:take")
    shelf, n, rest, colour, more = take.parameters
    assert (shelf.hint, shelf.required) == (ClassHint(live("shelfware:Shelf")), True)  # type: ignore[arg-type]
    assert (n.hint, n.default, n.required) == (ClassHint(int), 1, False)
    assert (rest.kind, more.kind) == (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    assert colour.kind is ParameterKind.KEYWORD_ONLY
    assert take.returns == UnionHint((ClassHint(live("shelfware:Shelf")), NONE))  # type: ignore[arg-type]


def test_constructors_complete_their_options_from_the_base(api: ApiModel) -> None:
    parameters = {parameter.name: parameter for parameter in by_address(api, "shelfware:Shelf").parameters}
    assert list(parameters) == ["slots", "size", "label", "options"]
    assert parameters["size"].kind is ParameterKind.KEYWORD_ONLY
    assert parameters["label"].hint == UnionHint((ClassHint(str), NONE))


def test_names_imported_for_type_checkers_are_found_in_the_package(api: ApiModel) -> None:
    shared = api.member(live("shelfware:Shelf"), "shared")  # type: ignore[arg-type]
    assert shared is not None
    assert shared.parameters[0].hint == ClassHint(live("shelfware.elsewhere:Crate"))  # type: ignore[arg-type]


def test_docstrings_tell_types_where_annotations_are_missing(api: ApiModel) -> None:
    assert by_address(api, "shelfware.elsewhere:Crate").parameters[0].hint == ClassHint(float)


def test_decorated_functions_show_what_they_wrap(api: ApiModel) -> None:
    assert [p.name for p in by_address(api, "shelfware.core:one").parameters] == ["a", "b"]
    assert [p.name for p in by_address(api, "shelfware.core:three").parameters] == ["d", "e"], "wrapped without functools.wraps"
    assert [p.name for p in by_address(api, "shelfware.core:partial_take").parameters][:1] == ["n"]
    assert by_address(api, "shelfware.core:bound_load").parameters == ()
    opened = by_address(api, "shelfware.core:opened")
    assert not opened.is_generator
    assert isinstance(opened.returns, ClassHint)
    assert opened.returns.cls.__name__ == "AbstractContextManager"


def test_codes_lead_back_to_callables(api: ApiModel) -> None:
    core = "shelfware.core"
    take = live("shelfware:take").__code__  # type: ignore[attr-defined]
    assert callees_of_code(api, core, take) == ["shelfware:take", "shelfware.core:partial_take"]
    wrapped = live("shelfware.core:one").__wrapped__.__code__  # type: ignore[attr-defined]
    assert callees_of_code(api, core, wrapped) == ["shelfware.core:one"]
    wrapper = live("shelfware.core:one").__code__  # type: ignore[attr-defined]
    assert callees_of_code(api, core, wrapper) == ["shelfware.core:one", "shelfware.core:two"]
    assert callees_of_code(api, core, live("shelfware:Shelf.height").fget.__code__) == [  # type: ignore[attr-defined]
        "shelfware:Shelf.height",
        "shelfware.core:DeepShelf.height",
    ]
    assert callees_of_code(api, core, live("shelfware:Shelf.depth").func.__code__)[0] == "shelfware:Shelf.depth"  # type: ignore[attr-defined]
    assert callees_of_code(api, core, live("shelfware:Shelf.Pin.push").__code__) == ["shelfware:Shelf.Pin.push"]  # type: ignore[attr-defined]


def test_codes_of_constructors_and_inherited_methods(api: ApiModel) -> None:
    core = "shelfware.core"
    assert callees_of_code(api, core, live("shelfware:Shelf.__init__").__code__) == [  # type: ignore[attr-defined]
        "shelfware:Shelf",
        "shelfware.core:DeepShelf",
    ]
    assert callees_of_code(api, core, live("shelfware.core:Base.shared").__code__) == [  # type: ignore[attr-defined]
        "shelfware.core:Base.shared",
        "shelfware:Shelf.shared",
        "shelfware.core:DeepShelf.shared",
    ]
    assert callees_of_code(api, core, live("shelfware.core:Base.items").__code__) == [  # type: ignore[attr-defined]
        "shelfware.core:Base.items",
        "shelfware:Shelf.items",
    ]
    contains = api.callee_for(core, "Shelf.__contains__", live("shelfware:Shelf.__contains__").__code__.co_firstlineno)  # type: ignore[attr-defined]
    assert (contains[0].kind, contains[0].name) == (CalleeKind.METHOD, "__contains__")


def test_nested_code_has_no_address(api: ApiModel) -> None:
    line = live("shelfware:take").__code__.co_firstlineno  # type: ignore[attr-defined]
    assert api.callee_for("shelfware.core", "take.<locals>.inner", line + 1) == ()


def test_ways_to_get_an_instance(api: ApiModel) -> None:
    base = live("shelfware.core:Base")
    assert isinstance(base, type)
    assert addresses(api.constructors_of(base))[:2] == ["shelfware:Shelf", "shelfware.core:DeepShelf"]
    assert set(addresses(api.constructors_of(base))[2:]) == {
        "shelfware:take",
        "shelfware.core:partial_take",
        "shelfware:Shelf.from_text",
    }
    assert api.constructors_of(ANY) == ()
    assert addresses(api.constructors_of(TypeHint(ValueError))) == ["builtins:ValueError", "shelfware.core:Broken"]
    assert addresses(api.constructors_of(Exception, exceptions=False)) == ["builtins:Exception", "shelfware.core:Broken"]


def test_constants(api: ApiModel) -> None:
    found = {f"{constant.module}:{constant.qualname}" for constant in api.constants}
    assert found >= {"shelfware.core:Colour.RED", "shelfware.core:Colour.BLUE", "shelfware.core:default_shelf"}


def test_hostile_modules_are_survived(api: ApiModel) -> None:
    found = addresses(api.callables)
    assert "shelfware.hostile:Odd" in found
    assert "shelfware.hostile:Odd.fine" in found


def test_callables_from_outside(api: ApiModel) -> None:
    assert [p.kind for p in api.builtin("len").parameters] == [ParameterKind.POSITIONAL_ONLY]
    assert api.builtin("dict").parameters[0].kind is ParameterKind.VAR_POSITIONAL
    stream = api.standard("io", "BytesIO")
    assert (stream.kind, stream.parameters[0].name) == (CalleeKind.CLASS, "initial_bytes")
    assert api.standard("io", "BytesIO") is stream
    assert api.standard("datetime", "datetime.fromisoformat").address == "datetime:datetime.fromisoformat"
    with pytest.raises(ValueError, match="not in the standard library"):
        api.standard("shelfware", "take")
    assert {"append", "pop"} <= {callee.name for callee in api.methods_of(list)}


@pytest.mark.parametrize("package", ["json", "email", "html", "argparse", "decimal", "collections", "concurrent.futures"])
def test_standard_packages(package: str) -> None:
    importlib.import_module(package)
    names = [name for name in sys.modules if name == package or name.startswith(package + ".")]
    model = ApiModel(package, names)
    for callee in model.callables:
        module = sys.modules[callee.module]
        value: object = module
        for part in callee.qualname.split("."):
            value = inspect.getattr_static(value, part)
        assert isinstance(callee.parameters, tuple)
        assert not callee.private
        if callee.kind in (CalleeKind.FUNCTION, CalleeKind.CLASS):
            assert value is callee.live


def test_every_function_of_json_is_found_by_its_code() -> None:
    importlib.import_module("json.tool")
    names = [name for name in sys.modules if name == "json" or name.startswith("json.")]
    model = ApiModel("json", names)
    for callee in model.callables:
        code = getattr(callee.live, "__code__", None)
        if code is not None and callee.kind in (CalleeKind.FUNCTION, CalleeKind.METHOD):
            home = callee.live.__globals__["__name__"]  # type: ignore[union-attr, attr-defined]
            assert callee in model.callee_for(home, code.co_qualname, code.co_firstlineno)


def test_a_class_of_another_package_is_imported_from_where_people_import_it():
    assert foreign_address(json.JSONDecoder, sys.modules)[:2] == ("json", "JSONDecoder")
    assert foreign_address(json.JSONDecoder, {})[:2] == ("json.decoder", "JSONDecoder")
    hostile = {"json": types.SimpleNamespace(JSONDecoder=object())}
    assert foreign_address(json.JSONDecoder, hostile)[:2] == ("json.decoder", "JSONDecoder")


class Command:
    """Stands for an object of another package around a function, as commands of a command line are."""

    def __init__(self, callback: object, *more: object) -> None:
        self.callback = callback
        self._hidden = callback
        self.__dict__.update({f"more{number}": one for number, one in enumerate(more)})

    def __call__(self, *args: object) -> None:
        raise SystemExit


def commands(*more: object) -> types.ModuleType:
    module = types.ModuleType("toolbox")
    exec("def add(number: int): return number\n\ndef other(): ...", module.__dict__)
    Command.__module__ = "some_framework"
    names = vars(module)
    names["add"] = Command(names["add"], *(names[name] for name in more))
    return module


def test_the_function_that_a_foreign_object_keeps_is_called_and_not_the_object(monkeypatch: pytest.MonkeyPatch) -> None:
    module = commands()
    monkeypatch.setitem(sys.modules, "toolbox", module)
    api = ApiModel("toolbox", ["toolbox"])
    assert addresses(api.callables) == ["toolbox:add.callback", "toolbox:other"]
    callback = by_address(api, "toolbox:add.callback")
    assert [parameter.name for parameter in callback.parameters] == ["number"]
    assert callees_of_code(api, "toolbox", module.add.callback.__code__) == ["toolbox:add.callback"]


def test_what_a_decorator_of_the_framework_wraps_is_called_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    module = commands()
    inner = module.add.callback

    @functools.wraps(inner)
    def with_context(*args: object) -> object:
        raise RuntimeError("there is no context")

    module.add.callback = with_context
    monkeypatch.setitem(sys.modules, "toolbox", module)
    api = ApiModel("toolbox", ["toolbox"])
    assert addresses(api.callables) == ["toolbox:add.callback.__wrapped__", "toolbox:other"]
    assert by_address(api, "toolbox:add.callback.__wrapped__").live is inner


def test_an_object_that_keeps_several_functions_is_called_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toolbox", commands("other"))
    assert addresses(ApiModel("toolbox", ["toolbox"]).callables) == ["toolbox:add", "toolbox:other"]

"""What a method's parameters are by the method that it overrides: as a base says it; of bases in the standard library, which has no
annotations, what it hands to them.

# Deviation: in Java every override repeats the types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType

from crashwright.engine.subject.api.hints import EMPTY_SCOPE, HintScope, hint_of
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, is_any
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, class_name, is_class, loaded_dict
from crashwright.engine.subject.layers import function_of

_HANDED: Mapping[str, str] = {
    "logging:LogRecord.__init__": "str int str int str None None",
    "logging:Formatter.format": "logging:LogRecord",
    "logging:Formatter.formatTime": "logging:LogRecord str",
    "logging:Formatter.formatMessage": "logging:LogRecord",
    "logging:Filter.filter": "logging:LogRecord",
    "logging:Filterer.filter": "logging:LogRecord",
    "logging:Handler.emit": "logging:LogRecord",
    "logging:Handler.handle": "logging:LogRecord",
    "logging:Handler.format": "logging:LogRecord",
    "logging:LoggerAdapter.process": "str dict",
    "json.decoder:JSONDecoder.decode": "str",
    "html.parser:HTMLParser.feed": "str",
    "html.parser:HTMLParser.handle_starttag": "str pairs",
    "html.parser:HTMLParser.handle_startendtag": "str pairs",
    "html.parser:HTMLParser.handle_endtag": "str",
    "html.parser:HTMLParser.handle_data": "str",
    "html.parser:HTMLParser.handle_comment": "str",
    "xml.sax.handler:ContentHandler.startElement": "str texts",
    "xml.sax.handler:ContentHandler.endElement": "str",
    "xml.sax.handler:ContentHandler.characters": "str",
    "argparse:Action.__call__": "argparse:ArgumentParser argparse:Namespace ? str",
    "argparse:ArgumentParser.error": "str",
    "argparse:ArgumentParser.convert_arg_line_to_args": "str",
    "argparse:HelpFormatter._split_lines": "str int",
    "argparse:HelpFormatter._fill_text": "str int str",
    "configparser:RawConfigParser.optionxform": "str",
    "string:Formatter.format_field": "? str",
    "string:Formatter.convert_field": "? str",
    "string:Formatter.get_value": "? tuple dict",
    "cmd:Cmd.onecmd": "str",
    "cmd:Cmd.default": "str",
    "cmd:Cmd.precmd": "str",
    "cmd:Cmd.postcmd": "bool str",
    "codecs:Codec.encode": "str str",
    "codecs:Codec.decode": "bytes str",
    "codecs:IncrementalEncoder.encode": "str bool",
    "codecs:IncrementalDecoder.decode": "bytes bool",
    "_io:_TextIOBase.write": "str",
    "asyncio.protocols:Protocol.data_received": "bytes",
    "asyncio.protocols:DatagramProtocol.datagram_received": "bytes tuple",
    "datetime:tzinfo.utcoffset": "datetime:datetime",
    "datetime:tzinfo.dst": "datetime:datetime",
    "datetime:tzinfo.tzname": "datetime:datetime",
    "datetime:tzinfo.fromutc": "datetime:datetime",
}
"""By method, the classes of its arguments in their order, or what ``_SHORT`` has; ``?`` may be anything."""
_SHORT: Mapping[str, object] = {"None": None, "pairs": list[tuple[str, str]], "texts": dict[str, str]}


def overridden_hints(owner: type, function: FunctionType, find_class: Callable[[str], object | None]) -> Mapping[str, Hint]:
    """Hints for the parameters of ``function``, a method of ``owner`` or of one of its bases, by the methods that it overrides; the
    nearest that says something of a parameter has it."""
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount]
    found: dict[str, Hint] = {}
    for base in _bases_after(owner, function):
        for name, hint in zip(names, _said_by(base, function.__name__, find_class), strict=False):
            if name not in found and not is_any(hint):
                found[name] = hint
        if len(found) == len(names):
            break
    return found


def _bases_after(owner: type, function: FunctionType) -> Iterator[type]:
    """The bases that come after the class in which the function stands and have a method of its name; of the standard library
    that class too. What makes an object has parameters of its own in each class."""
    name, passed = function.__name__, False
    inherits = name not in ("__init__", "__new__")
    for base in class_mro(owner):
        if name in class_dict(base):
            if (passed and inherits) or (function_of(class_dict(base)[name]) is function and _key(base, name) in _HANDED):
                yield base
            passed = passed or function_of(class_dict(base)[name]) is function


def _said_by(base: type, method: str, find_class: Callable[[str], object | None]) -> Iterator[Hint]:
    handed = _HANDED.get(_key(base, method))
    if handed is not None:
        yield from map(_class_of, handed.split())
        return
    function = function_of(class_dict(base)[method])
    if function is None or not function.__annotations__:
        return
    scope, code = HintScope(function.__globals__, base, find_class), function.__code__
    for name in code.co_varnames[1 : code.co_argcount]:
        yield hint_of(function.__annotations__[name], scope) if name in function.__annotations__ else ANY


def _key(cls: type, method: str) -> str:
    return f"{class_module(cls)}:{class_name(cls)}.{method}"


def _class_of(address: str) -> Hint:
    if address in _SHORT:
        return hint_of(_SHORT[address], EMPTY_SCOPE)
    module, _, name = address.rpartition(":")
    found = loaded_dict(module or "builtins").get(name)
    return ClassHint(found) if is_class(found) else ANY

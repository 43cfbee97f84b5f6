"""The table of messages that CPython worded anew in one of its versions from 3.6 on.

Each family has the wordings of one message in the order of the versions that brought them; one that ends with None is gone since.
If a version has several, each has a row with it. To add a message, add a row; users are told of the first family that fits.
"""

from __future__ import annotations

from crashwright.core.wording_family import family

_PATH_LIKE = "argument should be a str or an os.PathLike object where __fspath__ returns a str, not '{type}'"
_RENAME = "(consider renaming {_file})"
FAMILIES = (
    # What all versions say, though newer ones use it for more
    family("ZeroDivisionError", ("", "division by zero")),
    family("TypeError", ("", "{function}() argument {_number} must be {what}")),
    # Calls
    family("TypeError", ("", "{function}() missing {what}")),
    family("TypeError", ("", "{function}() takes {what}")),
    family("TypeError", ("", "{function}() got {what}")),
    family("TypeError", ("", "{function}() argument after {what}")),
    family("TypeError", ("", "{function}() keywords must be strings"), ("3.9", "keywords must be strings")),
    family("TypeError", ("", "object() takes no parameters"), ("3.7", "{_class}() takes no arguments")),
    family(
        "TypeError",
        ("", "{function}() takes at most {most} argument{s} ({got} given)"),
        ("3.7", "{function} expected at most {most} argument{s}, got {got}"),
    ),
    family(
        "TypeError",
        ("", "{function}() takes at least {least} argument{s} ({got} given)"),
        ("3.8", "{function} expected at least {least} argument{s}, got {got}"),
        ("3.13", "{function} expected at least {least} argument{s}, got {got}"),
        ("3.13", "{function}() takes at least {least} positional argument{s} ({got} given)"),
    ),
    family(
        "TypeError",
        ("", "{function} expected 1 argument{s}, got {got}"),
        ("3.9", "{function} expected 1 argument{s}, got {got}"),
        ("3.9", "{function} expected at least 1 argument, got {got}"),
    ),
    family(
        "TypeError",
        ("", "'{name}' is an invalid keyword argument for {function}()"),
        ("3.13", "{function}() got an unexpected keyword argument '{name}'"),
    ),
    family(
        "TypeError",
        ("", "{function}() argument {_number} must be str, not {type}"),
        ("3.8", "{function}() argument '{_name}' must be str, not {type}"),
    ),
    family(
        "TypeError",
        ("", "{function}() missing required argument '{name}' (pos {_place})"),
        ("3.11", "{function}() missing required argument '{name}' (pos {_place})"),
        ("3.11", "{function}() missing required argument '{name}'"),
    ),
    # Numbers
    family(
        "TypeError",
        ("", "{function}() argument must be a string or a number, not '{type}'"),
        ("3.10", "{function}() argument must be a string or a real number, not '{type}'"),
    ),
    family(
        "TypeError",
        ("", "{function}() argument must be a string, a bytes-like object or a number, not '{type}'"),
        ("3.10", "{function}() argument must be a string, a bytes-like object or a real number, not '{type}'"),
    ),
    family(
        "TypeError",
        ("", "%{letter} format: a number is required, not {type}"),
        ("3.10", "%{letter} format: a real number is required, not {type}"),
    ),
    family(
        "TypeError",
        ("", "an integer is required (got type {type})"),
        ("3.10", "'{type}' object cannot be interpreted as an integer"),
    ),
    family(
        "ZeroDivisionError",
        ("", "integer division or modulo by zero"),
        ("3.11", "integer division or modulo by zero"),
        ("3.11", "integer modulo by zero"),
        ("3.14", "division by zero"),
    ),
    family("ZeroDivisionError", ("", "float modulo"), ("3.13", "float modulo by zero"), ("3.14", "division by zero")),
    family("ZeroDivisionError", ("", "float divmod()"), ("3.9", "float floor division by zero"), ("3.14", "division by zero")),
    family("ZeroDivisionError", ("", "float division by zero"), ("3.14", "division by zero")),
    family("ZeroDivisionError", ("", "complex division by zero"), ("3.14", "division by zero")),
    family("ZeroDivisionError", ("", "0.0 cannot be raised to a negative power"), ("3.14", "zero to a negative power")),
    family(
        "ValueError",
        *(
            ("", "math domain error"),
            ("3.14", "math domain error"),
            ("3.14", "expected a nonnegative input, got {_value}"),
            ("3.14", "expected a positive input"),
            ("3.14", "expected a positive input, got {_value}"),
            ("3.14", "expected a number in range from -1 up to 1, got {_value}"),
            ("3.14", "expected a number between -1 and 1, got {_value}"),
            ("3.14", "expected argument value > -1, got {_value}"),
            ("3.14", "expected argument value not less than 1, got {_value}"),
            ("3.14", "expected a noninteger or positive integer, got {_value}"),
            ("3.14", "expected a finite input, got {_value}"),
        ),
    ),
    family(
        "ValueError",
        ("", "Exceeds the limit ({limit}) for integer string conversion{_rest}"),
        ("3.11", "Exceeds the limit ({limit} digits) for integer string conversion{_rest}"),
    ),
    # Items and iteration
    family("TypeError", ("", "'type' object is not subscriptable"), ("3.11", "type '{_class}' is not subscriptable")),
    family("TypeError", ("", "'{type}' object does not support indexing"), ("3.7", "'{type}' object is not subscriptable")),
    family("TypeError", ("", "string indices must be integers"), ("3.11", "string indices must be integers, not '{_type}'")),
    family("TypeError", ("", "unhashable type: 'slice'"), ("3.12", None)),
    family(
        "TypeError",
        ("", "unhashable type: '{type}'"),
        ("3.14", "unhashable type: '{type}'"),
        ("3.14", "cannot use '{_key}' as a dict key (unhashable type: '{type}')"),
        ("3.14", "cannot use '{_key}' as a set element (unhashable type: '{type}')"),
    ),
    family(
        "TypeError",
        ("", "'{type}' object is not iterable"),
        ("3.9", "'{type}' object is not iterable"),
        ("3.9", "Value after * must be an iterable, not {type}"),
    ),
    family(
        "TypeError",
        ("", "argument of type '{type}' is not iterable"),
        ("3.14", "argument of type '{type}' is not a container or iterable"),
    ),
    family("TypeError", ("", "zip argument #{_number} must support iteration"), ("3.8", "'{type}' object is not iterable")),
    family(
        "ValueError",
        ("", "too many values to unpack (expected {number})"),
        ("3.14", "too many values to unpack (expected {number})"),
        ("3.14", "too many values to unpack (expected {number}, got {_got})"),
    ),
    family("ValueError", ("", "{function}() arg is an empty sequence"), ("3.12", "{function}() iterable argument is empty")),
    family("ValueError", ("", "{_value} is not in list"), ("3.14", "list.index(x): x not in list")),
    family(
        "IndexError",
        ("", "tuple index out of range"),
        ("3.8", "tuple index out of range"),
        ("3.8", "Replacement index {_index} out of range for positional args tuple"),
    ),
    family("TypeError", ("", "can only assign an iterable"), ("3.13", "must assign iterable to extended slice")),
    family(
        "TypeError",
        ("", "reduce() of empty sequence with no initial value"),
        ("3.10", "reduce() of empty iterable with no initial value"),
    ),
    # Names and attributes
    family(
        "UnboundLocalError",
        ("", "local variable '{name}' referenced before assignment"),
        ("3.11", "cannot access local variable '{name}' where it is not associated with a value"),
    ),
    family(
        "NameError",
        ("", "free variable '{name}' referenced before assignment in enclosing scope"),
        ("3.11", "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"),
    ),
    *(
        family(
            "AttributeError",
            ("", old),
            ("3.10", f"{old} '{{name}}'"),
            ("3.11", old),
            ("3.11", f"property '{{name}}' of '{{_class}}' object has no {what}"),
        )
        for old, what in (
            ("can't set attribute", "setter"),
            ("can't delete attribute", "deleter"),
            ("unreadable attribute", "getter"),
        )
    ),
    family("AttributeError", ("", "__enter__"), ("3.11", None)),
    family("AttributeError", ("", "__exit__"), ("3.11", None)),
    family("AttributeError", ("", "__aenter__"), ("3.11", None)),
    family("AttributeError", ("", "__aexit__"), ("3.11", None)),
    family(
        "AttributeError",
        ("", "'{type}' object has no attribute '{name}'"),
        ("3.13", "'{type}' object has no attribute '{name}'"),
        ("3.13", "'{type}' object has no attribute '{name}' and no __dict__ for setting new attributes"),
    ),
    family("AttributeError", ("", "type object '{type}' has no attribute '{name}'")),
    family(
        "AttributeError",
        ("", "{name}"),
        ("3.10", "{name}"),
        ("3.10", "'{_class}' object has no attribute '{name}'"),
        ("3.10", "type object '{_class}' has no attribute '{name}'"),
    ),
    family(
        "AttributeError",
        ("", "module '{module}' has no attribute '{name}'"),
        ("3.13", "module '{module}' has no attribute '{name}'"),
        ("3.13", f"module '{{module}}' has no attribute '{{name}}' {_RENAME}"),
    ),
    family("AttributeError", ("", "Cannot reassign members."), ("3.11", "cannot reassign member '{_name}'")),
    family(
        "TypeError",
        ("", "can't set attributes of built-in/extension type '{type}'"),
        ("3.10", "cannot set '{_name}' attribute of immutable type '{type}'"),
    ),
    *(
        family(
            "TypeError",
            ("", f"{function}(): attribute name must be string"),
            ("3.11", "attribute name must be string, not '{_type}'"),
        )
        for function in ("getattr", "hasattr", "setattr", "delattr")
    ),
    family(
        "ImportError",
        *(
            ("", "cannot import name '{name}'"),
            ("3.7", "cannot import name '{name}' from '{module}'"),
            ("3.8", "cannot import name '{name}' from '{module}'"),
            (
                "3.8",
                "cannot import name '{name}' from partially initialized module '{module}' (most likely due to a circular import)",
            ),
            ("3.13", "cannot import name '{name}' from '{module}'"),
            (
                "3.13",
                "cannot import name '{name}' from partially initialized module '{module}' (most likely due to a circular import)",
            ),
            ("3.13", f"cannot import name '{{name}}' from '{{module}}' {_RENAME}"),
        ),
    ),
    # Classes and objects
    family(
        "TypeError",
        ("", "Can't instantiate abstract class {type} with abstract method{s} {names}"),
        ("3.12", "Can't instantiate abstract class {type} without an implementation for abstract method{s} {names}"),
    ),
    family(
        "TypeError",
        ("", "isinstance() arg 2 must be a type or tuple of types"),
        ("3.10", "isinstance() arg 2 must be a type, a tuple of types, or a union"),
    ),
    family(
        "TypeError",
        ("", "issubclass() arg 2 must be a class or tuple of classes"),
        ("3.10", "issubclass() arg 2 must be a class, a tuple of classes, or a union"),
    ),
    family(
        "TypeError",
        ("", "descriptor '{name}' requires a '{owner}' object but received a '{type}'"),
        ("3.8", "descriptor '{name}' for '{owner}' objects doesn't apply to a '{type}' object"),
    ),
    family(
        "TypeError",
        ("", "descriptor '{name}' of '{owner}' object needs an argument"),
        ("3.9", "unbound method {owner}.{name}() needs an argument"),
    ),
    family("TypeError", ("", "can't pickle {type} objects"), ("3.8", "cannot pickle '{type}' object")),
    family(
        "TypeError",
        ("", "super() argument 1 must be type, not {type}"),
        ("3.11", "super() argument 1 must be a type, not {type}"),
    ),
    family(
        "TypeError",
        ("", "super(type, obj): obj must be an instance or subtype of type"),
        ("3.13", "super(type, obj): obj ({_what}) is not an instance or subtype of type ({_class})."),
    ),
    family(
        "TypeError",
        ("", "non-default argument '{name}' follows default argument"),
        ("3.13", "non-default argument '{name}' follows default argument '{_other}'"),
    ),
    family("TypeError", ("", "object {type} can't be used in 'await' expression"), ("3.14", "'{type}' object can't be awaited")),
    family(
        "TypeError",
        ("", "Cannot create a consistent method resolution\norder (MRO) for bases {names}"),
        ("3.13", "Cannot create a consistent method resolution order (MRO) for bases {names}"),
    ),
    # Texts and bytes
    family(
        "TypeError",
        ("", "must be {type}, not {_type}"),
        ("3.13", "must be {type}, not {_type}"),
        ("3.13", "{_function}() argument {_number} must be {type}, not {_type}"),
    ),
    family("TypeError", ("", "must be str, not {type}"), ("3.7", 'can only concatenate str (not "{type}") to str')),
    family(
        "TypeError",
        ("", "expected string or bytes-like object"),
        ("3.11", "expected string or bytes-like object, got '{_type}'"),
    ),
    family("TypeError", ("", "Unicode-objects must be encoded before hashing"), ("3.9", "Strings must be encoded before hashing")),
    family("SyntaxError", ("", "unexpected EOF while parsing"), ("3.10", "invalid syntax"), ("3.10", "'{_sign}' was never closed")),
    # The standard library
    family("TypeError", ("", "the JSON object must be str, bytes or bytearray, not {type}")),
    family("TypeError", ("", "Object of type {type} is not JSON serializable")),
    family(
        "ValueError",
        ("", "Out of range float values are not JSON compliant"),
        ("3.12", "Out of range float values are not JSON compliant: {_value}"),
    ),
    family(
        "JSONDecodeError",
        ("", "Expecting property name enclosed in double quotes: {_place}"),
        ("3.13", "Expecting property name enclosed in double quotes: {_place}"),
        ("3.13", "Illegal trailing comma before end of object: {_place}"),
    ),
    family(
        "JSONDecodeError",
        ("", "Expecting value: {_place}"),
        ("3.13", "Expecting value: {_place}"),
        ("3.13", "Illegal trailing comma before end of array: {_place}"),
    ),
    family("ValueError", ("", "malformed node or string: {_node}"), ("3.10", "malformed node or string on line {_line}: {_node}")),
    family(
        "TypeError",
        ("", "join() argument must be str or bytes, not '{type}'"),
        ("3.8", "join() argument must be str, bytes, or os.PathLike object, not '{type}'"),
    ),
    family(
        "TypeError",
        ("", "expected str, bytes or os.PathLike object, not {type}"),
        ("3.12", "expected str, bytes or os.PathLike object, not {type}"),
        ("3.12", _PATH_LIKE),
    ),
    family(
        "ValueError",
        ("", "'{_path}' does not start with '{_other}'"),
        ("3.9", "'{_path}' is not in the subpath of '{_other}' OR one path is relative and the other is absolute."),
        ("3.12", "'{_path}' is not in the subpath of '{_other}'"),
    ),
    family(
        "TypeError",
        ("", "can't compare datetime.datetime to datetime.date"),
        ("3.13", "'{_sign}' not supported between instances of 'datetime.datetime' and 'datetime.date'"),
    ),
    *(
        family(
            "ValueError", ("", f"{part} must be in {least}..{most}"), ("3.14", f"{part} must be in {least}..{most}, not {{_value}}")
        )
        for part, least, most in (
            ("month", 1, 12),
            ("hour", 0, 23),
            ("minute", 0, 59),
            ("second", 0, 59),
            ("microsecond", 0, 999999),
        )
    ),
    family("ValueError", ("", "year {_year} is out of range"), ("3.14", "year must be in 1..9999, not {_year}")),
    family(
        "ValueError",
        ("", "day is out of range for month"),
        ("3.14", "day {_day} must be in range 1..{_last} for month {_month} in year {_year}"),
    ),
    family(
        "ValueError",
        ("", "empty range for randrange() ({_start},{_stop}, {_width})"),
        ("3.12", "empty range in randrange({_start}, {_stop})"),
    ),
    family(
        "StatisticsError",
        ("", "variance requires at least two data points"),
        ("3.11", "variance requires at least two data points"),
        ("3.11", "stdev requires at least two data points"),
    ),
    family(
        "Error",
        ("", "iterator should return strings, not {type} (did you open the file in text mode?)"),
        ("3.10", "iterator should return strings, not {type} (the file should be opened in text mode)"),
    ),
    family(
        "IndexError",
        ("", "Cannot choose from an empty sequence"),
        ("3.9", "list index out of range"),
        ("3.11", "list index out of range"),
        ("3.11", "Cannot choose from an empty sequence"),
    ),
    family(
        "TypeError", ("", "Optional[t] requires a single type. {_got}"), ("3.9", "typing.Optional requires a single type. {_got}")
    ),
    family("error", ("", "ubyte format requires 0 <= number <= 255"), ("3.12", "'B' format requires 0 <= number <= 255")),
    family("error", ("", "byte format requires -128 <= number <= 127"), ("3.12", "'b' format requires -128 <= number <= 127")),
)

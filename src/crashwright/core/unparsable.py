"""What Python's parser raises at a text that it does not take.

SystemError is among them: the conversion of a syntax tree that is interrupted, by a limit of recursion or of memory, ends with it.
"""

UNPARSABLE: tuple[type[Exception], ...] = (SyntaxError, ValueError, MemoryError, RecursionError, SystemError)

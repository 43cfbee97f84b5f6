"""Samples of Python: every kind of statement and expression of the language reference, alone and in every kind of block."""

from __future__ import annotations

# fmt: off
EXPRESSIONS = (
    "alpha", "1", "1.5e-3", "1j", "0x_ff", "'text'", "b'text'", 'r"\\d"', "f'{alpha!r:>{beta}}'", "'a' 'b'", '"""text"""',
    "...", "None", "alpha.beta", "alpha[beta]", "alpha[1:2:3]", "alpha[...,:,None]", "alpha[*beta]", "alpha()",
    "alpha(beta, *gamma, key=1, **delta)", "alpha(beta)(gamma)[1].delta", "-alpha", "not alpha", "~alpha",
    "alpha + beta * gamma ** -delta // 2 % 3", "alpha @ beta", "alpha << 1 | beta & gamma ^ 3", "alpha < beta <= gamma != 1",
    "alpha is not None", "alpha not in beta", "alpha and beta or not gamma", "alpha if beta else gamma", "lambda: 0",
    "lambda alpha, /, beta=1, *gamma, delta, **rest: alpha", "(alpha := beta)", "()", "(alpha,)", "[]", "[alpha, *beta]", "{}",
    "{alpha: beta, **gamma}", "{alpha, beta}", "[alpha for alpha in beta if gamma for delta in alpha]",
    "{alpha: beta for alpha, beta in gamma}", "{alpha for alpha in beta}", "(alpha for alpha in beta)", "'%s' % alpha",
    "'{}'.format(alpha)", "'%(key)s %d' % {'key': alpha}", "isinstance(alpha, (int, str))", "len(alpha) == 0", "alpha == None",
    "print(alpha)", "[1, 2][0]",
)
STATEMENTS = (
    "pass", "alpha = 1", "alpha = beta = 1", "alpha, *beta = gamma", "(alpha, [beta]) = gamma", "alpha.beta = 1",
    "alpha[0] = 1", "alpha += 1", "alpha @= beta", "alpha: int", "alpha: 'list[int]' = []", "alpha.beta: int = 1", "del alpha",
    "del alpha[0], beta.gamma", "import alpha", "import alpha.beta as gamma", "import alpha, beta", "from alpha import beta",
    "from alpha import (beta as gamma, delta)", "from . import alpha", "from ..alpha import beta", "from alpha import *",
    "from __future__ import annotations", "global alpha", "nonlocal alpha", "assert alpha", "assert alpha, 'text'",
    "assert (alpha, 'text')", "raise", "raise alpha", "raise Alpha() from beta", "return", "return alpha, beta", "yield",
    "yield alpha", "alpha = yield beta", "yield from alpha", "await alpha", "break", "continue", "alpha; beta",
    "__all__ = ['alpha']", "__all__ += ['beta']", "type Alpha[T] = list[T]", "print >>alpha, beta", "exec('alpha')",
)
BLOCKS = (
    "def alpha():\n    %s", "def alpha(beta, /, gamma: int = 1, *args: str, delta=None, **kwargs) -> str:\n    %s",
    "async def alpha():\n    %s", "class Alpha:\n    %s", "class Alpha(Beta, gamma, metaclass=Delta):\n    %s",
    "class Alpha:\n    def beta(self):\n        %s", "def alpha():\n    def beta():\n        %s\n    return beta",
    "if alpha:\n    %s", "if alpha:\n    pass\nelif beta:\n    %s\nelse:\n    %s", "for alpha in beta:\n    %s",
    "for alpha, beta in gamma:\n    pass\nelse:\n    %s", "while True:\n    %s", "while alpha:\n    pass\nelse:\n    %s",
    "with alpha:\n    %s", "with alpha as beta, gamma() as (delta, rest):\n    %s",
    "async def alpha():\n    async with beta as gamma:\n        %s",
    "async def alpha():\n    async for beta in gamma:\n        %s", "try:\n    %s\nexcept Alpha as beta:\n    pass",
    "try:\n    pass\nfinally:\n    %s", "try:\n    pass\nexcept (Alpha, Beta):\n    %s\nexcept:\n    raise\nelse:\n    %s",
    "try:\n    pass\nexcept* Alpha as beta:\n    %s", "match alpha:\n    case beta:\n        %s",
    "match alpha:\n    case [1, *rest] | {'key': beta, **more} if gamma:\n        %s\n    case _:\n        pass",
    "@alpha\ndef beta():\n    %s", "@alpha.beta(1)\n@gamma\nclass Delta:\n    %s", "@property\ndef alpha(self):\n    %s",
    "def alpha[T: int](beta: T):\n    %s",
)
PLACES = (
    "alpha = %s", "alpha += %s", "alpha: %s = 1", "alpha = beta = %s", "alpha(%s)", "alpha(beta, gamma=%s)", "alpha(*%s)",
    "alpha(**%s)", "(%s)(alpha)", "(%s).alpha", "(%s).alpha()", "(%s).alpha = 1", "(%s)[0]", "alpha[%s]", "alpha[%s:]",
    "[%s, alpha]", "(alpha, %s)", "{%s: alpha}", "{alpha: %s}", "{%s}", "(%s) + alpha", "'text' % (%s)", "'{}'.format(%s)",
    "-(%s)", "not (%s)", "(%s) < alpha", "alpha == (%s)", "alpha is (%s)", "alpha in (%s)", "(%s) and alpha",
    "(%s) if alpha else beta", "alpha if (%s) else beta", "lambda alpha=(%s): (%s)", "[(%s) for alpha in beta]",
    "[alpha for alpha in (%s) if (%s)]", "{(%s): alpha for alpha in beta}", "(alpha := (%s))", "del (%s).alpha", "raise %s",
    "raise Alpha from %s", "assert (%s)", "assert alpha, (%s)", "print(%s)", "isinstance(alpha, %s)", "len(%s)",
    "__all__ = [%s]", "def alpha():\n    return %s", "def alpha():\n    yield %s", "def alpha(beta=%s, *, gamma=%s):\n    pass",
    "def alpha(beta: %s, *gamma: %s) -> %s:\n    pass", "async def alpha():\n    await (%s)", "@(%s)\ndef alpha():\n    pass",
    "@(%s)\nclass Alpha:\n    pass", "class Alpha(%s):\n    pass", "class Alpha(metaclass=%s):\n    pass",
    "class Alpha:\n    beta = %s", "class Alpha:\n    beta: %s", "class Alpha:\n    @(%s)\n    def beta(self):\n        pass",
    "if %s:\n    pass", "while %s:\n    pass", "for alpha in (%s):\n    pass", "for alpha[%s] in beta:\n    pass",
    "with (%s):\n    pass", "with (%s) as alpha:\n    pass", "try:\n    pass\nexcept (%s):\n    pass",
    "try:\n    pass\nexcept (Alpha, %s):\n    pass", "try:\n    pass\nexcept (%s) as alpha:\n    raise",
    "match (%s):\n    case alpha:\n        pass", "match alpha:\n    case beta if (%s):\n        pass",
)
"""Where an expression may stand."""
LAYOUTS = (
    "", "\n", "# comment", "# comment\n", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n", '"""Docstring."""\n',
    "'''Docstring.\n\n    More.\n    '''\n", "alpha = 1 # comment\n", "alpha = 1\n\n\n\n\nbeta = 2\n", "if alpha: beta\n",
    "if alpha:\n\tbeta\n", "if alpha:\n  beta\n  # comment\n\n# comment\n", "alpha = \\\n    beta\n",
    "alpha = (\n    beta\n    + gamma\n)\n", "alpha(\n    beta,\n    gamma,  # comment\n)\n", "alpha = [\n    1,\n    2,\n]\n",
    'alpha = """one\n  two\n"""\n', "alpha = 1\r\nbeta = 2\r\n", "alpha = 1;\n", "\x0calpha = 1\n", "\ufeffalpha = 1\n",
    "α = 'é'\n", "alpha = 1   \n", "def alpha():\n    '''Docstring.\n\n    :param beta: text\n    :returns: text\n    '''\n",
    'def alpha():\n    """Docstring.\n\n    Args:\n        beta (int): text\n\n    Returns:\n        text\n    """\n',
    ">>> alpha(1)\n2\n", "def alpha(): pass\nclass Beta: pass\n", "alpha=1\nbeta =2\n", "alpha = lambda: 0\n",
    "# fmt: off\nalpha = 1\n# fmt: on\n", "alpha = 1  # type: ignore\n",
    "def alpha(beta):  # type: (int) -> str\n    return beta\n", "from alpha import beta\nimport gamma\n\nimport delta\n",
    "if __name__ == '__main__':\n    alpha()\n", "alpha = beta and \\\n    gamma\n",
)
# fmt: on


def python_samples() -> list[str]:
    """The shortest first: layouts, expressions, statements, and all statements and many expressions in all blocks."""
    alone = [*LAYOUTS, *STATEMENTS, *EXPRESSIONS]
    within = [block.replace("%s", inner) + "\n" for inner in (*STATEMENTS, *EXPRESSIONS[::3]) for block in BLOCKS]
    return [*alone, *within]

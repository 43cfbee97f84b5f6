"""Keywords for callables that take any as ``**options``: those that they are known to understand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.testcase.making.vocabulary import is_keyword_name

_NONE_GIVEN = 0.3
_GIVEN, _ANY_GIVEN = 0.4, 0.1


class Understood:
    """By callable. A call gives none of them, or about two of five."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Callee, tuple[Parameter, ...]] = {}

    def add(self, callee: Callee, parameters: Iterable[Parameter]) -> None:
        """``callee`` understands these, though its signature does not name them."""
        self._known[callee] = tuple(parameters)

    def draw(self, callee: Callee, rest: Parameter, tokens: Sequence[str], rng: Random) -> list[tuple[str, Parameter]]:
        """What one call is to give: keywords that it understands, now and then one of the ``tokens``, for ``rest``, which takes
        any."""
        known = self._known.get(callee)
        found = [] if not known or rng.random() < _NONE_GIVEN else [(one.name, one) for one in known if rng.random() < _GIVEN]
        if tokens and rng.random() < _ANY_GIVEN:
            token = tokens[int(rng.random() * len(tokens))]
            taken = {name for name, _ in found} | {one.name for one in callee.parameters}
            if is_keyword_name(token) and token not in taken:
                found.append((token, rest))
        return found

    def of(self, callee: Callee, slot: int | str, parameter: Parameter) -> Parameter:
        """What is known of the argument in a slot, its place or its keyword, that goes to ``parameter``: that itself, but for
        keywords of which more is known."""
        if parameter.kind is not ParameterKind.VAR_KEYWORD:
            return parameter
        return next((one for one in self._known.get(callee, ()) if one.name == slot), parameter)

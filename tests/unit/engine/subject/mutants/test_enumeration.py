"""Mutants: which there are, that they can be applied, and that nothing else changes."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator

from crashwright.core.location import CodeKey
from crashwright.engine.subject.mutants import enumeration as under_test
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator, functions_of, mutants_of, strong_mutants_of

SOURCE = '''
def clip(value: int, low=0, *, high=10) -> int:
    """Docstring."""
    if value < low and not value == -3:
        raise ValueError("too low: " + str(low + 1))
    for item in (1, 2):
        value += item
    return f"{value:>5} of {high - 1}" if value is not high else min(value, high)
'''


def weak(source: str) -> tuple[ast.Module, tuple[Mutant, ...]]:
    tree = ast.parse(textwrap.dedent(source))
    return tree, mutants_of(tree, "m", {key for key, _ in functions_of(tree, "m")})


def described(mutants: tuple[Mutant, ...]) -> set[str]:
    return {f"{mutant.operator} {mutant.original or '_'} -> {mutant.replacement or '_'}" for mutant in mutants}


def test_the_operators_of_the_paper() -> None:
    found = described(weak(SOURCE)[1])
    assert {"ror < -> <=", "ror < -> !=", "ror < -> False", "ror is not -> is", "ror is not -> !="} <= found
    assert {"boolop and -> or", "unary not -> _", "constant -3 -> 0", "constant -3 -> -4", "constant 1 -> 0"} <= found
    assert {"aor += -> -", "aor + -> -"} & found == {"aor + -> -"}
    assert {"variable low -> value", "variable value -> high", "unary _ -> -"} <= found


def test_what_is_no_behaviour_is_left_alone() -> None:
    texts = described(weak(SOURCE)[1])
    assert not any("Docstring" in text or "too low" in text or " of " in text or ">5" in text for text in texts)
    assert "constant 10 -> 0" not in texts  # a default


def test_every_mutant_compiles_and_changes_one_place() -> None:
    tree, mutants = weak(SOURCE)
    strong = strong_mutants_of(tree, "m", {CodeKey("m", "clip", 2)})
    before = ast.dump(tree, include_attributes=True)
    mutator = Mutator(tree)
    for mutant in (*mutants, *strong):
        changed = mutator.apply(mutant)
        compile(changed, "m", "exec")
        assert ast.dump(changed) != ast.dump(tree), mutant.label
    assert ast.dump(tree, include_attributes=True) == before
    assert len({mutant.label for mutant in mutants}) == len(mutants)
    assert [mutant.number for mutant in mutants] == list(range(len(mutants)))


def test_a_mutant_does_what_it_says() -> None:
    tree, mutants = weak("def f(a, b):\n    return a < b\n")
    values = {}
    for mutant in mutants:
        names: dict[str, object] = {}
        exec(compile(under_test.apply(tree, mutant), "m", "exec"), names)
        values[mutant.replacement] = names["f"](1, 1)  # type: ignore[operator]
    assert values["<="] is True
    assert values["!="] is False
    assert values["False"] is False


def test_alone_leaves_the_rest_of_the_module_out() -> None:
    source = """
    from __future__ import annotations
    import nowhere_at_all
    class C:
        other = nowhere_at_all.x
        def f(self):
            return 1 + 2
        def g(self):
            return 3
    """
    tree, _ = weak(source)
    strong = strong_mutants_of(tree, "m", {CodeKey("m", "C.f", 6)})
    names: dict[str, object] = {}
    exec(compile(Mutator(tree).apply(strong[0], alone=True), "m", "exec"), names)
    assert set(vars(names["C"])) >= {"f"}  # type: ignore[arg-type]
    assert "g" not in vars(names["C"])  # type: ignore[arg-type]


def test_only_variables_that_surely_have_a_value() -> None:
    source = """
    def f(a, b):
        if a:
            c = 1
        else:
            d = c = 2
        try:
            e = b
        except ValueError as error:
            return a
        del b
        return c
    """
    _, mutants = weak(source)
    last = {mutant.replacement for mutant in mutants if mutant.position.line == 12}
    assert last == {"a", "e"}


def test_limits_are_kept_and_the_choice_is_the_same() -> None:
    lines = "\n".join(f"    x{number} = a + b * {number} - c" for number in range(100))
    source = f"def f(a, b, c):\n{lines}\n"
    tree, mutants = weak(source)
    assert len(mutants) == under_test.MOST_IN_FUNCTION
    assert mutants == weak(source)[1]
    methods = "".join(f"    def m{number}(self, a, b, c):\n" + lines.replace("    ", "        ") + "\n" for number in range(3))
    assert len(weak(f"class C:\n{methods}")[1]) == under_test.MOST_IN_CLASS
    assert Mutator(tree).has(mutants[-1])


SHOP = """
LIMIT = 10

def order(stock, name, amount=1, *, note="none"):
    amount = abs(amount)
    stock.log.append(name)
    stock.left[name] = stock.count(name, amount)
    if amount > LIMIT:
        raise ValueError(f"too many: {amount}")
    rows = stock.execute("select a from b where c = ? order by a desc", (name,))
    return f"{name.strip()}: {amount:03d} of {len(rows)}"
"""


def strong(source: str) -> tuple[ast.Module, tuple[Mutant, ...]]:
    tree = ast.parse(source)
    return tree, strong_mutants_of(tree, "m", {key for key, _ in functions_of(tree, "m")})


def mutated(source: str) -> set[str]:
    """What becomes of each changed line."""
    tree, mutants = strong(source)
    before = set(ast.unparse(tree).splitlines())
    found: set[str] = set()
    for mutant in mutants:
        lines = ast.unparse(ast.fix_missing_locations(under_test.apply(tree, mutant))).splitlines()
        found |= {line.strip() for line in lines if line not in before}
    return found


def test_statements_calls_results_texts_and_swapped_arguments() -> None:
    found = mutated(SHOP)
    assert "amount = amount" in found
    assert "stock.left[name] = stock.count(amount, name)" in found
    assert "return None if True else f'{name.strip()}: {amount:03d} of {len(rows)}'" in found
    assert "return f'{name}: {amount:03d} of {len(rows)}'" in found
    assert "return f'{name.strip()}: {amount} of {len(rows)}'" in found
    assert "rows = stock.execute('select a from b where c <> ? order by a desc', (name,))" in found
    assert "rows = stock.execute('select a from b where c = ? order', (name,))" in found
    assert "if amount > 11:" in found, "a constant of the module, where it is read"
    tree, mutants = strong(SHOP)
    gone = {mutant.original for mutant in mutants if mutant.operator == "statement"}
    assert gone == {
        "amount = abs(amount)",
        "stock.log.append(name)",
        "stock.left[name] = stock.count(name, amount)",
        "raise ValueError(f'too many: {amount}')",
    }
    assert {mutant.original: mutant.replacement for mutant in mutants if mutant.operator == "default"} == {
        "1": "2",
        "'none'": "'noneXX'",
    }
    for mutant in mutants:
        compile(ast.fix_missing_locations(under_test.apply(tree, mutant)), "m", "exec")


PRICE = """
def price(net, tax, fee, is_free, is_member):
    if is_free or (is_member and net < 10 and fee):
        return 0
    return net * tax - fee + 'EUR'
"""


def test_one_side_of_arithmetic_and_parts_of_conditions_are_left_out() -> None:
    found = mutated(PRICE)
    assert {"return net * tax + 'EUR'", "return net - fee + 'EUR'", "return net * tax - fee", "return 'EUR'"} <= found
    assert not any("tax - fee" in line and "net" not in line for line in found), "the left side stays, but in a sum"
    assert {"if is_free:", "if is_member and net < 10 and fee:"} <= found
    assert {f"if is_free or ({rest}):" for rest in ("net < 10 and fee", "is_member and fee", "is_member and net < 10")} <= found
    _, mutants = strong(PRICE)
    assert len({mutant.label for mutant in mutants}) == len(mutants)


def test_a_number_that_is_compared_becomes_what_another_comparison_does_not_say() -> None:
    found = mutated("def late(minutes):\n    return minutes >= 60 or minutes > 5 or 3 > minutes or 0 <= minutes < 9\n")
    for changed in ("minutes >= 59", "minutes > 6", "2 > minutes", "-1 <= minutes < 9", "0 <= minutes < 8"):
        assert any(changed in line for line in found), changed
    assert not any(other in line for line in found for other in ("61", "> 4 ", "4 > minutes", "1 <= minutes <= 9", "< 10"))


def test_a_generator_without_its_yield_is_one_still() -> None:
    tree, mutants = strong("def numbers(found):\n    found.extend((yield))\n")
    [gone] = [mutant for mutant in mutants if mutant.operator == "statement"]
    names: dict[str, Callable[[list[int]], Iterator[None]]] = {}
    exec(compile(ast.fix_missing_locations(under_test.apply(tree, gone)), "m", "exec"), {}, names)
    assert list(names["numbers"]([])) == []

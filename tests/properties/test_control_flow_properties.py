"""Dominance agrees with networkx, and control dependence with its definition, on random programs."""

from __future__ import annotations

import ast
import textwrap

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from crashwright.engine.subject.flow.cfg import ENTRY, EXIT, NodeKind
from crashwright.engine.subject.flow.cfg_builder import build_cfg
from crashwright.engine.subject.flow.control_dependence import ControlDependence, direct_dependences
from crashwright.engine.subject.flow.dominance import immediate_dominators, reachable, reversed_graph

graphs = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4, unique=True), min_size=n, max_size=n)
)


@st.composite
def blocks(draw: st.DrawFn, depth: int = 3, in_loop: bool = False) -> str:
    """A block of statements; every loop can end."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        simple = ["x = 1", "return x", "raise x", "assert a and b"] + (["break", "continue"] if in_loop else [])
        kinds = ["simple"] * 3 + (["if", "ifelse", "while", "for", "try", "finally", "match", "with", "ternary"] if depth else [])
        kind = draw(st.sampled_from(kinds))
        test = draw(st.sampled_from(["a", "not a", "a and b", "a or not b", "not (a or b and c)", "a < b < c"]))

        def inner(loop: bool = in_loop) -> str:
            return textwrap.indent(draw(blocks(depth - 1, loop)), "    ")

        if kind == "simple":
            lines.append(draw(st.sampled_from(simple)))
        elif kind == "if":
            lines.append(f"if {test}:\n{inner()}")
        elif kind == "ifelse":
            lines.append(f"if {test}:\n{inner()}elif c:\n{inner()}else:\n{inner()}")
        elif kind == "while":
            lines.append(f"while {test}:\n{inner(True)}else:\n{inner()}")
        elif kind == "for":
            lines.append(f"for x in xs:\n{inner(True)}")
        elif kind == "try":
            lines.append(f"try:\n{inner()}except A:\n{inner()}except B:\n{inner()}else:\n{inner()}")
        elif kind == "finally":
            lines.append(f"try:\n{inner()}finally:\n    x = 2\n    y = 3")
        elif kind == "match":
            lines.append(f"match a:\n    case 1 if b:\n{textwrap.indent(inner(), '    ')}    case _:\n        x = 4")
        elif kind == "with":
            lines.append(f"with a:\n{inner()}")
        else:
            lines.append(f"x = [y for y in xs if {test}] if {test} else (a and b)")
    return "\n".join(lines) + "\n"


programs = blocks().map(lambda body: "def f(a, b, c, xs):\n" + textwrap.indent(body, "    "))


def parsed(source: str) -> ast.FunctionDef:
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


@given(graphs)
def test_immediate_dominators_equal_those_of_networkx(graph: list[list[int]]) -> None:
    directed = networkx.DiGraph((node, target) for node, targets in enumerate(graph) for target in targets)
    directed.add_nodes_from(range(len(graph)))
    expected = dict(networkx.immediate_dominators(directed, 0))
    ours = immediate_dominators(graph, 0)
    assert {node: parent for node, parent in ours.items() if node != 0} == {n: p for n, p in expected.items() if n != 0}
    assert ours[0] == 0


@settings(max_examples=60, deadline=None)
@given(programs)
def test_control_dependence_meets_its_definition(source: str) -> None:
    cfg = build_cfg(parsed(source))
    forward = cfg.successors(exceptional=False)
    alive = reachable(forward, (ENTRY,))
    if alive - reachable(reversed_graph(forward), (EXIT,)):
        return  # an endless loop: post-dominance is not defined there
    backward = reversed_graph(forward)
    escaping = {node: reachable_without(backward, EXIT, node) for node in alive}
    passing = {node: {other for other in alive if node in (other, EXIT) or other not in escaping[node]} for node in alive}
    expected: dict[int, set[tuple[int, bool | None]]] = {}
    for source_node in alive:
        for target, outcome in cfg.edges[source_node]:
            for node in alive:
                strictly = node != source_node and source_node in passing[node]
                if target in passing[node] and not strictly and len(forward[source_node]) > 1:
                    expected.setdefault(node, set()).add((source_node, outcome))
    assert {node: set(pairs) for node, pairs in direct_dependences(cfg).items()} == expected


def reachable_without(successors: list[list[int]], start: int, removed: int) -> set[int]:
    """What ``start`` reaches when one node is taken out."""
    if start == removed:
        return set()
    return reachable([[] if n == removed else [t for t in ts if t != removed] for n, ts in enumerate(successors)], (start,))


@settings(max_examples=60, deadline=None)
@given(programs)
def test_graphs_are_well_formed_and_answers_consistent(source: str) -> None:
    function = parsed(source)
    dependence = ControlDependence(function)
    cfg = dependence.cfg
    alive = reachable(dependence.cfg.successors(exceptional=False), (ENTRY,))
    for node in alive:
        if cfg.nodes[node].kind is not NodeKind.BRANCH:
            assert all(edge.outcome is None for edge in cfg.edges[node]) or len(cfg.edges[node]) == 0
        else:
            assert {edge.outcome for edge in cfg.edges[node]} <= {True, False}
    known = set(cfg.branches())
    for statement in ast.walk(function):
        if isinstance(statement, ast.stmt) and statement is not function:
            approach = dependence.approach(statement.lineno)
            levels = [level for _, level in approach]
            assert levels == sorted(levels)
            assert {branch for branch, _ in approach} <= known

"""The reference passes everything, an unwritten file nothing, and points add up."""

from __future__ import annotations

import ast
import math

from autograder.graders.report import results
from autograder.prove.prover import Prover


def prove_reference(prover: Prover) -> None:
    """Proves the reference, the stub and the points."""
    graded = prover.grade(prover.assignment.solution, "solution.py")
    prover.reference_runs = graded.runs
    prover.figures["reference_passes"] = not graded.lost
    for test in graded.tests:
        if test.status != "passed":
            prover.fault(f"solution.py: {test.name} is {test.status}: {test.message}")
    passed = [t.name for t in prover.grade(stub(prover.assignment.solution), "stub.py").tests if t.status == "passed"]
    prover.figures["stub_fails"] = not passed
    for name in passed:
        prover.fault(f"an unwritten file passes {name}")
    _points(prover)


def _points(prover: Prover) -> None:
    tests = results(prover.kit, prover.reference_runs)
    for spec in prover.assignment.functions:
        points = sum(test.max_points for test in tests if test.function == spec.name)
        if not math.isclose(points, spec.points):
            prover.fault(f"tests of {spec.name} give {points:g} points, assignment.toml says {spec.points:g}")


class _Unwrite(ast.NodeTransformer):
    """Replaces every function's body by `raise NotImplementedError`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [ast.Raise(exc=ast.Name("NotImplementedError", ast.Load()))]
        return node


def stub(solution: str) -> str:
    """The reference with every body taken out."""
    return ast.unparse(ast.fix_missing_locations(_Unwrite().visit(ast.parse(solution))))

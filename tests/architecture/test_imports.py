"""Who may import whom in `autograder/`, read from its source: imports inside functions count too."""

import ast
import builtins
from dataclasses import dataclass
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "autograder"


@dataclass(frozen=True)
class Rule:
    """The parts of ours that a part may import, and the modules and functions that it may never use."""

    ours: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()


def rule(ours="", never=""):
    return Rule(frozenset(ours.split()), frozenset(never.split()))


# What runs a submission, in the child or in this process, knows calls and nothing else of ours.
BESIDE = "sandbox.errors sandbox.gradients sandbox.loading sandbox.perform sandbox.tensors sandbox.watching"
WIRE = "sandbox.nodes sandbox.records sandbox.wire"
HOST = (
    "sandbox.channel sandbox.child sandbox.host sandbox.limits sandbox.output sandbox.processes sandbox.starting"
    " sandbox.calling sandbox.folder sandbox.spawning sandbox.spending sandbox.verifying"
)
LOOKED_UP = "learn.pack learn.places learn.state"  # what commands read that load no PyTorch
ENGINE_PARTS = "calls model messages content sandbox.host targets compare diagnose graders notebooks build prove"
FILES, PROCESSES, CLOCK = "open os io pathlib", "subprocess multiprocessing threading", "time datetime"
UNPICKLING = "pickle marshal torch.load torch.save"

# A module belongs to the longest name here that it starts with. Every part may import itself.
TABLE = {
    "": rule(never="torch numpy"),
    "calls": rule(never="torch numpy msgspec"),
    "model": rule(never="torch numpy"),
    "messages": rule("model", never="torch numpy"),
    "content": rule("model messages", never="torch numpy exec eval importlib runpy"),
    "sandbox": rule(),
    **{part: rule(f"calls {BESIDE}") for part in BESIDE.split()},
    **{part: rule(f"calls sandbox.tensors {WIRE}", never=f"{UNPICKLING} exec eval") for part in WIRE.split()},
    "sandbox.jail": rule(never="exec eval pickle"),
    "sandbox.standins": rule(),
    "sandbox.worker": rule(f"calls sandbox.jail sandbox.standins {BESIDE} {WIRE}"),
    "sandbox.zygote": rule("sandbox.jail sandbox.worker"),
    **{
        part: rule(f"calls model messages sandbox.jail {WIRE} {HOST}", never=f"{UNPICKLING} exec eval")
        for part in HOST.split()
    },
    "targets": rule(f"calls model {HOST} {BESIDE} {WIRE}"),
    "compare": rule("calls model", never=f"{FILES} {PROCESSES} {CLOCK}"),
    "diagnose": rule("calls model compare", never=f"{FILES} {PROCESSES} {CLOCK}"),
    "graders": rule("calls model messages content sandbox.host targets compare diagnose notebooks"),
    "notebooks": rule("calls model messages content targets", never="nbgrader"),
    "build": rule("calls model messages content targets notebooks learn learn.pack", never="nbgrader"),
    "prove": rule("calls model messages content sandbox.host targets graders compare diagnose notebooks"),
    "course": rule(ENGINE_PARTS),
    "present": rule("model messages", never="torch numpy"),
    "learn": rule(
        f"calls model messages content sandbox.host targets compare diagnose graders present {WIRE} {LOOKED_UP}",
        never=f"nbgrader {UNPICKLING}",
    ),
    **{part: rule(f"model content {LOOKED_UP}", never="torch numpy exec eval") for part in LOOKED_UP.split()},
    "cli": rule(f"{ENGINE_PARTS} course present learn {LOOKED_UP}"),
}
ONLY_THERE = {"nbformat": "notebooks build", "nbgrader": "course", "matplotlib": "learn"}


def modules():
    """Every module of the engine with its file: "" is the package itself, "cli" the package cli."""
    for file in sorted(ENGINE.rglob("*.py")):
        parts = file.relative_to(ENGINE).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), file


MODULES = dict(modules())


def part_of(module):
    """The part a module belongs to; a module in none is a part of its own, which nothing allows."""
    names = module.split(".")
    prefixes = [".".join(names[:length]) for length in range(len(names), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in TABLE), names[0])


def absolute(module, node):
    """The full name that an `import` line's dots stand for."""
    if not node.level:
        return node.module
    is_package = module in MODULES and MODULES[module].name == "__init__.py"
    names = ["autograder", *filter(None, module.split("."))]
    base = names[: len(names) - node.level + is_package]
    return ".".join([*base, node.module] if node.module else base)


def imports(module, tree):
    """(name as bound here, full name) of everything imported anywhere in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.split(".")[0]
                yield bound, alias.name if alias.asname else bound
                yield "", alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{absolute(module, node)}.{alias.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield "", ast.literal_eval(node.args[0]) if isinstance(node.args[0], ast.Constant) else "importlib"


def uses(module, source):
    """The full names of all that a module imports, and of the imported and built-in functions that it calls."""
    tree = ast.parse(source)
    pairs = list(imports(module, tree))
    bound = {name: name for name in vars(builtins)} | dict(pairs)
    yield from (full for _, full in pairs)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            head, *rest = ast.unparse(node.func).split(".")
            if head in bound:
                yield ".".join([bound[head], *rest]).removeprefix("builtins.")


def within(name, names):
    return any(name == other or name.startswith(other + ".") for other in names)


def faults(module, source):
    """Sentences about what `module` imports or calls against the table; none where all is well."""
    part = part_of(module)
    known = TABLE.get(part, Rule())
    for name in sorted(set(uses(module, source))):
        ours = name.removeprefix("autograder.") if name.startswith("autograder.") else None
        if ours is not None and ours.split(".")[0] in {other.split(".")[0] for other in [*TABLE, *MODULES]}:
            if part_of(ours) not in known.ours | {part}:
                yield f"{module} may not import {name}"
        elif within(name, known.never):
            yield f"{module} may not use {name}"
        for guest, homes in ONLY_THERE.items():
            if within(name, {guest}) and part.split(".")[0] not in homes.split():
                yield f"{module} may not import {name}"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_the_table_allows(module):
    assert not list(faults(module, MODULES[module].read_text(encoding="utf-8")))


@pytest.mark.parametrize("module", MODULES)
def test_every_module_belongs_to_a_part(module):
    assert part_of(module) in TABLE


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("calls", "import msgspec"),
        ("content", "import torch"),
        ("content", "def load():\n    import torch.nn as nn\n"),
        ("content", "exec(compile(source, name, 'exec'))"),
        ("content", "from importlib import import_module\nimport_module(name)"),
        ("sandbox.wire", "import torch\ntorch.load(stream)"),
        ("sandbox.wire", "import torch as t\nt.load(stream)"),
        ("sandbox.wire", "from torch import load"),
        ("sandbox.worker", "from autograder.model import Report"),
        ("sandbox.worker", "from ..targets.inprocess import InProcess"),
        ("sandbox.host", "eval(answer)"),
        ("sandbox.host", "import builtins\nbuiltins.exec(answer)"),
        ("sandbox.host", "from . import worker"),
        ("sandbox.jail", "from autograder.calls import Step"),
        ("targets.replayed", "from autograder import course"),
        ("diagnose", "import time"),
        ("diagnose.search", "with open(path) as file:\n    pass"),
        ("graders.plugin", "from autograder.cli import main"),
        ("graders.plugin", "from .. import cli"),
        ("notebooks.read", "def read():\n    import nbgrader\n"),
        ("present.terminal", "import importlib\nimportlib.import_module('autograder.targets')"),
        ("targets.inprocess", "import nbformat"),
        ("prove", "from autograder.present import terminal"),
        ("learn.state", "import torch"),
        ("learn.kernel", "from autograder.course import batch"),
    ],
)
def test_a_forbidden_import_would_be_found(module, source):
    assert list(faults(module, source))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("content", "import re\nfrom autograder.model import Assignment\nfrom .messages import sentence"),
        ("sandbox.worker", "import torch\nfrom autograder.sandbox import jail, wire"),
        ("sandbox.wire", "import torch\nloaded = module.load(stream)"),
        ("notebooks.read", "nbgrader = cell.metadata\nnbgrader.get('grade_id')"),
        ("graders.plugin", "from autograder import __version__\nfrom .tools import names"),
        ("cli.grade", "def grade():\n    from autograder.course import batch\n"),
    ],
)
def test_an_allowed_import_is_not(module, source):
    assert not list(faults(module, source))

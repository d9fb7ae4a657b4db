#!/usr/bin/env python3
"""Change one place of a writer or reader, many times over, and report what share of the changes verification catches.

Each mutant is one change inside a function below formats/FORMAT/. Games that were read before are then written in that
format: fixtures, and games that are played for it. A mutant counts if it changes an output that is not verified. It is
caught if verification refuses one of the changed outputs, and is caught everywhere if it refuses all of them.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import activate  # noqa: F401 - before what needs its packages
import play
from commandline import FAILED, Parser, at_least, run

from jmjp_convert.api import dumps
from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

ROOT = Path(__file__).resolve().parent.parent
FORMATS = ROOT / "jmjp_convert" / "formats"
FIXTURES = ROOT / "fixtures" / "valid"

GAMES = (
    *("plain", "double-ron", "four-riichi", "exhaustive-2-tenpai", "nagashi", "nine-terminals"),
    *(
        "ankan-after-kakan",
        "kazoe-yakuman",
        "pao-tsumo",
        "kakan",
        "chi-low-red-taken",
        "disconnections",
        "chips",
        "names-quotes",
        "riichi-ronned",
    ),
)
"""Games by the names of their fixtures."""

PLAYED = ("--seed 1 --games 5 --wild", "--seed 1 --games 1 --wild --players 3")
"""The arguments of scripts/play.py that other games are played with."""

OUTPUTS: dict[str, tuple[dict[str, Any], ...]] = {
    "jmjp": ({}, {"spec": "0"}, {"compact": True}),
    "json": ({},),
    "tenhou6": ({}, {"per_frame": True}),
    "mjai": ({}, {"details": True}),
    "majiang": ({},),
}
"""The formats that are written and read, with the options of each output."""

_SECONDS = 20
"""The CPU time after which a mutant is taken to run for ever."""

_EPILOG = """\
examples:
  scripts/mutate.py
  scripts/mutate.py --mutants 200 --format majiang --list
"""


# --- mutants ---------------------------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """A change of a module: the *place* and the *way* among those of the module."""

    path: Path
    place: int
    way: int


_Ways = list[tuple[str, Callable[[], None]]]
"""How a node can be changed: what that is called, and a function that does it."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


def _put(node: ast.AST, name: str, value: Any) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def ways(node: ast.AST) -> _Ways:  # noqa: PLR0911 - one for each kind
    """Return how *node* can be changed."""
    if isinstance(node, ast.Constant):
        return [(f"{node.value!r} -> {other!r}", _put(node, "value", other)) for other in _others(node.value)]
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        other = _COMPARED[type(node.ops[0])]
        return [(f"{type(node.ops[0]).__name__} -> {other.__name__}", _put(node, "ops", [other(), *node.ops[1:]]))]
    if isinstance(node, ast.BinOp) and type(node.op) in _COUNTED:
        counted = _COUNTED[type(node.op)]
        return [(f"{type(node.op).__name__} -> {counted.__name__}", _put(node, "op", counted()))]
    if isinstance(node, ast.BoolOp):
        either = ast.Or if isinstance(node.op, ast.And) else ast.And
        return [(f"{type(node.op).__name__} -> {either.__name__}", _put(node, "op", either()))]
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [("condition negated", _put(node, "test", ast.UnaryOp(ast.Not(), node.test)))]
    if isinstance(node, ast.Return) and node.value is not None:
        return [("returns None", _put(node, "value", ast.Constant(None)))]
    if isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(one, ast.Starred) for one in node.args):
        return [("arguments swapped", _put(node, "args", [node.args[1], node.args[0], *node.args[2:]]))]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return [("call left out", _put(node, "value", ast.Constant(None)))]
    return []


def _others(value: object) -> list[object]:
    if value is None:
        return [0]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [f"{value}x"]
    return []


def inside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes inside the functions of *tree*, without docstrings and annotations."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nested = {id(node) for function in functions for node in ast.walk(function) if node is not function}
    for function in functions:
        if id(function) in nested:
            continue
        for statement in function.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield from _changeable(statement)


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield *node* and what is in it, without annotations and the docstrings of inner functions."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not docstring:
                yield from _changeable(child)


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of the module at *path*."""
    for place, node in enumerate(inside_functions(ast.parse(path.read_bytes()))):
        for way in range(len(ways(node))):
            yield Mutant(path, place, way)


def mutated(mutant: Mutant) -> tuple[ast.Module, str]:
    """Return the changed module, and what was changed in which line."""
    tree = ast.parse(mutant.path.read_bytes())
    node = next(node for place, node in enumerate(inside_functions(tree)) if place == mutant.place)
    what, change = ways(node)[mutant.way]
    change()
    place = mutant.path.relative_to(FORMATS).as_posix()
    return ast.fix_missing_locations(tree), f"{place}:{getattr(node, 'lineno', 0)}: {what}"


def modules(name: str) -> list[Path]:
    """Return the modules of the format *name* that read or write."""
    paths = sorted((FORMATS / name).rglob("*.py"))
    return [path for path in paths if path.name not in ("__init__.py", "holding.py", "repeated_values.py")]


def chosen(names: Sequence[str], count: int, seed: int) -> list[tuple[str, Mutant]]:
    """Return *count* different mutants of the formats with these *names*, each format with its share."""
    every = [(name, mutant) for name in names for path in modules(name) for mutant in mutants(path)]
    return Random(seed).sample(every, min(count, len(every)))  # noqa: S311 - the same choice each time


# --- what becomes of a mutant ----------------------------------------------------------------------------------------

SAME, BROKEN, EVERYWHERE, CAUGHT, MISSED = "no change", "no output", "caught everywhere", "caught", "missed"
_CODES = (SAME, BROKEN, EVERYWHERE, CAUGHT, MISSED)
_CHANGED = (EVERYWHERE, CAUGHT, MISSED)

Outputs = list[str]
"""The outputs of all games in all options, in order; one that is refused is empty."""


def games() -> list[Match]:
    """Return the games."""
    fixtures = [read_mjlog(FIXTURES / f"{name}.xml") for name in GAMES]
    asked = [play.arguments([*given.split(), "--out", "-"]) for given in PLAYED]
    return [*fixtures, *[read_mjlog(game.log.encode(), id=game.id) for one in asked for game in play.games(one)]]


def output(match: Match, name: str, options: dict[str, Any], *, verify: bool) -> str:
    """Return *match* in a format, or why it is refused."""
    try:
        return dumps(match, name, verify=verify, **options)
    except ConvertError as error:
        return f"refused: {error}"


def outputs(matches: Sequence[Match], name: str) -> Outputs:
    """Return the outputs of *matches*, without verification."""
    return [output(match, name, options, verify=False) for options in OUTPUTS[name] for match in matches]


class _Finder(MetaPathFinder, Loader):
    """Imports a module from a tree."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self._name, self._tree = name, tree

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return how to import the module, ``None`` for any other."""
        return spec_from_loader(name, self) if name == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the tree."""
        exec(compile(self._tree, self._name, "exec"), module.__dict__)  # noqa: S102 - the package itself, with one change


def fate(name: str, tree: ast.Module, path: Path, matches: Sequence[Match], wanted: Outputs) -> str:
    """Return what becomes of a mutant, in a process that has not imported the format so far."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    sys.meta_path.insert(0, _Finder(module, tree))
    cases = [(match, options) for options in OUTPUTS[name] for match in matches]
    try:
        found = outputs(matches, name)
    except Exception:  # noqa: BLE001 - any is possible
        return BROKEN
    changed = [case for case, one, other in zip(cases, found, wanted, strict=True) if one != other]
    if not changed:
        return SAME
    if all(output(match, name, options, verify=False).startswith("refused: ") for match, options in changed):
        return BROKEN
    refused = [_is_refused(match, name, options) for match, options in changed]
    return EVERYWHERE if all(refused) else CAUGHT if any(refused) else MISSED


def _is_refused(match: Match, name: str, options: dict[str, Any]) -> bool:
    try:
        dumps(match, name, **options)
    except Exception:  # noqa: BLE001 - whatever it is, nothing is written
        return True
    return False


def forked(function: Callable[[], str]) -> str:
    """Return the result of *function*, run in a process of its own; that of one that does not end is :data:`BROKEN`."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        code = _CODES.index(BROKEN)
        try:
            code = _CODES.index(function())
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return _CODES[os.waitstatus_to_exitcode(status)] if os.WIFEXITED(status) else BROKEN


def main() -> int:
    """Run the command."""
    parser = Parser(__file__, __doc__, _EPILOG)
    parser.add_argument("--mutants", type=at_least(1), default=1500, metavar="N", help="how many (default: 1500)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the choice (default: 0)")
    parser.add_argument("--format", choices=OUTPUTS, action="append", help="only this format; may be repeated")
    parser.add_argument("--least", type=float, default=95, metavar="PERCENT", help="exit with 1 below it (default: 95)")
    parser.add_argument("--list", action="store_true", help="print each mutant that verification lets pass")
    return report(parser.parse_args())


def report(options: argparse.Namespace) -> int:
    """Try the mutants and print the figures; return the exit code."""
    names = options.format or [*OUTPUTS]
    matches = games()
    wanted = {name: _in_child(matches, name) for name in names}
    fates: dict[str, Counter[str]] = {name: Counter() for name in names}
    for name, mutant in chosen(names, options.mutants, options.seed):
        tree, what = mutated(mutant)
        end = forked(lambda: fate(name, tree, mutant.path, matches, wanted[name]))  # noqa: B023 - run at once
        fates[name][end] += 1
        if options.list and end in (MISSED, CAUGHT):
            print(f"{end}: {what}", flush=True)
    total = sum(fates.values(), Counter[str]())
    print(f"{'format':8} {'mutants':>8} {'changed':>8} {'caught':>8} {'share':>7} {'everywhere':>11}")
    for name, counts in [*fates.items(), ("all", total)]:
        changed = sum(counts[end] for end in _CHANGED)
        caught, everywhere = share(counts, EVERYWHERE, CAUGHT), share(counts, EVERYWHERE)
        print(
            f"{name:8} {counts.total():8} {changed:8} {changed - counts[MISSED]:8} {caught:6.1f}% {everywhere:10.1f}%"
        )
    return FAILED if share(total, EVERYWHERE, CAUGHT) < options.least else 0


def share(counts: Counter[str], *ends: str) -> float:
    """Return the percentage of the mutants with a changed output that have one of these *ends*."""
    changed = sum(counts[end] for end in _CHANGED)
    return 100 * sum(counts[end] for end in ends) / changed if changed else 100.0


def _in_child(matches: Sequence[Match], name: str) -> Outputs:
    """Return :func:`outputs`, made in another process: this one must not import the format."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            pipe.write("\0".join(outputs(matches, name)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        found = pipe.read().split("\0")
    os.waitpid(child, 0)
    return found


if __name__ == "__main__":
    sys.exit(run(__file__, main))

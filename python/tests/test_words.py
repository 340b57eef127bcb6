"""The types that are generated from the lists in Rust, and what a type checker finds with them.

After a change of a list run ``POSTERITY_UPDATE=1 tools/python-tests -k words``: it writes ``_words.py`` and ``mechanisms.pyi``.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import typing

import posterity
import pytest
from conftest import ROOT
from posterity import _posterity, _words

PACKAGE = ROOT / "python/posterity"
HEAD = '''"""The words of every closed list, as types.

Generated from the lists in Rust: after a change of one run ``POSTERITY_UPDATE=1 tools/python-tests -k words``.
"""

from typing import Literal

'''
STUB = '''"""All mechanisms as functions of their parameters.

Generated from the list of mechanisms: after a change of it run ``POSTERITY_UPDATE=1 tools/python-tests -k words``.
"""

from typing import Literal

__all__ = {names}

class Mechanism(str):
    def __new__(cls, text: str) -> Mechanism: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def private(self) -> bool: ...

ALL: tuple[Mechanism, ...]

def tight(mechanism: str) -> Mechanism: ...
'''


def literal(words: list[str]) -> str:
    return f"Literal[{', '.join(json.dumps(word) for word in words)}]"


def words() -> str:
    """The module of types, as it should be."""
    lines = [f"{name.title().replace('-', '')} = {literal(known)}" for name, known in _posterity._choices()]
    return HEAD + "\n".join(lines) + "\n"


def stub() -> str:
    """The stub of mechanisms, as it should be."""
    types = _posterity._mechanism_types()
    names = ["ALL", "Mechanism", "tight", *(name for name, _, _ in types)]
    text = STUB.replace("{names}", json.dumps(names))
    for name, summary, parameters in types:
        given = []
        for parameter, is_flag, known, _ in parameters:
            kind = "bool" if is_flag else f"{literal(known)} | None" if known else "float | str | None"
            given.append(f"{parameter.replace('-', '_')}: {kind} = ...")
        arguments = f"*, {', '.join(given)}" if given else ""
        text += f"def {name}({arguments}) -> Mechanism:\n    {json.dumps(summary)}\n"
    return text


@pytest.mark.parametrize(("file", "make"), [("_words.py", words), ("mechanisms.pyi", stub)])
def test_words_are_those_of_the_lists(file: str, make: typing.Callable[[], str]) -> None:
    """If this fails, a list in Rust has changed, and the types say something else."""
    path = PACKAGE / file
    if os.environ.get("POSTERITY_UPDATE"):
        path.write_text(make(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == make()


def test_words_of_types_are_taken() -> None:
    """If this fails, a type allows what a call refuses."""
    counts = {"1": 30, "2": 20}
    for adjacency in typing.get_args(_words.Adjacency):
        release = posterity.release(counts, epsilon=1, adjacency=adjacency, seed=1)
        for kind in typing.get_args(_words.IntervalKind):
            assert release.read("category", interval_kind=kind).interval_kind == kind
    release = posterity.release(counts, epsilon=1, seed=1)
    for about in typing.get_args(_words.About):
        assert release.read("category", about=about).about == about
    for decode in typing.get_args(_words.Decode):
        assert posterity.release(counts, epsilon=1, decode=decode, seed=1).released_counts
    for kind in typing.get_args(_words.PictureKind):
        assert release.picture("category", kind).svg
    for distance in typing.get_args(_words.Distance):
        for by in typing.get_args(_words.Ranking):
            assert posterity.compare_mechanisms([3, 4], epsilon=1, mechanisms="geometric", distance=distance, by=by).rows
    private = posterity.release(counts, epsilon=1)
    for what in ("sheet", "label"):
        for spelling in typing.get_args(_words.Spelling):
            assert private.describe(what, format=spelling)


def checked(script: pathlib.Path) -> list[str]:
    """What mypy says of a script, line by line."""
    line = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", "--cache-dir", str(script.parent / "cache"), script.name]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=script.parent)
    return done.stdout.splitlines()


WRONG = {
    "posterity.mechanisms.lattic()": r'Module has no attribute "lattic"',
    "posterity.mechanisms.ehds(gama=3)": r'Unexpected keyword argument "gama" for "ehds"',
    "posterity.mechanisms.geometric(consistent='yes')": r'Argument "consistent" to "geometric" has incompatible type "str"',
    "r.read('category', interval_kind='confidance')": r'Argument "interval_kind" to "read" of "Published" has incompatible type',
    "posterity.release({'a': 1, 'b': 2})": r"No overload variant of \"release\" matches",
    "posterity.release({'a': 1, 'b': 2}, epsilon=1, plan={})": r"No overload variant of \"release\" matches",
    "posterity.release({'a': 1, 'b': 2}, epsilon=1, adjacency='add')": r"No overload variant of \"release\" matches",
    "posterity.advise(n=90, k=3, epsilon=1, half_width=0.1)": r"No overload variant of \"advise\" matches",
    "posterity.advise(n=90, epsilon=1, adjacency='add-remove')": r"No overload variant of \"advise\" matches",
    "posterity.Data('a.csv', encoding='latin-1')": r'Argument "encoding" to "Data" has incompatible type',
    "r.picture('category', 'pie')": r'Argument 2 to "picture" of "Published" has incompatible type',
}
RIGHT = """\
import posterity
r = posterity.release({'a': 1, 'b': 2}, epsilon=1)
kept: posterity.Release = posterity.release(plan={'epsilon': 1})
advice: posterity.Advice = posterity.advise(n=90, k=3, epsilon=1, adjacency='replace')
table: posterity.TableAdvice = posterity.advise(n=90, k=3, epsilon=1, adjacency='add-remove')
least: posterity.LeastEpsilon = posterity.advise(n=90, k=2, half_width=0.1)
wide: posterity.MarginsAdvice = posterity.advise(n=90, columns='2,3', sets=2, epsilon=1, delta='1e-9')
mechanism: posterity.Mechanism = posterity.mechanisms.ehds(gamma=0.5, score='angle')
low: float = r.posterior['a'].interval(0.9)[0]
kind: str = r.read('category').interval_kind
ends: tuple[float, float] = r.compare('category: a - b').interval()
chance: float = r.probability('category=a > 0.5')
"""


@pytest.mark.slow
def test_a_type_checker_finds_wrong_words(tmp_path: pathlib.Path) -> None:
    """If this fails, an editor does not see a mistake, or sees one where there is none."""
    script = tmp_path / "use.py"
    script.write_text(RIGHT + "\n".join(WRONG) + "\n")
    first = RIGHT.count("\n") + 1
    found: dict[int, list[str]] = {}
    for line in checked(script):
        place = re.match(r"use\.py:(\d+): error: (.*)", line)
        if place:
            found.setdefault(int(place[1]), []).append(place[2])
    assert sorted(found) == list(range(first, first + len(WRONG))), found
    for place, (wrong, said) in enumerate(WRONG.items(), start=first):
        assert re.search(said, found[place][0]), (wrong, found[place])

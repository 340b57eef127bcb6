#!/usr/bin/env python3
"""Publishes the table of examples/admissions.csv with Posterity and with OpenDP's AIM, and prints how far off each is.

    python3 tools/aim.py            # twenty releases of each at epsilon 0.3, 1 and 3: half an hour on two cores
    python3 tools/aim.py --runs 2   # fewer
    python3 tools/aim.py --tool aim # one of them: posterity, aim or aim-zcdp

The first run makes a virtual environment below target/aim and installs this package and its peer there. That needs Python
3.11 to 3.13, Rust and a package index. Progress goes to stderr, the table to stdout.

Both protect one record that is replaced by any other: `unit_of(changes=1)` is the change-one distance, which is the adjacency
of Posterity. AIM runs twice: under the same pure epsilon-differential privacy as Posterity (`loss_of(epsilon=..)`), and under
zero-concentrated privacy with the largest rho that implies (epsilon, 1e-6)-differential privacy, which is a weaker promise.

AIM adds a category for missing values to each column. It stays empty here, and is left out before shares are computed.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

from peer_environment import ROOT, environment, progress

PINNED = {
    "opendp[mbi]": "0.16.0",
    "mbi": "1.1.0",
    "jax": "0.10.2",
    "jaxlib": "0.10.2",
    "numpy": "2.4.6",
    "polars": "1.36.1",
    "pyarrow": "26.0.1",
    "scipy": "1.17.1",
}

FILE = ROOT / "examples" / "admissions.csv"
VALUES = {"department": list("ABCDEF"), "gender": ["female", "male"], "admitted": ["no", "yes"]}
COLUMNS = list(VALUES)
MARGINALS = [of for size in (1, 2, 3) for of in combinations(COLUMNS, size)]
EPSILONS = (0.3, 1.0, 3.0)
DELTA = 1e-6
TOOLS = ["posterity", "aim", "aim-zcdp"]
# The 97.5 % point of the normal distribution.
NORMAL = 1.959963984540054


class Answers:
    """What one release says: for each marginal, the shares of its cells and, if there are any, their 95 % intervals."""

    def __init__(self) -> None:
        self.shares: dict[tuple[str, ...], list[float]] = {}
        self.intervals: dict[tuple[str, ...], list[tuple[float, float]] | None] = {}


def rho_of(epsilon: float, delta: float) -> float:
    """The largest rho whose zero-concentrated privacy implies (epsilon, delta), by Canonne, Kamath and Steinke (2020),
    Proposition 7: delta = inf over alpha > 1 of exp((alpha - 1)(alpha rho - epsilon))/(alpha - 1) (1 - 1/alpha)^alpha."""
    orders = [1 + 10 ** (step / 200) for step in range(-600, 801)]

    def reached(rho: float) -> float:
        def logarithm(order: float) -> float:
            return (order - 1) * (order * rho - epsilon) - math.log(order - 1) + order * math.log1p(-1 / order)

        return min(map(logarithm, orders))

    low, high = 0.0, epsilon
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) <= math.log(delta) else (low, middle)
    return low


# The tools. The packages are imported here, because only the environment has them.


def by_posterity(epsilon: float, seed: int) -> Answers:
    """A joint release, and every marginal read from it."""
    import posterity

    release = posterity.release(str(FILE), column=COLUMNS, categories=list(VALUES.values()), epsilon=epsilon, seed=seed)
    answers = Answers()
    for of in MARGINALS:
        rows = release.read(", ".join(of)).rows
        answers.shares[of] = [row["mean"] for row in rows]
        answers.intervals[of] = [tuple(row["interval"]) for row in rows]
    return answers


def by_aim(loss: tuple[object, object]) -> Answers:
    """AIM on all marginals of up to three columns, which is its default. Its noise has no seed."""
    import numpy as np
    import opendp.prelude as dp
    import polars as pl

    context = dp.Context.compositor(
        data=pl.scan_csv(FILE), privacy_unit=dp.unit_of(changes=1), privacy_loss=loss, split_evenly_over=1
    )
    query = context.query().select(*COLUMNS).contingency_table(keys=VALUES, algorithm=dp.mbi.AIM())
    table = query.release()
    places = {name: [list(table.keys[name]).index(value) for value in values] for name, values in VALUES.items()}
    answers = Answers()
    for of in MARGINALS:
        counts = np.asarray(table.project(of))[np.ix_(*(places[name] for name in of))].ravel()
        total = counts.sum()
        answers.shares[of] = (counts / total).tolist()
        try:
            reach = NORMAL * table.std(of)
        except ValueError:
            # AIM never measured these columns together.
            answers.intervals[of] = None
        else:
            answers.intervals[of] = [((count - reach) / total, (count + reach) / total) for count in counts.tolist()]
    return answers


# What is measured.


def truth() -> dict[tuple[str, ...], list[float]]:
    """The shares in the file itself."""
    import polars as pl

    frame = pl.read_csv(FILE)
    found = {}
    for of in MARGINALS:
        counts = dict.fromkeys(cells(of), 0)
        for row in frame.select(of).iter_rows():
            counts[row] += 1
        assert len(counts) == math.prod(len(VALUES[name]) for name in of), "the file has only declared values"
        found[of] = [count / len(frame) for count in counts.values()]
    return found


def cells(of: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All combinations of values, the last column fastest."""
    found: list[tuple[str, ...]] = [()]
    for name in of:
        found = [(*cell, value) for cell in found for value in VALUES[name]]
    return found


class Record:
    """All runs of one tool at one epsilon."""

    def __init__(self) -> None:
        self.errors: dict[int, list[float]] = {1: [], 2: [], 3: []}
        self.covered: list[bool] = []
        self.without = 0
        self.widths: list[float] = []
        self.seconds: list[float] = []

    def add(self, answers: Answers, true: dict[tuple[str, ...], list[float]], seconds: float) -> None:
        self.seconds.append(seconds)
        for of in MARGINALS:
            far = sum(abs(share - right) for share, right in zip(answers.shares[of], true[of], strict=True)) / 2
            self.errors[len(of)].append(far)
            intervals = answers.intervals[of]
            if intervals is None:
                self.without += 1
                continue
            self.covered += [low <= right <= high for (low, high), right in zip(intervals, true[of], strict=True)]
            self.widths += [high - low for low, high in intervals]

    def line(self, epsilon: float, tool: str, promise: str) -> str:
        marginals = sum(map(len, self.errors.values()))
        errors = " | ".join(f"{100 * statistics.fmean(self.errors[size]):.2f} %" for size in (1, 2, 3))
        exist = "all" if self.without == 0 else f"{100 * (1 - self.without / marginals):.0f} % of the marginals"
        covered = f"{100 * statistics.fmean(self.covered):.1f} %" if self.covered else "none"
        width = f"{100 * statistics.fmean(self.widths):.1f} points" if self.widths else ""
        seconds = statistics.median(self.seconds)
        return f"| {epsilon:g} | {tool} | {promise} | {errors} | {exist} | {covered} | {width} | {seconds:.3g} s |"


def measure(tools: list[str], epsilons: list[float], runs: int) -> None:
    import opendp.prelude as dp

    # OpenDP announces a change of a default; it does not concern these questions.
    warnings.simplefilter("ignore", FutureWarning)
    dp.enable_features("contrib")
    names = [*(["posterity"] if "posterity" in tools else []), *(name.split("[")[0] for name in PINNED)]
    print("Versions: Python " + sys.version.split()[0] + ", " + ", ".join(f"{name} {version(name)}" for name in names) + ".\n")
    true = truth()
    heads = "epsilon | tool | promise | one column | two columns | three columns | intervals | cover | mean width | processor time"
    print(f"| {heads} |\n" + "|---" * 10 + "|", flush=True)
    warm = set()
    for epsilon in epsilons:
        rho = rho_of(epsilon, DELTA)
        ways: dict[str, tuple[str, str, Callable[[int], Answers]]] = {
            "posterity": ("Posterity", "epsilon", lambda seed: by_posterity(epsilon, seed)),
            "aim": ("AIM", "epsilon", lambda seed: by_aim(dp.loss_of(epsilon=epsilon))),
            "aim-zcdp": (
                "AIM, zCDP",
                f"rho = {rho:.4g}, hence (epsilon, {DELTA:g})",
                lambda seed: by_aim(dp.loss_of(rho=rho)),
            ),
        }
        for name in tools:
            tool, promise, way = ways[name]
            if name not in warm:
                progress(f"{tool}: one release that is not measured; JAX compiles what it needs")
                way(runs)
                warm.add(name)
            record = Record()
            for seed in range(runs):
                progress(f"{tool}, epsilon {epsilon:g}: release {seed + 1} of {runs}")
                begin = time.process_time()
                answers = way(seed)
                record.add(answers, true, time.process_time() - begin)
            print(record.line(epsilon, tool, promise), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Publishes one table with Posterity and with OpenDP's AIM.")
    parser.add_argument("--runs", type=int, default=20, help="releases of each tool at each epsilon (default: 20)")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="measure this tool; repeatable (default: all)")
    parser.add_argument("--epsilon", action="append", type=float, help="a budget; repeatable (default: 0.3, 1 and 3)")
    parser.add_argument("--measure", action="store_true", help="in an environment that has the packages already")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error(f"--runs: {arguments.runs} is not possible; ask for at least 1")
    if arguments.measure:
        measure(arguments.tool or TOOLS, arguments.epsilon or list(EPSILONS), arguments.runs)
    else:
        python = environment("aim", PINNED)
        command = [str(python), str(Path(__file__).resolve()), "--measure", *sys.argv[1:]]
        sys.exit(subprocess.run(command, check=False).returncode)

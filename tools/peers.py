#!/usr/bin/env python3
"""Asks the same questions of Posterity, OpenDP and diffprivlib, and prints tables with ratios to Posterity.

    python3 tools/peers.py

The first run makes a virtual environment below target/peers and installs this package and the peers there. That needs Python
3.10 to 3.13, Rust and a package index. Measuring then takes less than three minutes. Progress goes to stderr, tables to stdout.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from peer_environment import environment, progress

# diffprivlib 0.6.6 cannot be imported with newer versions of scikit-learn: they lack `sklearn.tree._tree.DOUBLE`.
PINNED = {
    "opendp[polars]": "0.16.0",
    "diffprivlib": "0.6.6",
    "numpy": "2.2.6",
    "pyarrow": "25.0.1",
    "scipy": "1.15.3",
    "scikit-learn": "1.6.1",
    "polars": "1.36.1",
}

EPSILON = 1.0
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LABELS = ["clear", "mist", "wet", "snow"]
CASES = [(counts, epsilon) for counts in ((10, 10, 10), (48, 42)) for epsilon in (0.3, 1.0, 3.0)]
DRAWS = 2_000


def set_up() -> Path:
    """The Python of an environment with the pinned peers and this package as it stands in the clone."""
    return environment("peers", PINNED)


# Times and tables.


def medians(calls: dict[str, Callable[[], object]], least: int = 5) -> dict[str, float]:
    """The median time of each call in seconds: at least so many rounds, and more while they take less than two seconds in all.

    The calls take turns, so that other work of the machine slows all of them alike.
    """
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    begin = time.perf_counter()
    rounds = 0
    while rounds < least or (time.perf_counter() - begin < 2 and rounds < 201):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
        rounds += 1
    return {name: statistics.median(found) for name, found in times.items()}


class Row(NamedTuple):
    """One tool: how it was asked, one number per column (or why there is none), and what its answer lacks."""

    tool: str
    call: str
    cells: Sequence[float | str]
    lacks: str


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def table(heads: Sequence[str], rows: Sequence[Row], written: Callable[[float], str]) -> str:
    """A Markdown table. Each cell of a peer has its ratio to the first row, which is Posterity, in brackets."""
    lines = ["| tool | asked by | " + " | ".join(heads) + " | what the answer lacks |", "|---" * (len(heads) + 3) + "|"]
    first = rows[0].cells
    for row in rows:
        cells = []
        for value, base in zip(row.cells, first, strict=True):
            if isinstance(value, str):
                cells.append(value)
            elif row is rows[0]:
                cells.append(written(value))
            else:
                ratio = value / base
                digits = ".2g" if ratio < 0.1 else ".2f" if ratio < 10 else ",.0f"
                cells.append(f"{written(value)} ({ratio:{digits}})")
        lines.append(f"| {row.tool} | {row.call} | " + " | ".join(cells) + f" | {row.lacks} |")
    return "\n".join(lines)


# The questions. The packages are imported here, because only the environment has them.


def hellinger(a, b):
    """The Hellinger distance of Beta or Dirichlet distributions; the parameters are in the last axis."""
    import numpy as np
    from scipy.special import gammaln

    def ln_beta(parameters):
        return gammaln(parameters).sum(axis=-1) - gammaln(parameters.sum(axis=-1))

    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return np.sqrt(np.maximum(0.0, -np.expm1(ln_beta((a + b) / 2) - (ln_beta(a) + ln_beta(b)) / 2)))


def exponential() -> str:
    """One draw of an exponential mechanism over the posteriors of n records in two categories."""
    import numpy as np
    import opendp.prelude as dp
    import posterity
    from diffprivlib.mechanisms import Exponential

    found: dict[str, list[float]] = {"posterity": [], "opendp": [], "diffprivlib": []}
    for n in SIZES:
        progress(f"exponential mechanism, {n + 1} candidates")
        counts = {"yes": n // 2, "no": n - n // 2}
        yes = np.arange(n + 1)
        candidates = np.stack([1.0 + yes, 1.0 + n - yes], axis=1)
        truth = candidates[n // 2]
        sensitivity = float(hellinger(candidates[1:], candidates[:-1]).max())
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
        noisy_max = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2 * sensitivity / EPSILON)
        assert noisy_max.map(sensitivity) <= EPSILON * (1 + 1e-9)

        def by_posterity():
            return posterity.release(counts, epsilon=EPSILON, mechanism="ehds").posterior

        def by_opendp():
            return candidates[noisy_max(-hellinger(candidates, truth))]

        def by_diffprivlib():
            utility = (-hellinger(candidates, truth)).tolist()
            return candidates[Exponential(epsilon=EPSILON, sensitivity=sensitivity, utility=utility).randomise()]

        for name, median in medians({"posterity": by_posterity, "opendp": by_opendp, "diffprivlib": by_diffprivlib}).items():
            found[name].append(median)
    rows = [
        Row(
            "Posterity",
            '`release(mechanism="ehds")`',
            found["posterity"],
            "the only score is the Hellinger distance of posteriors",
        ),
        Row(
            "OpenDP",
            "scores in NumPy, then `make_noisy_max`",
            found["opendp"],
            "it takes a vector with the scores of all candidates, and one sensitivity for all data; "
            "the draw from the scores is exact (by permute-and-flip), but the caller answers for rounding in the scores",
        ),
        Row(
            "diffprivlib",
            "scores in NumPy, then `Exponential`",
            found["diffprivlib"],
            "it takes a list with the scores of all candidates, and one sensitivity for all data; the draw is not exact: "
            "it compares one floating-point number with floating-point sums (`mechanisms/exponential.py`)",
        ),
    ]
    return table([f"n = {n:,}" for n in SIZES], rows, seconds)


def noise() -> str:
    """Whole-number noise for 1,000 uneven counts."""
    import numpy as np
    import opendp.prelude as dp
    import posterity
    from diffprivlib.mechanisms import Geometric

    progress("noise for 1,000 counts")
    # As if the shares were drawn from the uniform prior: no two counts have the same evidence.
    weights = np.random.default_rng(1).exponential(size=1_000)
    counts = [int(count) for count in 1_000_000 * weights / weights.sum()]
    named = {f"c{index}": count for index, count in enumerate(counts)}
    array = np.array(counts, dtype=np.int32)
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    laplace = dp.m.make_laplace(*space, scale=2 / EPSILON)
    assert laplace.map(2) <= EPSILON
    geometric = Geometric(epsilon=EPSILON, sensitivity=2)
    found = medians(
        {
            "lattice": lambda: posterity.release(named, epsilon=EPSILON).posterior,
            "lattice, intervals": lambda: posterity.release(named, epsilon=EPSILON).interval(0.95),
            "posterity": lambda: posterity.release(named, epsilon=EPSILON, mechanism="geometric").posterior,
            "intervals": lambda: posterity.release(named, epsilon=EPSILON, mechanism="geometric").interval(0.95),
            "opendp": lambda: laplace(array),
            "diffprivlib": lambda: [geometric.randomise(count) for count in counts],
        }
    )
    rows = [
        Row(
            "Posterity",
            '`release(mechanism="geometric")`',
            [found["posterity"]],
            "the time includes the posterior, but not its intervals, which are computed when they are read",
        ),
        Row(
            "Posterity, intervals read",
            "the same, then `interval(0.95)`",
            [found["intervals"]],
            "the 1,000 intervals take the noise into account",
        ),
        Row(
            "Posterity, default",
            "`release(..)`, which is `lattice`",
            [found["lattice"]],
            "the posterior is that of the nearest counts that are possible",
        ),
        Row(
            "Posterity, default, intervals read",
            "the same, then `interval(0.95)`",
            [found["lattice, intervals"]],
            "the 1,000 intervals take the noise into account, and need no search",
        ),
        Row(
            "OpenDP",
            "`make_laplace` on a vector of integers",
            [found["opendp"]],
            "the noise is exact; no posterior and no intervals of proportions (`opendp.accuracy` bounds the noise of a count)",
        ),
        Row(
            "diffprivlib",
            "`Geometric.randomise`, once per count",
            [found["diffprivlib"]],
            "the noise is not exact: it is the rounded logarithm of one floating-point number (`mechanisms/geometric.py`); "
            "no posterior, no intervals",
        ),
    ]
    return table(["1,000 counts"], rows, seconds)


def histogram() -> str:
    """A private histogram of a million labels."""
    import numpy as np
    import opendp.prelude as dp
    import polars as pl
    import posterity
    import pyarrow as pa
    from diffprivlib import tools

    progress("histogram of 1,000,000 labels")
    codes = np.random.default_rng(1).integers(0, len(LABELS), 1_000_000, dtype=np.int32)
    texts = [LABELS[code] for code in codes]
    arrow_codes, arrow_texts = pa.array(codes), pa.array(texts)

    def opendp_histogram(kind, categories):
        space = dp.vector_domain(dp.atom_domain(T=kind)), dp.symmetric_distance()
        count = dp.t.make_count_by_categories(*space, categories=categories, null_category=False)
        found = count >> dp.m.then_laplace(scale=2 / EPSILON)
        assert found.map(2) <= EPSILON
        return found

    of_codes, of_texts = opendp_histogram(int, list(range(len(LABELS)))), opendp_histogram(str, LABELS)
    frame, keys = pl.DataFrame({"label": texts}), pl.LazyFrame({"label": LABELS})

    def opendp_by_polars():
        context = dp.Context.compositor(
            data=frame.lazy(),
            privacy_unit=dp.unit_of(changes=1),
            privacy_loss=dp.loss_of(epsilon=EPSILON),
            split_evenly_over=1,
            margins=[dp.polars.Margin(by=(), max_length=len(frame))],
        )
        return context.query().group_by("label").agg(dp.len()).with_keys(keys).release().collect()

    edges = (-0.5, len(LABELS) - 0.5)
    integers = medians(
        {
            "posterity": lambda: posterity.release(arrow_codes, categories=range(len(LABELS)), epsilon=EPSILON).posterior,
            "opendp": lambda: of_codes(codes),
            # An exchange of one record is one removed and one added, so half of epsilon goes to each.
            "diffprivlib": lambda: tools.histogram(codes, epsilon=EPSILON / 2, bins=len(LABELS), range=edges),
        }
    )
    text = medians(
        {
            "posterity": lambda: posterity.release(arrow_texts, categories=LABELS, epsilon=EPSILON).posterior,
            "opendp": lambda: of_texts(texts),
            "polars": opendp_by_polars,
        },
        least=3,
    )
    bare = "no posterior, no intervals of proportions"
    budget = "the budget is kept by an object in memory"
    rows = [
        Row(
            "Posterity",
            "`release` of an Arrow array",
            [integers["posterity"], text["posterity"]],
            "it publishes n; it counts categories only",
        ),
        Row(
            "OpenDP",
            "`make_count_by_categories >> then_laplace`, integers from NumPy, text from a list",
            [integers["opendp"], text["opendp"]],
            f"{bare}; {budget} (`opendp.combinators`), not in a file",
        ),
        Row("OpenDP, Polars", "`Context.query` of a DataFrame", ["not measured", text["polars"]], "as OpenDP"),
        Row(
            "diffprivlib",
            "`tools.histogram` of a NumPy array",
            [integers["diffprivlib"], "not possible"],
            f"{bare}; the noise is not exact; it takes numbers only; {budget} (`BudgetAccountant`), not in a file",
        ),
    ]
    return table(["10^6 integers", "10^6 texts"], rows, seconds)


def onto_total(noisy, n: int):
    """The nearest numbers (Euclidean) that are not negative and sum to n."""
    import numpy as np

    falling = np.sort(noisy)[::-1]
    shifts = (np.cumsum(falling) - n) / np.arange(1, len(falling) + 1)
    return np.maximum(noisy - shifts[falling > shifts][-1], 0.0)


def accuracy() -> tuple[str, str, float]:
    """The mean distance of the released posterior from the true one, the mean error of its proportions, and the largest
    relative standard error of these means."""
    import numpy as np
    import opendp.prelude as dp
    import posterity
    from diffprivlib.mechanisms import Geometric

    def by_posterity(counts, epsilon):
        named = {f"c{index}": count for index, count in enumerate(counts)}
        return [posterity.release(named, epsilon=epsilon, seed=seed).posterior.parameters for seed in range(DRAWS)]

    def opendp_noise(scale):
        return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), scale=scale)

    def by_opendp(counts, epsilon):
        laplace = opendp_noise(2 / epsilon)
        return [1.0 + np.maximum(laplace(list(counts)), 0) for _ in range(DRAWS)]

    def by_opendp_with_n(counts, epsilon):
        n = sum(counts)
        if len(counts) > 2:
            laplace = opendp_noise(2 / epsilon)
            return [1.0 + onto_total(np.array(laplace(list(counts))), n) for _ in range(DRAWS)]
        laplace = opendp_noise(1 / epsilon)
        first = [min(max(laplace([counts[0]])[0], 0), n) for _ in range(DRAWS)]
        return [[1.0 + count, 1.0 + n - count] for count in first]

    def by_diffprivlib(counts, epsilon):
        geometric = Geometric(epsilon=epsilon, sensitivity=2)
        return [[1.0 + max(geometric.randomise(count), 0) for count in counts] for _ in range(DRAWS)]

    ways = {"posterity": by_posterity, "opendp": by_opendp, "opendp, n": by_opendp_with_n, "diffprivlib": by_diffprivlib}
    distances: dict[str, list[float]] = {name: [] for name in ways}
    errors: dict[str, list[float]] = {name: [] for name in ways}
    widest = 0.0
    for counts, epsilon in CASES:
        progress(f"{DRAWS} releases of {counts} at epsilon {epsilon:g}")
        truth = 1.0 + np.array(counts)
        for name, way in ways.items():
            released = np.array(way(counts, epsilon), dtype=float)
            far = hellinger(released, truth)
            off = np.abs(released / released.sum(axis=1, keepdims=True) - truth / truth.sum()).mean(axis=1)
            distances[name].append(float(far.mean()))
            errors[name].append(float(off.mean()))
            widest = max(widest, *(values.std(ddof=1) / values.mean() / math.sqrt(DRAWS) for values in (far, off)))
    rows = {
        "posterity": ("Posterity", "`release`, its `posterior`", "it publishes n"),
        "opendp": ("OpenDP", "`make_laplace`, cut at 0, plus the prior", "it does not use n; no intervals of proportions"),
        "opendp, n": (
            "OpenDP, n used by hand",
            "k = 2: noise for one count only; k = 3: the nearest counts of sum n; plus the prior",
            "the caller does the steps after the noise; no intervals of proportions",
        ),
        "diffprivlib": (
            "diffprivlib",
            "`Geometric`, cut at 0, plus the prior",
            "it does not use n; no intervals of proportions; the noise is not exact",
        ),
    }
    heads = [f"({','.join(map(str, counts))}), {epsilon:g}" for counts, epsilon in CASES]

    def one(values):
        made = [Row(tool, call, values[name], lacks) for name, (tool, call, lacks) in rows.items()]
        return table(heads, made, lambda value: f"{value:.4f}")

    return one(distances), one(errors), widest


def measure() -> None:
    import opendp.prelude as dp

    # OpenDP announces a change of a default; it does not concern these questions.
    warnings.simplefilter("ignore", FutureWarning)
    dp.enable_features("contrib")
    begin = time.perf_counter()
    names = ["posterity", *(name.split("[")[0] for name in PINNED)]
    print("Versions: Python " + sys.version.split()[0] + ", " + ", ".join(f"{name} {version(name)}" for name in names) + ".\n")
    print("Exponential mechanism, k = 2: one draw, scoring included (median; in brackets the ratio to Posterity)\n")
    print(exponential() + "\n")
    print("Whole-number noise\n")
    print(noise() + "\n")
    print("Private histogram with four labels, counting included\n")
    print(histogram() + "\n")
    distances, errors, widest = accuracy()
    print(f"Mean Hellinger distance from the true posterior; the columns are counts and epsilon, with {DRAWS:,} releases each")
    print(f"(the standard error of a mean is at most {100 * widest:.0f} % of it, here and in the next table)\n")
    print(distances + "\n")
    print("Mean absolute error of the proportions (means of the same posteriors)\n")
    print(errors)
    progress(f"measured in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        measure()
    elif sys.argv[1:]:
        sys.exit("peers: this takes no arguments: python3 tools/peers.py")
    else:
        sys.exit(subprocess.run([str(set_up()), str(Path(__file__).resolve()), "--measure"], check=False).returncode)

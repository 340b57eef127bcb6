#!/usr/bin/env python3
"""Prints the slowest of many releases of at most five categories and 4000 in n times k, with every mechanism.

    pip install . && python python/benchmarks/small.py

Such releases do not get a thread of their own, and Ctrl-C waits for them: they must take a small part of a second.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings

import posterity

MECHANISMS = ["lattice", "geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh"]


def draw(source: random.Random) -> tuple[dict[str, int], dict[str, object]]:
    """Counts and arguments, from the usual to the odd."""
    k = source.randint(2, 5)
    n = source.choice([1, 10, 4000 // k, 4000 // k])
    counts = [0] * k
    for _ in range(n):
        counts[source.randrange(source.randint(1, k))] += 1
    mechanism = source.choice(MECHANISMS)
    arguments: dict[str, object] = {
        "mechanism": mechanism,
        "epsilon": source.choice(["1e-6", "0.001", "0.1", "1", "10", "700"]),
        "prior": [source.choice([0.1, 0.5, 1, 1, 40, 100]) for _ in range(k)],
        "level": source.choice([0.001, 0.5, 0.95, 0.999999]),
        "not_private": True,
        "seed": source.randrange(1000),
    }
    if mechanism in MECHANISMS[:5]:
        arguments["decode"] = source.choice(["none", "projection", "mean", "moments", "best"])
    return {str(index): count for index, count in enumerate(counts)}, arguments


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    source = random.Random(given.seed)
    found, refused = [], 0
    warnings.simplefilter("ignore", posterity.PosterityWarning)
    for _ in range(given.times):
        counts, arguments = draw(source)
        start = time.perf_counter()
        try:
            posterity.release(counts, **arguments)  # type: ignore[arg-type]
        except posterity.PosterityError:
            refused += 1
        found.append((time.perf_counter() - start, counts, arguments))
    found.sort(key=lambda one: -one[0])
    print(f"{given.times} releases, {refused} refused; the slowest, in milliseconds")
    for seconds, counts, arguments in found[:5]:
        print(f"  {1e3 * seconds:6.1f}  {list(counts.values())} {arguments}")


if __name__ == "__main__":
    main()

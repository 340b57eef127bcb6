#!/usr/bin/env python3
"""Prints the golden values of crates/posterity-core/tests/limit.rs: the least expected Hellinger distance of an epsilon-DP
mechanism onto the candidates, from the whole linear program (no symmetry, no shortcut) solved by HiGHS.

    python3 -m venv .venv && .venv/bin/pip install scipy==1.17.1 && .venv/bin/python tools/limit.py
"""

import itertools
import math

from scipy.optimize import linprog
from scipy.sparse import coo_matrix

CASES = [
    ((1, 1, 1), 6, 1.0),
    ((1, 1, 1), 9, 1.0),
    ((1, 1, 1), 8, 2.0),
    ((1, 1, 1), 5, 0.1),
    ((1, 1, 1), 5, 4.0),
    ((0.5, 0.5, 0.5), 6, 0.5),
    ((2, 0.5, 2), 5, 1.0),
    ((0.5, 1, 2), 6, 1.0),
    ((7, 4, 5), 5, 2.0),
    ((1, 1, 1, 1), 4, 1.0),
    ((1, 3, 1, 3), 3, 1.0),
    ((1, 1), 12, 1.0),
    ((7, 4), 12, 0.5),
]


def candidates(k, n):
    bars = itertools.combinations(range(n + k - 1), k - 1)
    return [tuple(b - a - 1 for a, b in zip((-1,) + cut, cut + (n + k - 1,))) for cut in bars]


def ln_beta(a):
    return math.fsum(map(math.lgamma, a)) - math.lgamma(math.fsum(a))


def hellinger(a, b):
    middle = [(x + y) / 2 for x, y in zip(a, b)]
    return math.sqrt(max(0.0, -math.expm1(ln_beta(middle) - (ln_beta(a) + ln_beta(b)) / 2)))


def limit(prior, n, epsilon):
    k, points = len(prior), candidates(len(prior), n)
    size = len(points)
    index = {c: i for i, c in enumerate(points)}
    posteriors = [[a + x for a, x in zip(prior, c)] for c in points]
    ways = [math.factorial(n) / math.prod(map(math.factorial, c)) for c in points]
    weights = [w * math.exp(ln_beta(p) - ln_beta(prior)) for w, p in zip(ways, posteriors)]
    assert abs(math.fsum(weights) - 1) < 1e-12
    costs = [w * hellinger(p, q) for w, p in zip(weights, posteriors) for q in posteriors]
    rows, columns, values, number = [], [], [], 0
    for i, c in enumerate(points):
        for out, into in itertools.permutations(range(k), 2):
            moved = list(c)
            moved[out], moved[into] = c[out] - 1, c[into] + 1
            j = index.get(tuple(moved))
            if j is None:
                continue
            for r in range(size):
                rows += [number, number]
                columns += [i * size + r, j * size + r]
                values += [math.exp(-epsilon), -1.0]
                number += 1
    privacy = coo_matrix((values, (rows, columns)), shape=(number, size * size)).tocsr()
    total = coo_matrix(
        ([1.0] * (size * size), ([v // size for v in range(size * size)], range(size * size)))
    ).tocsr()
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(costs, privacy, [0.0] * number, total, [1.0] * size, (0, None), method="highs-ds", options=tight)
    assert found.status == 0, found.message
    return found.fun


def main():
    for prior, n, epsilon in CASES:
        print(f"{prior} n {n} epsilon {epsilon}: {limit(prior, n, epsilon):.10f}", flush=True)


if __name__ == "__main__":
    main()

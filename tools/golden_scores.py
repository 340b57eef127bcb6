#!/usr/bin/env python3
"""Writes crates/posterity-core/tests/golden/scores.json: the scores of exponential mechanisms and their sensitivities, by
definition: all data sets, all candidates, with mpmath at 40 digits from the textbook formulas. It shares nothing with the project's code.

    python3 -m venv .venv && .venv/bin/pip install mpmath==1.3.0 && .venv/bin/python tools/golden_scores.py
"""

import itertools
import json
import pathlib
from functools import lru_cache

from mpmath import mp, mpf, acos, betainc, exp, log, loggamma, psi, sqrt

mp.dps = 40
ln_gamma = lru_cache(maxsize=None)(loggamma)
digamma = lru_cache(maxsize=None)(lambda x: psi(0, x))


def chernoff(order):
    """-ln integral p^l q^(1-l) for Dirichlet densities with equal totals."""
    def cost(a, b):
        return sum(order * ln_gamma(x) + (1 - order) * ln_gamma(y) - ln_gamma(order * x + (1 - order) * y)
                   for x, y in zip(a, b))
    return cost


def total_variation(a, b):
    """The difference of the two distribution functions where the two Beta densities cross."""
    if a == b:
        return mpf(0)
    ln_beta = lambda p: ln_gamma(p[0]) + ln_gamma(p[1]) - ln_gamma(p[0] + p[1])
    t = 1 / (1 + exp(-(ln_beta(a) - ln_beta(b)) / (a[0] - b[0])))
    return abs(betainc(a[0], a[1], 0, t, regularized=True) - betainc(b[0], b[1], 0, t, regularized=True))


def divergence(a, b):
    return sum(ln_gamma(y) - ln_gamma(x) - (y - x) * digamma(x) for x, y in zip(a, b))


half = chernoff(mpf(1) / 2)
SCORES = {
    "hellinger": lambda a, b: sqrt(1 - exp(-half(a, b))) if a != b else mpf(0),
    "angle": lambda a, b: acos(exp(-half(a, b))) if a != b else mpf(0),
    "tv": total_variation,
    "squared-hellinger": lambda a, b: 1 - exp(-half(a, b)),
    "chernoff:0.25": lambda a, b: 1 - exp(-chernoff(mpf(1) / 4)(a, b)),
    "chernoff:0.9": lambda a, b: 1 - exp(-chernoff(mpf("0.9"))(a, b)),
    "kl": divergence,
    "reverse-kl": lambda a, b: divergence(b, a),
    "counts": lambda a, b: sum(abs(x - y) for x, y in zip(a, b)) / 2,
}

CASES = [
    ((1, 1), 20, [(10, 10), (1, 19)]),
    ((0.5, 0.5), 12, [(6, 6), (12, 0)]),
    ((0.3, 6.0), 15, [(0, 15), (7, 8)]),
    ((20.0, 35.5), 10, [(3, 7)]),
    ((1, 1, 1), 7, [(2, 2, 3), (0, 0, 7)]),
    ((0.25, 2.0, 9.0), 6, [(1, 2, 3), (6, 0, 0)]),
]
GAMMAS = (1.0, 0.03)
BETAS = (0.01, 0.4)


def data_sets(k, n):
    return [c for c in itertools.product(range(n + 1), repeat=k) if sum(c) == n]


def main():
    rows = []
    for prior, n, shown in CASES:
        alpha = [mpf(a) for a in prior]
        sets = data_sets(len(prior), n)
        posterior = {c: tuple(a + x for a, x in zip(alpha, c)) for c in sets}
        for name, score in SCORES.items():
            if name == "tv" and len(prior) > 2:
                continue
            table = {(c, r): score(posterior[c], posterior[r]) for c in sets for r in sets}
            local = {}
            for c in sets:
                near = [d for d in sets if sum(abs(x - y) for x, y in zip(c, d)) == 2]
                local[c] = max(abs(table[c, r] - table[d, r]) for d in near for r in sets)
            row = {"prior": prior, "n": n, "score": name, "gammas": GAMMAS, "betas": BETAS,
                   "largest": mp.nstr(max(table.values()), 20), "global": mp.nstr(max(local.values()), 20), "at": []}
            for c in shown:
                far = {d: sum(abs(x - y) for x, y in zip(c, d)) // 2 for d in sets}
                row["at"].append({
                    "counts": c,
                    "local": mp.nstr(local[c], 20),
                    "gamma": [mp.nstr(max(1 / (1 / local[d] + mpf(g) * far[d]) for d in sets), 20) for g in GAMMAS],
                    "beta": [mp.nstr(max(local[d] * exp(-mpf(b) * far[d]) for d in sets), 20) for b in BETAS],
                    "scores": [mp.nstr(table[c, r], 20) for r in sets],
                })
            rows.append(row)
    path = pathlib.Path(__file__).parent.parent / "crates/posterity-core/tests/golden/scores.json"
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes crates/posterity-core/tests/golden/distances.json: Hellinger distances and both Kullback-Leibler divergences
of Dirichlet pairs that are hard for floating point, computed with mpmath at 80 digits from the textbook formulas.

    python3 -m venv .venv && .venv/bin/pip install mpmath==1.3.0 && .venv/bin/python tools/golden_distances.py
"""

import json
import pathlib
import random

from mpmath import mp, mpf, loggamma, psi, sqrt, exp

mp.dps = 80


def ln_beta(parameters):
    return sum(loggamma(x) for x in parameters) - loggamma(sum(parameters))


def hellinger(a, b):
    middle = [(x + y) / 2 for x, y in zip(a, b)]
    return sqrt(1 - exp(ln_beta(middle) - (ln_beta(a) + ln_beta(b)) / 2))


def divergence(a, b):
    slope = psi(0, sum(a))
    return ln_beta(b) - ln_beta(a) + sum((x - y) * (psi(0, x) - slope) for x, y in zip(a, b))


def cases():
    draw = random.Random(20261115)
    for scale in (1e-3, 0.3, 1, 7, 40, 1e3, 1e6, 1e9, 1e12):
        for k in (2, 3, 6):
            a = [scale * draw.uniform(0.5, 1.5) for _ in range(k)]
            for stretch in (1e-8, 1e-4, 0.1, 3):
                # nearly proportional: the leading parts of categories and total cancel
                yield a, [x * (1 + stretch) for x in a]
                # proportional up to a jitter of the size of the posterior's own spread
                yield a, [x * (1 + stretch) * (1 + draw.uniform(-1, 1) * min(1, scale ** -0.5) * 0.1) for x in a]
            # one small move
            for step in (1e-9, 1e-3):
                yield a, [a[0] * (1 + step)] + a[1:]
    # very different sizes in one distribution
    for small in (1e-3, 0.5, 2):
        for large in (1e3, 1e7, 1e12):
            yield [small, large], [small + 1, large]
            yield [small, large], [small, large * 1.01]
            yield [small, large, 1.0], [small * 2, large, 2.5]
            yield [small, large], [large, small]


def main():
    rows = []
    for a, b in cases():
        exact_a, exact_b = [mpf(x) for x in a], [mpf(x) for x in b]
        values = {
            "hellinger": hellinger(exact_a, exact_b),
            "kl": divergence(exact_a, exact_b),
            "kl_reverse": divergence(exact_b, exact_a),
        }
        rows.append({"a": a, "b": b} | {name: mp.nstr(value, 20) for name, value in values.items()})
    path = pathlib.Path(__file__).parent.parent / "crates/posterity-core/tests/golden/distances.json"
    path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes crates/posterity-core/tests/golden/extremes.json: scores and sensitivities under priors from 1e-300 to 1e300, by
definition: all data sets, all candidates, with mpmath at 400 digits and twice as many more as the prior has digits before
the point. It shares nothing with the project's code but the name of a score.

    python3 -m venv .venv && .venv/bin/pip install mpmath==1.3.0 && .venv/bin/python tools/golden_extremes.py

The file in the repository is that of the seed below. `--cases 2000 --seed 7 --out /tmp/sweep.json` makes a sweep of other
inputs; `POSTERITY_EXTREMES=/tmp/sweep.json cargo test -p posterity-core --test extremes -- --nocapture` compares with it.
"""

import argparse
import itertools
import json
import math
import pathlib
import random

from mpmath import mp, mpf, acos, exp, log, loggamma, psi, sqrt

GOLDEN = pathlib.Path(__file__).parent.parent / "crates/posterity-core/tests/golden/extremes.json"
SCORES = ("hellinger", "angle", "tv", "squared-hellinger", "chernoff:0.001", "chernoff:0.3", "chernoff:0.999", "kl",
          "reverse-kl", "counts")
# The settings in which promises were once broken.
KNOWN = [
    ("chernoff:0.001", (1e-20, 1.0), 2),
    ("chernoff:0.3", (5.568e-17, 5.568e-17), 1),
    ("chernoff:0.001", (0.6101, 3.16e-246, 0.8947), 6),
    ("squared-hellinger", (1e-20, 1e-20), 1),
    ("squared-hellinger", (1e-9, 1.0), 5),
    ("squared-hellinger", (1e-14, 1.0), 5),
]


class Gammas:
    """ln Gamma and digamma, kept, with the singularity at zero taken out first."""

    def __init__(self):
        self.ln_gammas, self.digammas = {}, {}

    def ln_gamma(self, x):
        if x not in self.ln_gammas:
            self.ln_gammas[x] = loggamma(x + 1) - log(x) if x < 1 else loggamma(x)
        return self.ln_gammas[x]

    def digamma(self, x):
        if x not in self.digammas:
            self.digammas[x] = psi(0, x + 1) - 1 / x if x < 1 else psi(0, x)
        return self.digammas[x]

    def cost(self, order):
        """-ln integral p^l q^(1-l) for Dirichlet densities with equal totals."""
        def of(a, b):
            return sum(order * self.ln_gamma(x) + (1 - order) * self.ln_gamma(y)
                       - self.ln_gamma(order * x + (1 - order) * y) for x, y in zip(a, b) if x != y)
        return of

    def divergence(self, a, b):
        return sum(self.ln_gamma(y) - self.ln_gamma(x) - (y - x) * self.digamma(x) for x, y in zip(a, b) if x != y)

    def total_variation(self, a, b):
        """The sum of I_t(a, b+1) - I_t(a+1, b) over the records that differ, where the two Beta densities cross."""
        if a == b:
            return mpf(0)
        if a[0] > b[0]:
            a, b = b, a
        steps = int(b[0] - a[0])
        ln_beta = lambda p: self.ln_gamma(p[0]) + self.ln_gamma(p[1])
        logit = (ln_beta(b) - ln_beta(a)) / steps
        ln_t, ln_rest = -log(1 + exp(-logit)), -log(1 + exp(logit))
        total = mpf(0)
        for i in range(steps):
            x, y = a[0] + i, b[1] + steps - 1 - i
            total += exp(self.ln_gamma(x + y + 1) - self.ln_gamma(x + 1) - self.ln_gamma(y + 1) + x * ln_t + y * ln_rest)
        return total

    def score(self, name):
        half = self.cost(mpf(1) / 2)
        if name.startswith("chernoff:"):
            # The order is the floating-point number that the text stands for.
            cost = self.cost(mpf(float(name.partition(":")[2])))
            return lambda a, b: 1 - exp(-cost(a, b))
        return {
            "hellinger": lambda a, b: sqrt(1 - exp(-half(a, b))),
            "angle": lambda a, b: acos(exp(-half(a, b))),
            "tv": self.total_variation,
            "squared-hellinger": lambda a, b: 1 - exp(-half(a, b)),
            "kl": self.divergence,
            "reverse-kl": lambda a, b: self.divergence(b, a),
            "counts": lambda a, b: sum(abs(x - y) for x, y in zip(a, b)) / 2,
        }[name]


def data_sets(k, n):
    return [c for c in itertools.product(range(n + 1), repeat=k) if sum(c) == n]


def row(name, prior, n, counts, gamma, beta):
    mp.dps = 400 + 2 * max(0, math.ceil(math.log10(max(prior))))
    score = Gammas().score(name)
    sets = data_sets(len(prior), n)
    posterior = {c: tuple(mpf(a) + x for a, x in zip(prior, c)) for c in sets}
    table = {(c, r): score(posterior[c], posterior[r]) for c in sets for r in sets}
    local = {}
    for c in sets:
        near = [d for d in sets if sum(abs(x - y) for x, y in zip(c, d)) == 2]
        local[c] = max(abs(table[c, r] - table[d, r]) for d in near for r in sets)
    far = {d: sum(abs(x - y) for x, y in zip(counts, d)) // 2 for d in sets}
    text = lambda value: mp.nstr(value, 20, min_fixed=0, max_fixed=0)
    return {
        "score": name, "prior": prior, "n": n, "counts": counts, "gamma": gamma, "beta": beta,
        "largest": text(max(table.values())), "global": text(max(local.values())), "local": text(local[counts]),
        "gamma_smooth": text(max(1 / (1 / local[d] + mpf(gamma) * far[d]) for d in sets)),
        "beta_smooth": text(max(local[d] * exp(-mpf(beta) * far[d]) for d in sets)),
        "scores": [text(table[counts, r]) for r in sets],
    }


def parameter(draw):
    """Prior parameters of all sizes, with those that people use among them."""
    kind = draw.randrange(6)
    if kind == 0:
        return draw.choice([0.5, 1.0, 2.0, 10.0])
    if kind == 1:
        return 10 ** draw.uniform(-3, 3)
    if kind == 2:
        return 10 ** draw.uniform(-30, -3)
    if kind == 3:
        return 10 ** draw.uniform(3, 30)
    return 10 ** draw.uniform(-300, 300)


def cases(number, seed):
    draw = random.Random(seed)
    for name, prior, n in KNOWN:
        yield name, prior, n, draw.choice(data_sets(len(prior), n)), 1.0, 0.01
    for i in range(number):
        name = SCORES[i % len(SCORES)]
        k = 2 if name == "tv" else draw.choice([2, 2, 3])
        n = draw.choice([1, 2, 3, 5, 9] if k == 2 else [1, 2, 3])
        prior = tuple(parameter(draw) for _ in range(k))
        if draw.random() < 0.2:
            prior = (prior[0],) * k
        yield name, prior, n, draw.choice(data_sets(k, n)), 10 ** draw.uniform(-3, 1), 10 ** draw.uniform(-3, 0)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cases", type=int, default=150)
    arguments.add_argument("--seed", type=int, default=25)
    arguments.add_argument("--out", type=pathlib.Path, default=GOLDEN)
    given = arguments.parse_args()
    rows = (json.dumps(row(*case)) for case in cases(given.cases, given.seed))
    given.out.write_text("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()

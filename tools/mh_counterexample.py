"""A prior and a size at which mh is not (epsilon, delta)-differentially private.

    python3 tools/mh_counterexample.py

needs mpmath. It prints the delta that one pair of adjacent data sets needs at epsilon, and the delta that mh was given
(docs/proofs/mh.md). There are K categories; the prior parameters are SMALL, MIDDLE and K - 2 times LARGE. Categories of
equal prior parameters are exchangeable, so that candidates are listed by kinds, with the number of candidates of each
kind. All sums have 50 digits.
"""

from functools import lru_cache
from math import comb

from mpmath import exp, expm1, log, loggamma, mp, mpf, sqrt

mp.dps = 50

K, N = 300, 3
EPSILON, DELTA = mpf(4), mpf(10) ** -12
SMALL, MIDDLE, LARGE = mpf(1000), mpf(10650), mpf(10) ** 9

# A kind of counts: how many records are in the small category, in the middle one, in the large category where the data
# sets x and y have theirs, and, in descending order, in the other large categories that are not empty.
X = (1, 0, N - 1, ())
Y = (0, 0, N, ())
OTHERS = K - 3


def partitions(total, most):
    """All ways to write a total as a descending sum of parts, none above `most`."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


def kinds():
    """All kinds of candidates, with the number of candidates of each."""
    for s in range(N + 1):
        for v in range(N + 1 - s):
            for w in range(N + 1 - s - v):
                for rest in partitions(N - s - v - w, N):
                    number, free = 1, OTHERS
                    for part in sorted(set(rest)):
                        number *= comb(free, rest.count(part))
                        free -= rest.count(part)
                    yield (s, v, w, rest), number


@lru_cache(maxsize=None)
def cost(alpha, a, b):
    """-ln BC of one category."""
    return (loggamma(alpha + a) + loggamma(alpha + b)) / 2 - loggamma(alpha + mpf(a + b) / 2)


def distance(a, b, matched):
    """The distance of two data sets; `matched` pairs their counts in the other large categories."""
    terms = [cost(SMALL, a[0], b[0]), cost(MIDDLE, a[1], b[1]), cost(LARGE, a[2], b[2])]
    return sqrt(-expm1(-sum(terms + [cost(LARGE, p, q) for p, q in matched])))


def from_data(data, kind):
    """The distance of a candidate from x or y, which have nothing in the other large categories."""
    return distance(data, kind, [(0, part) for part in kind[3]])


def local(kind):
    """The local sensitivity: the largest distance from a data set to one that differs in one record."""
    s, v, w, rest = kind
    counts = [("s", s), ("v", v), ("w", w)] + [(i, part) for i, part in enumerate(rest)] + [("new", 0)]
    parameter = {"s": SMALL, "v": MIDDLE}
    largest = mpf(0)
    for giver, has in counts:
        for taker, holds in counts:
            if giver != taker and has > 0:
                loss = cost(parameter.get(giver, LARGE), has, has - 1)
                gain = cost(parameter.get(taker, LARGE), holds, holds + 1)
                largest = max(largest, sqrt(-expm1(-loss - gain)))
    return largest


def records_apart(data, kind):
    """The number of records in which a data set of this kind differs from x or y."""
    return sum(max(data[i] - kind[i], 0) for i in range(3))


def main():
    listed = list(kinds())
    candidates = sum(number for _, number in listed)
    assert candidates == comb(N + K - 1, K - 1)
    beta = log(1 - EPSILON / (2 * log(DELTA / (2 * candidates))))
    sensitivities = [(kind, local(kind)) for kind, _ in listed]
    smooth = {
        data: max(local * exp(-beta * records_apart(data, kind)) for kind, local in sensitivities)
        for data in (X, Y)
    }
    scores = {
        data: [EPSILON * from_data(data, kind) / (2 * smooth[data]) for kind, _ in listed] for data in (X, Y)
    }
    normaliser = {
        data: sum(number * exp(-score) for (_, number), score in zip(listed, scores[data])) for data in (X, Y)
    }
    needed, worst = mpf(0), mpf(0)
    for place, (kind, number) in enumerate(listed):
        p = exp(-scores[X][place]) / normaliser[X]
        q = exp(-scores[Y][place]) / normaliser[Y]
        worst = max(worst, log(p / q))
        needed += number * max(p - exp(EPSILON) * q, 0)
    print(f"K = {K}, n = {N}, prior {SMALL}, {MIDDLE} and {K - 2} times {LARGE}")
    print(f"S(x)/S(y) = {mp.nstr(smooth[X] / smooth[Y], 8)}, exp(beta) = {mp.nstr(exp(beta), 8)}")
    print(f"ln NL(y)/NL(x) = {mp.nstr(log(normaliser[Y] / normaliser[X]), 8)}")
    print(f"loss {mp.nstr(worst, 8)} = {mp.nstr(worst / EPSILON, 6)} epsilon")
    print(f"delta needed {mp.nstr(needed, 6)}, delta given {mp.nstr(DELTA, 3)}: {mp.nstr(needed / DELTA, 6)} times")


if __name__ == "__main__":
    main()

"""The limits of sqrt(n) times the mean distance at balanced data and epsilon = 1 (docs/paper.md, theorem 3).

    python3 tools/lattice_limits.py

needs nothing else, shares nothing with the project's code, and takes some seconds. Sums stop where what is left does not
change the digits shown.
"""

from math import exp, sqrt


def vectors(k, reach):
    """The first k - 1 entries of all whole vectors with the sum zero, and their lengths."""
    if k == 2:
        for i in range(-reach, reach + 1):
            yield (i,), sqrt(2) * abs(i)
    elif k == 3:
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                yield (i, j), sqrt(i * i + j * j + (i + j) ** 2)
    else:
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                for l in range(-reach, reach + 1):
                    yield (i, j, l), sqrt(i * i + j * j + l * l + (i + j + l) ** 2)


def exponential(k, epsilon, reach):
    rate, total, mean = epsilon / (2 * sqrt(2)), 0.0, 0.0
    for _, length in vectors(k, reach):
        weight = exp(-rate * length)
        total += weight
        mean += weight * length
    return sqrt(k / 8) * mean / total


def laplace(k, rate, reach):
    step = {s: (1 - exp(-rate)) / 2 * exp(-rate * (s if s >= 0 else -1 - s)) for s in range(-reach, reach + 1)}
    mean = 0.0
    for entries, length in vectors(k, reach):
        probability = 1.0
        for entry in entries:
            probability *= step[entry]
        mean += probability * length
    return sqrt(k / 8) * mean


def main():
    for k, near, far in [(2, 60, 120), (3, 60, 120), (4, 60, 90)]:
        mh = exponential(k, 1, near)
        lsdim, lshist = laplace(k, 1 / k, far), laplace(k, 1 if k == 2 else 1 / 2, near)
        print(
            f"k = {k}: mh {mh:.4f}, lsdim {lsdim:.4f}, lshist {lshist:.4f}, "
            f"mh/lsdim {mh / lsdim:.3f}, mh/lshist {mh / lshist:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How many true categories are found by thresholds and by optimal partition selection.

    tools/discovery.py FILE.csv COLUMN [FILE.csv COLUMN ...]

Compares at equal (epsilon, delta), where each record is a unit:
  Posterity   two-sided geometric noise and the least threshold (docs/proofs/discovery.md); shows noisy counts
  OpenDP      make_laplace_threshold of the opendp package, with the least threshold that its privacy map allows; shows noisy counts
  optimal     Desfontaines, Voss, Gipson and Mandayam (2022), theorem 1: the most that any rule can show; shows no counts
Prints the expected numbers, from the probability that a category is shown, and the number in one run each. The first call makes a
virtual environment in target/discovery with OpenDP. Results are written as a Markdown table.
"""

import collections
import csv
import math
import random
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "target" / "discovery"
OPENDP = "opendp==0.16.0"
EPSILONS = (0.1, 1.0, 10.0)
DELTAS = (1e-9, 1e-6)
SEED = 28


def in_environment() -> None:
    """Goes on in the virtual environment, which is made if there is none."""
    python = HOME / "bin" / "python"
    if Path(sys.prefix).resolve() == HOME.resolve():
        return
    if not python.exists():
        venv.create(HOME, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", OPENDP], check=True)
    sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], check=False).returncode)


def column(path: str, name: str) -> list[int]:
    """The counts of the values of a column."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        if name not in (reader.fieldnames or []):
            sys.exit(f"discovery: {path} has no column {name!r}; it has {', '.join(reader.fieldnames or [])}.")
        return sorted(collections.Counter(row[name] for row in reader).values())


def tail(epsilon: float, t: int) -> float:
    """P(Z >= t) of two-sided geometric noise."""
    q = math.exp(-epsilon)
    return q**t / (1 + q) if t >= 0 else 1 - q ** (1 - t) / (1 + q)


def least(holds) -> int:
    """The least whole number from 1 on at which something holds that then holds for all larger ones."""
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def opendp_mechanism(epsilon: float, threshold: int):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T="i64"), dp.atom_domain(T="i64"))
    metric = dp.l01inf_distance(dp.absolute_distance(T="i64"))
    return dp.m.make_laplace_threshold(domain, metric, scale=1 / epsilon, threshold=threshold)


def opendp_threshold(epsilon: float, delta: float) -> int:
    """The least threshold at which OpenDP's map says (epsilon, delta) where one count changes by one."""

    def holds(threshold: int) -> bool:
        try:
            found = opendp_mechanism(epsilon, threshold).map((1, 1, 1))
        except Exception as error:  # OpenDP refuses thresholds that are too small
            if "threshold" in str(error).lower():
                return False
            raise
        # Its epsilon is rounded up by a few units in the last place.
        return found[0] <= epsilon * (1 + 1e-9) and found[1] <= delta

    return least(holds)


def optimal(epsilon: float, delta: float, most: int) -> list[float]:
    """The largest probability to show a category of each count."""
    pi = [0.0]
    while len(pi) <= most:
        last = pi[-1]
        grown = 1.0 if last > 0.5 and epsilon > 50 else math.exp(epsilon) * last + delta
        pi.append(min(grown, 1 - math.exp(-epsilon) * (1 - last - delta), 1.0))
    return pi


def noise(epsilon: float, source: random.Random) -> int:
    """Two-sided geometric noise, for this comparison only: made with floating point."""
    one, other = (math.floor(math.log(1 - source.random()) / -epsilon) for _ in range(2))
    return one - other


def compare(counts: list[int], epsilon: float, delta: float, source: random.Random) -> list[str]:
    tau = least(lambda tau: tail(epsilon, tau - 1) <= delta)
    theirs = opendp_threshold(epsilon, delta)
    pi = optimal(epsilon, delta, counts[-1])
    shown = opendp_mechanism(epsilon, theirs)(dict(enumerate(counts)))
    expected = [sum(tail(epsilon, t - c) for c in counts) for t in (tau, theirs)]
    ran = sum(c + noise(epsilon, source) >= tau for c in counts)
    best = sum(pi[c] for c in counts)
    drawn = sum(source.random() < pi[c] for c in counts)
    return [
        f"{epsilon:g}", f"{delta:g}", str(tau), f"{expected[0]:.1f} ({ran})",
        str(theirs), f"{tail(epsilon, theirs - 1):.2g}", f"{expected[1]:.1f} ({len(shown)})", f"{best:.1f} ({drawn})",
    ]  # fmt: skip


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or len(arguments) % 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    in_environment()
    source = random.Random(SEED)
    for path, name in zip(arguments[::2], arguments[1::2], strict=True):
        counts = column(path, name)
        print(f"\n`{name}` of {Path(path).name}: {sum(counts)} records, {len(counts)} categories\n")
        print("| epsilon | delta | tau | Posterity | OpenDP's threshold | P(it shows one unit) | OpenDP | optimal, without counts |")
        print("|---|---|---|---|---|---|---|---|")
        for epsilon in EPSILONS:
            for delta in DELTAS:
                print(f"| {' | '.join(compare(counts, epsilon, delta, source))} |", flush=True)


if __name__ == "__main__":
    main()

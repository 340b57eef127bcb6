#!/usr/bin/env python3
"""Times discrete Gaussian noise: Posterity's sampler beside OpenDP's.

    python3 tools/gaussian.py

It needs the package opendp (0.16.0) and Rust. Posterity's times are the medians of `cargo bench -p posterity-core --bench
discrete_gaussian`, from seeded bits; OpenDP's are the best of five calls of `make_gaussian` on a vector of 10,000 zeros, which
draws from the system's randomness. Both samplers are exact. More arguments go to `cargo bench`, such as `--profile dev`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIGMAS = ["0.5", "3", "30", "1000", "1000000", "1000000000"]
DRAWS = 10_000


def median(group: str, name: str) -> float:
    """The median of a benchmark in nanoseconds."""
    path = ROOT / "target/criterion" / group / name / "new/estimates.json"
    return json.loads(path.read_text())["median"]["point_estimate"]


def opendp_draw(sigma: float) -> float:
    """Nanoseconds per draw by OpenDP."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    measurement = dp.m.make_gaussian(*space, scale=sigma)
    zeros = [0] * DRAWS
    measurement(zeros)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        measurement(zeros)
        times.append(time.perf_counter() - begin)
    return min(times) / DRAWS * 1e9


def main() -> None:
    command = ["cargo", "bench", "--quiet", "-p", "posterity-core", "--bench", "discrete_gaussian", *sys.argv[1:]]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    print("| sigma | Posterity, one draw | set-up of a sigma | OpenDP, one draw | ratio |")
    print("|---|---|---|---|---|")
    for sigma in SIGMAS:
        ours = median("discrete_gaussian_draws", sigma) / DRAWS
        set_up = median("discrete_gaussian_set_up", sigma)
        theirs = opendp_draw(float(sigma))
        print(f"| {float(sigma):,g} | {ours:.0f} ns | {set_up / 1000:.1f} µs | {theirs:,.0f} ns | {theirs / ours:.0f} |")


if __name__ == "__main__":
    main()

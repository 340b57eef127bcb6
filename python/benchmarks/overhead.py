#!/usr/bin/env python3
"""Prints how much time Python adds to a release, and how counting compares with pyarrow's own, as ratios.

    pip install . pyarrow numpy && python python/benchmarks/overhead.py

The Rust call is the same release without Python: the extension times it, many times in one call.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import posterity
import pyarrow as pa
import pyarrow.compute as pc


def median(call: Callable[[], object], times: int) -> float:
    """The median of so many calls, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def overhead(times: int) -> None:
    from posterity import _posterity

    counts = {"a": 54, "b": 9, "c": 27}
    print("release from a mapping of 3 counts: Python, the Rust call after it, the difference (median microseconds)")
    for mechanism in ("lattice", "geometric", "lshist", "ehds"):
        python, rust = [], []
        # By turns, so that what else the machine does meets both.
        for _ in range(times):
            start = time.perf_counter()
            posterity.release(counts, epsilon=1, seed=1, mechanism=mechanism)
            python.append(time.perf_counter() - start)
            rust += _posterity._rust_times([54, 9, 27], mechanism, 1)
        more = (one - other for one, other in zip(python, rust, strict=True))
        found = (1e6 * statistics.median(times) for times in (python, rust, more))
        print(f"  {mechanism:10}" + "".join(f" {median:8.1f}" for median in found))


def counting(size: int, times: int) -> None:
    words = ["clear", "mist", "wet", "a longer label than a view holds"]
    text = pa.array([words[index * 7 % 13 % 4] for index in range(size)])
    kinds = {
        "string": text,
        "large_string": text.cast(pa.large_string()),
        "string_view": text.cast(pa.string_view()),
        "dictionary": text.dictionary_encode(),
        "dictionary, 4 chunks": pa.chunked_array([text.slice(i * size // 4, size // 4) for i in range(4)]).dictionary_encode(),
        "int64": pa.array([index * 7 % 13 % 4 for index in range(size)]),
    }
    print(f"counting {size} elements: pyarrow.compute.value_counts, posterity.release (milliseconds), ratio")
    for name, array in kinds.items():
        labels = words if name != "int64" else [0, 1, 2, 3]
        peer = median(lambda: pc.value_counts(array), times)
        mine = median(lambda: posterity.release(array, categories=labels, epsilon=1, seed=1, mechanism="geometric"), times)
        print(f"  {name:22} {1e3 * peer:8.1f} {1e3 * mine:8.1f} {mine / peer:6.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--times", type=int, default=9)
    arguments = parser.parse_args()
    overhead(200 * arguments.times)
    counting(arguments.size, arguments.times)

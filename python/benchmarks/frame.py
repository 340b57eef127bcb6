#!/usr/bin/env python3
"""Prints how long releases of a data frame of a million rows take: median seconds of nine calls each.

    pip install . pandas pyarrow && python python/benchmarks/frame.py

r/benchmarks/frame.R prints the same for R.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import pandas
import posterity

ROWS = 1_000_000
WORDS = ["clear", "mist", "wet", "a longer label than a view holds"]


def seconds(frame: pandas.DataFrame, unit: str | None = None, **how: Any) -> float:
    """The median of nine releases."""
    found = []
    for _ in range(9):
        start = time.perf_counter()
        posterity.release(posterity.Data(frame, **how), unit=unit, epsilon=1, seed=1, mechanism="geometric")
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def main() -> None:
    text = [WORDS[place * 7 % 13 % 4] for place in range(ROWS)]
    ages, who = [float(place * 7 % 90) for place in range(ROWS)], [place // 2 for place in range(ROWS)]
    frame = pandas.DataFrame({"text": text, "age": ages, "who": who})
    frame["category"] = frame["text"].astype("category")
    print(f"{'text':28} {seconds(frame, column='text', categories=WORDS):.3f}")
    print(f"{'factor':28} {seconds(frame, column='category', categories=WORDS):.3f}")
    print(f"{'floating-point, in bins':28} {seconds(frame, column='age', bins=[0, 18, 65, 90]):.3f}")
    print(f"{'text, of units':28} {seconds(frame, column='text', categories=WORDS, unit='who'):.3f}")


if __name__ == "__main__":
    main()

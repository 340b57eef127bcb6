#!/usr/bin/env python3
"""Writes examples/rand-health.csv from the file of the RAND Health Insurance Experiment that statsmodels ships.

    python3 tools/rand_health.py randhie.csv > examples/rand-health.csv

The file is statsmodels/datasets/randhie/randhie.csv in the package statsmodels, which says that it is in the public domain.
It holds logarithms and indicators; here they are groups with names. Nothing else is changed, and the order is kept.
"""

from __future__ import annotations

import csv
import math
import sys
from bisect import bisect_right


def grouped(value: float, starts: list[float], names: list[str]) -> str:
    """The name of the group that a number is in; each group begins with its start."""
    return names[bisect_right(starts, value)]


def dollars(logarithm: str) -> float:
    """What the file holds the logarithm of; its zero stands for no payment at all."""
    return math.exp(float(logarithm)) if float(logarithm) > 0 else 0.0


def health(record: dict[str, str]) -> str:
    named = {"hlthg": "good", "hlthf": "fair", "hlthp": "poor"}
    return next((name for column, name in named.items() if record[column] == "1"), "excellent")


def row(record: dict[str, str]) -> list[str]:
    limited = {"0": "no", "1": "yes"}
    return [
        grouped(float(record["mdvis"]), [1, 2, 3, 5, 10], ["0", "1", "2", "3-4", "5-9", "10+"]),
        str(round(math.exp(float(record["lncoins"])) - 1)),
        limited[record["idp"]],
        grouped(dollars(record["lpi"]), [1e-9, 500], ["none", "below 500", "500+"]),
        grouped(dollars(record["fmde"]), [1e-9, 500, 1500], ["none", "below 500", "500-1499", "1500+"]),
        # A fraction was put in for those who did not answer.
        limited.get(record["physlm"], "unknown"),
        grouped(float(record["disea"]), [5, 10, 15, 25], ["0-4", "5-9", "10-14", "15-24", "25+"]),
        health(record),
    ]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("rand_health: name the file randhie.csv")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("visits coinsurance deductible incentive limit limitation diseases health".split())
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        out.writerows(row(record) for record in csv.DictReader(file))


if __name__ == "__main__":
    main()

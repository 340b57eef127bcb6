#!/usr/bin/env python3
"""Times what Posterity does before it draws, reading, filtering and counting, beside DuckDB on the same files; bins also beside pandas.

    tools/boundary.py                    # ten million rows, five runs of each, by turns
    tools/boundary.py --rows 1000000     # fewer rows
    tools/boundary.py --case like        # some of the questions

All have all processors. A figure is processor time: of Posterity, that of a whole release in a process of its own; of
DuckDB, that of its query alone, and of pandas, that of reading the column and `cut`, without the start of Python. Each answer is compared: the shares that Posterity releases with
a large epsilon must be DuckDB's.

The first run makes a virtual environment below target/boundary, and builds the command.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from peer_environment import ROOT, environment, progress

PINNED = {"duckdb": "2.0.0", "pandas": "3.1.1", "pyarrow": "26.0.1"}
# A text of ten values, one of a million, a number with a fraction, and a person with about five rows.
TABLE = """SELECT 'ward ' || CAST(random() * 10 - 0.5 AS INTEGER) AS ward,
    'id' || CAST(random() * 1000000 AS INTEGER) AS id, random() * 10000 AS weight,
    CAST(random() * {people} AS INTEGER) AS person FROM range({rows})"""
FILES = {
    "plain.parquet": "(FORMAT parquet, COMPRESSION uncompressed)",
    "snappy.parquet": "(FORMAT parquet, COMPRESSION snappy)",
    "zstd.parquet": "(FORMAT parquet, COMPRESSION zstd)",
    "rows.csv": "(FORMAT csv, HEADER)",
}
BY_WARD = "SELECT ward, count(*) FROM {rows} GROUP BY ward"
EDGES = [0, 0.1, 2500, 4999.9, 7500, 10000.5]
BY_WEIGHT = "SELECT CASE {cases} END AS bin, count(*) FROM {{rows}} GROUP BY bin".format(
    cases=" ".join(f"WHEN weight < CAST({edge} AS DOUBLE) THEN {bin}" for bin, edge in enumerate(EDGES))
)
ONE_OF_EACH = "(SELECT person, any_value(ward) AS ward FROM {rows} GROUP BY person)"
UNIT = ["--unit", "person", "--per-unit", "random"]
WARDS = ["--column", "ward", "--categories", ",".join(f"ward {ward}" for ward in range(10))]
WEIGHTS = ["--column", "weight", "--bins", ",".join(map(str, EDGES))]
# The file, the condition, and whether one record of each person counts. What is counted are the wards, or bins of the weight.
BINS = ["bins", "bins, plain"]
CASES = {
    "group by": ("snappy.parquet", None, False),
    "number": ("snappy.parquet", "weight < 5000.5", False),
    "number, plain": ("plain.parquet", "weight < 5000.5", False),
    "number, zstd": ("zstd.parquet", "weight < 5000.5", False),
    "like": ("snappy.parquet", "id LIKE 'id1%7'", False),
    "bins": ("snappy.parquet", None, False),
    "bins, plain": ("plain.parquet", None, False),
    "units": ("snappy.parquet", None, True),
    "csv": ("rows.csv", None, False),
}
# What DuckDB's process runs: it prints the seconds and the counts of each query that it is asked.
SERVANT = """import json, sys, time
import duckdb
for line in sys.stdin:
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    start = time.process_time()
    rows = connection.execute(json.loads(line)).fetchall()
    print(json.dumps([time.process_time() - start, sorted(rows)]), flush=True)
    connection.close()
"""
# The same of pandas, for bins of the weight.
PANDAS = """import json, sys, time
import pandas
for line in sys.stdin:
    file, edges = json.loads(line)
    start = time.process_time()
    weight = pandas.read_parquet(file, columns=["weight"]).weight
    found = pandas.cut(weight, edges, right=False).value_counts(sort=False)
    print(json.dumps([time.process_time() - start, list(enumerate(found.tolist()))]), flush=True)
"""


def make(python: Path, folder: Path, rows: int) -> None:
    """The same rows in all files."""
    table = TABLE.format(rows=rows, people=rows // 5)
    statements = ["SELECT setseed(0.5)", f"CREATE TABLE rows AS {table}"]
    statements += [f"COPY rows TO '{folder / name}' {how}" for name, how in FILES.items()]
    script = "import duckdb, json, sys\nc = duckdb.connect()\nfor s in json.loads(sys.argv[1]): c.execute(s)"
    subprocess.run([python, "-c", script, json.dumps(statements)], check=True)


def ours(command: Path, file: Path, counted: list[str], where: str | None, units: bool) -> tuple[float, list[float]]:
    """The processor time of a release, and the shares of its categories."""
    asked = [*counted, "--epsilon", "50", "--seed", "1", "--format", "json"]
    asked += (UNIT if units else []) + (["--where", where] if where else [])
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([command, "release", file, *asked], stdout=out, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said.seek(0)
        if process.returncode != 0:
            sys.exit(f"boundary: {said.read()}")
        drawn = json.load(out)["drawn"]
    return used.ru_utime + used.ru_stime, [count / sum(drawn) for count in drawn]


class Servant:
    """A process that answers questions, so that its start is not timed."""

    def __init__(self, python: Path, script: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([python, "-c", script], stdin=pipe, stdout=pipe, text=True)

    def ask(self, query: object) -> tuple[float, list[float]]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()
        seconds, rows = json.loads(self.process.stdout.readline())
        total = sum(count for _, count in rows)
        return seconds, [count / total for _, count in rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--case", action="append", choices=list(CASES), help="one question; may be given several times")
    parser.add_argument("--folder", type=Path, help="where the files are kept; those that are there are used as they are")
    parser.add_argument("--command", type=Path, help="a command that is built already")
    arguments = parser.parse_args()
    python = environment("boundary", PINNED, own=False)
    command = arguments.command or ROOT / "target" / "release" / "posterity"
    if not arguments.command:
        progress("building the command")
        build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "posterity-cli"]
        subprocess.run(build, check=True, cwd=ROOT)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        if not all((folder / name).exists() for name in FILES):
            progress(f"writing {arguments.rows:,} rows")
            folder.mkdir(parents=True, exist_ok=True)
            make(python, folder, arguments.rows)
        duckdb, pandas = Servant(python, SERVANT), Servant(python, PANDAS)
        print(f"| {'question':15} | Posterity | DuckDB | ratio | pandas |\n|:{'-' * 15}-|----------:|-------:|------:|-------:|")
        slower = []
        for name in arguments.case or CASES:
            file, where, units = CASES[name]
            rows = f"'{folder / file}'" + (f" WHERE {where}" if where else "")
            by, counted = (BY_WEIGHT, WEIGHTS) if name in BINS else (BY_WARD, WARDS)
            query = by.format(rows=ONE_OF_EACH.format(rows=rows) if units else rows)
            mine, theirs, of_pandas = [], [], []
            for _ in range(arguments.runs):
                seconds, shares = ours(command, folder / file, counted, where, units)
                mine.append(seconds)
                seconds, expected = duckdb.ask(query)
                theirs.append(seconds)
                # One record of a person is drawn at random by one and is any by the other.
                if any(abs(a - b) > (0.01 if units else 1e-4) for a, b in zip(shares, expected, strict=True)):
                    sys.exit(f"boundary: {name}: {shares} are not {expected}")
                if name in BINS:
                    seconds, cut = pandas.ask([str(folder / file), EDGES])
                    of_pandas.append(seconds)
                    if any(abs(a - b) > 1e-4 for a, b in zip(cut, expected, strict=True)):
                        sys.exit(f"boundary: {name}: {cut} are not {expected}")
            a, b = statistics.median(mine), statistics.median(theirs)
            beside = f"{statistics.median(of_pandas):4.3f} s" if of_pandas else "      "
            print(f"| {name:15} | {a:7.3f} s | {b:4.3f} s | {a / b:5.2f} | {beside} |", flush=True)
            if a > b:
                slower.append(name)
    progress(f"slower than DuckDB: {', '.join(slower)}" if slower else "nowhere slower than DuckDB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

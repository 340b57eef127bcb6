#!/usr/bin/env python3
"""Asks engines the queries of `posterity sql` and compares what they count with our own counts.

tools/engines.py [--pairs N] [ENGINE ..], by default 2,000 pairs of a table and a question for each of duckdb, postgres, spark and
datafusion. DuckDB, DataFusion and Spark are installed from PyPI into target/engines-environment; Spark needs Java. PostgreSQL has
to be there (initdb and pg_ctl in PATH), and a server of its own is started in a temporary folder.

Where records of a unit are drawn, only the number of units can be compared; at the end `drawn` says how often each of three
records of a unit was drawn in 3,000 queries with different salts.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target" / "engines-environment"
PACKAGES = ["duckdb==1.4.1", "psycopg[binary]==3.2.10", "datafusion==50.1.0", "pyspark==4.0.1", "pandas==2.3.3"]
TYPES = {"word": "text", "whole": "bigint", "number": "double precision", "unit": "text", "day": "bigint"}
TYPES |= {"flag": "boolean", "born": "date"}


class DuckDb:
    """DuckDB in this process."""

    def __init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect()

    def table(self, columns: list[str], rows: list[list]) -> None:
        """Store a table `t`."""
        self.connection.execute("DROP TABLE IF EXISTS t")
        self.connection.execute(f"CREATE TABLE t ({', '.join(f'{name} {TYPES[name]}' for name in columns)})")
        self.connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)

    def ask(self, query: str) -> list[tuple]:
        """Run a query."""
        return self.connection.execute(query).fetchall()

    def close(self) -> None:
        """Nothing is left."""


class Postgres:
    """A server of its own in a temporary folder."""

    def __init__(self) -> None:
        import psycopg

        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="posterity-engines-"))
        programs = pathlib.Path(shutil.which("initdb") or "/usr/lib/postgresql/15/bin/initdb").parent
        self.run_as = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.run_as:
            shutil.chown(self.folder, "postgres")
        data = self.folder / "data"
        run = lambda *command: subprocess.run([*self.run_as, *command], check=True, capture_output=True)
        run(str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        run(str(programs / "pg_ctl"), "-D", str(data), "-o", options, "-w", "-l", str(self.folder / "log"), "start")
        self.stop = [*self.run_as, str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"]
        self.connection = psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True)

    def table(self, columns: list[str], rows: list[list]) -> None:
        """Store a table `t`."""
        self.connection.execute("DROP TABLE IF EXISTS t")
        # A collation that folds accents and case, as some tables have.
        self.connection.execute(
            "CREATE COLLATION IF NOT EXISTS folding (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
        )
        types = [TYPES[name] + (" COLLATE folding" if TYPES[name] == "text" else "") for name in columns]
        self.connection.execute(f"CREATE TABLE t ({', '.join(f'{name} {kind}' for name, kind in zip(columns, types))})")
        with self.connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO t VALUES ({', '.join(['%s'] * len(columns))})", rows)

    def ask(self, query: str) -> list[tuple]:
        """Run a query."""
        return self.connection.execute(query.encode()).fetchall()

    def close(self) -> None:
        """Stop the server."""
        self.connection.close()
        subprocess.run(self.stop, check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class Spark:
    """Spark in local mode."""

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[1]").config("spark.sql.shuffle.partitions", "1")
        session = session.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
        self.session = session.getOrCreate()

    def table(self, columns: list[str], rows: list[list]) -> None:
        """Store a table `t`."""
        kinds = {"text": "string", "bigint": "bigint", "double precision": "double", "boolean": "boolean", "date": "date"}
        schema = ", ".join(f"`{name}` {kinds[TYPES[name]]}" for name in columns)
        self.session.createDataFrame([tuple(row) for row in rows], schema).createOrReplaceTempView("t")

    def ask(self, query: str) -> list[tuple]:
        """Run a query."""
        return [tuple(row) for row in self.session.sql(query.rstrip().rstrip(";")).collect()]

    def close(self) -> None:
        """Stop the session."""
        self.session.stop()


class DataFusion:
    """DataFusion in this process."""

    def __init__(self) -> None:
        from datafusion import SessionContext

        self.context = SessionContext()

    def table(self, columns: list[str], rows: list[list]) -> None:
        """Store a table `t`."""
        import pyarrow

        kinds = {"text": pyarrow.string(), "bigint": pyarrow.int64(), "double precision": pyarrow.float64()}
        kinds |= {"boolean": pyarrow.bool_(), "date": pyarrow.date32()}
        arrays = [
            pyarrow.array([row[index] for row in rows], type=kinds[TYPES[name]]) for index, name in enumerate(columns)
        ]
        self.context.deregister_table("t")
        self.context.register_record_batches("t", [[pyarrow.RecordBatch.from_arrays(arrays, names=columns)]])

    def ask(self, query: str) -> list[tuple]:
        """Run a query."""
        batches = self.context.sql(query).collect()
        return [tuple(row) for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns))]

    def close(self) -> None:
        """Nothing is left."""


ENGINES = {"duckdb": DuckDb, "postgres": Postgres, "spark": Spark, "datafusion": DataFusion}


def value(name: str, cell: object) -> object:
    """A value of a table."""
    if cell is None:
        return None
    kind = TYPES[name]
    if kind == "double precision":
        return float(cell["real"])
    if kind == "boolean":
        return cell == "true"
    return datetime.date.fromisoformat(cell) if kind == "date" else cell


def counted(rows: list[tuple]) -> dict | None:
    """The counts of cells; nothing if a record has none."""
    cells: dict[tuple, int] = {}
    for *names, state, count in rows:
        if state not in (None, "outside"):
            return None
        cells[() if state else tuple(names)] = count
    return cells


def cases(engine: str, pairs: int) -> list[dict]:
    """Tables and questions with their queries."""
    command = ["cargo", "run", "--quiet", "--locked", "-p", "posterity-count", "--example", "queries", "--", engine, str(pairs)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    return [json.loads(line) for line in lines]


def compare(name: str, pairs: int) -> bool:
    """Ask an engine all questions."""
    begun, engine = time.monotonic(), ENGINES[name]()
    equal = refused = drawn = wrong = 0
    try:
        for case in cases(name, pairs):
            engine.table(case["columns"], [list(map(value, case["columns"], row)) for row in case["rows"]])
            for question in case["questions"]:
                theirs = counted(engine.ask(question["query"]))
                expected = question["expected"]
                ours = None if expected is None else {tuple(names): count for names, count in expected}
                if question["draws"] and ours is not None and theirs is not None:
                    agree = sum(ours.values()) == sum(theirs.values())
                    drawn += agree
                elif ours is None:
                    # No records at all are refused when the counts are read.
                    agree = theirs is None or not theirs
                    refused += agree
                else:
                    agree = ours == theirs
                    equal += agree
                if not agree:
                    wrong += 1
                    print(f"{name}: {question['asked']}\n{question['query']}\n{case['rows']}\nours {ours}\ntheirs {theirs}")
                    if wrong > 3:
                        return False
    finally:
        engine.close()
    seconds = time.monotonic() - begun
    print(f"{name}: {equal} counts are equal, {refused} refused by both, {drawn} with as many units, {wrong} wrong; {seconds:.0f} s")
    return wrong == 0


def drawn(name: str, queries: int) -> bool:
    """Count how often each of three records of a unit is drawn, by queries with different salts."""
    command = ["cargo", "run", "--quiet", "--locked", "-p", "posterity-count", "--example", "queries", "--", name, str(queries), "draws"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    engine = ENGINES[name]()
    counts: dict[str, int] = {}
    try:
        engine.table(["word", "unit"], [["a", "u1"], ["b", "u1"], ["b", "u1"]])
        for line in lines:
            ((word, _, _),) = engine.ask(json.loads(line))
            counts[word] = counts.get(word, 0) + 1
    finally:
        engine.close()
    # One record in three says a. A normal law is near enough at 3,000 draws; four standard deviations.
    expected, deviation = queries / 3, (queries * 2 / 9) ** 0.5
    print(f"{name}: a drawn {counts.get('a', 0)} times of {queries}, {expected:.0f} +- {4 * deviation:.0f} expected")
    return abs(counts.get("a", 0) - expected) <= 4 * deviation


def main() -> None:
    """Install what is missing, and run again with it."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    if pathlib.Path(sys.prefix) != ENVIRONMENT:
        sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], check=False).returncode)
    parser = argparse.ArgumentParser(description="Compare engines with our own counts.")
    parser.add_argument("engines", nargs="*", default=list(ENGINES))
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--draws", type=int, default=3000)
    asked = parser.parse_args()
    results = [compare(name, asked.pairs) and drawn(name, asked.draws) for name in asked.engines]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Reads the public files of Apache Parquet and Arrow, and files of several writers, and compares each value with pyarrow's.

    tools/corpora.py                   # fetches the corpora from GitHub below target/corpora
    tools/corpora.py --corpora FOLDER  # takes the clones FOLDER/parquet-testing and FOLDER/arrow-testing; or POSTERITY_CORPORA
    tools/corpora.py --write           # writes the list anew, for a look at what changed

tools/corpora.txt lists each file of https://github.com/apache/parquet-testing and https://github.com/apache/arrow-testing with
what Posterity must say of it: how many columns have the values that pyarrow reads, which are not read, or why the file is
refused. A value that differs from pyarrow's is a failure, and so is a file at which the reader aborts or hangs, whatever the list
says. Then pyarrow, polars, DuckDB and fastparquet write random tables in many forms, and every column that pyarrow reads must have
its values.

The first run makes a virtual environment below target/corpora.
"""

from __future__ import annotations

import argparse
import collections
import datetime
import decimal
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from peer_environment import ROOT, environment, progress

PINNED = {"pyarrow": "26.0.1", "polars": "2.1.0", "duckdb": "2.0.0", "fastparquet": "2026.9.0", "pandas": "3.1.1"}
COMMITS = {
    "parquet-testing": "1a2a75127be06fc0123f03ebd36c966f7beda27d",
    "arrow-testing": "9cfebfef8982fb8612e0a2c59059752bd32321a3",
}
LIST = ROOT / "tools" / "corpora.txt"
SECONDS = 60
SEED = 32


def clones(given: Path | None) -> Path | None:
    """A folder with both corpora, each at its commit; nothing if they cannot be fetched."""
    folder = given or ROOT / "target" / "corpora" / "clones"
    for name, commit in COMMITS.items():
        clone = folder / name
        if not clone.exists():
            if given:
                sys.exit(f"corpora: there is no {clone}")
            progress(f"fetching apache/{name}")
            command = ["git", "clone", "--quiet", f"https://github.com/apache/{name}", clone]
            if subprocess.run(command, check=False).returncode != 0:
                return None
        subprocess.run(["git", "-C", clone, "checkout", "--quiet", commit], check=True)
    return folder


def is_data(path: Path) -> bool:
    """Whether a file is, or claims to be, Parquet or Arrow: those that fuzzers left have no name to tell."""
    parts = path.parts
    if path.suffix in {".md", ".json", ".gz", ".csv", ".txt", ".bin", ".encrypted", ".py", ".yaml", ".sh"}:
        return False
    return path.suffix == ".parquet" or "parquet" in parts or any(part.startswith("arrow-ipc-") for part in parts)


def kind(path: Path) -> str:
    return "parquet" if path.suffix == ".parquet" or "parquet" in path.parts else "arrow"


def ours(reader: Path, path: Path, name: str) -> dict:
    """What Posterity says of a file; it is read under a name from which its format follows."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / f"file.{name}"
        link.symlink_to(path)
        try:
            done = subprocess.run([reader, link], capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return {"failed": f"not read in {SECONDS} seconds"}
    if done.returncode != 0:
        return {"failed": f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"}
    said = json.loads(done.stdout)
    if "refused" in said:
        said["refused"] = said["refused"].replace(str(link), "FILE")
    return said


def theirs(path: Path, name: str) -> dict:
    """What pyarrow says of a file: in a process of its own, because a damaged file may end it."""
    command = [sys.executable, __file__, "--read", path, name]
    try:
        done = subprocess.run(command, capture_output=True, timeout=4 * SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"refused": "time"}
    return json.loads(done.stdout) if done.returncode == 0 else {"refused": "ended"}


def read_by_pyarrow(path: str, name: str) -> dict:
    """All top columns of a file, each by itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if name == "parquet":
        file = pq.ParquetFile(path, page_checksum_verification=True)
        names = file.schema_arrow.names
        columns = []
        for column in names:
            try:
                values = file.read(columns=[column], use_threads=False)
                column_values = values.column(column) if values.num_columns == 1 else None
            except (pa.ArrowException, OSError, KeyError, ValueError):
                column_values = None
            columns.append({"name": column, "values": None if column_values is None else listed(column_values)})
        return {"columns": columns}
    with open(path, "rb") as stream:
        try:
            table = pa.ipc.open_file(stream).read_all()
        except pa.ArrowInvalid:
            stream.seek(0)
            table = pa.ipc.open_stream(stream).read_all()
    table.validate()
    columns = []
    for place, field in enumerate(table.schema):
        try:
            columns.append({"name": field.name, "values": listed(table.column(place))})
        except (pa.ArrowException, ValueError):
            columns.append({"name": field.name, "values": None})
    return {"columns": columns}


def listed(values) -> list | None:
    """The values in the words of the example `values`, or nothing for a type that it cannot name."""
    import pyarrow as pa

    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return None
    if pa.types.is_dictionary(kind):
        try:
            return listed(values.cast(kind.value_type))
        except (pa.ArrowException, NotImplementedError):
            return None
    if pa.types.is_run_end_encoded(kind):
        return None
    if pa.types.is_timestamp(kind):
        per_second = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}[kind.unit]
        ticks = values.cast(pa.int64()).to_pylist()
        return [None if tick is None else moment(tick, per_second) for tick in ticks]
    if pa.types.is_date32(kind):
        return [None if day is None else {"day": day} for day in values.cast(pa.int32()).to_pylist()]
    if pa.types.is_date64(kind):
        ticks = values.cast(pa.int64()).to_pylist()
        return [None if tick is None else moment(tick, 1000) for tick in ticks]
    if pa.types.is_nested(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind) or pa.types.is_interval(kind):
        return None
    return [shown(value) for value in values.to_pylist()]


def moment(ticks: int, per_second: int) -> dict:
    return {"nanoseconds": str(ticks * (10**9 // per_second))}


def shown(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, int):
        return {"integer": str(value)}
    if isinstance(value, float):
        return {"float": bits(value)}
    if isinstance(value, decimal.Decimal):
        return number(value)
    if type(value).__name__ in {"float16", "float32"}:
        return {"float": bits(float(value))}
    raise TypeError(f"{type(value)} is not expected of pyarrow")


def bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def number(value: decimal.Decimal) -> dict:
    sign, digits, exponent = value.as_tuple()
    mantissa = int("".join(map(str, digits))) * (-1 if sign else 1)
    return plain(mantissa, -exponent)


def plain(mantissa: int, scale: int) -> dict:
    """A number without zeros at its end."""
    while mantissa and mantissa % 10 == 0 and scale > 0:
        mantissa, scale = mantissa // 10, scale - 1
    if mantissa == 0:
        scale = 0
    if scale < 0:
        mantissa, scale = mantissa * 10**-scale, 0
    return {"integer": str(mantissa)} if scale == 0 else {"decimal": [str(mantissa), scale]}


def same(our, their) -> bool:
    """Whether two values mean the same. NaN is one value, and bytes without a declared meaning may be text."""
    if isinstance(our, dict) and isinstance(their, dict):
        if "ticks" in our:
            our = moment(int(our["ticks"]), our["per_second"])
        if "decimal" in our:
            our = plain(int(our["decimal"][0]), our["decimal"][1])
        if "bytes" in their and "text" in our:
            return bytes.fromhex(their["bytes"]) == our["text"].encode()
        if "float" in our and "float" in their:
            mine, other = (struct.unpack(">d", bytes.fromhex(one["float"]))[0] for one in (our, their))
            return our == their or (mine != mine and other != other)
    return our == their


def reason(message: str) -> str:
    """Why something is refused, in a word or two: without the file's name and the remedy."""
    if " uses " in message:
        return message.split(" uses ")[1].split(", which is not read here")[0]
    return "damaged" if "damaged or not" in message else message.split(";")[0]


def verdict(our: dict, their: dict) -> tuple[str, bool]:
    """What is to be said of a file, and whether it is a failure."""
    if "failed" in our:
        return our["failed"], True
    if "refused" in our:
        beside = ", read by pyarrow" if any(column["values"] is not None for column in their.get("columns", [])) else ""
        return f"refused: {reason(our['refused'])}{beside}", False
    known = {column["name"]: column["values"] for column in their.get("columns", [])}
    words, failures = collections.Counter(), []
    for column in our["columns"]:
        other = known.get(column["name"])
        if "refused" in column or "strange" in column["values"]:
            why = reason(column["refused"]) if "refused" in column else "a type that Posterity does not count"
            words[f"not read: {why}" + (" (read by pyarrow)" if other is not None else "")] += 1
        elif other is None:
            words["not to be compared"] += 1
        elif len(other) != len(column["values"]):
            failures.append(f"{column['name']} has {len(column['values'])} values, and {len(other)} by pyarrow")
        else:
            wrong = [place for place, pair in enumerate(zip(column["values"], other)) if not same(*pair)]
            words["the same"] += not wrong
            if wrong:
                place = wrong[0]
                pair = f"{column['values'][place]} and {other[place]}"
                failures.append(f"{column['name']} ({column['type']}) differs {len(wrong)} times, first at {place}: {pair}")
    if failures:
        return "; ".join(failures), True
    order = sorted((word for word in words if words[word]), key=lambda word: (word != "the same", word))
    return ", ".join(f"{words[word]} {word}" for word in order) or "no columns", False


def corpus(reader: Path, folder: Path, write: bool) -> int:
    """Compares all files of the corpora with the list."""
    found, failures = {}, 0
    paths = sorted(path for name in COMMITS for path in (folder / name).rglob("*") if path.is_file())
    paths = [path for path in paths if is_data(path.relative_to(folder)) and ".git" not in path.parts]
    for place, path in enumerate(paths):
        name = kind(path.relative_to(folder))
        said, failed = verdict(ours(reader, path, name), theirs(path, name))
        found[str(path.relative_to(folder))] = " ".join(said.split())
        if failed:
            failures += 1
            print(f"{path.relative_to(folder)}: {said}")
        if place % 50 == 49:
            progress(f"{place + 1} of {len(paths)} files")
    if write:
        LIST.write_text("".join(f"{path}: {said}\n" for path, said in found.items()))
        return failures
    listed = dict(line.split(": ", 1) for line in LIST.read_text().splitlines())
    for path in sorted(found.keys() | listed.keys()):
        if found.get(path) != listed.get(path):
            failures += 1
            print(f"{path}: {found.get(path, 'not there')}; the list says: {listed.get(path, 'nothing')}")
    print(f"{len(found)} files of the corpora, {failures} failures")
    return failures


def random_table(source: random.Random):
    """A table of many types, with missing values."""
    import pyarrow as pa

    rows = source.choice([0, 1, 7, 1000, 5000])
    missing = source.choice([0.0, 0.1, 1.0])
    distinct = source.choice([2, 50, 10**6])

    def column(make, kind):
        values = [None if source.random() < missing else make(source.randrange(distinct)) for _ in range(rows)]
        return pa.array(values, type=kind)

    epoch = datetime.datetime(1970, 1, 1)
    return pa.table(
        {
            "text": column(lambda i: source.choice(["", "a", "å", "x" * 20]) + str(i), pa.string()),
            "flag": column(lambda i: i % 2 == 0, pa.bool_()),
            "small": column(lambda i: i % 256 - 128, pa.int8()),
            "int32": column(lambda i: i - 500, pa.int32()),
            "int64": column(lambda i: (i - 500) * 10**12, pa.int64()),
            "unsigned": column(lambda i: i + 2**31, pa.uint32()),
            "single": column(lambda i: i / 8 - 3, pa.float32()),
            "double": column(lambda i: source.choice([i / 3, float("nan"), -0.0, 1e300]), pa.float64()),
            "decimal": column(lambda i: decimal.Decimal(i - 500) / 100, pa.decimal128(18, 2)),
            "day": column(lambda i: (epoch + datetime.timedelta(days=i % 40000 - 9000)).date(), pa.date32()),
            "moment": column(lambda i: epoch + datetime.timedelta(seconds=i, microseconds=i % 10**6), pa.timestamp("us")),
        }
    )


def by_pyarrow(table, path: Path, source: random.Random) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".arrow":
        codec = source.choice([None, "zstd", "lz4"])
        options = pa.ipc.IpcWriteOptions(compression=codec)
        new = source.choice([pa.ipc.new_file, pa.ipc.new_stream])
        if source.random() < 0.5:
            table = table.set_column(0, "text", table.column(0).dictionary_encode())
        with new(path, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=source.choice([10, 999, 10**6]))
        return f"{new.__name__} {codec}"
    options = {
        "compression": source.choice(["none", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        "data_page_version": source.choice(["1.0", "2.0"]),
        "version": source.choice(["1.0", "2.4", "2.6"]),
        "use_dictionary": source.choice([True, False]),
        "data_page_size": source.choice([64, 4096, 2**20]),
        "row_group_size": source.choice([100, 10**6]),
        "write_page_checksum": source.choice([True, False]),
        "store_decimal_as_integer": source.choice([True, False]),
    }
    if not options["use_dictionary"] and source.random() < 0.7:
        options["column_encoding"] = {
            "text": source.choice(["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"]),
            "int32": source.choice(["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]),
            "int64": source.choice(["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]),
            "single": "BYTE_STREAM_SPLIT",
            "double": "BYTE_STREAM_SPLIT",
            "flag": source.choice(["RLE", "PLAIN"]),
        }
    pq.write_table(table, path, **options)
    return str(options)


def by_polars(table, path: Path, source: random.Random) -> str:
    import polars

    codec = source.choice(["lz4", "uncompressed", "zstd"])
    frame = polars.from_arrow(table)
    if path.suffix == ".arrow":
        frame.write_ipc(path, compression=codec)
    else:
        frame.write_parquet(path, compression=codec, row_group_size=source.choice([100, None]))
    return codec


def by_duckdb(table, path: Path, source: random.Random) -> str:
    import duckdb

    codec = source.choice(["uncompressed", "snappy", "gzip", "zstd", "lz4", "brotli"])
    version = source.choice(["v1", "v2"])
    options = f"FORMAT parquet, COMPRESSION {codec}, PARQUET_VERSION {version}, ROW_GROUP_SIZE {source.choice([2048, 10**6])}"
    duckdb.connect().execute(f"COPY (SELECT * FROM 'table') TO '{path}' ({options})".replace("'table'", '"table"'))
    return options


def by_fastparquet(table, path: Path, source: random.Random) -> str:
    import fastparquet

    codec = source.choice([None, "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW", "BROTLI"])
    # It knows no decimals and no days.
    frame = table.drop_columns(["decimal", "day", "flag"]).to_pandas(types_mapper=None)
    fastparquet.write(str(path), frame, compression=codec, row_group_offsets=source.choice([100, 10**6]))
    return str(codec)


WRITERS = {
    "pyarrow": (by_pyarrow, (".parquet", ".arrow")),
    "polars": (by_polars, (".parquet", ".arrow")),
    "duckdb": (by_duckdb, (".parquet",)),
    "fastparquet": (by_fastparquet, (".parquet",)),
}


def written(reader: Path, tables: int) -> int:
    """Compares files that others write."""
    source = random.Random(SEED)
    failures, values, said_of = 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for place in range(tables):
            table = random_table(source)
            for writer, (write, suffixes) in WRITERS.items():
                path = Path(folder) / f"{writer}{source.choice(suffixes)}"
                how = write(table, path, source)
                name = path.suffix[1:]
                our = ours(reader, path, name)
                said, failed = verdict(our, read_by_pyarrow(str(path), name))
                said_of[writer, said] += 1
                failed = failed or "read by pyarrow" in said
                failures += failed
                values += sum(len(column.get("values", [])) for column in our.get("columns", []))
                if failed:
                    print(f"table {place} by {writer} ({how}): {said}")
                path.unlink()
    for (writer, said), times in sorted(said_of.items()):
        print(f"{writer}: {times} files, {said}")
    print(f"{tables} tables by {len(WRITERS)} writers, {values} values, {failures} failures")
    return failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, help="a folder with clones of parquet-testing and arrow-testing")
    parser.add_argument("--tables", type=int, default=100, help="how many tables each writer writes (100)")
    parser.add_argument("--write", action="store_true", help="write tools/corpora.txt anew")
    parser.add_argument("--compare", action="store_true", help="in an environment that has the packages already")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        print(json.dumps(read_by_pyarrow(*arguments.read)), flush=True)
        # Some of pyarrow's threads may not have ended, and then the interpreter aborts at its end.
        os._exit(0)
    if not arguments.compare:
        python = environment("corpora", PINNED, own=False)
        sys.exit(subprocess.run([python, __file__, "--compare", *sys.argv[1:]], check=False).returncode)
    given = arguments.corpora or os.environ.get("POSTERITY_CORPORA")
    folder = clones(Path(given).resolve() if given else None)
    build = ["cargo", "build", "--locked", "--quiet", "--package", "posterity-formats", "--example", "values"]
    subprocess.run(build, cwd=ROOT, check=True)
    reader = ROOT / "target" / "debug" / "examples" / "values"
    failures = written(reader, arguments.tables)
    if folder is None:
        print("corpora: GitHub is not reached, so its files are left out; name a folder with clones: --corpora FOLDER")
        sys.exit(1 if failures else 3)
    failures += corpus(reader, folder, arguments.write)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

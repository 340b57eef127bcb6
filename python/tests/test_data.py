"""Every kind of data gives the same counts, by the rules that hold for files."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import pathlib
import sqlite3
import traceback
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pytest
from conftest import EXAMPLES, draw

LABELS = ["yes"] * 48 + ["no"] * 42


def counted(data: Any, **options: Any) -> tuple[list[str], list[int]]:
    """The categories and counts of data: at a huge budget nothing is drawn but the truth."""
    document = draw(data, epsilon=10_000, seed=1, mechanism="geometric", **options).to_dict()
    return document["posterior"]["categories"], document["released_counts"]


SOURCES: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "numpy text": np.array,
    "numpy objects": lambda labels: np.array(labels, dtype=object),
    "numpy strided": lambda labels: np.array([label for label in labels for _ in range(2)])[::2],
    "pandas": pd.Series,
    "pandas objects": lambda labels: pd.Series(labels, dtype=object),
    "pandas categorical": lambda labels: pd.Series(labels, dtype="category"),
    "pandas arrow": lambda labels: pd.Series(labels, dtype="string[pyarrow]"),
    "polars": pl.Series,
    "polars categorical": lambda labels: pl.Series(labels, dtype=pl.Categorical),
    "polars enum": lambda labels: pl.Series(labels, dtype=pl.Enum(["no", "yes", "never"])),
    "pyarrow string": pa.array,
    "pyarrow large string": lambda labels: pa.array(labels, type=pa.large_string()),
    "pyarrow string view": lambda labels: pa.array(labels, type=pa.string_view()),
    "pyarrow dictionary": lambda labels: pa.array(labels).dictionary_encode(),
    "pyarrow slice": lambda labels: pa.array(["no", "no", *labels, "no"]).slice(2, len(labels)),
    "pyarrow dictionary slice": lambda labels: pa.array(["no", *labels]).dictionary_encode().slice(1),
    "pyarrow chunks": lambda labels: pa.chunked_array([labels[:7], [], labels[7:]]),
    "pyarrow dictionary chunks": lambda labels: pa.chunked_array([labels[:60], labels[60:]]).dictionary_encode(),
}


@pytest.mark.parametrize("source", SOURCES)
def test_labels_of_every_kind(source: str) -> None:
    assert counted(SOURCES[source](LABELS), categories=["yes", "no"]) == (["yes", "no"], [48, 42])


MISSING: dict[str, Callable[[list[Any]], Any]] = {
    name: make for name, make in SOURCES.items() if name not in {"numpy text", "numpy strided", "polars enum"}
}


@pytest.mark.parametrize("source", MISSING)
def test_missing_and_other_labels(source: str) -> None:
    data = MISSING[source](["yes", None, "maybe", "yes"])
    names = ["yes", "no", "rest", "gone"]
    assert counted(data, categories=["yes", "no"], other="rest", missing="gone") == (names, [2, 0, 1, 1])
    for options in ({"other": "no"}, {"missing": "no"}, {}):
        with pytest.raises(posterity.DataError) as failure:
            counted(MISSING[source](["yes", None, "maybe", "yes"]), categories=["yes", "no"], **options)
        assert "maybe" not in str(failure.value)


@pytest.mark.parametrize(
    "data",
    [
        [1, 2, 2],
        np.array([1, 2, 2], dtype=np.int8),
        np.array([1, 2, 2], dtype=np.uint64),
        np.array([1, 2, 2], dtype=">i4"),
        pd.Series([1, 2, 2]),
        pl.Series([1, 2, 2]),
        pa.array([1, 2, 2], type=pa.uint16()),
        pa.array([1, 2, 2]).dictionary_encode(),
        [np.int64(1), np.int32(2), 2],
        ["1", "2", "2"],
    ],
    ids=lambda data: type(data).__name__,
)
def test_integers_are_labels_as_they_are_printed(data: Any) -> None:
    assert counted(data, categories=[1, "2"]) == (["1", "2"], [1, 2])


@pytest.mark.parametrize(
    "data",
    [
        [True, False, True],
        np.array([True, False, True]),
        [np.True_, np.False_, np.True_],
        pd.Series([True, False, True]),
        pl.Series([True, False, True]),
        pa.array([True, False, True]),
    ],
    ids=lambda data: type(data).__name__,
)
def test_truth_values_are_labels_as_in_files(data: Any) -> None:
    assert counted(data, categories=[True, False]) == (["true", "false"], [2, 1])


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT, np.float64("nan")])
def test_what_counts_as_missing(gap: Any) -> None:
    assert counted(["a", gap], categories=["a", "b"], missing="b")[1] == [1, 1]


def test_masked_arrays_are_not_read_behind_their_mask() -> None:
    masked = np.ma.MaskedArray(["a", "b", "a"], mask=[False, False, True])
    assert counted(masked, categories=["a", "b"], missing="b")[1] == [1, 2]


@pytest.mark.parametrize("mapping", [dict, collections.Counter, collections.OrderedDict, types.MappingProxyType])
def test_mappings(mapping: Any) -> None:
    counts = mapping({"yes": 48, "no": 42})
    assert counted(counts, categories=["no", "yes", "never"]) == (["no", "yes", "never"], [42, 48, 0])
    with pytest.raises(posterity.DataError, match="outside the declared categories"):
        counted(counts, categories=["no", "never"])


class Answers(dict[str, int]):
    """A dictionary, but not a plain one."""


def test_keys_are_published_of_plain_dictionaries_only() -> None:
    assert counted({"yes": 48, "no": 42, "never": 0}) == (["yes", "no", "never"], [48, 42, 0])
    counts = {"yes": 48, "no": 42}
    others: list[Any] = [
        collections.Counter(LABELS),
        collections.OrderedDict(counts),
        collections.defaultdict(int, counts),
        collections.UserDict(counts),
        collections.ChainMap(counts),
        types.MappingProxyType(counts),
        Answers(counts),
    ]
    for mapping in others:
        with pytest.raises(posterity.ArgumentError, match="^categories: .* published; list all possible labels"):
            posterity.release(mapping, epsilon=1)
        # What shows the data without protection takes any of them.
        assert len(posterity.inspect(mapping, epsilon=1, mechanism="ehds").rows) == 91


def test_large_arrays_in_pieces() -> None:
    data = pa.chunked_array([pa.array(["a", "b", None] * 1_500_000), pa.array(["b"] * 17)])
    assert counted(data, categories=["a", "b"], missing="m")[1] == [1_500_000, 1_500_017, 1_500_000]
    integers = np.arange(3_000_000) % 3
    assert counted(integers, categories=[0, 1, 2])[1] == [1_000_000] * 3


def test_text_of_every_length() -> None:
    labels = ["x" * length for length in range(1, 40)] + ["ä", "雪", "🙂" * 5]
    for data in (labels, np.array(labels), pa.array(labels), pl.Series(labels), pa.array(labels, type=pa.string_view())):
        assert counted(data, categories=labels)[1] == [1] * len(labels)


def test_files(tmp_path: pathlib.Path) -> None:
    path = EXAMPLES / "cryotherapy.csv"
    for source in (path, str(path)):
        assert counted(source, column="cured", categories=["yes", "no"])[1] == [48, 42]
    table = pl.DataFrame({"who": [1, 1, 2, 3], "a": ["x", "y", "y", None], "b": [True, False, True, True], "w": [1, 2, 3, 4]})
    table.write_parquet(tmp_path / "t.parquet")
    table.write_csv(tmp_path / "t.txt", separator=";")
    for file, options in (("t.parquet", {}), ("t.txt", {"input_format": "csv", "delimiter": ";"})):
        data = tmp_path / file
        assert counted(data, column="a", categories=["x", "y"], missing="gone", **options)[1] == [1, 2, 1]
        assert counted(data, column="a", categories=["x", "y"], where="w < 4", unit="who", **options)[1] == [1, 1]
        both = counted(data, column=["a", "b"], categories=[["x", "y"], [True, False]], where="w < 4", **options)
        assert both == (["a=x,b=true", "a=x,b=false", "a=y,b=true", "a=y,b=false"], [1, 0, 1, 1])


def test_encodings_and_databases(tmp_path: pathlib.Path) -> None:
    (tmp_path / "old.csv").write_bytes("ward\nKöln\nKöln\nBonn\n".encode("windows-1252"))
    options: dict[str, Any] = {"column": "ward", "categories": ["Köln", "Bonn"]}
    assert counted(tmp_path / "old.csv", encoding="windows-1252", **options)[1] == [2, 1]
    with pytest.raises(posterity.DataError, match="UTF-8"):
        counted(tmp_path / "old.csv", **options)
    database = tmp_path / "visits.sqlite"
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE visits (who INTEGER, ward TEXT)")
        connection.executemany("INSERT INTO visits VALUES (?, ?)", [(1, "Köln"), (1, "Köln"), (2, "Bonn")])
        connection.execute("CREATE VIEW stays AS SELECT * FROM visits")
    assert counted(database, table="visits", **options)[1] == [2, 1]
    assert counted(database, view="stays", unit="who", **options)[1] == [1, 1]
    for wrong, why in (
        ({"view": "stays"}, "unit"),
        ({"table": "visits", "view": "stays"}, "view: name a table or a view"),
        ({"table": "stays"}, "view"),
        ({}, "table"),
        ({"encoding": "latin"}, "encoding: there is no encoding"),
    ):
        with pytest.raises(posterity.PosterityError, match=why):
            counted(database, **wrong, **options)
    with pytest.raises(posterity.ArgumentError, match="table: this is for files"):
        counted(pl.DataFrame({"ward": ["Bonn"]}), table="visits", **options)


BAD: list[tuple[Any, dict[str, Any], type[posterity.PosterityError], str]] = [
    (5, {}, posterity.ArgumentError, "categories: declare the possible labels"),
    (5, {"categories": ["a", "b"]}, posterity.ArgumentError, "data: this is no data"),
    (b"ab", {"categories": ["a", "b"]}, posterity.ArgumentError, "data: this is no data"),
    (LABELS, {}, posterity.ArgumentError, "categories: declare the possible labels"),
    (LABELS, {"categories": "yes"}, posterity.ArgumentError, "categories: this is one text"),
    (LABELS, {"categories": ["yes"]}, posterity.ArgumentError, "there are 1 categories; declare at least two"),
    (LABELS, {"categories": ["yes", "yes"]}, posterity.ArgumentError, "is declared twice"),
    (LABELS, {"categories": ["yes", None]}, posterity.ArgumentError, "categories: a category is not a text"),
    (LABELS, {"categories": ["yes", "no"], "column": "a"}, posterity.ArgumentError, "column: this is for files"),
    (LABELS, {"categories": ["yes", "no"], "unit": "a"}, posterity.ArgumentError, "unit: this is for files"),
    ([], {"categories": ["yes", "no"]}, posterity.DataError, "there are no records"),
    ([1.5], {"categories": ["1", "2"]}, posterity.DataError, "is of type float"),
    ([object()], {"categories": ["1", "2"]}, posterity.DataError, "is of type object"),
    (["\ud800"], {"categories": ["1", "2"]}, posterity.DataError, "not Unicode"),
    ([10**30], {"categories": ["1", "2"]}, posterity.DataError, "more than 64 bits"),
    (np.array([0.5]), {"categories": ["1", "2"]}, posterity.DataError, "is of type float"),
    (pa.array([0.5]), {"categories": ["1", "2"]}, posterity.DataError, "neither text nor a whole number"),
    (pa.array([["x"]]), {"categories": ["x", "y"]}, posterity.DataError, "cannot be told apart by name"),
    ({"a": 1}, {}, posterity.ArgumentError, "there are 1 categories"),
    ({}, {}, posterity.ArgumentError, "there are 0 categories"),
    ({"a": 1, 1.5: 2}, {}, posterity.DataError, "is of type float"),
    ({"a": 1, "b": -2}, {}, posterity.ArgumentError, "data: count 2 is not a whole number"),
    ({"a": 1, "b": 2.0}, {}, posterity.ArgumentError, "data: count 2 is not a whole number"),
    ({"a": 1, "b": True}, {}, posterity.ArgumentError, "data: count 2 is not a whole number"),
    ({"a": 1, "b": 10**13}, {}, posterity.DataError, "more than 1000000000000"),
    ({"a": 0, "b": 0}, {}, posterity.DataError, "there are no records"),
    ({1: 3, "1": 4}, {}, posterity.ArgumentError, "is declared twice"),
    ("3,4", {}, posterity.ArgumentError, "data: this looks like counts"),
    ("no-such.csv", {}, posterity.ArgumentError, "column: say which column"),
    ("no-such.csv", {"column": "a"}, posterity.ArgumentError, "there are 0 lists of categories and 0 of bins for 1 columns"),
    ("no-such.csv", {"column": "a", "categories": ["x", "y"]}, posterity.DataError, "there is no file"),
    ("no-such.csv", {"column": "a", "categories": ["x", "y"], "name": "n"}, posterity.ArgumentError, "name: this is for data"),
    (
        "no-such.csv",
        {"column": "a", "categories": ["x", "y"], "input_format": "xls"},
        posterity.ArgumentError,
        "input_format: there is no format",
    ),
    (
        "no-such.csv",
        {"column": "a", "categories": ["x", "y"], "delimiter": ";;"},
        posterity.ArgumentError,
        "delimiter: this is not one character",
    ),
    (
        EXAMPLES / "bike.csv",
        {"column": "day", "categories": ["x", "y"]},
        posterity.ArgumentError,
        "there is no column",
    ),
    (
        EXAMPLES / "bike.csv",
        {"column": "working_day", "categories": ["yes", "no"], "where": "a >"},
        posterity.ArgumentError,
        "where: the filter",
    ),
]


@pytest.mark.parametrize("data, options, error, words", BAD, ids=lambda value: None)
def test_rejects(data: Any, options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as failure:
        draw(data, epsilon=1, **options)
    assert type(failure.value) is error
    assert words in str(failure.value)
    assert isinstance(failure.value, posterity.PosterityError)


SECRET = "Mallory4711"


class FailingMapping(collections.abc.Mapping[str, int]):
    """A mapping whose values cannot be read."""

    def __getitem__(self, key: str) -> int:
        raise KeyError(f"{SECRET} has no count")

    def __iter__(self) -> Any:
        return iter(["a", "b"])

    def __len__(self) -> int:
        return 2


class FailingColumn:
    """A table whose conversion fails."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        raise ValueError(f"cannot convert {SECRET}")


def failing_labels() -> Any:
    yield "a"
    raise RuntimeError(f"cannot parse {SECRET}")


def failing_within_another() -> Any:
    try:
        int(SECRET)
    except ValueError as error:
        yield "a"
        raise RuntimeError(SECRET) from error


def failing_batches() -> pa.RecordBatchReader:
    def batches() -> Any:
        yield pa.record_batch({"x": ["a"]})
        raise pa.ArrowInvalid(f"cannot parse {SECRET}")

    return pa.RecordBatchReader.from_batches(pa.schema({"x": pa.string()}), batches())


FAILING: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "iterator": (failing_labels, {}),
    "iterator within another failure": (failing_within_another, {}),
    "map": (lambda: map(int, ["1", SECRET]), {}),
    "mapping": (FailingMapping, {}),
    "conversion": (FailingColumn, {}),
    "stream": (failing_batches, {"column": "x"}),
}


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("name", FAILING)
def test_what_a_failing_source_says_is_not_kept(name: str, adjacency: Any) -> None:
    """The exceptions of a source quote values. If this fails, they are in the log of whoever logs ours."""
    make, options = FAILING[name]
    calls: list[Callable[[], Any]] = [
        lambda: draw(make(), categories=["a", "b"], epsilon=1, adjacency=adjacency, **options),
        lambda: posterity.check(posterity.Data(make(), categories=["a", "b"], **options)),
    ]
    for call in calls:
        with pytest.raises(posterity.DataError) as failure:
            call()
        error = failure.value
        assert error.__cause__ is None and error.__context__ is None
        assert SECRET not in "".join(traceback.format_exception(error)) + repr(error.__dict__) + repr(error.args)


def test_the_end_of_the_program_is_not_a_failure_of_the_data() -> None:
    def labels() -> Any:
        yield "a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        posterity.release(labels(), categories=["a", "b"], epsilon=1)


@pytest.mark.parametrize("answer", [None, 5, object(), (1, 2)])
def test_false_promises_of_arrow(answer: Any) -> None:
    class Liar:
        def __arrow_c_stream__(self) -> Any:
            return answer

    class Pair:
        def __arrow_c_array__(self) -> Any:
            return answer

    for liar in (Liar(), Pair()):
        with pytest.raises(posterity.DataError):
            posterity.release(liar, categories=["a", "b"], epsilon=1)  # type: ignore[arg-type]


def test_a_stream_is_taken_once() -> None:
    capsule = pa.chunked_array([["a", "b"]]).__arrow_c_stream__()

    class Twice:
        def __arrow_c_stream__(self) -> Any:
            return capsule

    assert counted(Twice(), categories=["a", "b"])[1] == [1, 1]
    with pytest.raises(posterity.DataError):
        counted(Twice(), categories=["a", "b"])


def test_integers_that_pandas_made_floats_of_are_whole_numbers() -> None:
    """One missing value makes floats of all. 1.0 and 1 are the same category."""
    column = pd.Series([1, 2, None, 2], name="a")
    assert column.dtype == "float64"
    options: dict[str, Any] = {"categories": [1, 2]}
    for data, how in [(column, {}), (column.to_numpy(), {}), (column.to_frame(), {"column": "a"}), (pl.from_pandas(column.to_frame()), {"column": "a"})]:
        assert counted(data, missing="unknown", **options, **how)[1] == [1, 2, 1]
    assert counted(column, categories=[1.0, 2.0], missing="unknown")[0] == ["1", "2", "unknown"]
    mended = posterity.Data(column.astype("Int64"), missing="unknown", **options)
    assert posterity.release(mended, epsilon=1, seed=1).n == 4
